"""Values of a program for a comparison: a shape, the constraints on it, and its fields.

Embedded structs are flattened as Go's decoder does it, so that moving fields into one changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from validation_gen.commands.breaking.constraints import Constraint, of_checks, of_notes
from validation_gen.diagnostics import Span
from validation_gen.ir import FieldPlan, PointerTo, Program, Shape, StructRef, TypePlan, value_shape
from validation_gen.ir.traverse import flatten


@dataclass(frozen=True, slots=True)
class View:
    """A value: its shape, and the constraints on it from values above.

    `ruled` is false below `+k8s:opaqueType`, where the rules of types do not apply. `root` is true for an object as a
    whole, which every update checks. `span` is the declaration of the value.
    """

    shape: Shape
    constraints: frozenset[Constraint] = frozenset()
    ruled: bool = True
    root: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a struct by its JSON name. `plan` is None for types without sources."""

    name: str
    shape: Shape
    plan: FieldPlan | None
    owner: str
    omit: str = ""

    @property
    def span(self) -> Span | None:
        return self.plan.span if self.plan else None


@dataclass(slots=True)
class ConstraintIndex:
    """Reads constraints and fields of values from a program."""

    program: Program
    _parts: dict[str, dict[str, Part]] = field(default_factory=dict)

    def constraints(self, view: View) -> list[Constraint]:
        """Collects the constraints on a value and its parts: inherited, from its type, from embedded structs."""
        found = list(view.constraints)
        if not view.ruled:
            return found
        shape = value_shape(view.shape)
        for plan in self._chain(_type(shape)):
            found += of_checks(plan.checks, guarded=not view.root)
            found += of_notes(plan.notes)
        if isinstance(shape, StructRef):
            found += self._embedded(shape.id, frozenset({shape.id}))
        return found

    def _embedded(self, id: str, above: frozenset[str]) -> Iterator[Constraint]:
        """Yields the constraints of embedded structs on the object that contains them."""
        plan = self.program.types.get(id)
        for member in plan.fields if plan and not plan.opaque else ():
            inner = value_shape(member.shape)
            if member.json or not member.inlined or not isinstance(inner, StructRef) or inner.id in above:
                continue
            yield from of_checks(member.checks)
            below = self.program.types.get(inner.id)
            if below is not None and not member.opaque:
                yield from of_checks(below.checks)
                yield from of_notes(below.notes)
            yield from self._embedded(inner.id, above | {inner.id})

    def _chain(self, type: str) -> Iterator[TypePlan]:
        """Yields a declared type and the types that it is based on."""
        seen: set[str] = set()
        while type not in seen and (plan := self.program.types.get(type)) is not None:
            seen.add(type)
            yield plan
            type = plan.base

    def parts(self, id: str) -> dict[str, Part]:
        """Returns the fields of a struct by JSON name, including those of embedded structs."""
        if id not in self._parts:
            found: dict[str, Part] = {}
            for owner, plan, _ in flatten(self.program, id):
                if plan.json:
                    found.setdefault(plan.json, Part(plan.json, plan.shape, plan, owner.id, plan.omit))
            for member in self.program.structs.get(id, ()):
                found.setdefault(member.json, Part(member.json, member.shape, None, id, member.omit))
            self._parts[id] = found
        return self._parts[id]

    def view(self, part: Part, ruled: bool, inherited: frozenset[Constraint]) -> View:
        """Returns the value of a field. `inherited` has the constraints from values above."""
        plan = part.plan
        if plan is None:
            return View(part.shape, inherited, ruled)
        own = of_checks(plan.checks) if ruled else ()
        constraints = inherited.union(own, of_notes(plan.notes) if ruled else ())
        return View(part.shape, constraints, ruled and not plan.opaque, span=plan.span)

    def is_sound(self, shape: Shape) -> bool:
        """Returns whether no type of a value has errors, which would hide rules."""
        return all(self.program.is_sound(plan.id) for plan in self._chain(_type(shape)))

    def opaque(self, id: str) -> bool:
        plan = self.program.types.get(id)
        return plan is not None and plan.opaque

    def place(self, id: str) -> Span | None:
        """Returns the declaration of a type."""
        plan = self.program.types.get(id)
        return plan.span if plan else None


def _type(shape: Shape) -> str:
    """Returns the declared type of a value, `""` if it has none."""
    inner = value_shape(shape)
    return "" if isinstance(inner, PointerTo) else inner.type
