"""Finds whether a field is required: by a tag, by a marker, or because encoders always write it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validation_gen.commands.breaking import effects
from validation_gen.commands.breaking.demands import Demand
from validation_gen.commands.breaking.views import Part
from validation_gen.diagnostics import Span
from validation_gen.ir import predicates

#: The condition that always holds.
ALWAYS = ""
_ALWAYS = "definitions refuse any update of a stored object without it"


@dataclass(frozen=True, slots=True)
class Presence:
    """Presence of a field.

    `implied` is a field that is required only because no tag says otherwise; schemas for custom resources require such
    fields. `when` has the conditions under which it is required, `ALWAYS` or others, and `demand` is the first of these
    demands. `known` has all conditions in any rule of the field.
    """

    when: tuple[str, ...] = ()
    implied: bool = False
    default: bool = False
    demand: Demand | None = None
    span: Span | None = None
    custom: bool = False
    known: frozenset[str] = frozenset()

    @property
    def required(self) -> bool:
        return bool(self.when)

    @property
    def doubtful(self) -> bool:
        """True if only documentation requires the field."""
        return not self.custom and self.demand is not None and self.demand.marker

    def beyond(self, other: Presence) -> tuple[str, ...]:
        """Returns the conditions under which this presence requires the field, and the other one does not."""
        return () if ALWAYS in other.when else tuple(each for each in self.when if each not in other.when)

    def effect(self, loose: bool) -> str:
        """Describes the effect on stored objects without the field."""
        if self.default:
            return f"{effects.NONE}: the default is filled in"
        if self.demand is None:
            return f"not ratcheted: {_ALWAYS}"
        if self.demand.marker and not self.custom:
            return "schemas and clients that are made from these sources demand the field"
        said = effects.of_demand(self.demand, loose=loose, root=False)
        return f"{said}; {_ALWAYS}" if self.custom and not self.demand.marker else said


def presence(part: Part, demands: Iterable[Demand], *, custom: bool, ruled: bool = True) -> Presence:
    """Returns the presence of a field with these demands. `custom` includes schemas for custom resources.

    Without `ruled` the surrounding struct is opaque: the rules of its fields do not count.
    """
    here = [d for d in demands if not d.path and d.enforced]
    default = any(d.name == "default" for d in here)
    known = frozenset(d.condition for d in here)
    required = sorted((d for d in here if d.name == predicates.REQUIRED.demand), key=lambda d: d.condition)
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
        demand = Demand((), predicates.REQUIRED.demand, marker=True, span=span)
        return Presence((ALWAYS,), False, default, demand, span, custom)
    if custom and part.plan is not None and not part.omit and not any(d.name == predicates.UNSET.demand for d in here):
        return Presence((ALWAYS,), True, default, custom=custom)
    return Presence(known=known, default=default)
