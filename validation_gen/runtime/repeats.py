"""Decodes objects with duplicate names: Go decodes each value into the result of the one before.

A struct and a map get the members of the next value, a list decodes its items into the existing ones, and null leaves
a value that cannot be null as it was. A value that does not decode stays: Go refuses the object in any case.
"""

from __future__ import annotations

from typing import Any

from validation_gen.runtime.scalars import INT_OR_STRING, Plain, Wire
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.shapes import ArrayOf, ListOf, MapOf, Pointer, Quoted, Struct
from validation_gen.runtime.wire import WIRE

#: The forms that null leaves as they are.
_KEPT = (WIRE["gotime"], WIRE["raw"])


class Repeated(dict[str, Any]):
    """JSON object that keeps duplicate names. As a `dict` it has the last value of each."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


class Repeats:
    """Decodes the values of one object."""

    def __init__(self) -> None:
        #: What a list had behind its last item, by its identity: Go finds it there again. The lists are kept alive.
        self._behind: dict[int, tuple[list[Any], list[Any]]] = {}

    def decoded(self, shape: Shape, value: Any, before: Any = None) -> Any:
        """Returns a value without duplicate names, each value decoded into the one before, as a copy."""
        match shape:
            case Quoted(elem=elem):
                if value is None or value == "null":
                    return None if isinstance(elem, Pointer) else before
            case Pointer(elem=elem):
                return None if value is None else self.decoded(elem, value, before)
            case Struct() if isinstance(value, dict):
                return self._struct(shape, value, before if isinstance(before, dict) else {})
            case MapOf() if isinstance(value, dict):
                return self._map(shape, value, before if isinstance(before, dict) else {})
            case ListOf() if isinstance(value, list):
                return self._list(shape, value, before if isinstance(before, list) else [])
            case Struct() | Plain() | ArrayOf():
                return before if value is None else value
            case Wire() if value is None:
                if shape is INT_OR_STRING:
                    return 0 if isinstance(before, str) else before
                return before if shape.form in _KEPT else None
        return value

    def _struct(self, shape: Struct, value: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
        found = dict(before)
        for name, item in _pairs(value):
            member = shape.members.get(name)
            if member is None:
                found[name] = item
            elif not (name in found and _is_wrong(member, found[name])):
                found[name] = self.decoded(member, item, found.get(name))
        return found

    def _map(self, shape: MapOf, value: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
        found = dict(before)
        for name, item in _pairs(value):
            if not (name in found and _is_wrong(shape.elem, found[name])):
                found[name] = self.decoded(shape.elem, item)
        return found

    def _list(self, shape: ListOf, value: list[Any], before: list[Any]) -> list[Any]:
        _, rest = self._behind.get(id(before), (before, []))
        there = [*before, *rest]
        found = [self.decoded(shape.elem, item, there[i] if i < len(there) else None) for i, item in enumerate(value)]
        if value and not isinstance(shape, ArrayOf):
            self._behind[id(found)] = found, there[len(found) :]
        return found


def _pairs(value: dict[str, Any]) -> Any:
    return value.pairs if isinstance(value, Repeated) else value.items()


def _is_wrong(shape: Shape, value: Any) -> bool:
    mended = shape.recover(value)
    return mended is not None and bool(mended.errors)
