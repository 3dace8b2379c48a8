"""Types of CEL as data, and their spelling.

Create types with the functions here, which return one object for one type wherever they can; still compare with `==`.
`unify` decides which type fits which.
"""

from __future__ import annotations

import enum
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
def list_of(element: Type) -> Type:
    return Type(Kind.LIST, "list", (element,), open=element.open)


@lru_cache(maxsize=4096)
def map_of(key: Type, value: Type) -> Type:
    return Type(Kind.MAP, "map", (key, value), open=key.open or value.open)


@lru_cache(maxsize=4096)
def optional_of(value: Type) -> Type:
    return opaque("optional_type", value)


@lru_cache(maxsize=1024)
def type_of(type: Type) -> Type:
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


def renamed(type: Type, name: str, new: str) -> Type:
    """Returns a type in which object names below one name begin with another one."""
    if type.kind is Kind.OBJECT:
        return object_type(rebased(type.name, name, new))
    if type.kind is Kind.LIST:
        return list_of(renamed(type.parameters[0], name, new))
    if type.kind is Kind.MAP:
        return map_of(type.parameters[0], renamed(type.parameters[1], name, new))
    return type


def rebased(text: str, name: str, new: str) -> str:
    """Replaces the beginning of a dotted name."""
    return new + text[len(name) :] if text == name or text.startswith(f"{name}.") else text


def unwrapped(type: Type) -> tuple[Type, bool]:
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
