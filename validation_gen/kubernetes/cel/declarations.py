"""Names that an expression may use: functions and operators, variables, types, and fields of objects, with known sizes.

Functions and operators come from the tables of `signatures`. Sizes and costs are ranges of unsigned 64 bit numbers,
which stop at the greatest instead of overflowing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.signatures import tables
from validation_gen.kubernetes.cel.types import Kind, Type

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
        made: Type = _MADE[name](*map(_type, _split_types(inner[:-1])))
        return made
    if len(name) == 1:
        return types.parameter(name)
    return _NAMED.get(name) or types.object_type(f"kubernetes.authorization.{name}")


def _split_types(text: str) -> list[str]:
    """Splits types at commas that are not inside parentheses."""
    return re.findall(r"\w+(?:\((?:[^()]|\([^()]*\))*\))?", text)


@cache
def _signatures() -> tuple[tuple[str, Overload], ...]:
    """Returns the overloads of all releases, with the names of their functions."""
    found = []
    for line in filter(None, "\n".join(tables()).split("\n")):
        match = _LINE.fullmatch(line.strip())
        assert match, line
        name, id, target, args, result, since, until = match.groups()
        types = tuple(map(_type, ([target] if target else []) + _split_types(args)))
        parameters = tuple(sorted(set(re.findall(r"\b[A-Z]\b", line))))
        last = int(until) if until else None
        found.append((name, Overload(id, types, _type(result), bool(target), int(since or 0), last, parameters)))
    return tuple(found)


@cache
def functions(minor: int = NEWEST, *, stored: bool = False) -> dict[str, Function]:
    """Returns all functions of the release 1.`minor`, which servers of the next one allow.

    `stored` adds the functions of those servers themselves, which they allow in expressions that were stored before.
    """
    found: dict[str, list[Overload]] = {}
    for name, overload in _signatures():
        if overload.since <= minor + stored and (overload.until is None or minor <= overload.until):
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


MOST = (1 << 64) - 1
_OVERFLOW = float(1 << 64)

#: Unit costs of upstream (cel-go, `common/cost.go`).
PER_CHARACTER = 0.1
PER_REGEX_CHARACTER = 0.25
NEW_LIST, NEW_MAP, NEW_OBJECT = 10, 30, 40


class Range(NamedTuple):
    """The least and the greatest value of a size or a cost."""

    least: int
    most: int

    def plus(self, other: Range) -> Range:
        return Range(min(self.least + other.least, MOST), min(self.most + other.most, MOST))

    def times(self, other: Range) -> Range:
        return Range(min(self.least * other.least, MOST), min(self.most * other.most, MOST))

    def scaled(self, factor: float) -> Range:
        """Multiplies by a factor and rounds up."""
        return Range(scale(self.least, factor), scale(self.most, factor))

    def union(self, other: Range) -> Range:
        return Range(min(self.least, other.least), max(self.most, other.most))


def scale(value: int, factor: float) -> int:
    number = float(value)
    if number > 0 and factor > 0 and number > _OVERFLOW / factor:
        return MOST
    product = math.ceil(number * factor)
    return MOST if product >= 1 << 64 else product


def multiply_saturated(cost: int, times: int) -> int:
    """Returns a product that stops at the greatest number."""
    return min(cost * times, MOST)


def exactly(value: int) -> Range:
    return Range(value, value)


NOTHING = Range(0, 0)
ONE = Range(1, 1)
UNKNOWN = Range(0, MOST)


class Path:
    """Path to a value: a variable, then fields, `@items`, `@keys` and `@values`.

    Upstream's paths are slices of Go. Two that are appended to the same path may share memory, and then the later one
    overwrites the end of the earlier one; estimates depend on it. So this behaves like such a slice.
    """

    __slots__ = ("_cells", "_length")

    def __init__(self, cells: list[str], length: int) -> None:
        self._cells = cells
        self._length = length

    def names(self) -> list[str]:
        return self._cells[: self._length]

    def appended(self, name: str) -> Path:
        cells, length = self._cells, self._length
        if length == len(cells):
            cells = [*cells, *([""] * max(length, 1))]
        cells[length] = name
        return Path(cells, length + 1)


NOWHERE = Path([], 0)


class Entries(NamedTuple):
    """Sizes of the keys and values of a list or map literal."""

    container: Kind
    key: Range
    value: Range

    def union(self, other: Entries) -> Entries:
        return Entries(self.container, self.key.union(other.key), self.value.union(other.value))


class Local(NamedTuple):
    """A variable of a loop."""

    path: Path
    size: Range | None
    entries: Entries | None
