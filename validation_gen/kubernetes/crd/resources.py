"""Checks subresources: the paths of `scale`, and the restrictions of `status` for the root of a schema.

The server validates `status` by a part of the schema, so keywords at its root must not concern both parts.
"""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.kubernetes.crd.columns import check_simple_path, warn_of_missing
from validation_gen.kubernetes.crd.definition import Scale, Subresources
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import STRUCTURE, Report
from validation_gen.kubernetes.crd.schema import Schema

#: Names of the allowed keywords in Go: they are in the message.
_ALLOWED = (
    "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern "
    "MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields "
    "XValidations"
)
#: Forbidden keywords, in the order of the server's checks; `type` is among them if it is not object.
_FORBIDDEN: tuple[tuple[str, Callable[[Schema], object]], ...] = (
    ("id", lambda schema: schema.id),
    ("$schema", lambda schema: schema.schema),
    ("$ref", lambda schema: schema.ref is not None),
    ("type", lambda schema: schema.type not in ("", "object")),
    ("nullable", lambda schema: schema.nullable),
    ("default", lambda schema: schema.default),
    ("enum", lambda schema: schema.enum),
    ("maxProperties", lambda schema: schema.max_properties is not None),
    ("minProperties", lambda schema: schema.min_properties is not None),
    ("allOf", lambda schema: schema.all_of),
    ("oneOf", lambda schema: schema.one_of),
    ("anyOf", lambda schema: schema.any_of),
    ("not", lambda schema: schema.not_),
    ("additionalProperties", lambda schema: schema.additional_properties),
    ("patternProperties", lambda schema: schema.pattern_properties),
    ("dependencies", lambda schema: schema.dependencies),
    ("additionalItems", lambda schema: schema.additional_items),
    ("definitions", lambda schema: schema.definitions),
    ("x-kubernetes-embedded-resource", lambda schema: schema.embedded_resource),
    ("x-kubernetes-int-or-string", lambda schema: schema.int_or_string),
    ("x-kubernetes-list-map-keys", lambda schema: schema.list_map_keys),
    ("x-kubernetes-list-type", lambda schema: schema.list_type is not None),
    ("x-kubernetes-map-type", lambda schema: schema.map_type is not None),
)


def check_root(schema: Schema, status: bool, place: Place, report: Report) -> None:
    """Checks the root of a schema; `status`: the status is a subresource."""
    first = next((name for name, found in _FORBIDDEN if found(schema) or name in schema.empty), "") if status else ""
    if first == "type":
        detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
        report.invalid("VG507", place.child("type"), schema.type, detail, "write type: object")
    elif first:
        detail = f"only [{_ALLOWED}] fields are allowed at the root of the schema if the status subresource is enabled"
        there = Place(str(place), *place.keys, first)
        report.invalid("VG507", there, STRUCTURE, detail, f"move {first} to the schemas of spec and status")
    if schema.nullable:
        report.forbidden("VG502", place.child("nullable"), "nullable cannot be true at the root", "drop it")


def check_subresources(
    subresources: Subresources | None, schemas: tuple[Schema, ...], place: Place, report: Report
) -> None:
    scale = subresources.scale if subresources else None
    if scale is None:
        return
    for name, path, roots, detail in _paths(scale):
        where = place.child(f"scale.{name}", "scale", name)
        if not path:
            report.required("VG507", where, help=f"write a path such as {roots[0]}replicas")
        elif check_simple_path(path, where, report):
            if not path.startswith(roots):
                report.invalid("VG507", where, path, detail, f"write a path that begins with {' or '.join(roots)}")
            else:
                warn_of_missing(path, schemas, where, "scale", report)


def _paths(scale: Scale) -> list[tuple[str, str, tuple[str, ...], str]]:
    """Returns the names of the paths, the paths, their allowed beginnings, and the error for others."""
    both = "should be a json path under either .spec or .status"
    selector = scale.label_selector
    return [
        ("specReplicasPath", scale.spec_replicas, (".spec.",), "should be a json path under .spec"),
        ("statusReplicasPath", scale.status_replicas, (".status.",), "should be a json path under .status"),
        *([("labelSelectorPath", selector, (".status.", ".spec."), both)] if selector else []),
    ]
