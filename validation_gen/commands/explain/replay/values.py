"""Values of an object, paired with the old values, and their parts at the locations of checks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from validation_gen.commands.explain.fields.rules import render_selector
from validation_gen.commands.explain.replay.record import Skip, SkipReason
from validation_gen.ir import (
    FieldPlan,
    ListOf,
    Location,
    MapOf,
    PointerTo,
    Program,
    Scalar,
    Shape,
    StructRef,
    value_shape,
)
from validation_gen.ir.traverse import Entry, FieldStep, Item, Step
from validation_gen.runtime.items import Selector
from validation_gen.runtime.shape import Shape as RuntimeShape
from validation_gen.runtime.shapes import ANY, Pointer, Quoted, Struct
from validation_gen.runtime.views import inlined, without
from validation_gen.runtime.wire import unpacked

#: An old value that is not known.
UNKNOWN = object()
HERE = Location()


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the object, and the old one, which is unknown on a create and inside of items.

    `form` is the shape in the runtime, `skip` the reason where there is no value.
    """

    path: str
    value: Any
    old: Any
    shape: Shape
    form: RuntimeShape
    skip: Skip | None = None
    at: Location = HERE
    around: Value | None = None

    def member(self, element: str, json: str, shape: Shape) -> Value:
        """Returns a member by its JSON name."""
        value, old = (each.get(json) if isinstance(each, dict) else None for each in (self.value, self.old))
        form = self.form.elem if isinstance(self.form, Pointer) else self.form
        form = form.members.get(json, ANY) if isinstance(form, Struct) else ANY
        form = form.elem if isinstance(form, Quoted) else form
        return self.part(element, value, old if isinstance(self.old, dict) else UNKNOWN, shape, form)

    def part(self, element: str, value: Any, old: Any, shape: Shape, form: RuntimeShape) -> Value:
        if isinstance(shape, StructRef):
            value, old = ({} if each is None else each for each in (value, old))
        return Value(f"{self.path}{element}".removeprefix("."), value, old, shape, form, around=self)

    def element(self, key: str | int, value: Any, shape: Shape) -> Value:
        """Returns an item of a list or a value of a map."""
        form = self.form.elem if isinstance(self.form, Pointer) else self.form
        return self.part(f"[{key}]", value, UNKNOWN, shape, getattr(form, "elem", ANY))

    def to(self, at: Location) -> Value:
        """Returns the parent value at a location, or the outermost value."""
        found = self
        while found.around is not None and found.at is not at and found.at is not HERE:
            found = found.around
        return found

    def absent(self, text: str) -> Value:
        return replace(self, skip=Skip(SkipReason.ABSENT, text, self.path), around=self)

    @property
    def is_unchanged(self) -> bool:
        """True if an update has certainly not changed the value."""
        return self.old is not UNKNOWN and (self.value is self.old or self.form.same(self.value, self.old))

    @property
    def is_null(self) -> bool:
        return self.value is None and not isinstance(self.shape, Scalar | StructRef)


def find_field(program: Program, member: FieldPlan, owner: Value) -> Value:
    """Returns the value of a field in its object; an inlined struct is the object around."""
    element = f".{member.path}" if member.path else ""
    if member.json:
        return owner.member(element, member.json, member.shape)
    value, old = (_find_inlined(program, member, each) for each in (owner.value, owner.old))
    old = old if isinstance(owner.old, dict) else UNKNOWN
    return Value(f"{owner.path}{element}".removeprefix("."), value, old, member.shape, owner.form)


def _find_inlined(program: Program, member: FieldPlan, obj: Any) -> Any:
    inner = value_shape(member.shape)
    if not member.merged or not isinstance(inner, StructRef) or not isinstance(obj, dict):
        return None
    view = without(obj, member.hidden) if member.hidden else obj
    found = inlined(view, [each.json for each in program.structs[inner.id]])
    return found if isinstance(member.shape, PointerTo) else found or {}


def find_values(program: Program, at: Location, place: Value) -> list[Value]:
    """Returns the values at a location below a value: one value, or one for each item."""
    if at.around is None:
        return [place]
    element = at.path.removeprefix(at.around.path)
    found: list[Value] = []
    for value in find_values(program, at.around, place):
        parts = [value] if value.skip is not None else _parts(program, value, at.step, element)
        found += [replace(part, at=at) for part in parts]
    return found


def _parts(program: Program, value: Value, step: Step | None, element: str) -> list[Value]:
    shape = value_shape(value.shape)
    if isinstance(step, FieldStep):
        part = value.member(element, step.json, _member_shape(program, shape, step.json))
        return [part if value.value is not None else part.absent("there is no value")]
    assert isinstance(shape, ListOf | MapOf)
    if isinstance(step, Entry) and step.key:
        keys = value.value if isinstance(value.value, dict) else ()
        key = replace(value, value=next(iter(keys), None), old=UNKNOWN, around=value)
        return [key if keys else value.absent("there are no keys")]
    if isinstance(step, Item) and step.selector:
        return [_selected(value, step, shape)]
    values = unpacked(value.value) if isinstance(shape, ListOf) and shape.packed else value.value
    if not values or not isinstance(values, list | dict | bytes):  # validators need not have read a wrong one
        return [value.absent("there are no items")]
    pairs = values.items() if isinstance(values, dict) else enumerate(values)
    parts = [value.element(key, each, shape.elem) for key, each in pairs]
    null = f"the {'value' if isinstance(shape, MapOf) else 'item'} is null"
    is_pointer = isinstance(shape.elem, PointerTo)
    return [part.absent(null) if part.value is None and is_pointer else part for part in parts]


def _selected(value: Value, step: Item, shape: ListOf | MapOf) -> Value:
    selector = Selector(*((term.json, term.value, term.zero) for term in step.selector))
    items = value.value if isinstance(value.value, list) else []
    index, item = selector.find(items, pointers=isinstance(shape.elem, PointerTo))
    if item is None:
        return value.absent(f"no item has {render_selector(step.selector)}")
    return value.element(index, item, shape.elem)


def _member_shape(program: Program, struct: Shape, json: str) -> Shape:
    members = program.structs.get(struct.id, ()) if isinstance(struct, StructRef) else ()
    return next((member.shape for member in members if member.json == json), struct)
