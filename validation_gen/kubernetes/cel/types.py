"""Types of CEL as data, their spelling, and their assignability.

Create types with the functions here, which return one object for one type wherever they can; still compare with `==`.
Bindings map the name of a type parameter to a type. Each check works on a copy that replaces the bindings only on
success, so that a failed attempt leaves no trace.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache


class Kind(enum.IntEnum):
    """Kind of a type, on which most decisions depend."""

    DYN = enum.auto()
    ANY = enum.auto()
    BOOL = enum.auto()
    BYTES = enum.auto()
    DOUBLE = enum.auto()
    DURATION = enum.auto()
    ERROR = enum.auto()
    INT = enum.auto()
    LIST = enum.auto()
    MAP = enum.auto()
    NULL = enum.auto()
    OPAQUE = enum.auto()
    STRING = enum.auto()
    OBJECT = enum.auto()
    TIMESTAMP = enum.auto()
    TYPE = enum.auto()
    PARAM = enum.auto()
    UINT = enum.auto()


@dataclass(frozen=True, slots=True)
class Type:
    """A type: its kind, its name, and for parameterised types their parameters.

    `nullable` is for protobuf's wrappers such as `google.protobuf.Int64Value`, which a schema never has. `open`: the
    type is or contains a type parameter.
    """

    kind: Kind
    name: str
    parameters: tuple[Type, ...] = ()
    nullable: bool = False
    open: bool = False

    def __str__(self) -> str:
        return spell(self)


BOOL = Type(Kind.BOOL, "bool")
BYTES = Type(Kind.BYTES, "bytes")
DOUBLE = Type(Kind.DOUBLE, "double")
DURATION = Type(Kind.DURATION, "google.protobuf.Duration")
DYN = Type(Kind.DYN, "dyn")
ANY = Type(Kind.ANY, "google.protobuf.Any")
ERROR = Type(Kind.ERROR, "error")
INT = Type(Kind.INT, "int")
NULL = Type(Kind.NULL, "null_type")
STRING = Type(Kind.STRING, "string")
TIMESTAMP = Type(Kind.TIMESTAMP, "google.protobuf.Timestamp")
TYPE = Type(Kind.TYPE, "type")
UINT = Type(Kind.UINT, "uint")

# Types that Kubernetes adds.
URL = Type(Kind.OBJECT, "kubernetes.URL")
QUANTITY = Type(Kind.OBJECT, "kubernetes.Quantity")
SEMVER = Type(Kind.OBJECT, "kubernetes.Semver")
FORMAT = Type(Kind.OBJECT, "kubernetes.NamedFormat")
IP = Type(Kind.OPAQUE, "net.IP")
CIDR = Type(Kind.OPAQUE, "net.CIDR")

_SPECIAL = {
    Kind.ANY: "any",
    Kind.DURATION: "duration",
    Kind.ERROR: "!error!",
    Kind.NULL: "null",
    Kind.TIMESTAMP: "timestamp",
}


@lru_cache(maxsize=4096)
def list_type(element: Type) -> Type:
    return Type(Kind.LIST, "list", (element,), open=element.open)


@lru_cache(maxsize=4096)
def map_type(key: Type, value: Type) -> Type:
    return Type(Kind.MAP, "map", (key, value), open=key.open or value.open)


@lru_cache(maxsize=4096)
def optional_type(value: Type) -> Type:
    return opaque("optional_type", value)


@lru_cache(maxsize=1024)
def type_type(type: Type) -> Type:
    return Type(Kind.TYPE, "type", (type,), open=type.open)


@lru_cache(maxsize=1024)
def parameter(name: str) -> Type:
    return Type(Kind.PARAM, name, open=True)


def opaque(name: str, *parameters: Type) -> Type:
    return Type(Kind.OPAQUE, name, parameters, open=any(p.open for p in parameters))


def object_type(name: str) -> Type:
    return Type(Kind.OBJECT, name)


def nullable(type: Type) -> Type:
    return Type(type.kind, type.name, type.parameters, nullable=True)


def rename_objects(type: Type, name: str, new: str) -> Type:
    """Replaces a prefix of object names in a type by another prefix."""
    if type.kind is Kind.OBJECT:
        return object_type(replace_prefix(type.name, name, new))
    if type.kind is Kind.LIST:
        return list_type(rename_objects(type.parameters[0], name, new))
    if type.kind is Kind.MAP:
        return map_type(type.parameters[0], rename_objects(type.parameters[1], name, new))
    return type


def replace_prefix(text: str, name: str, new: str) -> str:
    """Replaces the beginning of a dotted name."""
    return new + text[len(name) :] if text == name or text.startswith(f"{name}.") else text


def unwrap_optional(type: Type) -> tuple[Type, bool]:
    """Returns the type inside an optional, and whether the type is optional at all."""
    if type.kind is Kind.OPAQUE and type.name == "optional_type":
        return type.parameters[0], True
    return type, False


def spell(type: Type) -> str:
    """Spells a type as in error messages: `list(string)`, `map(string, int)`, `timestamp`."""
    if special := _SPECIAL.get(type.kind):
        return special
    if type.parameters:
        return f"{type.name}({', '.join(map(spell, type.parameters))})"
    return f"wrapper({type.name})" if type.nullable else type.name


Bindings = dict[str, Type]

_DYNAMIC = (Kind.DYN, Kind.ANY)
_DYNAMIC_OR_ERROR = (Kind.DYN, Kind.ANY, Kind.ERROR)
_NULLABLE = (Kind.OPAQUE, Kind.OBJECT, Kind.ANY, Kind.DURATION, Kind.TIMESTAMP)
_CONTAINERS = (Kind.OPAQUE, Kind.LIST, Kind.MAP)


def find_bindings(bindings: Bindings, given: Sequence[Type], demanded: Sequence[Type]) -> Bindings | None:
    """Returns the bindings with which each given type fits the demanded one, None if they do not fit."""
    if len(given) != len(demanded):
        return None
    attempt = bindings.copy()
    return attempt if _all_fit(attempt, given, demanded) else None


def _all_fit(bindings: Bindings, given: Sequence[Type], demanded: Sequence[Type]) -> bool:
    return len(given) == len(demanded) and all(_fits(bindings, g, d) for g, d in zip(given, demanded, strict=True))


def _fits(bindings: Bindings, given: Type, demanded: Type) -> bool:
    if demanded.kind is Kind.PARAM:
        valid, bound = _substitutes(bindings, given, demanded)
        if valid:
            return True
        if bound:
            return False
    if given.kind is Kind.PARAM:
        return _substitutes(bindings, demanded, given)[0]
    if given.kind in _DYNAMIC_OR_ERROR or demanded.kind in _DYNAMIC_OR_ERROR:
        return True
    if given.kind is Kind.NULL:
        return _takes_null(demanded)
    if demanded.kind is Kind.NULL:
        return _takes_null(given)
    if given.kind in _CONTAINERS:
        same = given.kind is demanded.kind and given.name == demanded.name
        return same and _all_fit(bindings, given.parameters, demanded.parameters)
    if given.kind is Kind.TYPE:
        return demanded.kind is Kind.TYPE
    return given.kind is demanded.kind and given.name == demanded.name


def _takes_null(type: Type) -> bool:
    return type.kind in _NULLABLE or type.kind is Kind.NULL or type.nullable


def _substitutes(bindings: Bindings, type: Type, param: Type) -> tuple[bool, bool]:
    """Returns whether the parameter can be the type, and whether it was bound before."""
    if type.kind is param.kind and type == param:
        return True, True
    if (bound := bindings.get(param.name)) is not None:
        if type.kind is bound.kind and type == bound:
            return True, True
        if not _fits(bindings, type, bound):
            return False, True
        general = most_general(type, bound)
        if not _occurs(bindings, param, general):
            bindings[param.name] = general
        return True, True
    if _occurs(bindings, param, type):
        return False, False
    bindings[param.name] = type
    return True, False


def most_general(first: Type, second: Type) -> Type:
    """Returns the more general of two types that fit each other."""
    return first if _at_least_as_general(first, second) else second


def _at_least_as_general(first: Type, second: Type) -> bool:
    if first.kind in _DYNAMIC or first.kind is Kind.PARAM:
        return True
    if second.kind in _DYNAMIC or second.kind is Kind.PARAM or first.kind is not second.kind:
        return False
    if first.kind is Kind.TYPE:
        return True
    if first.kind in _CONTAINERS:
        if first.name != second.name or len(first.parameters) != len(second.parameters):
            return False
        pairs = zip(first.parameters, second.parameters, strict=True)
        return all(_at_least_as_general(mine, other) for mine, other in pairs)
    return first == second


def _occurs(bindings: Bindings, param: Type, within: Type) -> bool:
    """Returns whether a type is or contains a parameter, which then cannot be bound to it."""
    if param == within:
        return True
    if within.kind is Kind.PARAM:
        bound = bindings.get(within.name)
        return bound is not None and _occurs(bindings, param, bound)
    return within.open and any(_occurs(bindings, param, inner) for inner in within.parameters)


def substitute(bindings: Bindings, type: Type, *, closed: bool = False) -> Type:
    """Replaces bound parameters of a type; if `closed`, free ones become `dyn`."""
    if not type.open:
        return type
    if type.kind is Kind.PARAM:
        if (bound := bindings.get(type.name)) is not None:
            return substitute(bindings, bound, closed=closed)
        return DYN if closed else type
    inner = [substitute(bindings, parameter, closed=closed) for parameter in type.parameters]
    if type.kind is Kind.LIST:
        return list_type(inner[0])
    if type.kind is Kind.MAP:
        return map_type(inner[0], inner[1])
    return type_type(inner[0]) if type.kind is Kind.TYPE else opaque(type.name, *inner)
