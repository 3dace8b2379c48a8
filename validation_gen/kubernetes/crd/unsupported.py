"""Keywords that structural schemas cannot have.

Follows `convert.go` in `pkg/apiserver/schema` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.kubernetes.crd.schema import Schema


def unsupported(schema: Schema) -> str | None:
    """Returns the first reason why a schema cannot become structural."""
    return next(_unsupported(schema), None)


def _unsupported(schema: Schema) -> Iterator[str]:
    for found, name in (
        (schema.id, "id"),
        (schema.schema, "schema"),
        (schema.ref, "$ref"),
        (schema.pattern_properties, "patternProperties"),
        (schema.dependencies, "dependencies"),
        (schema.additional_items, "additionalItems"),
        (schema.definitions, "definitions"),
    ):
        if found:
            yield f"OpenAPIV3Schema '{name}' is not supported"
    for part in (schema.not_, *schema.all_of, *schema.any_of, *schema.one_of):
        if part is not None and not part.settled:
            yield from _unsupported(part)
    if schema.preserve_unknown_fields is False:
        yield "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
    if schema.items and schema.items.schemas:
        yield "OpenAPIV3Schema 'items' must be a schema, but is an array"
    for part in (schema.item, *schema.properties.values(), schema.additional):
        if part is not None and not part.settled:
            yield from _unsupported(part)
