"""Estimates the cost of calls, one function for each operator or function of CEL.

Three tables, in the order in which `cost` reads them: `LIST_ESTIMATORS` has cel-go's libraries of lists and sets by
overload, `FUNCTION_ESTIMATORS` the functions that Kubernetes adds or whose cost it changes by name, and `ESTIMATORS`
the language itself by overload (`checker/cost.go` of cel-go).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from validation_gen.kubernetes.cel import tree, types
from validation_gen.kubernetes.cel.declarations import (
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


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """An argument or a target. `declared` looks up the size behind further steps in the schema."""

    node: tree.Node
    type: Type
    known_size: Range | None
    declared: Callable[..., Range | None]

    @property
    def size(self) -> Range:
        return self.known_size or UNKNOWN

    @property
    def best_size(self) -> Range:
        """Size that estimators of libraries use: they fall back to the schema, those of the language do not."""
        return self.known_size or self.declared() or UNKNOWN

    @property
    def integer(self) -> int | None:
        """Returns the value of an integer constant, `None` for other nodes."""
        if isinstance(self.node, tree.Literal) and self.node.type is types.INT:
            return self.node.value  # type: ignore[return-value]
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """One overload of a call. A method has its target as the first of `args`, as its declaration has.

    The server is that of the release after 1.`minor`.
    """

    function: str
    overload: str
    args: Sequence[Argument]
    minor: int


#: Servers after this minor release know the sizes of the parts of a URL.
_SIZES_OF_URL_PARTS = 37

#: Cost of a call without its arguments, and the size of its result if that is known.
CallCost = tuple[Range, Range | None]
CallEstimator = Callable[[Called], CallCost | None]


def traversed(size: Range) -> Range:
    """Returns the cost of reading each character once."""
    return size.scaled(PER_CHARACTER)


def matched(text: Range, pattern: Range) -> Range:
    """Returns the cost of matching; an empty text has a cost, too."""
    return text.plus(exactly(1)).scaled(PER_CHARACTER).times(pattern.scaled(PER_REGEX_CHARACTER))


ESTIMATORS: dict[str, CallEstimator] = {}


def _register(table: dict[str, CallEstimator], *names: str) -> Callable[[CallEstimator], CallEstimator]:
    """Puts an estimator into a table, under each of the names."""

    def add(estimator: CallEstimator) -> CallEstimator:
        table.update(dict.fromkeys(names, estimator))
        return estimator

    return add


@_register(ESTIMATORS, "string_format")
def _format(call: Called) -> CallCost:
    return traversed(call.args[0].size), None


@_register(ESTIMATORS, "string_to_bytes")
def _to_bytes(call: Called) -> CallCost:
    size = call.args[0].size
    return traversed(size), Range(size.least, (size.most * 4) & MOST)


@_register(ESTIMATORS, "bytes_to_string")
def _to_string(call: Called) -> CallCost:
    size = call.args[0].size
    return traversed(size), Range(size.least // 4, size.most)


@_register(ESTIMATORS, "strings_quote")
def _quote(call: Called) -> CallCost:
    size = call.args[0].size
    return traversed(size), Range(size.least + 2, (size.most * 2 + 2) & MOST)


@_register(ESTIMATORS, "starts_with_string", "ends_with_string")
def _affix(call: Called) -> CallCost:
    return traversed(call.args[1].size), None


@_register(ESTIMATORS, "in_list")
def _in_list(call: Called) -> CallCost:
    return call.args[1].size.scaled(1), None


@_register(ESTIMATORS, "matches_string")
def _matches(call: Called) -> CallCost:
    text, pattern = call.args
    return matched(text.size, pattern.size), None


@_register(ESTIMATORS, "contains_string")
def _contains(call: Called) -> CallCost:
    text, part = call.args
    return traversed(text.size).times(traversed(part.size)), None


@_register(ESTIMATORS, "add_string", "add_bytes", "add_list")
def _concatenation(call: Called) -> CallCost:
    left, right = call.args
    size = left.size.plus(right.size)
    return ONE if call.overload == "add_list" else traversed(size), size


@_register(
    ESTIMATORS,
    "equals",
    "not_equals",
    *(f"{op}_{of}" for op in ("less", "less_equals", "greater", "greater_equals") for of in ("string", "bytes")),
)
def _comparison(call: Called) -> CallCost:
    left, right = call.args
    most = min(left.size.most, right.size.most)
    return traversed(Range(min(most, 1), most)), None


LIST_ESTIMATORS: dict[str, CallEstimator] = {}


def _new_list(size: Range, factor: float = 1) -> CallCost:
    return size.scaled(factor).plus(ONE).plus(exactly(NEW_LIST)), size


def _constant(argument: Argument, otherwise: int) -> int:
    value = argument.integer
    return otherwise if value is None else max(value, 0)


@_register(LIST_ESTIMATORS, "list_slice")
def _slice(call: Called) -> CallCost:
    target, start, end = call.args
    return _new_list(exactly((_constant(end, target.best_size.most) - _constant(start, 0)) & MOST))


@_register(LIST_ESTIMATORS, "lists_range")
def _range(call: Called) -> CallCost:
    return _new_list(exactly(_constant(call.args[0], MOST)))


@_register(LIST_ESTIMATORS, "list_reverse")
def _reverse(call: Called) -> CallCost:
    return _new_list(call.args[0].best_size)


@_register(LIST_ESTIMATORS, "list_flatten", "list_flatten_int")
def _flatten(call: Called) -> CallCost:
    target, *depth = call.args
    return _new_list(target.best_size, float(_constant(depth[0], MOST)) if depth else 1)


@_register(LIST_ESTIMATORS, "list_distinct")
def _distinct(call: Called) -> CallCost:
    size = call.args[0].best_size
    return _new_list(size.times(size), 2.0)


def _sort(call: Called) -> CallCost:
    """Estimates a sort, which compares each key with each. `sortBy` has the keys as last argument, `sort` the list."""
    size = call.args[-1].best_size
    text = call.overload.startswith(("list_string_", "list_bytes_"))
    return _new_list(size.times(size), 2.0 + PER_CHARACTER if text else 2.0)


for _name in "int uint double bool google.protobuf.Duration google.protobuf.Timestamp string bytes".split():
    _register(LIST_ESTIMATORS, f"list_{_name}_sort", f"list_{_name}_sortByAssociatedKeys")(_sort)


@_register(LIST_ESTIMATORS, "list_sets_contains_list", "list_sets_intersects_list", "list_sets_equivalent_list")
def _sets(call: Called) -> CallCost:
    left, right = call.args
    factor = 2.0 if call.function == "sets.equivalent" else 1.0
    return left.best_size.times(right.best_size).scaled(factor).plus(ONE), None


FUNCTION_ESTIMATORS: dict[str, CallEstimator] = {}


@_register(FUNCTION_ESTIMATORS, "check")
def _check(_: Called) -> CallCost:
    return exactly(350_000), None


@_register(
    FUNCTION_ESTIMATORS,
    *"serviceAccount path group resource subresource namespace name allowed reason error errored".split(),
    *"masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast".split(),
    *"isGlobalUnicast sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub".split(),
    *"major minor patch format.named".split(),
)
def _accessor(_: Called) -> CallCost:
    return ONE, None


@_register(FUNCTION_ESTIMATORS, *"getScheme getHostname getHost getPort getEscapedPath getQuery".split())
def _part_of_url(call: Called) -> CallCost:
    """Estimates an accessor of a URL: its result is not longer than the URL, unless each byte is escaped."""
    if call.minor < _SIZES_OF_URL_PARTS:
        return ONE, None
    size = call.args[0].best_size
    return ONE, size.times(exactly(3)) if call.function == "getEscapedPath" else size


@_register(FUNCTION_ESTIMATORS, "fieldSelector", "labelSelector")
def _selector(call: Called) -> CallCost:
    size = call.args[1].best_size
    requirements = size.scaled(0.5).scaled(float(NEW_LIST + NEW_OBJECT))
    return exactly(NEW_LIST).plus(traversed(size)).plus(requirements), None


def _element(of: Argument) -> tuple[Type, Range] | None:
    """Returns the type and the size of the elements of a list; None for a list without an element type."""
    if not of.type.parameters:
        return None
    return of.type.parameters[0], of.declared("@items") or UNKNOWN


@_register(FUNCTION_ESTIMATORS, "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes")
def _scan(call: Called) -> CallCost:
    target = call.args[0]
    element = _element(target)
    if element is None and call.function != "includes":
        return traversed(target.best_size), None
    each = ONE
    if element and element[0].kind in (Kind.STRING, Kind.BYTES):
        each = ONE.plus(traversed(element[1]))
    return target.best_size.times(each), None


@_register(FUNCTION_ESTIMATORS, "url", "lowerAscii", "upperAscii", "substring", "trim")
def _transform(call: Called) -> CallCost:
    size = call.args[0].best_size
    return traversed(size), size


@_register(FUNCTION_ESTIMATORS, "replace")
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


@_register(FUNCTION_ESTIMATORS, "split")
def _split(call: Called) -> CallCost:
    size = call.args[0].best_size
    most = size.most
    if len(call.args) > 2 and (count := call.args[2].integer) is not None:
        most = count & MOST
    return size.scaled(2 * PER_CHARACTER), Range(0, most)


@_register(FUNCTION_ESTIMATORS, "join")
def _join(call: Called) -> CallCost:
    target, *separator = call.args
    count, size = target.best_size, NOTHING
    if element := _element(target):
        size = count.times(element[1])
    if separator:
        separators = Range(max(count.least - 1, 0), max(count.most - 1, 0))
        size = size.plus(separator[0].best_size.times(separators))
    return traversed(size), size


@_register(FUNCTION_ESTIMATORS, "find", "findAll")
def _find(call: Called) -> CallCost:
    text, pattern = call.args[:2]
    return matched(text.best_size, pattern.best_size), Range(0, text.best_size.most)


@_register(
    FUNCTION_ESTIMATORS,
    "cidr",
    "isIP",
    "isCIDR",
    "quantity",
    "isQuantity",
    "semver",
    "isSemver",
    "ip",
    "ip.isCanonical",
)
def _parse(call: Called) -> CallCost:
    if call.overload == "cidr_ip":
        return ONE, None
    factor = 2 * PER_CHARACTER if call.function == "ip.isCanonical" else PER_CHARACTER
    return call.args[0].best_size.scaled(factor), None


@_register(FUNCTION_ESTIMATORS, "containsIP", "containsCIDR")
def _contains_address(call: Called) -> CallCost:
    size = Range(4, 16)  # the bytes of an address
    cost = traversed(size.plus(size))
    if call.function == "containsCIDR":
        cost = cost.plus(traversed(size)).plus(ONE)
    if call.overload.endswith("_string"):
        cost = cost.plus(traversed(call.args[1].best_size))
    return cost, None


@_register(FUNCTION_ESTIMATORS, "validate")
def _validate(call: Called) -> CallCost:
    longest_pattern = 128
    return traversed(call.args[1].best_size).scaled(longest_pattern * PER_REGEX_CHARACTER), None


_SIMPLY_EQUAL = (types.QUANTITY, types.SEMVER, types.IP, types.CIDR)


@_register(FUNCTION_ESTIMATORS, "_==_")
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
