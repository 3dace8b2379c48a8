"""Rules of structural schemas: every value has a type, and schemas below `allOf` etc. only validate values.

Follows `validation.go`, `complete.go` and `convert.go` in `pkg/apiserver/schema` of `k8s.io/apiextensions-apiserver`.
Schemas below `allOf`, `anyOf`, `oneOf` and `not` may declare nothing, but for the two patterns of values that are an
integer or a string.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import replace

from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema import EMPTY, Schema
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.runtime.goregex import GoRegexError, compiled

_MOVE = "declare it in the schema itself, outside of allOf, anyOf, oneOf and not"


def check_combined(schema: Schema, path: SchemaPath, report: Report) -> None:
    """Checks the combined parts of a structural schema."""
    first_all_of = bool(schema.all_of) and _is_int_or_string(schema.all_of[0].any_of)
    _check_values(schema, path, report, skip_any=_is_int_or_string(schema.any_of), skip_first=first_all_of)


def _check_values(
    schema: Schema, path: SchemaPath, report: Report, *, skip_any: bool = False, skip_first: bool = False
) -> None:
    for index, part in enumerate(() if skip_any else schema.any_of):
        _check_nested(part, path.child("anyOf").index(index), report)
    for index, part in enumerate(schema.all_of):
        _check_nested(part, path.child("allOf").index(index), report, skip_any=skip_first and index == 0)
    for index, part in enumerate(schema.one_of):
        _check_nested(part, path.child("oneOf").index(index), report)
    if schema.not_ is not None:
        _check_nested(schema.not_, path.child("not"), report)
    if schema.pattern:
        try:
            compiled(schema.pattern)
        except GoRegexError as error:
            detail = f"must be a valid regular expression, but isn't: {error}"
            help = "patterns are those of Go (RE2), without lookaround and backreferences"
            report.invalid("VG502", path.child("pattern"), schema.pattern, detail, help)


def _check_nested(schema: Schema, path: SchemaPath, report: Report, *, skip_any: bool = False) -> None:
    _check_values(schema, path, report, skip_any=skip_any)
    if schema.item is not None:
        _check_nested(schema.item, path.child("items"), report)
    for name, part in schema.properties.items():
        _check_nested(part, path.child("properties").key(name), report)
    for name, rest in _declarations(schema):
        report.forbidden("VG501", path.child(name), f"must be {rest} to be structural", _MOVE)
    if "metadata" in schema.properties:
        inner = path.child("properties").key("metadata")
        report.forbidden("VG510", inner, "must not be specified in a nested context", "drop it")


def _declarations(schema: Schema) -> Iterator[tuple[str, str]]:
    """Yields the keywords that declare something, and their required values."""
    additional = schema.additional_properties
    for found, name, wanted in (
        (schema.type, "type", "empty"),
        (additional is not None and (additional.schema or additional.allows), "additionalProperties", "undefined"),
        (schema.default, "default", "undefined"),
        (schema.title, "title", "empty"),
        (schema.description, "description", "empty"),
        (schema.nullable, "nullable", "false"),
        (schema.preserves, "x-kubernetes-preserve-unknown-fields", "false"),
        (schema.embedded_resource, "x-kubernetes-embedded-resource", "false"),
        (schema.int_or_string, "x-kubernetes-int-or-string", "false"),
        (schema.list_map_keys, "x-kubernetes-list-map-keys", "empty"),
        (schema.list_type is not None, "x-kubernetes-list-type", "undefined"),
        (schema.map_type is not None, "x-kubernetes-map-type", "undefined"),
        (schema.validations, "x-kubernetes-validations", "empty"),
    ):
        if found:
            yield name, wanted


def _is_int_or_string(parts: tuple[Schema, ...]) -> bool:
    """Returns whether these are `type: integer` and `type: string`, in this order and without anything else."""
    return len(parts) == 2 and all(map(_is_bare, parts, ("integer", "string")))


#: Keywords whose empty list differs from an absent one in comparisons with the empty schema.
NIL_LISTS = frozenset({"required", "properties", "x-kubernetes-list-map-keys", "x-kubernetes-validations"})


def _is_bare(schema: Schema, type: str) -> bool:
    if schema.type != type or schema.empty & NIL_LISTS:
        return False
    additional = schema.additional_properties
    ignored = additional is not None and not additional.allows
    return (
        replace(
            schema,
            type="",
            items=schema.items if schema.item else None,
            additional_properties=None if ignored else additional,
            ref=None,
        )
        == EMPTY
    )


# --- completeness -----------------------------------------------------------------------------------------------------

#: Callback for a part that is validated but not declared: the enclosing schema, where it should be declared, where it
#: is validated.
Lost = Callable[[Schema, SchemaPath, SchemaPath], None]


def check_complete(schema: Schema, path: SchemaPath, report: Report) -> None:
    """Checks that each property and item that is validated below the root of a schema is also declared.

    The server checks this only for the root. Further inside, undeclared values are pruned before validation.
    """

    def refuse(_: Schema, lost: SchemaPath, origin: SchemaPath) -> None:
        shown = SchemaPath(
            str(lost), *origin.keys
        )  # the missing declaration has no position, so the finding has that of the validation
        report.required("VG501", shown, f"because it is defined in {origin}", f"declare it: add {lost} with a type")

    def warn(around: Schema, lost: SchemaPath, origin: SchemaPath) -> None:
        if around.preserves or around.additional_properties is not None:
            return  # it is not pruned
        message = f"{lost} is not declared, so it is dropped before this check"
        report.warn("VG501", origin, message, f"declare it: add {lost} with a type")

    _compare(schema, schema, path, path, refuse)
    pending = [(schema, path)]
    while pending:
        outer, where = pending.pop()
        if outer.item is not None and not outer.item.settled:
            pending.append((outer.item, where.child("items")))
        if outer.additional is not None and not outer.additional.settled:
            pending.append((outer.additional, where.child("additionalProperties")))
        inner = where.child("properties")
        pending += [(part, inner.key(name)) for name, part in outer.properties.items() if not part.settled]
        if outer is not schema:
            _compare(outer, outer, where, where, warn)


def _compare(values: Schema, schema: Schema, path: SchemaPath, origin: SchemaPath, lost: Lost) -> None:
    """Checks that the fields in the combinations (`allOf` …) of a schema are declared outside of them."""
    parts: list[tuple[str, int | None, Schema | None]] = [("not", None, values.not_)]
    for name, found in (("allOf", values.all_of), ("anyOf", values.any_of), ("oneOf", values.one_of)):
        parts += [(name, index, part) for index, part in enumerate(found)]
    for name, number, part in parts:
        if part is not None:
            inner = origin.child(name)
            _compare_parts(part, schema, path, inner if number is None else inner.index(number), lost)


def _compare_parts(values: Schema, schema: Schema, path: SchemaPath, origin: SchemaPath, lost: Lost) -> None:
    _compare(values, schema, path, origin, lost)
    parts = [(values.item, schema.item, path.child("items"), origin.child("items"))]
    for name, part in values.properties.items():
        inner, inside = path.child("properties").key(name), origin.child("properties").key(name)
        parts.append((part, schema.properties.get(name), inner, inside))
    for judged, declared, inner, inside in parts:
        if judged is not None and declared is None:
            lost(schema, inner, inside)
        elif judged is not None and declared is not None:
            _compare_parts(judged, declared, inner, inside, lost)


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


def check_structural(schema: Schema, path: SchemaPath, report: Report) -> None:
    """Reports all violations of the structural form, for a schema that `find_unsupported` accepts."""
    _check(schema, Level.ROOT, path, report)
    check_complete(schema, path, report)


# --- the schema itself ------------------------------------------------------------------------------------------------


def _check(schema: Schema, level: Level, path: SchemaPath, report: Report) -> None:
    _check_parts(schema, level, path, report)
    _check_extensions(schema, path, report)
    check_combined(schema, path, report)
    _check_type(schema, level, path, report)
    _check_embedded(schema, path, report)
    _check_type_meta(schema, level, path, report)
    if "metadata" in schema.properties:
        _check_metadata(schema, level, path.child("properties").key("metadata"), report)


def _check_parts(schema: Schema, level: Level, path: SchemaPath, report: Report) -> None:
    if schema.type == "array" and schema.item is None:
        report.required("VG501", path.child("items"), "must be specified", "add items")
    if schema.item is not None and not schema.item.settled:
        _check(schema.item, Level.ITEM, path.child("items"), report)
    for name, part in schema.properties.items():
        if not part.settled:
            _check(part, Level.FIELD, path.child("properties").key(name), report)
    if schema.additional_properties is not None:
        inner = path.child("additionalProperties")
        if level is Level.ROOT:
            report.forbidden(
                "VG501", inner, "must not be used at the root", "move the map into a property such as spec"
            )
        if schema.additional is not None and not schema.additional.settled:
            _check(schema.additional, Level.FIELD, inner, report)


def _check_extensions(schema: Schema, path: SchemaPath, report: Report) -> None:
    for found, name in (
        (schema.preserves, "x-kubernetes-preserve-unknown-fields"),
        (schema.embedded_resource, "x-kubernetes-embedded-resource"),
    ):
        if schema.int_or_string and found:
            detail = "must be false if x-kubernetes-int-or-string is true"
            report.invalid("VG501", path.child(name), True, detail, "drop one of the two")


def _check_type(schema: Schema, level: Level, path: SchemaPath, report: Report) -> None:
    inner = path.child("type")
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


def _check_embedded(schema: Schema, path: SchemaPath, report: Report) -> None:
    if not schema.embedded_resource:
        return
    if schema.additional_properties is not None:
        detail = "must not be used if x-kubernetes-embedded-resource is set"
        report.forbidden("VG501", path.child("additionalProperties"), detail)
    if not schema.preserves and not schema.properties:
        flag = "x-kubernetes-preserve-unknown-fields"
        detail = f"must not be empty if x-kubernetes-embedded-resource is true without {flag}"
        report.required("VG501", path.child("properties"), detail, f"add properties, or {flag}: true")


# --- metadata ---------------------------------------------------------------------------------------------------------


def _check_type_meta(schema: Schema, level: Level, path: SchemaPath, report: Report) -> None:
    """Checks `kind` and `apiVersion` of whole objects, which the server reads itself."""
    if level is not Level.ROOT and not schema.embedded_resource:
        return
    for name in ("kind", "apiVersion"):
        part = schema.properties.get(name)
        if part is not None and part.type != "string":
            inner = path.child("properties").key(name).child("type")
            report.invalid("VG510", inner, part.type, "must be string", "write type: string")


def _check_metadata(schema: Schema, level: Level, path: SchemaPath, report: Report) -> None:
    metadata = schema.properties["metadata"]
    whole = level is Level.ROOT or schema.embedded_resource
    if whole and metadata.type != "object":
        report.invalid("VG510", path.child("type"), metadata.type, "must be object", "write type: object")
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
        report.forbidden("VG510", path, detail, "write no more than metadata: {type: object}")


def find_unsupported(schema: Schema) -> str | None:
    """Returns the first reason why a schema cannot become structural."""
    return next(_find_unsupported(schema), None)


def _find_unsupported(schema: Schema) -> Iterator[str]:
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
            yield from _find_unsupported(part)
    if schema.preserve_unknown_fields is False:
        yield "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
    if schema.items and schema.items.schemas:
        yield "OpenAPIV3Schema 'items' must be a schema, but is an array"
    for part in (schema.item, *schema.properties.values(), schema.additional):
        if part is not None and not part.settled:
            yield from _find_unsupported(part)
