"""Costs of cel-go's libraries of lists and sets, by overload. These come before all other estimates."""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.kubernetes.cel.calls import Argument, CallCost, Called, CallEstimator
from validation_gen.kubernetes.cel.ranges import MOST, NEW_LIST, ONE, PER_CHARACTER, Range, exactly

ESTIMATORS: dict[str, CallEstimator] = {}


def _for(*overloads: str) -> Callable[[CallEstimator], CallEstimator]:
    def add(estimator: CallEstimator) -> CallEstimator:
        ESTIMATORS.update(dict.fromkeys(overloads, estimator))
        return estimator

    return add


def _new_list(size: Range, factor: float = 1) -> CallCost:
    return size.scaled(factor).plus(ONE).plus(exactly(NEW_LIST)), size


def _constant(argument: Argument, otherwise: int) -> int:
    value = argument.integer
    return otherwise if value is None else max(value, 0)


@_for("list_slice")
def _slice(call: Called) -> CallCost:
    target, start, end = call.args
    return _new_list(exactly((_constant(end, target.best_size.most) - _constant(start, 0)) & MOST))


@_for("lists_range")
def _range(call: Called) -> CallCost:
    return _new_list(exactly(_constant(call.args[0], MOST)))


@_for("list_reverse")
def _reverse(call: Called) -> CallCost:
    return _new_list(call.args[0].best_size)


@_for("list_flatten", "list_flatten_int")
def _flatten(call: Called) -> CallCost:
    target, *depth = call.args
    return _new_list(target.best_size, float(_constant(depth[0], MOST)) if depth else 1)


@_for("list_distinct")
def _distinct(call: Called) -> CallCost:
    size = call.args[0].best_size
    return _new_list(size.times(size), 2.0)


def _sort(call: Called) -> CallCost:
    """Estimates a sort, which compares each key with each. `sortBy` has the keys as last argument, `sort` the list."""
    size = call.args[-1].best_size
    text = call.overload.startswith(("list_string_", "list_bytes_"))
    return _new_list(size.times(size), 2.0 + PER_CHARACTER if text else 2.0)


for _name in "int uint double bool google.protobuf.Duration google.protobuf.Timestamp string bytes".split():
    _for(f"list_{_name}_sort", f"list_{_name}_sortByAssociatedKeys")(_sort)


@_for("list_sets_contains_list", "list_sets_intersects_list", "list_sets_equivalent_list")
def _sets(call: Called) -> CallCost:
    left, right = call.args
    factor = 2.0 if call.function == "sets.equivalent" else 1.0
    return left.best_size.times(right.best_size).scaled(factor).plus(ONE), None
