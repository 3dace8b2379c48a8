"""Markers of our own for combined schemas: `allOf`, `anyOf`, `oneOf` and `not`."""

from __future__ import annotations

from validation_gen.rules.markers.base import TYPE_OR_FIELD, Argument, MarkerError, SchemaMarker, SchemaPlace, Use
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
