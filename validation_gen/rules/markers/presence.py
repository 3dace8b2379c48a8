"""Markers of required and optional fields."""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.rules.markers.base import SchemaMarker, SchemaPlace, Target, Use

REQUIRED, OPTIONAL = "required", "optional"
MUST = "The field must be set."


def _says(presence: str) -> Callable[[Use, SchemaPlace], None]:
    """Returns an effect of which the first one counts: markers apply in controller-gen's order."""

    def apply(use: Use, place: SchemaPlace) -> None:
        if not place.notes.presence:
            place.notes.presence = presence
            place.said["presence"] = (use.name, use.span)
            place.notes.spans["presence"] = use.span
        elif place.notes.presence != presence:
            other, span = place.said["presence"]
            if not (use.name.startswith("k8s:") and other.startswith("k8s:")):  # else a rule of those tags reports it
                message = f"{place.name}: +{use.name} contradicts +{other} in line {span.line}, which counts"
                place.diagnostics.warning("VG526", message, use.span, "keep one of them")

    return apply


def _marker(name: str, presence: str, order: int) -> SchemaMarker:
    doc = MUST if presence == REQUIRED else "The field may be absent."
    return SchemaMarker(name, frozenset({Target.FIELD}), doc, f"+{name}", order=order, apply=_says(presence))


MARKERS = (
    _marker("kubebuilder:validation:Optional", OPTIONAL, 0),
    _marker("kubebuilder:validation:Required", REQUIRED, 1),
    _marker("optional", OPTIONAL, 2),
    _marker("required", REQUIRED, 3),
)
TAGS = (
    _marker("k8s:optional", OPTIONAL, 2),
    _marker("k8s:required", REQUIRED, 3),
)
