"""Costs of calls at run time, without their arguments.

Sources of the behaviour: `interpreter/runtimecost.go`, `ext/lists.go` and `ext/sets.go` of cel-go, and `CallCost` in
`pkg/cel/library/cost.go` of `k8s.io/apiserver`. A call that is in no table costs 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from validation_gen.kubernetes.cel.data import ListView
from validation_gen.kubernetes.cel.declarations import NEW_LIST, NEW_OBJECT, PER_CHARACTER, PER_REGEX_CHARACTER
from validation_gen.kubernetes.cel.functions.table import CLASSES
from validation_gen.kubernetes.cel.signatures import ACCESSORS, PARSERS, SCANS, SORTABLE, TRANSFORMS, URL_PARTS
from validation_gen.kubernetes.cel.values import AbortedError, EvaluationError, Optional, Uint

_OBJECTS = tuple(CLASSES.values())

#: Cost of a call by its arguments and its result.
Cost = Callable[[Sequence[Any], Any], int]


def call_cost(function: str, overload: str, args: Sequence[Any], result: Any) -> int:
    """Returns the cost of one call. `overload` is empty if the types leave it open."""
    cost = _BY_OVERLOAD.get(overload) or _BY_FUNCTION.get(function) or _OF_LANGUAGE.get(overload)
    return 1 if cost is None else cost(args, result)


def find_fixed_cost(function: str, overload: str) -> int | None:
    """Returns the cost of a call if it is the same for all arguments."""
    cost = _BY_OVERLOAD.get(overload) or _BY_FUNCTION.get(function) or _OF_LANGUAGE.get(overload)
    return 1 if cost in (None, _one) else None


# --- sizes ------------------------------------------------------------------------------------------------------------


def size(value: Any) -> int:
    """Returns the number of characters, bytes, items or entries; 1 for other values."""
    if isinstance(value, str | bytes | list | ListView | Mapping):
        return len(value)
    return int(getattr(value, "size", 1))  # addresses and networks have bytes


def _measure_content(value: Any) -> int:
    """Returns the size of a value, or of the content of an optional.

    The language looks into optionals, libraries do not.
    """
    if type(value) is Optional and value.present:
        return _measure_content(value.value)
    return size(value)


def _count_reading(value: Any) -> int:
    """Returns the cost of reading all of a value: texts by their bytes, rounded down."""
    if isinstance(value, str):
        return int(len(value.encode("utf-8", "surrogatepass")) * PER_CHARACTER)
    if isinstance(value, bytes):
        return int(len(value) * PER_CHARACTER)
    if isinstance(value, list | ListView):
        return sum(map(_count_reading, value))
    if isinstance(value, Mapping):
        return sum(_count_reading(key) + _count_reading(each) for key, each in value.items())
    return 1


def _scale(count: float, factor: float = PER_CHARACTER) -> int:
    return math.ceil(count * factor)


def _count_matching(length: int, pattern: int) -> int:
    return _scale(1.0 + length) * _scale(pattern, PER_REGEX_CHARACTER)


# --- single functions -------------------------------------------------------------------------------------------------


def _one(_: Sequence[Any], __: Any) -> int:
    return 1


def _selector(args: Sequence[Any], _: Any) -> int:
    length = size(args[1])
    return NEW_LIST + _scale(length) + _scale(_scale(length, 0.5), NEW_LIST + NEW_OBJECT)


def _contains_address(args: Sequence[Any], _: Any) -> int:
    return _scale(2 * size(args[0]))


def _contains_network(args: Sequence[Any], result: Any) -> int:
    return _contains_address(args, result) + _scale(size(args[0])) + 1


def _validate(args: Sequence[Any], _: Any) -> int:
    pattern = getattr(args[0], "pattern_size", None)
    return 1 if pattern is None else _count_matching(size(args[1]), pattern)


def _count_comparing(args: Sequence[Any], _: Any) -> int:
    return _scale(min(map(_measure_content, args)))


def _count_flatten(args: Sequence[Any], _: Any) -> int:
    """Counts `flatten`. A depth below 0 makes it cheaper: the server counts with unsigned integers that overflow.

    Numbers out of range become half of that range when processors of this kind convert them.
    """
    depth = 1.0
    if len(args) > 1:
        if type(args[1]) is not int:
            raise AbortedError(f"{_CONVERSION} ref.Val is {_GO_TYPES.get(type(args[1]), '*types.Err')}, not types.Int")
        depth = float(args[1])
    count = max(int(size(args[0]) * depth), -(1 << 63))
    return (count if count < 1 << 64 else 1 << 63) + 1 + NEW_LIST


_CONVERSION = "internal error: interface conversion:"
_GO_TYPES = {str: "types.String", float: "types.Double", bool: "types.Bool", Uint: "types.Uint", bytes: "types.Bytes"}


def _self_compared(items: Any) -> int:
    """Counts comparisons of all items with each other.

    For an error instead of a list the server's count fails, and the evaluation with it.
    """
    if isinstance(items, EvaluationError):
        raise AbortedError(f"{_CONVERSION} *types.Err is not traits.Lister: missing method Add")
    count = size(items)
    textual = count and isinstance(items, list | ListView) and isinstance(items[0], str | bytes)
    return int(count * count * (2.0 + PER_CHARACTER if textual else 2.0)) + 1 + NEW_LIST


# --- tables -----------------------------------------------------------------------------------------------------------

#: Costs of Kubernetes.
_BY_FUNCTION: dict[str, Cost] = {
    **dict.fromkeys((*ACCESSORS, *URL_PARTS), _one),
    **dict.fromkeys(("fieldSelector", "labelSelector"), _selector),
    **dict.fromkeys(SCANS, lambda args, _: _count_reading(args[0])),
    **dict.fromkeys((*TRANSFORMS, *PARSERS), lambda args, _: _scale(size(args[0]))),
    **dict.fromkeys(("replace", "split", "ip.isCanonical"), lambda args, _: _scale(size(args[0]), 2 * PER_CHARACTER)),
    **dict.fromkeys(("find", "findAll"), lambda args, _: _count_matching(size(args[0]), size(args[1]))),
    "check": lambda _, __: 350_000,
    "join": lambda _, result: _scale(size(result), 2 * PER_CHARACTER),
    "containsIP": _contains_address,
    "containsCIDR": _contains_network,
    "validate": _validate,
    "_==_": lambda args, result: 1 if isinstance(args[0], _OBJECTS) else _count_comparing(args, result),
    "_!=_": _count_comparing,
}
#: Costs of libraries of cel-go for lists and sets, and of overloads that differ from their function.
_BY_OVERLOAD: dict[str, Cost] = {
    "cidr_ip": _one,
    "cidr_contains_ip_string": lambda args, result: _contains_address(args, result) + _scale(size(args[1])),
    "cidr_contains_cidr_string": lambda args, result: _contains_network(args, result) + _scale(size(args[1])),
    **dict.fromkeys(("list_slice", "lists_range", "list_reverse"), lambda _, result: size(result) + 1 + NEW_LIST),
    **dict.fromkeys(("list_flatten", "list_flatten_int"), _count_flatten),
    **dict.fromkeys(
        ("list_distinct", *(f"list_{kind}_sort" for kind in SORTABLE)), lambda args, _: _self_compared(args[0])
    ),
    **{f"list_{kind}_sortByAssociatedKeys": lambda args, _: _self_compared(args[1]) for kind in SORTABLE},
    **dict.fromkeys(
        ("list_sets_contains_list", "list_sets_intersects_list"), lambda args, _: size(args[0]) * size(args[1]) + 1
    ),
    "list_sets_equivalent_list": lambda args, _: size(args[0]) * size(args[1]) * 2 + 1,
}
#: Costs of cel-go itself, for overloads that Kubernetes does not define.
_OF_LANGUAGE: dict[str, Cost] = {
    **dict.fromkeys(
        (
            *("starts_with_string", "ends_with_string", "string_to_bytes", "bytes_to_string"),
            *("strings_quote", "string_format"),
        ),
        lambda args, _: _scale(_measure_content(args[0])),
    ),
    "matches_string": lambda args, _: _count_matching(_measure_content(args[0]), _measure_content(args[1])),
    "in_list": lambda args, _: _measure_content(args[1]),
    **{
        f"{order}_{of}": _count_comparing
        for order in ("less", "greater", "less_equals", "greater_equals")
        for of in ("string", "bytes")
    },
    **dict.fromkeys(("add_string", "add_bytes"), lambda args, _: _scale(sum(map(_measure_content, args)))),
    "contains_string": lambda args, _: _scale(_measure_content(args[0])) * _scale(_measure_content(args[1])),
}
