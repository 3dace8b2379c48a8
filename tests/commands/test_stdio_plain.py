"""The short way to an answer: it is taken for plain requests, and what is answered never depends on it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.commands.test_stdio import JSON_VALUES, registry
from tests.native.twoways import needs_native
from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.stdio import answer_lines, arriving, types
from validation_gen.runtime.registry import Registry

__all__ = ["registry"]

RIGHT = {"id": 1, "package": "a/v1", "kind": "Thing", "options": {"Glitter": False}, "obj": {"name": "a"}}
#: Enough of the same for the short way to be known.
MANY = 80


def line(**fields: object) -> bytes:
    return json.dumps({name: value for name, value in (RIGHT | fields).items() if value is not ...}).encode() + b"\n"


def warm() -> Iterator[bytes]:
    for fields in ({}, {"op": "create"}, {"op": "update", "oldObj": {"name": "a"}}, {"options": {"Glitter": False}}):
        yield from [line(**fields)] * MANY


def both(monkeypatch: pytest.MonkeyPatch, registry: Registry, lines: Iterable[bytes]) -> list[str]:
    """The answers to lines by the short way, which are those by the long way."""
    lines = [*warm(), *lines]
    found = list(answer_lines(lines, registry))
    with monkeypatch.context() as patch:
        patch.setattr(types, "_plain", None)
        assert found == list(answer_lines(lines, registry))
    return found[4 * MANY :]


@needs_native
def test_what_surrounds_objects_is_read_once(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []
    usual = types._read

    def noted(request: Any, *given: Any) -> Any:
        read.append(request)
        return usual(request, *given)

    with monkeypatch.context() as patch:
        patch.setattr(types, "_read", noted)
        answers = list(answer_lines([*warm(), line(obj={"name": "too long"})], registry))
    assert len(read) == 3
    assert answers[:-1] == ['{"id":1,"errors":[]}'] * 4 * MANY
    assert "Too long" in answers[-1]


@each(
    "fields",
    [
        {"id": "text\n\u2028é"},
        {"id": "\ud83d\ude00"},
        {"id": 10**4000},
        {"id": True},
        {"id": 1.5},
        {"id": None},
        {"id": ...},
        {"id": [1]},
        {"kind": ["Thing"]},
        {"kind": "Thin"},
        {"package": ...},
        {"package": {}},
        {"op": "delete"},
        {"op": 1},
        {"op": "update"},
        {"op": "update", "oldObj": None},
        {"op": "update", "oldObj": [5]},
        {"op": "update", "oldObj": {"name": "a", "color": "red"}, "obj": {"name": "a", "color": "blue"}},
        {"op": "create", "oldObj": [5]},
        {"options": {"Glitter": 0}},
        {"options": {"Glitter": 0.0}},
        {"options": {"Glitter": True}},
        {"options": {"Glitter": None}},
        {"options": {}},
        {"options": []},
        {"options": 0},
        {"options": ""},
        {"options": ...},
        {"options": {"Glitter": False, "More": True}},
        {"subresources": []},
        {"subresources": None},
        {"subresources": ["status"]},
        {"subresources": ""},
        {"subresources": 0},
        {"subresources": {}},
        {"obj": ...},
        {"obj": None},
        {"obj": 5},
        {"obj": {"name": 5}},
        {"obj": {"name": "a", "next": {"name": "too long"}}},
    ],
)
def test_requests_get_the_same_answer_on_both_ways(
    fields: dict[str, object], registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    (answer,) = both(monkeypatch, registry, [line(**fields)])
    assert "internal error" not in answer


def test_lines_get_the_same_answer_on_both_ways(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    right = line()
    lines = [
        b"\xef\xbb\xbf" + right,
        b" " + right,
        right.rstrip(b"\n"),
        right.rstrip(b"\n") + b" \r\n",
        right.rstrip(b"\n") + b"x\n",
        right.rstrip(b"\n") + "\u00a0\n".encode(),
        right.replace(b'"a"', b'"\xff"'),
        right.replace(b'"a"', b'"\\ud800"'),
        right.replace(b'"a"', b'"b", "name": "too long"'),
        right.replace(b'"a"', b'"a", "size": -0'),
        right.replace(b'"a"', b'"a", "ratio": 1e400'),
        right.replace(b'"a"', b'"a", "ratio": -0.0'),
        right.replace(b'"a"', b'"a", "ratio": NaN'),
        right.replace(b'"a"', b"[" * 5000),
        right.replace(b'"a"', b"[" * 100 + b"]" * 100),
        b"[]\n",
        b"1\n",
        b"\n",
    ]
    assert len(both(monkeypatch, registry, lines)) == len(lines) - 1


@settings(max_examples=drawn(200), deadline=None)
@given(id=JSON_VALUES, obj=JSON_VALUES, old=JSON_VALUES, op=st.sampled_from(["create", "update", None]))
def test_drawn_requests_get_the_same_answer_on_both_ways(
    registry: Registry, id: object, obj: object, old: object, op: str | None
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        both(patch, registry, [line(id=id, obj=obj, oldObj=old, op=op)])


def test_a_create_has_no_old_object(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one that is wrong in the same way: an error that an update had before would not be told again."""
    wrong = line(obj={"name": 1}, oldObj={"name": 1})
    (told,) = answer_lines([wrong], registry)
    assert "FieldValueTypeInvalid" in told
    assert both(monkeypatch, registry, [wrong, line(obj={"name": 1})]) == [told, told]


@needs_native
def test_not_more_is_kept_than_there_is_use_for(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(types, "_MOST", 5)
    kept: list[types.PlainRequests] = []
    made = types.PlainRequests.__init__

    def noted(self: types.PlainRequests, given: Registry) -> None:
        kept.append(self)
        made(self, given)

    monkeypatch.setattr(types.PlainRequests, "__init__", noted)
    spellings = [line(package="/" * number + "a/v1") for number in range(50)]
    assert set(answer_lines([*warm(), *spellings], registry)) == {'{"id":1,"errors":[]}'}
    assert len(kept[0]._judges) == 5

    def judged(*_: object, **named: object) -> list[object]:
        raise AssertionError("what is in use has been added again")

    usual = [line()] * MANY
    assert set(answer_lines([*warm(), *spellings, *usual], registry)) == {'{"id":1,"errors":[]}'}
    monkeypatch.setattr(Registry, "run", judged)
    known = kept[-1]
    assert known.answer(json.loads(line())) == '{"id":1,"errors":[]}'


@needs_native
def test_names_of_any_length_are_not_kept(registry: Registry) -> None:
    known = types.PlainRequests(registry)
    list(answer_lines(warm(), registry))
    (kind,) = registry.of_type("Thing", "a/v1")
    for package in ("a/v1", "/" * 5_000 + "a/v1"):
        known.add({"kind": "Thing", "package": package}, kind, update=False, options={})
    assert [key[1] for key in known._judges] == ["a/v1"]


@needs_native
def test_a_check_that_wants_to_end_the_program_ends_no_session(registry: Registry) -> None:
    def ends(obj: object, old: object) -> list[Any]:
        raise SystemExit(3)

    known = types.PlainRequests(registry)
    known._judges["Thing", "a/v1", None, (("Glitter", False),)] = ends
    assert known.answer(RIGHT) is None


# --- lines of a stream -----------------------------------------------------------------------------------------------


class Pieces(io.RawIOBase):
    """A stream that gives its pieces one by one, as a pipe does."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)

    def read1(self, size: int) -> bytes:
        assert all(len(piece) <= size for piece in self.pieces)
        return self.pieces.pop(0) if self.pieces else b""


@each(
    ("pieces", "seen"),
    [
        ((), ["wait"]),
        ((b"a\n",), ["wait", b"a\n", "wait"]),
        ((b"a\nb\n", b"c\n"), ["wait", b"a\n", b"b\n", "wait", b"c\n", "wait"]),
        ((b"a\nb", b"c", b"\nd"), ["wait", b"a\n", "wait", "wait", b"bc\n", "wait", b"d"]),
        ((b"a\rb\n\n", b"\r\n"), ["wait", b"a\rb\n", b"\n", "wait", b"\r\n", "wait"]),
        ((b"a", b"b"), ["wait", "wait", "wait", b"ab"]),
    ],
)
def test_nobody_waits_before_what_is_there_has_been_answered(pieces: tuple[bytes, ...], seen: list[object]) -> None:
    happened: list[object] = []
    source: Any = Pieces(*pieces)
    happened.extend(arriving(source, lambda: happened.append("wait")))
    assert happened == seen


def test_lines_longer_than_what_is_read_at_once() -> None:
    lines = [b"x" * 200_000 + b"\n", b"y\n", b"z" * 70_000]
    assert list(arriving(io.BytesIO(b"".join(lines)), lambda: None)) == lines
