"""Types of values in generated code: the conditions under which a value needs a closer look, and walks over values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validation_gen.emit.python.value_ref import Names
from validation_gen.emit.text import Code, literal
from validation_gen.ir import ListOf, MapOf, Member, Scalar, Shape, StructRef, Wire, value_shape
from validation_gen.runtime.wire import WIRE

_CLASSES = {"string": "str", "bool": "bool"}
_BITS = {"int": 64, "uint": 64} | {f"{sign}int{bits}": bits for sign in ("", "u") for bits in (8, 16, 32, 64)}


def suspect(shape: Shape, value: str, names: Names) -> tuple[str, ...]:
    """Returns the conditions under which a value may not have a shape, if all hold; none where any value does.

    They never read the children of a value. Null is suspect, too, so that a usual value needs one condition.
    """
    match value_shape(shape):
        case Scalar(go="string" | "bool" as go):
            return (f"{value}.__class__ is not {_CLASSES[go]}",)
        case Scalar(go="float32" | "float64"):
            return (f"{value}.__class__ is not float", f"{value}.__class__ is not int")
        case Scalar(go=go):
            return (f"{value}.__class__ is not int or {_beyond(go, value)}",)
        case Wire(form="any" | "raw"):
            return ()
        case Wire(form="intorstring"):
            return (f"{value}.__class__ is not str", f"{value}.__class__ is not int or {_beyond('int32', value)}")
        case ListOf(packed=True):
            return (f"{value} is not None",)
        case Wire() as wire:
            return (f"{value} not in {names.make_known_constant(f'{names.shape(wire)}.known')}",)
        case ListOf():
            return (f"{value}.__class__ is not list",)
        case _:
            return (f"{value}.__class__ is not dict",)


def bounds(go: str) -> tuple[int, int]:
    """Returns the smallest and the largest number of one of Go's integer types."""
    bits = _BITS[go]
    return (0, 2**bits - 1) if go.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _beyond(go: str, value: str) -> str:
    """Returns the condition that an integer may not fit."""
    if _BITS[go] == 64:
        # One bit less than allowed, or no negative numbers: the few other values get a closer check.
        return f"not 0 <= {value} <= {2**63 - 1}" if go.startswith("u") else f"{value}.bit_length() > 63"
    low, high = bounds(go)
    return f"not {low} <= {value} <= {high}"


def refuses_null(shape: Shape) -> bool:
    """Returns whether null does not decode, while an absent value does."""
    return isinstance(shape, Wire) and not WIRE[shape.form].nullable


@dataclass(slots=True)
class TypeWalk:
    """Writes code that leaves by an exception where a value does not decode."""

    names: Names
    code: Code

    def guard(self, shape: Shape, variable: str, *, present: bool = False) -> None:
        """Sets a variable to Go's value: the zero value for null.

        For `present`, null does not mean absence.
        """
        decoded = "present" if present and refuses_null(shape) else "decoded"
        conditions = suspect(shape, variable, self.names)
        for condition in conditions:
            self.code.condition(condition)
            self.code.depth += 1
        if conditions:
            self.code.call(f"{variable} = {self.names.shape(shape)}.{decoded}", [variable])
        self.code.depth -= len(conditions)

    def below(self, shape: Shape, variable: str, depth: int = 1) -> None:
        """Checks the children of a value, after the value itself."""
        n = "" if depth == 1 else str(depth)
        code = self.code
        match value_shape(shape):
            case StructRef() as struct:
                if self.names.members(struct):
                    with code.block(f"if {variable}:"):
                        code.add(f"{self.names.typed(struct)}({variable})")
            case ListOf(packed=False, elem=elem, length=length) if suspect(elem, "", self.names):
                items = f"{variable} or ()" if length is None else f"({variable} or ())[:{length}]"
                with code.block(f"for item{n} in {items}:"):
                    self._whole(elem, f"item{n}", depth)
            case MapOf(elem=elem) as container:
                with code.block(f"for key{n}, item{n} in ({variable} or {{}}).items():"):
                    self.key(container, f"key{n}")
                    self._whole(elem, f"item{n}", depth)

    def key(self, container: MapOf, variable: str) -> None:
        """Looks at the key of a map."""
        if container.key.go == "string":
            with self.code.block(f"if {variable}.__class__ is not str:"):
                self.code.call(f"{self.names.shape(container)}.demand_key", [variable])
        else:
            self.code.call(f"{self.names.shape(container)}.demand_key", [variable])

    def _whole(self, shape: Shape, variable: str, depth: int) -> None:
        self.guard(value_shape(shape), variable, present=refuses_null(shape))
        self.below(shape, variable, depth + 1)

    def members(self, members: Iterable[Member]) -> None:
        """Looks at members of the struct `obj`."""
        for member in members:
            if suspect(member.shape, "v", self.names):
                with self.code.block(f"if {literal(member.json)} in obj:"):
                    self.code.add(f"v = obj[{literal(member.json)}]")
                    self._whole(member.shape, "v", 0)

    def function(self, name: str, members: Iterable[Member]) -> list[str]:
        """Returns the function that looks at all members of a struct without rules."""
        self.code.call(f"def typed_{name}", ["obj: dict[str, Any]"], " -> None:")
        with self.code.block():
            start = len(self.code.lines)
            self.members(members)
            if len(self.code.lines) == start:
                self.code.add("pass")
        return self.code.lines


def is_deep(shape: Shape) -> bool:
    """Returns whether a value can have children."""
    shape = value_shape(shape)
    return isinstance(shape, StructRef | MapOf) or (isinstance(shape, ListOf) and not shape.packed)
