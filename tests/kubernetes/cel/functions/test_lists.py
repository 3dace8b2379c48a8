"""The functions of lists."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.kubernetes.cel.functions.helpers import error_of
from tests.tables import each
from validation_gen.kubernetes.cel.functions import lists
from validation_gen.kubernetes.cel.values import INT_MOST, Duration, Uint

sort = lists.FUNCTIONS["list_int_sort"]


@each(
    ("values", "sorted"),
    [
        ([], True),
        ([1], True),
        ([1, 1, 3], True),
        ([2, 1], False),
        ([2, 1, None], False),
        (["a", "b"], True),
        ([b"b", b"a"], False),
        ([True, False], False),
        ([Duration(1), Duration(2)], True),
        ([1.0, math.nan, 0.5], True),
        ([1, "a", 2], True),
    ],
)
def test_whether_a_list_is_sorted(values: list[object], sorted: bool) -> None:
    assert lists.is_sorted(values) is sorted


@pytest.mark.parametrize(
    ("values", "zero", "sum"),
    [
        ([1, 2, 3], 0, 6),
        ([], 0, 0),
        ([Uint(1), Uint(2)], Uint(0), Uint(3)),
        ([0.5, 0.25], 0.0, 0.75),
        ([Duration(1), Duration(2)], Duration(0), Duration(3)),
    ],
)
def test_sums(values: list[object], zero: object, sum: object) -> None:
    found = lists.compute_sum(zero, values)
    assert found == sum
    assert type(found) is type(sum)


@each(
    ("values", "least", "greatest"),
    [
        ([3, 1, 2], 1, 3),
        (["b", "a", "c"], "a", "c"),
        ([1], 1, 1),
        ([math.nan, 1.0], math.nan, math.nan),
        ([1.0, math.nan, 2.0], 1.0, 2.0),
        ([2, "a", 1], 1, 2),
    ],
)
def test_the_least_and_the_greatest(values: list[object], least: object, greatest: object) -> None:
    assert repr(lists.least(values)) == repr(least)
    assert repr(lists.greatest(values)) == repr(greatest)


def test_the_first_of_equals_is_chosen() -> None:
    assert isinstance(lists.least([1.0, 1]), float)
    assert isinstance(lists.greatest([1, 1.0]), int)


def test_positions() -> None:
    assert lists.find_index([1, 2, 2, 3], 2) == 1
    assert lists.find_last_index([1, 2, 2, 3], 2) == 2
    assert lists.find_index([1], 2) == -1
    assert lists.find_last_index([], 2) == -1
    assert lists.find_index([True, 1], 1) == 1


@each(
    ("target", "item", "found"),
    [
        ([1, 2, 3], 2, True),
        ([1, 2, 3], 4, False),
        ("model-a", "model-a", True),
        ("model-a", "model", False),
        ([[1]], [1], True),
        (None, None, True),
    ],
)
def test_lists_and_values_include(target: object, item: object, found: bool) -> None:
    assert lists.includes(target, item) is found


@pytest.mark.parametrize(
    ("start", "end", "result"), [(0, 4, [1, 2, 3, 4]), (0, 0, []), (1, 1, []), (4, 4, []), (1, 3, [2, 3])]
)
def test_slices(start: int, end: int, result: list[object]) -> None:
    assert lists.slice_list([1, 2, 3, 4], start, end) == result


@each(
    ("values", "depth", "result"),
    [
        ([], None, []),
        ([1, 2, 3, 4], None, [1, 2, 3, 4]),
        ([1, [2, [3, 4]]], None, [1, 2, [3, 4]]),
        ([1, 2, [], [], [3, 4]], None, [1, 2, 3, 4]),
        ([1, [2, [3, 4]]], 2, [1, 2, 3, 4]),
        ([[1, 2], 3], 3, [1, 2, 3]),
        ([[1], [[2]], "ab"], 0, [[1], [[2]], "ab"]),
    ],
)
def test_lists_in_lists(values: object, depth: object, result: list[object]) -> None:
    assert lists.flatten(values, depth) == result


def test_ranges() -> None:
    assert lists.make_range(4) == [0, 1, 2, 3]
    assert lists.make_range(0) == lists.make_range(-1) == []
    assert len(lists.make_range(lists.MOST_ELEMENTS)) == lists.MOST_ELEMENTS


@each(
    ("values", "result"),
    [
        ([], []),
        ([-2, 5, -2, 1, 1, 5, -2, 1], [-2, 5, 1]),
        (["c", "a", "a", "b", "a", "b", "c", "c"], ["c", "a", "b"]),
        ([1, 2.0, "c", 3, "c", 1], [1, 2.0, "c", 3]),
        ([1, 1.0, 2], [1, 2]),
        ([[1], [1], [2]], [[1], [2]]),
        ([1, True, None, None], [1, True, None]),
    ],
)
def test_each_once(values: list[object], result: list[object]) -> None:
    assert lists.distinct(values) == result


@each(
    ("values", "result"),
    [
        ([], []),
        ([1], [1]),
        ([4, 3, 2, 1], [1, 2, 3, 4]),
        (["d", "a", "b", "c"], ["a", "b", "c", "d"]),
        ([*range(40, 0, -1)], [*range(1, 41)]),
        ([True, False], [False, True]),
    ],
)
def test_sorting(values: list[object], result: list[object]) -> None:
    assert sort(values) == result


def test_sorting_by_keys() -> None:
    assert lists.sort_by_associated_keys(["foo", "bar", "baz"], [3, 1, 2]) == ["bar", "baz", "foo"]
    values: list[object] = [-3, 1, -5, -2, 4]
    assert lists.sort_by_associated_keys(values, [-9, -1, -25, -4, -16]) == [-5, 4, -3, -2, 1]
    assert lists.sort_by_associated_keys(["a", "b", "c"], [1, 1, 0]) == ["c", "a", "b"]


def test_not_a_number_stays_and_parts_a_list() -> None:
    assert repr(sort([3.0, math.nan, 2.0, 1.0])) == "[3.0, nan, 1.0, 2.0]"


_SIZES = (
    "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "
    "but got 1 and 0 elements respectively"
)
_FOUR: list[object] = [1, 2, 3, 4]


@each(
    ("call", "message"),
    [
        (lambda: lists.is_sorted([1, None]), "no such overload"),
        (lambda: lists.least([]), "min called on empty list"),
        (lambda: lists.greatest([]), "max called on empty list"),
        (lambda: lists.least([1, None]), "no such overload"),
        (lambda: lists.compute_sum(0, [1, INT_MOST]), "integer overflow"),
        (
            lambda: lists.slice_list(_FOUR, 3, 0),
            "cannot slice(3, 0), start index must be less than or equal to end index",
        ),
        (lambda: lists.slice_list(_FOUR, 0, 10), "cannot slice(0, 10), list is length 4"),
        (lambda: lists.slice_list(_FOUR, -5, 10), "cannot slice(-5, 10), negative indexes not supported"),
        (lambda: lists.slice_list(_FOUR, -5, -3), "cannot slice(-5, -3), negative indexes not supported"),
        (lambda: lists.flatten([], -1), "level must be non-negative"),
        (lambda: lists.flatten({}), "no such overload: map(dyn, dyn).flatten()"),
        (lambda: lists.flatten({}, 1), "no such overload: map(dyn, dyn).flatten(int)"),
        (lambda: lists.flatten([], "1"), "no such overload: list(dyn).flatten(string)"),
        (lambda: lists.flatten("ab"), "no such overload: string.flatten()"),
        (lambda: lists.make_range(lists.MOST_ELEMENTS + 1), "result is too large"),
        (lambda: lists.flatten([lists.make_range(lists.MOST_ELEMENTS)] * 2), "result is too large"),
        (lambda: sort([None]), "list elements must be comparable"),
        (lambda: sort(["d", 3, 2, "c"]), "list elements must have the same type"),
        (lambda: lists.sort_by_associated_keys([1], []), _SIZES),
    ],
)
def test_what_lists_refuse(call: Callable[[], object], message: str) -> None:
    assert error_of(call) == message
