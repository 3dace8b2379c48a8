"""Whether a field must be set: by a tag, by a marker, or because encoders always write it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validation_gen.breaking import effects
from validation_gen.breaking.demands import Demand
from validation_gen.breaking.views import Part
from validation_gen.diagnostics import Span

_ALWAYS = "definitions refuse any update of a stored object without it"


@dataclass(frozen=True, slots=True)
class Presence:
    """What is known of a field's presence.

    `implied` is a field that must be set only because nothing says otherwise, and that a schema for custom resources
    therefore demands. `condition` tells that an option decides.
    """

    required: bool = False
    implied: bool = False
    default: bool = False
    condition: str = ""
    demand: Demand | None = None
    span: Span | None = None
    custom: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether it may be that nobody demands it: an option decides, or only documentation says so."""
        return bool(self.condition) or (not self.custom and self.demand is not None and self.demand.marker)

    def effect(self, loose: bool) -> str:
        """What happens to stored objects without the field."""
        if self.default:
            return f"{effects.NONE}: the default is filled in"
        if self.demand is None:
            return f"not ratcheted: {_ALWAYS}"
        if self.demand.marker and not self.custom:
            return "schemas and clients that are made from these sources demand the field"
        said = effects.of_demand(self.demand, loose=loose, root=False)
        return f"{said}; {_ALWAYS}" if self.custom and not self.demand.marker else said


def presence(part: Part, demands: Iterable[Demand], *, custom: bool) -> Presence:
    """The presence of a field with these demands. `custom` tells that schemas for custom resources count."""
    here = [d for d in demands if not d.path and d.enforced]
    default = any(d.name == "default" for d in here)
    required = sorted((d for d in here if d.name == "required"), key=lambda d: d.condition)
    if required:
        demand = required[0]
        return Presence(True, False, default, demand.condition, demand, demand.span, custom)
    notes = part.plan.notes if part.plan else None
    if notes is not None and notes.presence:
        span = notes.spans.get("presence")
        if notes.presence == "optional":
            return Presence(default=default, span=span)
        demand = Demand((), "required", marker=True, span=span)
        return Presence(True, False, default, "", demand, span, custom)
    if custom and part.plan is not None and not part.omit and not any(d.name == "optional" for d in here):
        return Presence(True, True, default, custom=custom)
    return Presence(default=default)
