"""Costs of the functions and operators of the language (cel-go, `checker/cost.go`), by overload."""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.kubernetes.cel.calls import CallCost, Called, CallEstimator, matched, traversed
from validation_gen.kubernetes.cel.ranges import MOST, ONE, Range

ESTIMATORS: dict[str, CallEstimator] = {}


def _for(*overloads: str) -> Callable[[CallEstimator], CallEstimator]:
    def add(estimator: CallEstimator) -> CallEstimator:
        ESTIMATORS.update(dict.fromkeys(overloads, estimator))
        return estimator

    return add


@_for("string_format")
def _format(call: Called) -> CallCost:
    return traversed(call.args[0].size), None


@_for("string_to_bytes")
def _to_bytes(call: Called) -> CallCost:
    size = call.args[0].size
    return traversed(size), Range(size.least, (size.most * 4) & MOST)


@_for("bytes_to_string")
def _to_string(call: Called) -> CallCost:
    size = call.args[0].size
    return traversed(size), Range(size.least // 4, size.most)


@_for("strings_quote")
def _quote(call: Called) -> CallCost:
    size = call.args[0].size
    return traversed(size), Range(size.least + 2, (size.most * 2 + 2) & MOST)


@_for("starts_with_string", "ends_with_string")
def _affix(call: Called) -> CallCost:
    return traversed(call.args[1].size), None


@_for("in_list")
def _in_list(call: Called) -> CallCost:
    return call.args[1].size.scaled(1), None


@_for("matches_string")
def _matches(call: Called) -> CallCost:
    text, pattern = call.args
    return matched(text.size, pattern.size), None


@_for("contains_string")
def _contains(call: Called) -> CallCost:
    text, part = call.args
    return traversed(text.size).times(traversed(part.size)), None


@_for("add_string", "add_bytes", "add_list")
def _concatenation(call: Called) -> CallCost:
    left, right = call.args
    size = left.size.plus(right.size)
    return ONE if call.overload == "add_list" else traversed(size), size


@_for(
    "equals",
    "not_equals",
    *(f"{op}_{of}" for op in ("less", "less_equals", "greater", "greater_equals") for of in ("string", "bytes")),
)
def _comparison(call: Called) -> CallCost:
    left, right = call.args
    most = min(left.size.most, right.size.most)
    return traversed(Range(min(most, 1), most)), None
