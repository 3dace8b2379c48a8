"""Objects as the validators see them: Go's zero values, equality, and results of silent checks.

The shapes are those of the generated package, paired with the shapes of the program. So a type has only one definition.
"""

from __future__ import annotations

from typing import Any

from validation_gen.ir import (
    ByKeys,
    ByValue,
    CustomFunction,
    ItemPresence,
    ListOf,
    MapOf,
    Match,
    PointerTo,
    Predicate,
    Program,
    Selector,
    Shape,
    StructRef,
    predicates,
)
from validation_gen.runtime import checks, shapes
from validation_gen.runtime import items as identity
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shape import Shape as RuntimeShape
from validation_gen.runtime.shape import WrongTypeError
from validation_gen.runtime.wire import unpacked


class Values:
    """Decodes and compares values of a type and of its children."""

    def __init__(self, program: Program, type: str, shape: RuntimeShape) -> None:
        self._program = program
        self._known: dict[Shape, RuntimeShape] = {}
        self._pair(program.types[type].shape, shape)

    def _pair(self, shape: Shape, found: RuntimeShape) -> None:
        """Pairs two shapes and their children."""
        waiting = [(shape, found)]
        while waiting:
            own, other = waiting.pop()
            if own in self._known:
                continue
            self._known[own] = other
            match own:
                case PointerTo(elem=elem) | MapOf(elem=elem) | ListOf(elem=elem, packed=False):
                    waiting.append((elem, getattr(other, "elem", shapes.ANY)))
                case StructRef(id=id) if isinstance(other, shapes.Struct):
                    members = other.members
                    waiting += [
                        (m.shape, _plain(members[m.json])) for m in self._program.structs[id] if m.json in members
                    ]

    def shape(self, shape: Shape) -> RuntimeShape:
        """Returns the shape of the runtime. Shapes without values of their own, such as inlined structs, are built."""
        found = self._known.get(shape)
        if found is None:
            match shape:
                case PointerTo(elem=elem):
                    found = shapes.Pointer(self.shape(elem))
                case ListOf(elem=elem, length=int(length)):
                    found = shapes.ArrayOf(self.shape(elem), length)
                case ListOf(elem=elem, packed=False):
                    found = shapes.ListOf(self.shape(elem))
                case ListOf():
                    found = shapes.BYTES
                case MapOf(elem=elem):
                    found = shapes.MapOf(self.shape(elem))
                case StructRef(id=id):
                    found = self._known[shape] = struct = shapes.Struct(id)
                    struct.define({m.json: self.shape(m.shape) for m in self._program.structs.get(id, ())})
                case _:
                    found = shapes.ANY
            self._known[shape] = found
        return found

    def go(self, shape: Shape, value: Any) -> Any:
        """Returns Go's value for an absent, null, or present value."""
        try:
            found = self.shape(shape).decoded(value)
        except WrongTypeError:  # an old value that no validator has read
            return value or self.shape(shape).decoded(None)
        return unpacked(found) if isinstance(shape, ListOf) and shape.packed else found

    def same(self, shape: Shape, value: Any, old: Any) -> bool:
        """Returns whether a value is unchanged. Both are results of `go`."""
        if isinstance(shape, ListOf) and shape.packed:
            return bool((value or ()) == (old or ()))
        return self.shape(shape).same(value, old)

    def same_json(self, shape: Shape, value: Any, old: Any) -> bool:
        """Does the same for JSON values, of which the old one may be of the wrong type."""
        return value is old or self.shape(shape).same(value, old)

    def items(self, match: Match, elem: Shape) -> identity.Items:
        """Returns the matching of a list's items."""
        if isinstance(match, ByKeys):
            return identity.KeyedItems(self.shape(elem), *((key.json, key.zero) for key in match.keys))
        return identity.WholeItems(self.shape(elem))

    @staticmethod
    def selector(selector: Selector) -> identity.Selector:
        return identity.Selector(*((term.json, term.value, term.zero) for term in selector))

    def fails(self, test: Predicate, value: Any, old: Any, known: bool, op: Operation) -> bool:
        """Returns whether a test fails: only for silent tests that stop others."""
        args = [value, *([old] if test.record.old else []), *([known] if test.record.known else [])]
        by_items = False
        for operand in test.operands:
            if isinstance(operand, CustomFunction):
                return False  # it stops nothing
            if isinstance(operand, ByKeys | ByValue):
                assert test.shape is not None
                args.append(self.items(operand, test.shape))
                by_items = True
                break
            if isinstance(operand, ItemPresence):
                args.append(self.selector(operand.selector))
            else:
                args.append(
                    checks.one_of(*operand)
                    if test.record is predicates.ENUM and isinstance(operand, tuple)
                    else operand
                )
        if not by_items:
            args += [self.shape(test.shape)] if test.shape is not None else []
            args += [op] if test.record.request else []
        return bool(getattr(checks, test.name)(*args))


def _plain(shape: RuntimeShape) -> RuntimeShape:
    """Returns the shape inside a quoted string."""
    return shape.elem if isinstance(shape, shapes.Quoted) else shape
