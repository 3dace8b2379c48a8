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
from validation_gen.kubernetes.cel.signatures import ACCESSORS, PARSERS, SCANS, SORTABLE, TRANSFORMS, URL_PARTS
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
        """Size for estimators of libraries. Unlike estimators of the language, they fall back to the schema."""
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


def count_reading(size: Range) -> Range:
    """Returns the cost of reading each character once."""
    return size.scaled(PER_CHARACTER)


def count_matching(text: Range, pattern: Range) -> Range:
    """Returns the cost of matching; an empty text has a cost, too."""
    return text.plus(exactly(1)).scaled(PER_CHARACTER).times(pattern.scaled(PER_REGEX_CHARACTER))


# --- the language -----------------------------------------------------------------------------------------------------


def _of_text(grown: Callable[[Range], Range] | None) -> CallEstimator:
    """Estimates a call that reads its target once, and whose result has a size that depends on the target's."""

    def estimate(call: Called) -> CallCost:
        size = call.args[0].size
        return count_reading(size), grown(size) if grown else None

    return estimate


def _contains(call: Called) -> CallCost:
    text, part = call.args
    return count_reading(text.size).times(count_reading(part.size)), None


def _concatenation(call: Called) -> CallCost:
    left, right = call.args
    size = left.size.plus(right.size)
    return ONE if call.overload == "add_list" else count_reading(size), size


def _comparison(call: Called) -> CallCost:
    left, right = call.args
    most = min(left.size.most, right.size.most)
    return count_reading(Range(min(most, 1), most)), None


ESTIMATORS: dict[str, CallEstimator] = {
    "string_format": _of_text(None),
    "string_to_bytes": _of_text(lambda size: Range(size.least, (size.most * 4) & MOST)),
    "bytes_to_string": _of_text(lambda size: Range(size.least // 4, size.most)),
    "strings_quote": _of_text(lambda size: Range(size.least + 2, (size.most * 2 + 2) & MOST)),
    **dict.fromkeys(("starts_with_string", "ends_with_string"), lambda call: (count_reading(call.args[1].size), None)),
    "in_list": lambda call: (call.args[1].size.scaled(1), None),
    "matches_string": lambda call: (count_matching(call.args[0].size, call.args[1].size), None),
    "contains_string": _contains,
    **dict.fromkeys(("add_string", "add_bytes", "add_list"), _concatenation),
    **dict.fromkeys(("equals", "not_equals"), _comparison),
    **{
        f"{order}_{of}": _comparison
        for order in ("less", "less_equals", "greater", "greater_equals")
        for of in ("string", "bytes")
    },
}


# --- libraries of cel-go ----------------------------------------------------------------------------------------------


def _new_list(size: Range, factor: float = 1) -> CallCost:
    return size.scaled(factor).plus(ONE).plus(exactly(NEW_LIST)), size


def _constant(argument: Argument, otherwise: int) -> int:
    value = argument.integer
    return otherwise if value is None else max(value, 0)


def _slice(call: Called) -> CallCost:
    target, start, end = call.args
    return _new_list(exactly((_constant(end, target.best_size.most) - _constant(start, 0)) & MOST))


def _flatten(call: Called) -> CallCost:
    target, *depth = call.args
    return _new_list(target.best_size, float(_constant(depth[0], MOST)) if depth else 1)


def _distinct(call: Called) -> CallCost:
    size = call.args[0].best_size
    return _new_list(size.times(size), 2.0)


def _sort(call: Called) -> CallCost:
    """Estimates a sort, which compares each key with each. `sortBy` has the keys as last argument, `sort` the list."""
    size = call.args[-1].best_size
    text = call.overload.startswith(("list_string_", "list_bytes_"))
    return _new_list(size.times(size), 2.0 + PER_CHARACTER if text else 2.0)


def _sets(call: Called) -> CallCost:
    left, right = call.args
    factor = 2.0 if call.function == "sets.equivalent" else 1.0
    return left.best_size.times(right.best_size).scaled(factor).plus(ONE), None


LIST_ESTIMATORS: dict[str, CallEstimator] = {
    "list_slice": _slice,
    "lists_range": lambda call: _new_list(exactly(_constant(call.args[0], MOST))),
    "list_reverse": lambda call: _new_list(call.args[0].best_size),
    **dict.fromkeys(("list_flatten", "list_flatten_int"), _flatten),
    "list_distinct": _distinct,
    **{f"list_{name}_{sort}": _sort for name in SORTABLE for sort in ("sort", "sortByAssociatedKeys")},
    **{f"list_sets_{name}_list": _sets for name in ("contains", "intersects", "equivalent")},
}


# --- Kubernetes -------------------------------------------------------------------------------------------------------


def _part_of_url(call: Called) -> CallCost:
    """Estimates an accessor of a URL: its result is not longer than the URL, unless each byte is escaped."""
    if call.minor < _SIZES_OF_URL_PARTS:
        return ONE, None
    size = call.args[0].best_size
    return ONE, size.times(exactly(3)) if call.function == "getEscapedPath" else size


def _selector(call: Called) -> CallCost:
    size = call.args[1].best_size
    requirements = size.scaled(0.5).scaled(float(NEW_LIST + NEW_OBJECT))
    return exactly(NEW_LIST).plus(count_reading(size)).plus(requirements), None


def _element(of: Argument) -> tuple[Type, Range] | None:
    """Returns the type and the size of the elements of a list; None for a list without an element type."""
    if not of.type.parameters:
        return None
    return of.type.parameters[0], of.declared("@items") or UNKNOWN


def _scan(call: Called) -> CallCost:
    target = call.args[0]
    element = _element(target)
    if element is None and call.function != "includes":
        return count_reading(target.best_size), None
    each = ONE
    if element and element[0].kind in (Kind.STRING, Kind.BYTES):
        each = ONE.plus(count_reading(element[1]))
    return target.best_size.times(each), None


def _transform(call: Called) -> CallCost:
    size = call.args[0].best_size
    return count_reading(size), size


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


def _count_split(call: Called) -> CallCost:
    size = call.args[0].best_size
    most = size.most
    if len(call.args) > 2 and (count := call.args[2].integer) is not None:
        most = count & MOST
    return size.scaled(2 * PER_CHARACTER), Range(0, most)


def _join(call: Called) -> CallCost:
    target, *separator = call.args
    count, size = target.best_size, NOTHING
    if element := _element(target):
        size = count.times(element[1])
    if separator:
        separators = Range(max(count.least - 1, 0), max(count.most - 1, 0))
        size = size.plus(separator[0].best_size.times(separators))
    return count_reading(size), size


def _find(call: Called) -> CallCost:
    text, pattern = call.args[:2]
    return count_matching(text.best_size, pattern.best_size), Range(0, text.best_size.most)


def _parse(call: Called) -> CallCost:
    if call.overload == "cidr_ip":
        return ONE, None
    factor = 2 * PER_CHARACTER if call.function == "ip.isCanonical" else PER_CHARACTER
    return call.args[0].best_size.scaled(factor), None


def _contains_address(call: Called) -> CallCost:
    size = Range(4, 16)  # the bytes of an address
    cost = count_reading(size.plus(size))
    if call.function == "containsCIDR":
        cost = cost.plus(count_reading(size)).plus(ONE)
    if call.overload.endswith("_string"):
        cost = cost.plus(count_reading(call.args[1].best_size))
    return cost, None


def _validate(call: Called) -> CallCost:
    longest_pattern = 128
    return count_reading(call.args[1].best_size).scaled(longest_pattern * PER_REGEX_CHARACTER), None


_SIMPLY_EQUAL = (types.QUANTITY, types.SEMVER, types.IP, types.CIDR)


def _equals(call: Called) -> CallCost | None:
    left, right = call.args
    if left.type.name != right.type.name:
        return None
    if left.type in _SIMPLY_EQUAL or left.type.name.startswith("kubernetes.authorization."):
        return ONE, None
    if left.type == types.FORMAT:
        return count_reading(Range(1, 64)), None
    if left.type == types.URL:
        return count_reading(Range(1, right.known_size.most if right.known_size else 1)), None
    return None


FUNCTION_ESTIMATORS: dict[str, CallEstimator] = {
    "check": lambda _: (exactly(350_000), None),
    **dict.fromkeys(ACCESSORS, lambda _: (ONE, None)),
    **dict.fromkeys(URL_PARTS, _part_of_url),
    **dict.fromkeys(("fieldSelector", "labelSelector"), _selector),
    **dict.fromkeys(SCANS, _scan),
    **dict.fromkeys(TRANSFORMS, _transform),
    "replace": _replace,
    "split": _count_split,
    "join": _join,
    **dict.fromkeys(("find", "findAll"), _find),
    **dict.fromkeys((*PARSERS, "ip.isCanonical"), _parse),
    **dict.fromkeys(("containsIP", "containsCIDR"), _contains_address),
    "validate": _validate,
    "_==_": _equals,
}
