"""Costs of the functions that Kubernetes adds, or whose cost it has changed, by the name of the function."""

from __future__ import annotations

import math
from collections.abc import Callable

from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.calls import Argument, CallCost, Called, CallEstimator, matched, traversed
from validation_gen.kubernetes.cel.ranges import (
    MOST,
    NEW_LIST,
    NEW_OBJECT,
    NOTHING,
    ONE,
    PER_CHARACTER,
    PER_REGEX_CHARACTER,
    UNKNOWN,
    Range,
    exactly,
)
from validation_gen.kubernetes.cel.types import Kind, Type

ESTIMATORS: dict[str, CallEstimator] = {}


def _for(*names: str) -> Callable[[CallEstimator], CallEstimator]:
    def add(estimator: CallEstimator) -> CallEstimator:
        ESTIMATORS.update(dict.fromkeys(names, estimator))
        return estimator

    return add


@_for("check")
def _check(_: Called) -> CallCost:
    return exactly(350_000), None


@_for(
    *"serviceAccount path group resource subresource namespace name allowed reason error errored".split(),
    *"masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast".split(),
    *"isGlobalUnicast sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub".split(),
    *"major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery format.named".split(),
)
def _accessor(_: Called) -> CallCost:
    return ONE, None


@_for("fieldSelector", "labelSelector")
def _selector(call: Called) -> CallCost:
    size = call.args[1].best_size
    requirements = size.scaled(0.5).scaled(float(NEW_LIST + NEW_OBJECT))
    return exactly(NEW_LIST).plus(traversed(size)).plus(requirements), None


def _element(of: Argument) -> tuple[Type, Range] | None:
    """Returns the type and the size of the elements of a list; None for a list without an element type."""
    if not of.type.parameters:
        return None
    return of.type.parameters[0], of.declared("@items") or UNKNOWN


@_for("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes")
def _scan(call: Called) -> CallCost:
    target = call.args[0]
    element = _element(target)
    if element is None and call.function != "includes":
        return traversed(target.best_size), None
    each = ONE
    if element and element[0].kind in (Kind.STRING, Kind.BYTES):
        each = ONE.plus(traversed(element[1]))
    return target.best_size.times(each), None


@_for("url", "lowerAscii", "upperAscii", "substring", "trim")
def _transform(call: Called) -> CallCost:
    size = call.args[0].best_size
    return traversed(size), size


@_for("replace")
def _replace(call: Called) -> CallCost:
    """Estimates `replace`: the longest result has many long replacements, the shortest one few short ones, or none."""
    size, old, new = (argument.best_size for argument in call.args[:3])
    most_count = most_kept = least_count = least_kept = 0
    if old.least == 0:  # an empty string is found around each character
        most_count, most_kept = min(size.most + 1, MOST), size.most
    elif new.most <= old.least:
        most_kept = size.most
    else:
        most_count = _pieces(size.most, old.least)
    if old.most == 0:
        least_count, least_kept = min(size.least + 1, MOST), size.least
    elif old.most <= new.least:
        least_kept = size.least
    else:
        least_count = _pieces(size.least, old.most)
    result = Range(least_count, most_count).times(new).plus(Range(least_kept, most_kept))
    return size.scaled(2 * PER_CHARACTER), result


def _pieces(size: int, length: int) -> int:
    """Returns the number of pieces of a length. Upstream uses 2^63 if it does not fit into 64 bits."""
    count = math.ceil(float(size) / float(length))
    return count if count <= MOST else 1 << 63


@_for("split")
def _split(call: Called) -> CallCost:
    size = call.args[0].best_size
    most = size.most
    if len(call.args) > 2 and (count := call.args[2].integer) is not None:
        most = count & MOST
    return size.scaled(2 * PER_CHARACTER), Range(0, most)


@_for("join")
def _join(call: Called) -> CallCost:
    target, *separator = call.args
    count, size = target.best_size, NOTHING
    if element := _element(target):
        size = count.times(element[1])
    if separator:
        separators = Range(max(count.least - 1, 0), max(count.most - 1, 0))
        size = size.plus(separator[0].best_size.times(separators))
    return traversed(size), size


@_for("find", "findAll")
def _find(call: Called) -> CallCost:
    text, pattern = call.args[:2]
    return matched(text.best_size, pattern.best_size), Range(0, text.best_size.most)


@_for("cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver", "ip", "ip.isCanonical")
def _parse(call: Called) -> CallCost:
    if call.overload == "cidr_ip":
        return ONE, None
    factor = 2 * PER_CHARACTER if call.function == "ip.isCanonical" else PER_CHARACTER
    return call.args[0].best_size.scaled(factor), None


@_for("containsIP", "containsCIDR")
def _contains_address(call: Called) -> CallCost:
    size = Range(4, 16)  # the bytes of an address
    cost = traversed(size.plus(size))
    if call.function == "containsCIDR":
        cost = cost.plus(traversed(size)).plus(ONE)
    if call.overload.endswith("_string"):
        cost = cost.plus(traversed(call.args[1].best_size))
    return cost, None


@_for("validate")
def _validate(call: Called) -> CallCost:
    longest_pattern = 128
    return traversed(call.args[1].best_size).scaled(longest_pattern * PER_REGEX_CHARACTER), None


_SIMPLY_EQUAL = (types.QUANTITY, types.SEMVER, types.IP, types.CIDR)


@_for("_==_")
def _equals(call: Called) -> CallCost | None:
    left, right = call.args
    if left.type.name != right.type.name:
        return None
    if left.type in _SIMPLY_EQUAL or left.type.name.startswith("kubernetes.authorization."):
        return ONE, None
    if left.type == types.FORMAT:
        return traversed(Range(1, 64)), None
    if left.type == types.URL:
        return traversed(Range(1, right.known_size.most if right.known_size else 1)), None
    return None
