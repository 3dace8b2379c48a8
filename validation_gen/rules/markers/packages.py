"""Markers of a package: its group and version, and whether its fields are required."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from validation_gen.diagnostics import Span
from validation_gen.rules.markers.base import Argument, Marker, Target, Use
from validation_gen.rules.markers.presence import OPTIONAL, REQUIRED
from validation_gen.rules.markers.values import TEXT


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
