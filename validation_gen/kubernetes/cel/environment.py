"""Meaning of names in an expression: variables, names of types, functions, and fields of objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.declarations import Function
from validation_gen.kubernetes.cel.types import Type

#: Types that an expression can name, such as `type(x) == string`.
TYPE_NAMES: dict[str, Type] = {
    "bool": types.BOOL,
    "bytes": types.BYTES,
    "double": types.DOUBLE,
    "google.protobuf.Duration": types.DURATION,
    "int": types.INT,
    "list": types.list_of(types.parameter("A")),
    "map": types.map_of(types.parameter("A"), types.parameter("B")),
    "null_type": types.NULL,
    "string": types.STRING,
    "google.protobuf.Timestamp": types.TIMESTAMP,
    "type": types.TYPE,
    "uint": types.UINT,
    "duration": types.DURATION,
    "timestamp": types.TIMESTAMP,
    "optional_type": types.optional_of(types.parameter("V")),
    "net.IP": types.IP,
    "net.CIDR": types.CIDR,
}

#: Types that can be values. The others only work in `type(x)`: a rule that names one is well-typed, but cannot run.
VALUE_TYPES = frozenset(TYPE_NAMES) - {"duration", "timestamp"}


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """Variables and functions by name, and for each type of object its fields by the name in CEL."""

    variables: Mapping[str, Type]
    functions: Mapping[str, Function]
    objects: Mapping[str, Mapping[str, Type]]

    def global_type(self, name: str) -> Type | None:
        """Returns the type of a variable, or of the name of a type."""
        if (found := self.variables.get(name)) is not None:
            return found
        named = TYPE_NAMES.get(name)
        return types.type_of(named) if named is not None else None

    def made(self, name: str) -> Callable[[str], Type | None] | None:
        """Returns a function from fields to types for a constructed object; `None` if there is no such type."""
        return None

    def function(self, name: str) -> Function | None:
        return self.functions.get(name.removeprefix("."))
