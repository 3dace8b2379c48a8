"""All markers by name: the only module that knows them all."""

from __future__ import annotations

import re
from functools import cache

from validation_gen.rules.markers import (
    conversion,
    expressions,
    forms,
    openapi,
    packages,
    presence,
    resources,
    schema,
    topology,
)
from validation_gen.rules.markers.base import Marker, SchemaMarker, Target

#: Markers that other programs read: `kubebuilder:rbac`, `kubebuilder:object` and the like.
_OTHERS = re.compile(
    r"kubebuilder:(?:rbac|webhook|webhookconfiguration|object|docs-gen|scaffold|ac|storageversions|printercolumns)(?::.*)?"
)
_NAMESPACES = ("kubebuilder:validation:", "kubebuilder:subresource:", "kubebuilder:pruning:", "validation-gen:")


@cache
def catalogue() -> dict[str, tuple[Marker, ...]]:
    """Returns the markers by name. Several markers with one name have different targets."""
    found: dict[str, tuple[Marker, ...]] = {}
    for marker in (
        *schema.MARKERS,
        *expressions.GROUPS,
        *forms.MARKERS,
        *presence.MARKERS,
        *topology.MARKERS,
        *openapi.MARKERS,
        *resources.MARKERS,
        *conversion.MARKERS,
        *packages.MARKERS,
    ):
        found[marker.name] = (*found.get(marker.name, ()), marker)
    return dict(sorted(found.items()))


@cache
def shared_tags() -> dict[str, SchemaMarker]:
    """Returns the tags of declarative validation that also affect schemas. Their rules check their syntax."""
    return {marker.name: marker for marker in (*presence.TAGS, *topology.TAGS)}


def find(name: str, target: Target) -> Marker | None:
    """Returns the marker of this name for such declarations."""
    return next((marker for marker in catalogue().get(name, ()) if target in marker.targets), None)


def is_anothers(name: str) -> bool:
    """Returns whether a name belongs to another program."""
    return _OTHERS.fullmatch(name) is not None


def is_ours(name: str) -> bool:
    """Returns whether a name can only be one of these markers, known or misspelt."""
    return name.startswith(_NAMESPACES) or (name.startswith("kubebuilder:") and name.count(":") == 1)
