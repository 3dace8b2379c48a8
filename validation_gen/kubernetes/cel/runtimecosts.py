"""Costs of calls at run time, without their arguments.

Sources of the behaviour: `interpreter/runtimecost.go`, `ext/lists.go` and `ext/sets.go` of cel-go, and `CallCost` in
`pkg/cel/library/cost.go` of `k8s.io/apiserver`. A call that is in no table costs 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from validation_gen.kubernetes.cel.data import ListView
from validation_gen.kubernetes.cel.functions.table import CLASSES
from validation_gen.kubernetes.cel.values import AbortedError, EvaluationError, Optional, Uint

_PER_CHARACTER = 0.1
_PER_REGEX_CHARACTER = 0.25
_NEW_LIST = 10
_OBJECTS = tuple(CLASSES.values())

Cost = Callable[[Sequence[Any], Any], int]
_BY_FUNCTION: dict[str, Cost] = {}
_BY_OVERLOAD: dict[str, Cost] = {}
#: Costs of cel-go itself, for overloads that Kubernetes does not define.
_OF_LANGUAGE: dict[str, Cost] = {}


def call_cost(function: str, overload: str, args: Sequence[Any], result: Any) -> int:
    """Returns the cost of one call. `overload` is empty if the types leave it open."""
    cost = _BY_OVERLOAD.get(overload) or _BY_FUNCTION.get(function) or _OF_LANGUAGE.get(overload)
    return 1 if cost is None else cost(args, result)


def fixed_cost(function: str, overload: str) -> int | None:
    """Returns the cost of a call if it is the same for all arguments."""
    cost = _BY_OVERLOAD.get(overload) or _BY_FUNCTION.get(function) or _OF_LANGUAGE.get(overload)
    return 1 if cost in (None, _accessor, _address) else None


def size(value: Any) -> int:
    """Returns the number of characters, bytes, items or entries; 1 for other values."""
    if isinstance(value, str | bytes | list | ListView | Mapping):
        return len(value)
    return int(getattr(value, "size", 1))  # addresses and networks have bytes


def _held_size(value: Any) -> int:
    """Returns the size of a value, or of the content of an optional.

    The language looks into optionals, libraries do not.
    """
    if type(value) is Optional and value.present:
        return _held_size(value.value)
    return size(value)


def _scaled(count: float, factor: float = _PER_CHARACTER) -> int:
    return math.ceil(count * factor)


def _for(table: dict[str, Cost], *names: str) -> Callable[[Cost], Cost]:
    def add(cost: Cost) -> Cost:
        table.update(dict.fromkeys(names, cost))
        return cost

    return add


# --- Kubernetes -------------------------------------------------------------------------------------------------------


@_for(_BY_FUNCTION, "check")
def _check(_: Sequence[Any], __: Any) -> int:
    return 350_000


@_for(
    _BY_FUNCTION,
    *"serviceAccount path group resource subresource namespace name allowed reason error errored".split(),
    *"masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast".split(),
    *"isGlobalUnicast format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan".split(),
    *"compareTo add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery".split(),
)
def _accessor(_: Sequence[Any], __: Any) -> int:
    return 1


@_for(_BY_FUNCTION, "fieldSelector", "labelSelector")
def _selector(args: Sequence[Any], _: Any) -> int:
    length = size(args[1])
    return _NEW_LIST + _scaled(length) + _scaled(_scaled(length, 0.5), 50)


@_for(_BY_FUNCTION, "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes")
def _traversal(args: Sequence[Any], _: Any) -> int:
    return _traversed(args[0])


def _traversed(value: Any) -> int:
    """Returns the cost of reading all of a value: texts by their bytes, rounded down."""
    if isinstance(value, str):
        return int(len(value.encode("utf-8", "surrogatepass")) * _PER_CHARACTER)
    if isinstance(value, bytes):
        return int(len(value) * _PER_CHARACTER)
    if isinstance(value, list | ListView):
        return sum(map(_traversed, value))
    if isinstance(value, Mapping):
        return sum(_traversed(key) + _traversed(each) for key, each in value.items())
    return 1


@_for(_BY_FUNCTION, "url", "lowerAscii", "upperAscii", "substring", "trim")
@_for(_BY_FUNCTION, "cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver")
def _once(args: Sequence[Any], _: Any) -> int:
    return _scaled(size(args[0]))


@_for(_BY_OVERLOAD, "cidr_ip")
def _address(_: Sequence[Any], __: Any) -> int:
    return 1


@_for(_BY_FUNCTION, "replace", "split", "ip.isCanonical")
def _twice(args: Sequence[Any], _: Any) -> int:
    return _scaled(size(args[0]), 2 * _PER_CHARACTER)


@_for(_BY_FUNCTION, "join")
def _join(_: Sequence[Any], result: Any) -> int:
    return _scaled(size(result), 2 * _PER_CHARACTER)


def _matched(length: int, pattern: int) -> int:
    return _scaled(1.0 + length) * _scaled(pattern, _PER_REGEX_CHARACTER)


@_for(_BY_FUNCTION, "find", "findAll")
def _find(args: Sequence[Any], _: Any) -> int:
    return _matched(size(args[0]), size(args[1]))


@_for(_BY_FUNCTION, "containsIP")
def _contains_address(args: Sequence[Any], _: Any) -> int:
    return _scaled(2 * size(args[0]))


@_for(_BY_FUNCTION, "containsCIDR")
def _contains_network(args: Sequence[Any], result: Any) -> int:
    return _contains_address(args, result) + _scaled(size(args[0])) + 1


@_for(_BY_OVERLOAD, "cidr_contains_ip_string")
def _contains_address_text(args: Sequence[Any], result: Any) -> int:
    return _contains_address(args, result) + _scaled(size(args[1]))


@_for(_BY_OVERLOAD, "cidr_contains_cidr_string")
def _contains_network_text(args: Sequence[Any], result: Any) -> int:
    return _contains_network(args, result) + _scaled(size(args[1]))


@_for(_BY_FUNCTION, "validate")
def _validate(args: Sequence[Any], _: Any) -> int:
    pattern = getattr(args[0], "pattern_size", None)
    return 1 if pattern is None else _matched(size(args[1]), pattern)


# --- the language -----------------------------------------------------------------------------------------------------


@_for(_OF_LANGUAGE, "starts_with_string", "ends_with_string", "string_to_bytes", "bytes_to_string")
@_for(_OF_LANGUAGE, "strings_quote", "string_format")
def _read(args: Sequence[Any], _: Any) -> int:
    return _scaled(_held_size(args[0]))


@_for(_OF_LANGUAGE, "matches_string")
def _match(args: Sequence[Any], _: Any) -> int:
    return _matched(_held_size(args[0]), _held_size(args[1]))


@_for(_OF_LANGUAGE, "in_list")
def _in_list(args: Sequence[Any], _: Any) -> int:
    return _held_size(args[1])


_ORDERS = ("less", "greater", "less_equals", "greater_equals")


@_for(_OF_LANGUAGE, *(f"{order}_{of}" for order in _ORDERS for of in ("string", "bytes")))
def _compared(args: Sequence[Any], _: Any) -> int:
    return _scaled(min(map(_held_size, args)))


@_for(_BY_FUNCTION, "_==_", "_!=_")
def _equality(args: Sequence[Any], result: Any) -> int:
    return _compared(args, result)


@_for(_BY_FUNCTION, "_==_")
def _equals(args: Sequence[Any], result: Any) -> int:
    return 1 if isinstance(args[0], _OBJECTS) else _compared(args, result)


@_for(_OF_LANGUAGE, "add_string", "add_bytes")
def _joined(args: Sequence[Any], _: Any) -> int:
    return _scaled(sum(map(_held_size, args)))


@_for(_OF_LANGUAGE, "contains_string")
def _contains(args: Sequence[Any], _: Any) -> int:
    return _scaled(_held_size(args[0])) * _scaled(_held_size(args[1]))


# --- lists and sets ---------------------------------------------------------------------------------------------------


@_for(_BY_OVERLOAD, "list_slice", "lists_range", "list_reverse")
def _new(_: Sequence[Any], result: Any) -> int:
    return size(result) + 1 + _NEW_LIST


@_for(_BY_OVERLOAD, "list_flatten", "list_flatten_int")
def _flattened(args: Sequence[Any], _: Any) -> int:
    """Counts `flatten`. A depth below 0 makes it cheaper: the server counts with unsigned integers that overflow.

    Numbers out of range become half of that range when processors of this kind convert them.
    """
    depth = 1.0
    if len(args) > 1:
        if type(args[1]) is not int:
            raise AbortedError(f"{_CONVERSION} ref.Val is {_GO_TYPES.get(type(args[1]), '*types.Err')}, not types.Int")
        depth = float(args[1])
    count = max(int(size(args[0]) * depth), -(1 << 63))
    return (count if count < 1 << 64 else 1 << 63) + 1 + _NEW_LIST


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
    return int(count * count * (2.0 + _PER_CHARACTER if textual else 2.0)) + 1 + _NEW_LIST


_KINDS = "int uint double bool google.protobuf.Duration google.protobuf.Timestamp string bytes".split()


@_for(_BY_OVERLOAD, "list_distinct", *(f"list_{kind}_sort" for kind in _KINDS))
def _distinct(args: Sequence[Any], _: Any) -> int:
    return _self_compared(args[0])


@_for(_BY_OVERLOAD, *(f"list_{kind}_sortByAssociatedKeys" for kind in _KINDS))
def _sorted(args: Sequence[Any], _: Any) -> int:
    return _self_compared(args[1])


@_for(_BY_OVERLOAD, "list_sets_contains_list", "list_sets_intersects_list")
def _sets(args: Sequence[Any], _: Any) -> int:
    return size(args[0]) * size(args[1]) + 1


@_for(_BY_OVERLOAD, "list_sets_equivalent_list")
def _equivalent(args: Sequence[Any], _: Any) -> int:
    return size(args[0]) * size(args[1]) * 2 + 1
