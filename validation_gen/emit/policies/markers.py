"""Markers of other generators, which are left to the schema of a definition."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.emit.policies.walk import called_by
from validation_gen.ir import ListOf, MapOf, PointerTo, Program, SchemaNotes, Shape, StructRef

#: Keywords that refuse values.
_LIMITS = frozenset(
    (
        *("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf", "pattern", "enum", "uniqueItems"),
        *("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"),
        *("allOf", "anyOf", "oneOf", "not"),
    )
)


def has_markers(program: Program, type: str) -> bool:
    """Returns whether markers constrain values of a type beyond its tags."""
    seen: set[str] = set()
    waiting = [type]
    while waiting:
        plan = program.types.get(waiting.pop())
        if plan is None or plan.id in seen:
            continue
        seen.add(plan.id)
        notes = (plan.notes, *(member.notes for member in plan.fields))
        if any(_refuses(note) for note in notes):
            return True
        waiting += filter(None, (*called_by(plan), *(_struct(member.shape) for member in plan.fields)))
    return False


def _refuses(notes: SchemaNotes) -> bool:
    if notes.validations or any(name in _LIMITS and name not in notes.ruled for name in notes.keywords):
        return True
    return any(_refuses(part) for part in _parts(notes))


def _parts(notes: SchemaNotes) -> Iterator[SchemaNotes]:
    yield from (part for part in (notes.items, notes.values) if part is not None)
    yield from notes.properties.values()


def _struct(shape: Shape) -> str:
    while isinstance(shape, PointerTo | ListOf | MapOf):
        shape = shape.elem
    return shape.id if isinstance(shape, StructRef) else ""
