"""Data of dataclasses: what comes back is equal, defaults cost nothing, and data of another form is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest

from validation_gen.commands.distributed.codec import decode, encode
from validation_gen.commands.validate.verdicts import Block, Results, State, Verdict, Wrong
from validation_gen.diagnostics import Diagnostic, Edit, Fix, Severity, Span


@dataclass
class Book:
    title: str
    pages: int = 0


@dataclass
class Shelf:
    name: str
    width: float = 1.0
    books: tuple[str, ...] = ()
    owners: frozenset[tuple[str, str]] = frozenset()
    built: date | None = None
    fits: Mapping[str, bool] | None = None
    states: Counter[State] = field(default_factory=Counter)
    rows: dict[tuple[str, int], list[Book]] = field(default_factory=dict)
    note: Any = None
    _seen: int = 0


def test_everything_comes_back() -> None:
    book = Book("atlas", 2)
    shelf = Shelf(
        "outer",
        0.5,
        ("a", "b"),
        frozenset({("x", "y"), ("x", "a")}),
        date(2026, 1, 2),
        {"top": True},
        Counter({State.VALID: 2}),
        {("b", 2): [book], ("a", 1): []},
        {"any": [None, {"thing": 1}]},
    )
    data = json.loads(json.dumps(encode(shelf)))
    assert decode(Shelf, data) == shelf
    assert data["owners"] == [["x", "a"], ["x", "y"]]
    assert data["rows"] == [[["a", 1], []], [["b", 2], [{"title": "atlas", "pages": 2}]]]


def test_defaults_and_private_fields_are_left_out() -> None:
    assert encode(Shelf("a", _seen=7)) == {"name": "a"}


def test_findings_and_verdicts_come_back() -> None:
    span = Span("a.yaml", 3, 4, 9)
    finding = Diagnostic(
        "VG901", Severity.WARNING, "cannot read", span, "look", (("there", None), ("here", span)), Fix("t", ())
    )
    verdict = Verdict("a.yaml", 1, ("v1", "Pod", "", "a"), State.INVALID, (Wrong("text", "type", place=span),))
    results = Results({4: Block(1, [verdict], [finding])}, kinds={("v1", "Pod")}, updates=True)
    again = decode(Results, json.loads(json.dumps(encode(results))))
    assert again == results
    assert again.blocks[4].problems[0].fix == finding.fix
    assert decode(Fix, encode(Fix("t", (Edit(span, "a", "b"),)))) == Fix("t", (Edit(span, "a", "b"),))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"name": 1},
        {"name": "a", "width": "1"},
        {"name": "a", "width": True},
        {"name": "a", "books": "ab"},
        {"name": "a", "owners": [["x"]]},
        {"name": "a", "built": "soon"},
        {"name": "a", "states": {"odd": 1}},
        {"name": "a", "rows": [[["b", "2"], []]]},
        {"name": "a", "color": "red"},
    ],
)
def test_data_of_another_form_is_refused(data: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        decode(Shelf, data)
