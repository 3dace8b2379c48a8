"""Markers of packages and of presence: a group and version, and required and optional fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from validation_gen.diagnostics import Span
from validation_gen.rules.markers.base import Argument, Marker, SchemaMarker, SchemaPlace, Target, Use
from validation_gen.rules.markers.values import TEXT

REQUIRED, OPTIONAL = "required", "optional"
MUST = "The field must be set."


def _state(presence: str) -> Callable[[Use, SchemaPlace], None]:
    """Returns the effect of a presence marker. Of several, the first in controller-gen's order wins."""

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


def _field_marker(name: str, presence: str, order: int) -> SchemaMarker:
    doc = MUST if presence == REQUIRED else "The field may be absent."
    return SchemaMarker(name, frozenset({Target.FIELD}), doc, f"+{name}", order=order, apply=_state(presence))


PRESENCE = (
    _field_marker("kubebuilder:validation:Optional", OPTIONAL, 0),
    _field_marker("kubebuilder:validation:Required", REQUIRED, 1),
    _field_marker("optional", OPTIONAL, 2),
    _field_marker("required", REQUIRED, 3),
)
TAGS = (
    _field_marker("k8s:optional", OPTIONAL, 2),
    _field_marker("k8s:required", REQUIRED, 3),
)


@dataclass(slots=True)
class PackageNotes:
    """Facts from the markers of a package.

    `group` and `version` are `None` without a marker; the group of Kubernetes' core is `""`. `presence` is the default
    for fields: `"optional"`, `"required"` or `""`. A package to `skip` is no version of an API.
    """

    group: str | None = None
    version: str | None = None
    presence: str = ""
    skip: bool = False
    spans: dict[str, Span] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PackageMarker(Marker):
    """A marker with an effect on a package."""

    apply: Callable[[Use, PackageNotes], None] = field(default=lambda use, notes: None)


def _group(use: Use, notes: PackageNotes) -> None:
    notes.group = use.text("").strip('"')
    notes.spans["group"] = use.span


def _version(use: Use, notes: PackageNotes) -> None:
    notes.version = use.text("")
    notes.spans["version"] = use.span


def _says(presence: str) -> Callable[[Use, PackageNotes], None]:
    def apply(use: Use, notes: PackageNotes) -> None:
        notes.presence = notes.presence or presence
        notes.spans.setdefault("presence", use.span)

    return apply


def _skip(use: Use, notes: PackageNotes) -> None:
    notes.skip = True
    notes.spans["skip"] = use.span


def _marker(
    name: str,
    doc: str,
    apply: Callable[[Use, PackageNotes], None],
    *arguments: Argument,
    example: str = "",
    order: int = 10,
) -> PackageMarker:
    return PackageMarker(name, frozenset({Target.PACKAGE}), doc, f"+{name}{example}", arguments, order, apply)


_GROUP = Argument("", TEXT, "the group; nothing for the core group", required=False)

MARKERS = (
    _marker("groupName", "The API group of the package.", _group, _GROUP, example="=robots.example.com"),
    _marker(
        "versionName",
        "The version of the package, if its name does not say it.",
        _version,
        Argument("", TEXT, "the version"),
        example="=v1beta1",
    ),
    _marker("kubebuilder:skip", "The package is no version of an API.", _skip),
    # Of the two the first counts, as in controller-gen.
    _marker("kubebuilder:validation:Optional", "Fields that do not say it may be absent.", _says(OPTIONAL), order=1),
    _marker("kubebuilder:validation:Required", "Fields that do not say it must be set.", _says(REQUIRED), order=2),
)
