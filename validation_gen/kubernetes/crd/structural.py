"""Rules of structural schemas: every value has a type, and schemas below `allOf` etc. only validate values.

Follows `validation.go`, `complete.go` and `convert.go` in `pkg/apiserver/schema` of `k8s.io/apiextensions-apiserver`.
`nested` checks the schemas below `allOf`, `anyOf`, `oneOf` and `not`.
"""

from __future__ import annotations

import enum
from dataclasses import replace

from validation_gen.kubernetes.crd.nested import NIL_LISTS, check_combined, check_complete
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema import EMPTY, Schema


class Level(enum.Enum):
    """Position of a schema. The values are in the messages about a missing type."""

    ROOT = "must not be empty at the root"
    ITEM = "must not be empty for specified array items"
    FIELD = "must not be empty for specified object fields"


_TYPES = "add type: object, array, string, integer, number or boolean"
_TYPE_HELP = {
    Level.ROOT: "add type: object",
    Level.ITEM: _TYPES,
    Level.FIELD: f"{_TYPES}, or x-kubernetes-preserve-unknown-fields: true",
}


def check_structural(schema: Schema, place: Place, report: Report) -> None:
    """Reports all violations of the structural form, for a schema without the keywords that `unsupported` finds."""
    _check(schema, Level.ROOT, place, report)
    check_complete(schema, place, report)


# --- the schema itself ------------------------------------------------------------------------------------------------


def _check(schema: Schema, level: Level, place: Place, report: Report) -> None:
    _check_parts(schema, level, place, report)
    _check_extensions(schema, place, report)
    check_combined(schema, place, report)
    _check_type(schema, level, place, report)
    _check_embedded(schema, place, report)
    _check_type_meta(schema, level, place, report)
    if "metadata" in schema.properties:
        _check_metadata(schema, level, place.child("properties").key("metadata"), report)


def _check_parts(schema: Schema, level: Level, place: Place, report: Report) -> None:
    if schema.type == "array" and schema.item is None:
        report.required("VG501", place.child("items"), "must be specified", "say what the items are: add items")
    if schema.item is not None and not schema.item.settled:
        _check(schema.item, Level.ITEM, place.child("items"), report)
    for name, part in schema.properties.items():
        if not part.settled:
            _check(part, Level.FIELD, place.child("properties").key(name), report)
    if schema.additional_properties is not None:
        inner = place.child("additionalProperties")
        if level is Level.ROOT:
            report.forbidden(
                "VG501", inner, "must not be used at the root", "move the map into a property such as spec"
            )
        if schema.additional is not None and not schema.additional.settled:
            _check(schema.additional, Level.FIELD, inner, report)


def _check_extensions(schema: Schema, place: Place, report: Report) -> None:
    for found, name in (
        (schema.preserves, "x-kubernetes-preserve-unknown-fields"),
        (schema.embedded_resource, "x-kubernetes-embedded-resource"),
    ):
        if schema.int_or_string and found:
            detail = "must be false if x-kubernetes-int-or-string is true"
            report.invalid("VG501", place.child(name), True, detail, "drop one of the two")


def _check_type(schema: Schema, level: Level, place: Place, report: Report) -> None:
    inner = place.child("type")
    if schema.embedded_resource and schema.type != "object":
        detail = "must be object if x-kubernetes-embedded-resource is true"
        if schema.type:
            report.invalid("VG501", inner, schema.type, detail, "write type: object")
        else:
            report.required("VG501", inner, detail, "add type: object")
    elif not schema.type and not schema.int_or_string and not schema.preserves:
        report.required("VG501", inner, level.value, _TYPE_HELP[level])
    if level is Level.ROOT and schema.type not in ("", "object"):
        report.invalid("VG501", inner, schema.type, "must be object at the root", "write type: object")


def _check_embedded(schema: Schema, place: Place, report: Report) -> None:
    if not schema.embedded_resource:
        return
    if schema.additional_properties is not None:
        detail = "must not be used if x-kubernetes-embedded-resource is set"
        report.forbidden("VG501", place.child("additionalProperties"), detail)
    if not schema.preserves and not schema.properties:
        flag = "x-kubernetes-preserve-unknown-fields"
        detail = f"must not be empty if x-kubernetes-embedded-resource is true without {flag}"
        report.required("VG501", place.child("properties"), detail, f"add properties, or {flag}: true")


# --- metadata ---------------------------------------------------------------------------------------------------------


def _check_type_meta(schema: Schema, level: Level, place: Place, report: Report) -> None:
    """Checks `kind` and `apiVersion` of whole objects, which the server reads itself."""
    if level is not Level.ROOT and not schema.embedded_resource:
        return
    for name in ("kind", "apiVersion"):
        part = schema.properties.get(name)
        if part is not None and part.type != "string":
            inner = place.child("properties").key(name).child("type")
            report.invalid("VG510", inner, part.type, "must be string", "write type: string")


def _check_metadata(schema: Schema, level: Level, place: Place, report: Report) -> None:
    metadata = schema.properties["metadata"]
    whole = level is Level.ROOT or schema.embedded_resource
    if whole and metadata.type != "object":
        report.invalid("VG510", place.child("type"), metadata.type, "must be object", "write type: object")
    if level is not Level.ROOT:
        return
    allowed = metadata.properties.keys() <= {"name", "generateName"}
    bare = replace(
        metadata,
        type="",
        default=None,
        properties={} if allowed else metadata.properties,
        items=metadata.items if metadata.item else None,
        ref=None,
    )
    if bare != EMPTY or metadata.empty & NIL_LISTS - {"properties"}:
        detail = "must not specify anything other than name and generateName, but metadata is implicitly specified"
        report.forbidden("VG510", place, detail, "write no more than metadata: {type: object}")
