"""Functions of lists and of sets, which are lists whose order and repetitions do not matter.

Sources of the behaviour: `ext/lists.go`, `ext/sets.go` and `cel/library.go` of cel-go, and `pkg/cel/library/lists.go`
of the API server. The limit on results is our own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeGuard

from validation_gen.kubernetes.cel.containers import compare
from validation_gen.kubernetes.cel.data import ListView
from validation_gen.kubernetes.cel.entries import same
from validation_gen.kubernetes.cel.functions import numbers, times
from validation_gen.kubernetes.cel.functions.numbers import type_name
from validation_gen.kubernetes.cel.signatures import COMPARABLE, SORTABLE
from validation_gen.kubernetes.cel.values import Duration, EvaluationError, Timestamp, Uint

Values = Sequence[object]
#: True, False, or the error of values that cannot be compared.
Equal = Callable[[object, object], object]

#: Greatest number of elements of a result.
MOST_ELEMENTS = 1_000_000
#: Greatest length of lists that Go sorts by insertion.
_SHORT = 12


# --- sets -------------------------------------------------------------------------------------------------------------


def contains(values: Values, others: Values) -> object:
    """Returns `sets.contains(list, list)`: True, or the answer for the first missing one of the others."""
    members = Members(values)
    answers = map(members.find, others)
    return next((answer for answer in answers if answer is not True), True)


def equivalent(values: Values, others: Values) -> object:
    """Returns `sets.equivalent(list, list)`: whether each list contains the items of the other."""
    found = contains(values, others)
    return contains(others, values) if found is True else found


def intersects(values: Values, others: Values) -> bool:
    """Returns `sets.intersects(list, list)`: whether any of the values is among the others."""
    members = Members(others)
    return any(members.find(value) is True for value in values)


def _is_same(left: object, right: object) -> bool:
    return same(left, right) is True


class Members:
    """Set of CEL values. A text equals only the same text, so texts are found without comparisons.

    Items of an object decide themselves whether they are equal to a value, and may fail.
    """

    def __init__(self, values: Values) -> None:
        self._equal: Equal = (lambda value, item: same(item, value)) if isinstance(values, ListView) else _is_same
        self._texts = {value for value in values if isinstance(value, str)}
        self._others = [value for value in values if not isinstance(value, str)]

    def find(self, value: object) -> object:
        """Returns True for a value that is equal to a member, else False or the first error."""
        if isinstance(value, str) and value in self._texts:
            return True
        problem: object = False
        for other in self._others:
            found = self._equal(value, other)
            if found is True:
                return True
            if problem is False:
                problem = found
        return problem

    def add(self, value: object) -> bool:
        """Adds a value, and returns whether it is new."""
        if self.find(value) is True:
            return False
        if isinstance(value, str):
            self._texts.add(value)
        else:
            self._others.append(value)
        return True


# --- of the API server ------------------------------------------------------------------------------------------------


def _sound(values: Values) -> Values:
    """Returns a list; raises if an item does not fit its schema."""
    for item in values:
        if isinstance(item, EvaluationError):
            raise item.with_traceback(None)  # an error that is raised again keeps all frames
    return values


def is_sorted(values: Values) -> bool:
    """Returns whether the values are in ascending order. Incomparable values, such as NaN, fit anywhere."""
    for index, value in enumerate(_sound(values)):
        _check_comparable(value)
        if index and _order(values[index - 1], value) > 0:
            return False
    return True


def compute_sum(zero: Any, values: Values) -> Any:
    """Returns the sum, which is the zero of the type for an empty list."""
    add: Callable[[Any, Any], Any] = times.add if isinstance(zero, Duration) else numbers.add
    return functools.reduce(add, _sound(values), zero)


def least(values: Values) -> object:
    """Returns `min()`: the first of the least values."""
    return _choose(values, "min", lambda best, value: _order(best, value) > 0)


def greatest(values: Values) -> object:
    """Returns `max()`: the first of the greatest values."""
    return _choose(values, "max", lambda best, value: _order(best, value) < 0)


def _choose(values: Values, function: str, is_better: Callable[[object, object], bool]) -> object:
    if not _sound(values):
        raise EvaluationError(f"{function} called on empty list")
    for value in values:
        _check_comparable(value)
    return functools.reduce(lambda best, value: value if is_better(best, value) else best, values)


def find_index(values: Values, item: object) -> int:
    return next((index for index, value in enumerate(values) if _is_same(value, item)), -1)


def find_last_index(values: Values, item: object) -> int:
    return next((index for index in reversed(range(len(values))) if _is_same(values[index], item)), -1)


def includes(target: object, item: object) -> bool:
    """Returns whether a list contains an item; if the target is no list, whether it is equal to the item."""
    return any(_is_same(value, item) for value in target) if _is_list(target) else _is_same(target, item)


# --- parts ------------------------------------------------------------------------------------------------------------


def slice_list(values: Values, start: int, end: int) -> list[object]:
    what = f"cannot slice({start}, {end})"
    if start < 0 or end < 0:
        raise EvaluationError(f"{what}, negative indexes not supported")
    if start > end:
        raise EvaluationError(f"{what}, start index must be less than or equal to end index")
    if len(values) < end:
        raise EvaluationError(f"{what}, list is length {len(values)}")
    return list(values[start:end])


# --- other lists ------------------------------------------------------------------------------------------------------


def flatten(values: object, depth: object = None) -> list[object]:
    """Replaces nested lists by their elements, down to a depth, by default 1."""
    levels = 1 if depth is None else depth
    if not _is_list(values) or not isinstance(levels, int) or type_name(levels) != "int":
        raise EvaluationError(f"no such overload: {_spell(values)}.flatten({'' if depth is None else _spell(depth)})")
    if levels < 0:
        raise EvaluationError("level must be non-negative")
    result: list[object] = []
    open_lists: list[Iterator[object]] = [iter(values)]
    while open_lists:
        for value in open_lists[-1]:
            if _is_list(value) and len(open_lists) <= levels:
                open_lists.append(iter(value))
                break
            result.append(value)
            _check_size(len(result))
        else:
            open_lists.pop()
    return result


def make_range(count: int) -> list[object]:
    """Returns `lists.range(n)`; empty for a negative number."""
    _check_size(count)
    return list(range(count))


def distinct(values: Values) -> list[object]:
    """Returns the first of each group of equal values."""
    seen = Members(())
    return [value for value in values if seen.add(value)]


def sort_by_associated_keys(values: Values, keys: Values) -> list[object]:
    """Returns the values in the order of their keys. The macro `sortBy` expands to this."""
    if len(values) != len(keys):
        raise EvaluationError(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "
            f"but got {len(values)} and {len(keys)} elements respectively"
        )
    if not values:
        return []
    if not _is_comparable(keys[0]):
        raise EvaluationError("list elements must be comparable")
    if any(type_name(key) != type_name(keys[0]) for key in keys):
        raise EvaluationError("list elements must have the same type")

    def by_key(left: int, right: int) -> int:
        return _order(keys[left], keys[right])

    order = list(range(len(keys)))
    if len(order) > _SHORT:
        order.sort(key=functools.cmp_to_key(by_key))
    else:
        _insertion_sort(order, by_key)
    return [values[index] for index in order]


def _insertion_sort(order: list[int], compare: Callable[[int, int], int]) -> None:
    """Sorts as Go does, which is visible if NaN is among the keys."""
    for end in range(1, len(order)):
        at = end
        while at > 0 and compare(order[at], order[at - 1]) < 0:
            order[at], order[at - 1] = order[at - 1], order[at]
            at -= 1


# --- all of them ------------------------------------------------------------------------------------------------------


def _order(left: object, right: object) -> int:
    """Returns the order of two values; zero for incomparable ones, as upstream ignores the error."""
    try:
        return compare(left, right)
    except EvaluationError:
        return 0


def _is_comparable(value: object) -> bool:
    return isinstance(value, (bool, int, float, str, bytes, Timestamp, Duration))


def _check_comparable(value: object) -> None:
    if not _is_comparable(value):
        raise EvaluationError("no such overload")


def _is_list(value: object) -> TypeGuard[Values]:
    return type_name(value) == "list"


def _spell(value: object) -> str:
    name = type_name(value)
    return {"list": "list(dyn)", "map": "map(dyn, dyn)"}.get(name, name)


def _check_size(count: int) -> None:
    if count > MOST_ELEMENTS:
        raise EvaluationError("result is too large")


#: Start values of sums.
_ZEROS = {"int": 0, "uint": Uint(0), "double": 0.0, "duration": Duration(0)}
FUNCTIONS: dict[str, Callable[..., object]] = {
    **{f"list_{of}_sum_{of}": functools.partial(compute_sum, zero) for of, zero in _ZEROS.items()},
    **dict.fromkeys((f"list_{of}_is_sorted_bool" for of in COMPARABLE), is_sorted),
    **dict.fromkeys((f"list_{of}_max_{of}" for of in COMPARABLE), greatest),
    **dict.fromkeys((f"list_{of}_min_{of}" for of in COMPARABLE), least),
    **dict.fromkeys((f"list_{of}_sort" for of in SORTABLE), lambda values: sort_by_associated_keys(values, values)),
    **dict.fromkeys((f"list_{of}_sortByAssociatedKeys" for of in SORTABLE), sort_by_associated_keys),
    "list_a_index_of_int": find_index,
    "list_a_last_index_of_int": find_last_index,
    "list_includes_dyn_dyn": includes,
    "list_slice": slice_list,
    "list_flatten": flatten,
    "list_flatten_int": flatten,
    "lists_range": make_range,
    "list_reverse": lambda values: [*reversed(values)],
    "list_distinct": distinct,
    "list_sets_contains_list": contains,
    "list_sets_equivalent_list": equivalent,
    "list_sets_intersects_list": intersects,
}
