"""Values of a program for a comparison (shape, constraints, fields), and changes of their JSON form.

The JSON form changes with types, sizes of numbers, pointers, and required or optional fields.

Embedded structs are flattened as in Go's decoder, so that moving fields into such a struct is no change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from validation_gen.commands.breaking.changes import BREAKING, DANGEROUS, NONE, SAFE, Change, change_type, find_effect
from validation_gen.commands.breaking.constraints import Constraint, of_checks, of_notes
from validation_gen.diagnostics import Severity, Span
from validation_gen.ir import (
    FieldPlan,
    ListOf,
    MapOf,
    PointerTo,
    Program,
    Scalar,
    Shape,
    StructRef,
    TypePlan,
    Wire,
    predicates,
    value_shape,
)
from validation_gen.ir.traverse import flatten
from validation_gen.sources.typesystem import INTEGER_RANGES


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
        for plan in self._chain(value_shape(shape).type):
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
            for _, plan, _ in flatten(self.program, id):
                if plan.json:
                    found.setdefault(plan.json, Part(plan.json, plan.shape, plan))
            for member in self.program.structs.get(id, ()):
                found.setdefault(member.json, Part(member.json, member.shape, None))
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
        return all(self.program.is_sound(plan.id) for plan in self._chain(value_shape(shape).type))

    def opaque(self, id: str) -> bool:
        plan = self.program.types.get(id)
        return plan is not None and plan.opaque

    def place(self, id: str) -> Span | None:
        """Returns the declaration of a type."""
        plan = self.program.types.get(id)
        return plan.span if plan else None


#: JSON types of Go types with their own JSON form; a type that is not listed may have any.
_FORMS = {
    "duration": ("duration",),
    "gotime": ("time",),
    "intorstring": ("integer", "string"),
    "microtime": ("time",),
    "quantity": ("quantity",),
    "raw": ("object",),
    "time": ("time",),
}


def differences(old: Shape, new: Shape, was: Span | None, now: Span | None) -> Iterator[Change]:
    """Yields the differences of two shapes, without the contents of lists, maps and structs."""
    before, after = value_shape(old), value_shape(new)
    severity = _severity(before, after)
    if severity is not None:
        yield change_type(describe(after), describe(before), now, was, is_wider=severity is DANGEROUS)
    elif isinstance(old, PointerTo) != isinstance(new, PointerTo) and isinstance(after, Scalar | StructRef):
        yield _pointer(isinstance(new, PointerTo), after, was, now)


def _pointer(pointer: bool, shape: Shape, was: Span | None, now: Span | None) -> Change:
    if pointer:
        text = "the value may be absent, which clients of the older type cannot tell from its zero value"
        return Change("VG714", SAFE if isinstance(shape, StructRef) else DANGEROUS, text, now, was, NONE)
    text = "the value cannot be absent any more: an explicit zero value and none are the same"
    return Change("VG714", DANGEROUS, text, now, was, f"{NONE}; zero values that were set count as absent")


def same_family(old: Shape, new: Shape) -> bool:
    """Returns whether the contents and the constraints of two shapes can be compared."""
    before, after = value_shape(old), value_shape(new)
    if isinstance(before, Scalar | Wire) and isinstance(after, Scalar | Wire):
        return bool(set(_find_accepted(before)) & set(_find_accepted(after))) or before == after
    return type(before) is type(after) and getattr(before, "packed", False) == getattr(after, "packed", False)


def _severity(old: Shape, new: Shape) -> Severity | None:
    """Returns the severity of a changed type; `None` if it is unchanged or compared by its contents."""
    if isinstance(old, Scalar) and isinstance(new, Scalar) and old.go in INTEGER_RANGES and new.go in INTEGER_RANGES:
        (low, high), (least, most) = INTEGER_RANGES[old.go], INTEGER_RANGES[new.go]
        if (low, high) == (least, most):
            return None
        return DANGEROUS if least <= low and high <= most else BREAKING
    before, after = set(_find_accepted(old)), set(_find_accepted(new))
    if before == after:
        return None
    if "anything" in after:
        return DANGEROUS
    wider = before <= after or (before == {"integer"} and "number" in after)
    texts = {"time", "duration", "quantity", "bytes"}
    wider = wider or (before <= texts and before != {"quantity"} and after == {"string"})
    return DANGEROUS if wider else BREAKING


def _find_accepted(shape: Shape) -> tuple[str, ...]:
    """Returns the JSON types that a shape decodes."""
    match shape:
        case Scalar(go="string"):
            return ("string",)
        case Scalar(go="bool"):
            return ("boolean",)
        case Scalar(go=go):
            return ("integer",) if go in INTEGER_RANGES else ("number",)
        case Wire(form=form):
            return _FORMS.get(form, ("anything",))
        case ListOf(packed=True):
            return ("bytes",)
        case ListOf():
            return ("list",)
        case MapOf(key=key):
            return ("map",) if key.go == "string" else (f"map with {key.go} keys",)
        case StructRef():
            return ("object",)
    return ("anything",)


def describe(shape: Shape) -> str:
    """Describes a shape for messages."""
    shape = value_shape(shape)
    if isinstance(shape, Scalar) and shape.go in INTEGER_RANGES:
        return shape.go
    return " or ".join(_find_accepted(shape))


#: The condition that always holds.
ALWAYS = ""
_ALWAYS = "definitions refuse any update of a stored object without it"


@dataclass(frozen=True, slots=True)
class Presence:
    """Presence of a field.

    `when`: the conditions under which the field is required, `ALWAYS` or others; `constraint` is the first constraint
    that requires it. `implied`: only schemas for custom resources require it, because no tag makes it optional.
    `known`: all conditions in rules of the field.
    """

    when: tuple[str, ...] = ()
    implied: bool = False
    default: bool = False
    constraint: Constraint | None = None
    span: Span | None = None
    custom: bool = False
    known: frozenset[str] = frozenset()

    @property
    def required(self) -> bool:
        return bool(self.when)

    @property
    def doubtful(self) -> bool:
        """True if only documentation requires the field."""
        return not self.custom and self.constraint is not None and self.constraint.marker

    def beyond(self, other: Presence) -> tuple[str, ...]:
        """Returns the conditions under which this presence requires the field, and the other one does not."""
        return () if ALWAYS in other.when else tuple(each for each in self.when if each not in other.when)

    def effect(self, loose: bool) -> str:
        """Describes the effect on stored objects without the field."""
        if self.default:
            return f"{NONE}: the default is filled in"
        if self.constraint is None:
            return f"not ratcheted: {_ALWAYS}"
        if self.constraint.marker and not self.custom:
            return "schemas and clients that are made from these sources demand the field"
        message = find_effect(self.constraint, loose=loose, root=False)
        return f"{message}; {_ALWAYS}" if self.custom and not self.constraint.marker else message


def presence(part: Part, constraints: Iterable[Constraint], *, custom: bool, ruled: bool = True) -> Presence:
    """Returns the presence of a field with these constraints. `custom` includes schemas for custom resources.

    Without `ruled` the surrounding struct is opaque: the rules of its fields do not count.
    """
    here = [d for d in constraints if not d.path and d.enforced]
    default = any(d.name == "default" for d in here)
    known = frozenset(d.condition for d in here)
    required = sorted((d for d in here if d.name == predicates.REQUIRED.constraint), key=lambda d: d.condition)
    if required:
        when = tuple(dict.fromkeys(d.condition for d in required))
        if ALWAYS in when:
            when = (ALWAYS,)
        return Presence(when, False, default, required[0], required[0].span, custom, known)
    if not ruled:
        return Presence(known=known, default=default)
    notes = part.plan.notes if part.plan else None
    if notes is not None and notes.presence:
        span = notes.spans.get("presence")
        if notes.presence == "optional":
            return Presence(known=known, default=default, span=span)
        constraint = Constraint((), predicates.REQUIRED.constraint, marker=True, span=span)
        return Presence((ALWAYS,), False, default, constraint, span, custom)
    if (
        custom
        and part.plan is not None
        and not part.plan.omit
        and not any(d.name == predicates.UNSET.constraint for d in here)
    ):
        return Presence((ALWAYS,), True, default, custom=custom)
    return Presence(known=known, default=default)
