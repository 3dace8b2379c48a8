"""Selects the implementation of a call at run time: by the overloads that the checker found, and the argument types.

The table is made of the signatures in `signatures`, so a function needs nothing here but an entry in `functions.TABLE`.
A call that no overload fits is an error, in cel-go's words. `Run` is the state of one evaluation: the values of its
variables, and its cost so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from validation_gen.kubernetes.cel.data import ListView, MapView
from validation_gen.kubernetes.cel.declarations import OF_MUTATIONS, Overload, functions
from validation_gen.kubernetes.cel.entries import Entries
from validation_gen.kubernetes.cel.functions.numbers import type_name
from validation_gen.kubernetes.cel.functions.table import CLASSES, TABLE
from validation_gen.kubernetes.cel.tree import REPLACED
from validation_gen.kubernetes.cel.types import Kind, Type
from validation_gen.kubernetes.cel.values import Duration, EvaluationError, Optional, Timestamp, TypeValue, Uint

Operation = Callable[..., Any]
Guard = Callable[[Any], bool]

#: Functions that are evaluated in advance if their argument is a constant.
CONVERSIONS = frozenset("bool bytes double duration dyn int string timestamp type uint".split())

_PYTHON: dict[Kind, tuple[type, ...]] = {
    Kind.BOOL: (bool,),
    Kind.BYTES: (bytes,),
    Kind.DOUBLE: (float,),
    Kind.DURATION: (Duration,),
    Kind.INT: (int,),
    Kind.LIST: (list, ListView),
    Kind.MAP: (dict, Entries, MapView),
    Kind.NULL: (type(None),),
    Kind.STRING: (str,),
    Kind.TIMESTAMP: (Timestamp,),
    Kind.TYPE: (TypeValue,),
    Kind.UINT: (Uint,),
}
_NUMBERS = ("int", "uint", "double")
_MOMENTS = ("google.protobuf.Duration", "google.protobuf.Timestamp")
_ORDERED = frozenset(("bool", *_NUMBERS, "string", "bytes", *_MOMENTS))
#: Operators that dispatch on the type of their first operand, and the types that support them. Their errors name no
#: types.
_ABLE: dict[str, frozenset[str]] = {
    "_+_": frozenset((*_NUMBERS, "string", "bytes", "list", *_MOMENTS)),
    "_-_": frozenset((*_NUMBERS, *_MOMENTS)),
    "_*_": frozenset(_NUMBERS),
    "_/_": frozenset(_NUMBERS),
    "_%_": frozenset(("int", "uint")),
    "-_": frozenset(("int", "double", "google.protobuf.Duration")),
    "!_": frozenset(("bool",)),
    **dict.fromkeys(("_<_", "_<=_", "_>_", "_>=_"), _ORDERED),
    "size": frozenset(("string", "bytes", "list", "map")),
    "@in": frozenset(),
}


def render_value(value: Any) -> str:
    """Formats a value for cel-go's errors."""
    if value is True or value is False:
        return "true" if value else "false"
    if type(value) is TypeValue:
        return value.name
    if type(value) is float:
        return f"{value:g}"
    return str(value)


#: Functions on lists that check no item before they run.
_UNGUARDED = frozenset(("sort", "@sortByAssociatedKeys", "flatten"))


def _guard(type: Type, *, first: bool = True) -> Guard | None:
    """Returns the test of a type; None where every value passes. Of a list, the `first` item has to fit as well."""
    if type.kind in (Kind.DYN, Kind.ANY, Kind.PARAM):
        return None
    if type.kind in (Kind.OBJECT, Kind.OPAQUE):
        wanted: tuple[Any, ...] = (Optional,) if type.name == "optional_type" else (CLASSES.get(type.name),)
        return lambda value: value.__class__ in wanted
    classes = _PYTHON[type.kind]
    item = _guard(type.parameters[0]) if first and type.kind is Kind.LIST else None
    if item is None:
        return lambda value: value.__class__ in classes
    fits = item

    def is_list(value: Any) -> bool:
        return isinstance(value, list | ListView) and (not value or fits(value[0]))

    return is_list


@cache
def _overloads() -> Mapping[str, tuple[str, Overload, tuple[Guard | None, ...]]]:
    """Returns all overloads of all releases by their names, with the guards of their arguments."""
    found = {}
    for minor in (OF_MUTATIONS, *range(23, 38), 23):
        for function in functions(minor, stored=True).values():
            first = function.name not in _UNGUARDED
            for each in function.overloads:
                found[each.name] = (function.name, each, tuple(_guard(type, first=first) for type in each.args))
    return found | {later: found[name] for name, later in REPLACED.items()}


def _unknown(*_: Any) -> EvaluationError:
    """Placeholder for functions that query a cluster, such as the authorizer; rules cannot name them."""
    raise EvaluationError("no such overload")


def _make_overload_error(function: str, values: tuple[Any, ...]) -> EvaluationError:
    """Returns the error of a call that no overload fits."""
    able = _ABLE.get(function)
    if able is None:
        return EvaluationError(f"no such overload: {function}({', '.join(map(type_name, values))})")
    return EvaluationError("no such overload" if type_name(values[0]) in able else f"no such overload: {function}")


@cache
def find_operation(function: str, overloads: tuple[str, ...]) -> Operation:
    """Returns the implementation of a call, given the overloads that its types allow.

    Args:
        function: the name of the function, for errors.
        overloads: the names of overloads in the order of their declaration; the first that fits runs.
    """
    known = _overloads()
    ways: list[tuple[tuple[Guard | None, ...], Operation]] = [
        (known[name][2], TABLE.get(name, _unknown)) for name in overloads
    ]

    if len(ways) == 1 and not any(ways[0][0]):
        return ways[0][1]

    def call(*values: Any) -> Any:
        for guards, operation in ways:
            if all(guard is None or guard(value) for guard, value in zip(guards, values, strict=True)):
                return operation(*values)
        raise _make_overload_error(function, values)

    return call


#: Costs are unsigned integers of 64 bits, which wrap around.
_MOST = (1 << 64) - 1


class CostExceededError(Exception):
    """An evaluation has exceeded its cost limit: `cost` is its cost until it was aborted."""

    def __init__(self, cost: int) -> None:
        super().__init__(cost)
        self.cost = cost


class Run:
    """State of one evaluation: the values of its variables, and its cost so far.

    Raises `CostExceededError` from `charge` when the cost is above `limit`.
    """

    __slots__ = ("cost", "limit", "slots")

    def __init__(self, slots: list[Any], limit: int) -> None:
        self.slots = slots
        self.cost = 0
        self.limit = limit

    def charge(self, cost: int) -> None:
        self.cost = (self.cost + cost) & _MOST
        if self.cost > self.limit:
            raise CostExceededError(self.cost)


#: A part of an expression that can run. It returns a value, or an error as a value.
Step = Callable[[Run], Any]
