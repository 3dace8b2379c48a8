"""Go arrays in JSON: missing items are zero values, further ones are dropped, null is an array of zeros."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables import each
from validation_gen.runtime.shapes import INT32, STRING, UINT8, ArrayOf, ListOf, MapOf, Pointer, Struct

PAIR = ArrayOf(INT32, 2)
POINT = Struct("Point")
POINT.define({"name": STRING, "at": PAIR})


@each("value", [None, [], [1], [1, 2], [1, 2, "x", None], [None, 3]])
def test_these_decode(value: Any) -> None:
    assert not PAIR.problems(value)


@pytest.mark.parametrize(("value", "path"), [("AQI=", "<nil>"), ({}, "<nil>"), (["x"], "[0]"), ([1, 2.5, "x"], "[1]")])
def test_these_do_not(value: Any, path: str) -> None:
    assert [error.field for error in PAIR.problems(value)] == [path]


@each(
    ("a", "b", "same"),
    [
        (None, [0, 0], True),
        ([], [0], True),
        ([1], [1, 0, 5], True),
        ([1, 0], [1], True),
        ([1, 2], [1], False),
        ([0, 1], None, False),
        ([True], [1], False),
        ("x", [1], False),
    ],
)
def test_missing_items_are_zero(a: Any, b: Any, same: bool) -> None:
    assert PAIR.same(a, b) is same
    assert POINT.same({"at": a}, {"at": b}) is same
    if isinstance(a, list | None) and True not in [type(x) is bool for x in a or ()]:
        assert (PAIR.identity(a) == PAIR.identity(b)) is same


@pytest.mark.parametrize("further", [None, 3, "x", [], {"at": True}])
def test_further_items_may_be_anything_in_an_update(further: Any) -> None:
    points = ArrayOf(POINT, 1)
    assert points.same([{"at": [1]}, further], [{"at": [1]}, further])
    assert not points.same([{"at": [1]}, further], [{"at": [2]}, further])
    assert not points.same([{"at": [True]}, further], [{"at": [1]}, further])


def test_arrays_are_written_whole() -> None:
    assert PAIR.encoded([7]) == [7, 0]
    assert PAIR.encoded(None) == [0, 0]
    assert PAIR.encoded([1, 2, 3]) == [1, 2]
    assert ArrayOf(Pointer(STRING), 2).encoded(["a"]) == ["a", None]
    assert POINT.encoded({}) == {"name": "", "at": [0, 0]}


def test_only_an_array_without_items_is_empty() -> None:
    assert ArrayOf(INT32, 0).is_empty([1])
    assert not PAIR.is_empty(None)
    assert PAIR.is_zero([0, 0, 5])
    assert not PAIR.is_zero([0, 1])


def test_arrays_in_others() -> None:
    matrix = ArrayOf(ArrayOf(UINT8, 2), 2)
    assert matrix.same([[1], None], [[1, 0], [0, 0], [9]])
    assert matrix.identity([[1], [0, 0]]) == matrix.identity([[1, 0]])
    assert [e.field for e in matrix.problems([[1], [0, 256], 3])] == ["[1][1]"]
    assert MapOf(PAIR).same({"a": [0]}, {"a": []})
    assert ListOf(PAIR).same([[1]], [[1, 0]])
    assert not ListOf(PAIR).same([[1], []], [[1]])
