"""All markers by name: the only module that knows them all.

Markers for combined schemas (`allOf`, `anyOf`, `oneOf` and `not`) are our own.
"""

from __future__ import annotations

import re
from functools import cache

from validation_gen.rules.markers import (
    conversion,
    expressions,
    openapi,
    packages,
    presence,
    resources,
    schema,
    topology,
)
from validation_gen.rules.markers.base import (
    TYPE_OR_FIELD,
    Argument,
    Marker,
    MarkerError,
    SchemaMarker,
    SchemaPlace,
    Target,
    Use,
)
from validation_gen.rules.markers.schema import parse_json
from validation_gen.rules.markers.values import REST

PREFIX = "validation-gen:validation:"
_DOCS = {
    "allOf": "Demands that a value fits all of some schemas beside its own.",
    "anyOf": "Demands that a value fits at least one of some schemas.",
    "oneOf": "Demands that a value fits one of some schemas, and no more.",
    "not": "Demands that a value does not fit a schema.",
}


def _marker(keyword: str, doc: str) -> SchemaMarker:
    name, single = f"{PREFIX}{keyword}", keyword == "not"

    def apply(use: Use, place: SchemaPlace) -> None:
        value = parse_json(use.text(""), use)
        parts = [value] if single else value
        if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
            wanted = "a schema" if single else "a list of schemas"
            raise MarkerError(f"the value is not {wanted}", span=use.place(), help=f"for example: {example}")
        place.set(keyword, value, use.name, use.span)

    example = f'+{name}={{"required":["tether"]}}' if single else f'+{name}=[{{"required":["battery"]}}]'
    return SchemaMarker(name, TYPE_OR_FIELD, doc, example, (Argument("", REST, "JSON"),), apply=apply)


MARKERS = tuple(_marker(keyword, doc) for keyword, doc in _DOCS.items())


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
        *MARKERS,
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
