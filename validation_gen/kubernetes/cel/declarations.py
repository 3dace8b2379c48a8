"""Names that an expression may use: functions and operators, variables, types, and fields of objects.

Functions and operators come from the tables of `signatures`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.signatures import tables
from validation_gen.kubernetes.cel.types import Type

#: For new expressions a server allows what the release before its own knows, as it can still be rolled back to it: that
#: of 1.37 takes the functions of 1.36. This is the release before the newest one.
NEWEST = 36

#: Pseudo release that includes the functions of mutations.
OF_MUTATIONS = 99


@dataclass(frozen=True, slots=True, eq=False)
class Overload:
    """One signature of a function. A method's target is its first argument."""

    name: str
    args: tuple[Type, ...]
    result: Type
    method: bool
    since: int
    until: int | None
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """All overloads of a name."""

    name: str
    overloads: tuple[Overload, ...]


_NAMED = {
    "bool": types.BOOL,
    "bytes": types.BYTES,
    "double": types.DOUBLE,
    "duration": types.DURATION,
    "dyn": types.DYN,
    "int": types.INT,
    "string": types.STRING,
    "timestamp": types.TIMESTAMP,
    "uint": types.UINT,
    "URL": types.URL,
    "Quantity": types.QUANTITY,
    "Semver": types.SEMVER,
    "Format": types.FORMAT,
    "IP": types.IP,
    "CIDR": types.CIDR,
}
_MADE = {"list": types.list_type, "map": types.map_type, "optional": types.optional_type, "type": types.type_type}
_LINE = re.compile(r"(\S+) +(\S+) +(?:(\S.*)\.)?\((.*)\) -> (.*?)(?: +@(\d+)?(?:\.\.(\d+))?)?")


def _type(text: str) -> Type:
    """Parses a type of a signature."""
    name, parenthesis, inner = text.partition("(")
    if parenthesis:
        made: Type = _MADE[name](*map(_type, _split(inner[:-1])))
        return made
    if len(name) == 1:
        return types.parameter(name)
    return _NAMED.get(name) or types.object_type(f"kubernetes.authorization.{name}")


def _split(text: str) -> list[str]:
    """Splits types at commas that are not inside parentheses."""
    return re.findall(r"\w+(?:\((?:[^()]|\([^()]*\))*\))?", text)


@cache
def functions(minor: int = NEWEST, *, stored: bool = False) -> dict[str, Function]:
    """Returns all functions of the release 1.`minor`, which servers of the next one allow.

    `stored` adds the functions of those servers themselves, which they allow in expressions that were stored before.
    """
    found: dict[str, list[Overload]] = {}
    for line in filter(None, "\n".join(tables()).split("\n")):
        match = _LINE.fullmatch(line.strip())
        assert match, line
        name, id, target, args, result, since, until = match.groups()
        types = tuple(map(_type, ([target] if target else []) + _split(args)))
        parameters = tuple(sorted(set(re.findall(r"\b[A-Z]\b", line))))
        last = int(until) if until else None
        overload = Overload(id, types, _type(result), bool(target), int(since or 0), last, parameters)
        if overload.since <= minor + stored and (last is None or minor <= last):
            found.setdefault(name, []).append(overload)
    return {name: Function(name, tuple(overloads)) for name, overloads in found.items()}


#: Types that an expression can name, such as `type(x) == string`.
TYPE_NAMES: dict[str, Type] = {
    "bool": types.BOOL,
    "bytes": types.BYTES,
    "double": types.DOUBLE,
    "google.protobuf.Duration": types.DURATION,
    "int": types.INT,
    "list": types.list_type(types.parameter("A")),
    "map": types.map_type(types.parameter("A"), types.parameter("B")),
    "null_type": types.NULL,
    "string": types.STRING,
    "google.protobuf.Timestamp": types.TIMESTAMP,
    "type": types.TYPE,
    "uint": types.UINT,
    "duration": types.DURATION,
    "timestamp": types.TIMESTAMP,
    "optional_type": types.optional_type(types.parameter("V")),
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
        return types.type_type(named) if named is not None else None

    def made(self, name: str) -> Callable[[str], Type | None] | None:
        """Returns a function from fields to types for a constructed object; `None` if there is no such type."""
        return None

    def function(self, name: str) -> Function | None:
        return self.functions.get(name.removeprefix("."))
