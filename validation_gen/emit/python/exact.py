"""Functions for values that Python regards as equal: `1`, `1.0` and `True` are three values.

An update first compares a value with the old one. If they are equal, and the old one is well-typed, texts are the same;
these functions compare numbers and booleans, and values of variable type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from validation_gen.emit.text import Code, literal
from validation_gen.ir import ListOf, MapOf, Member, PointerTo, Scalar, Shape, StructRef, Wire, value_shape

#: The forms that are always a text.
_TEXTS = {"time", "microtime", "gotime", "duration"}
_CLASSES = {"bool": ("bool",), "float32": ("float", "int"), "float64": ("float", "int"), "intorstring": ("str", "int")}


def _is_confusable(shape: Shape) -> bool:
    """Returns whether a single value can equal one of another type."""
    match shape:
        case Scalar(go=go):
            return go != "string"
        case Wire(form=form):
            return form not in _TEXTS
    return isinstance(shape, ListOf) and shape.packed


def confusable_structs(structs: Mapping[str, tuple[Member, ...]]) -> frozenset[str]:
    """Returns the ids of structs that contain anything but texts, directly or indirectly."""
    holders: dict[str, list[str]] = {}
    found: set[str] = set()
    for id, members in structs.items():
        for member in members:
            shape = innermost(member.shape)
            if isinstance(shape, StructRef):
                holders.setdefault(shape.id, []).append(id)
            elif _is_confusable(shape):
                found.add(id)
    waiting = list(found)
    while waiting:
        for id in holders.get(waiting.pop(), ()):
            if id not in found:
                found.add(id)
                waiting.append(id)
    return frozenset(found)


def innermost(shape: Shape) -> Shape:
    while isinstance(shape, PointerTo | MapOf) or (isinstance(shape, ListOf) and not shape.packed):
        shape = shape.elem
    return shape


class ExactNames(Protocol):
    """The functions' interface to their module."""

    def shape(self, shape: Shape) -> str:
        """An expression for a shape."""

    def exact(self, struct: StructRef) -> str:
        """The function of a struct, empty if it holds only texts."""


@dataclass(slots=True)
class ExactWalk:
    """Writes the functions."""

    names: ExactNames
    code: Code = field(default_factory=Code)

    def function(self, name: str, members: tuple[Member, ...]) -> list[str]:
        """Writes the function of one struct, which returns whether all its values have the right type."""
        code = self.code
        code.call(f"def exact_{name}", ["obj: dict[str, Any]"], " -> bool:")
        with code.block():
            for member in members:
                if self._matters(member.shape):
                    with code.block(f"if {literal(member.json)} in obj:"):
                        code.add(f"v = obj[{literal(member.json)}]")
                        self._value(member.shape, "v", 1)
            code.add("return True")
        return code.lines

    def _matters(self, shape: Shape) -> bool:
        shape = innermost(shape)
        return bool(self.names.exact(shape)) if isinstance(shape, StructRef) else _is_confusable(shape)

    def _value(self, shape: Shape, v: str, depth: int) -> None:
        code, shape = self.code, value_shape(shape)
        n = "" if depth == 1 else str(depth)
        match shape:
            case StructRef():
                self._unless(f"{v} and not {self.names.exact(shape)}({v})")
            case ListOf(packed=False, elem=elem):
                with code.block(f"for item{n} in {v} or ():"):
                    self._value(elem, f"item{n}", depth + 1)
            case MapOf(elem=elem):
                with code.block(f"for item{n} in ({v} or {{}}).values():"):
                    self._value(elem, f"item{n}", depth + 1)
            case Scalar(go=kind) | Wire(form=kind) if kind in _CLASSES or isinstance(shape, Scalar):
                classes = _CLASSES.get(kind, ("int",))
                self._unless(" and ".join([*(f"{v}.__class__ is not {name}" for name in classes), f"{v} is not None"]))
            case _:
                self._unless(f"{v}.__class__ is not str and not {self.names.shape(shape)}.exact({v})")

    def _unless(self, condition: str) -> None:
        self.code.condition(condition)
        with self.code.block():
            self.code.add("return False")
