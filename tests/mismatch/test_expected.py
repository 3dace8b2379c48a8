"""Files of expected differences: what they may hold, what an entry means, and when it ends."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mismatch.strategies import errors
from tests.tables import each
from validation_gen.mismatch.expected import Expectation, Expectations, general_path, read_entries
from validation_gen.mismatch.outcome import Mismatch, Side
from validation_gen.runtime.errors import FieldError

ENTRY = {
    "kind": "Widget",
    "path": "spec.ports[*].name",
    "type": "FieldValueTooLong",
    "origin": "maxLength",
    "side": "handwritten",
    "reason": "old objects have longer names",
    "expires": "2027-03-31",
}


def mismatch(path: str = "spec.ports[3].name", side: Side = Side.HANDWRITTEN) -> Mismatch:
    error = FieldError.too_long(path, 3).with_origin("maxLength")
    if side is Side.DECLARATIVE:
        error.tag = "+k8s:maxLength=3"
    return Mismatch(side, error, "")


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "expected.json"
    file.write_text(json.dumps({"expected": [ENTRY]}), encoding="utf-8")
    expectations = Expectations.read(file)
    (entry,) = expectations.entries
    assert entry.expires == date(2027, 3, 31)
    assert entry.matches("Widget", mismatch())


@each(
    ("change", "kind", "meant"),
    [
        ({}, "Widget", True),
        ({}, "example.com/shop/v1/Widget", True),
        ({}, "example.com/shop/v1.Widget", True),
        ({}, "Gadget", False),
        ({}, "BigWidget", False),
        ({"kind": "*"}, "Gadget", True),
        ({"kind": "shop/v1/Widget"}, "shop/v1/Widget", True),
        ({"kind": "shop/v1/Widget"}, "Widget", False),
        ({"path": "spec.ports[3].name"}, "Widget", True),
        ({"path": "spec.ports[4].name"}, "Widget", False),
        ({"path": "spec.ports"}, "Widget", False),
        ({"path": "*"}, "Widget", True),
        ({"type": "FieldValueInvalid"}, "Widget", False),
        ({"type": "*"}, "Widget", True),
        ({"origin": "maxItems"}, "Widget", False),
        ({"origin": ""}, "Widget", True),
        ({"side": "declarative"}, "Widget", False),
        ({"side": ""}, "Widget", True),
        ({"tag": "+k8s:maxLength=3"}, "Widget", False),
    ],
)
def test_an_entry_means(change: dict[str, str], kind: str, meant: bool) -> None:
    assert Expectation.from_entry({**ENTRY, **change}).matches(kind, mismatch()) is meant


def test_a_tag_means_declarative_errors() -> None:
    entry = Expectation.from_entry({"reason": "r", "tag": "+k8s:maxLength=3"})
    assert entry.matches("Widget", mismatch(side=Side.DECLARATIVE))
    assert not entry.matches("Widget", mismatch())


@each(
    ("entry", "said"),
    [
        ("Widget", "an entry is an object with a reason"),
        ({"kind": "Widget"}, "reason is missing"),
        ({"kind": "Widget", "reason": " "}, "reason is missing"),
        ({"reason": "r"}, "matches everything"),
        ({"reason": "r", "kind": "*", "side": "handwritten"}, "matches everything"),
        ({"reason": "r", "kind": 7}, "kind must be a string"),
        ({"reason": 7, "kind": "Widget"}, "reason must be a string"),
        ({"reason": "r", "knid": "Widget"}, "an entry has no knid; it has kind, path"),
        ({"reason": "r", "kind": "W", "type": "Invalid"}, "Invalid is no type of errors, such as FieldValueInvalid"),
        ({"reason": "r", "kind": "W", "side": "left"}, "side is handwritten or declarative"),
        ({"reason": "r", "kind": "W", "expires": "tomorrow"}, "expires is a day such as 2027-03-31, not tomorrow"),
        ({"reason": "r", "kind": "W", "expires": 2027}, "expires must be a string"),
    ],
)
def test_an_entry_that_cannot_be_meant_is_refused(entry: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Expectation.from_entry(entry)


def test_a_day_may_be_a_day_already() -> None:
    assert Expectation.from_entry({"reason": "r", "kind": "W", "expires": date(2027, 1, 2)}).expires == date(2027, 1, 2)


@each("document", [None, [], {}, {"expected": {}}, {"expected": None}, "x"])
def test_a_document_that_is_none_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match="an object with a list `expected`"):
        read_entries(document)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"expected": [{"kind": "W"}]}', '{"expected": [{"reason": "r", "kind": []}]}', "\xff"]
)
def test_what_is_wrong_in_a_file_names_the_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "expected.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"expected\.json: "):
        Expectations.read(file)


def test_a_malformed_entry_is_named_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "expected.json"
    file.write_text(json.dumps({"expected": [ENTRY, {**ENTRY, "side": "x"}]}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"expected\.json: entry 2: side is handwritten or declarative"):
        Expectations.read(file)


def test_an_entry_holds_until_the_end_of_its_last_day() -> None:
    today = date(2027, 3, 31)
    expectations = Expectations([Expectation.from_entry(ENTRY)], today=lambda: today)
    assert expectations.find("Widget", mismatch()) is expectations.entries[0]
    assert expectations.expired == []
    today = date(2027, 4, 1)
    assert expectations.find("Widget", mismatch()) is None
    assert expectations.expired == [expectations.entries[0]]
    today = date(2027, 3, 1)  # clocks are set back, too
    assert expectations.find("Widget", mismatch()) is expectations.entries[0]


def test_the_first_of_several_is_found() -> None:
    first, second = Expectation("one", path="spec.ports[*].name"), Expectation("two", kind="Widget")
    expectations = Expectations([first, second])
    assert expectations.find("Widget", mismatch()) is first
    assert expectations.find("Widget", mismatch("other")) is second
    assert expectations.find("Gadget", mismatch("other")) is None


def test_paths_are_general_without_indexes() -> None:
    assert general_path("a[0].b[k/x].c") == "a[*].b[*].c"
    assert general_path("<nil>") == "<nil>"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from((*ENTRY, "x")), inner, max_size=4),
)


@given(JSON | st.fixed_dictionaries({"expected": st.lists(JSON)}), errors())
def test_any_document_is_read_or_refused(document: Any, error: FieldError) -> None:
    try:
        expectations = Expectations([Expectation.from_entry(entry) for entry in read_entries(document)])
    except ValueError as refused:
        assert str(refused)  # noqa: PT017 - it is the text that matters
    else:
        expectations.find("Widget", Mismatch(Side.DECLARATIVE, error, ""))


@each(
    ("path", "field", "means"),
    [
        ("spec.ports[0].rules[*]", "spec.ports[0].rules[3]", True),
        ("spec.ports[0].rules[*]", "spec.ports[1].rules[3]", False),
        ("spec.ports[*].rules[3]", "spec.ports[1].rules[3]", True),
        ("spec.labels[*]", "spec.labels[example.com/a.b]", True),
        ("spec.ports[*]", "spec.ports[0].name", False),
        ("spec.a.b", "spec.axb", False),
    ],
)
def test_some_indexes_may_be_named_and_others_not(path: str, field: str, means: bool) -> None:
    error = FieldError.invalid(field, 1, "")
    assert Expectation("r", path=path).matches("Widget", Mismatch(Side.HANDWRITTEN, error, "")) is means
