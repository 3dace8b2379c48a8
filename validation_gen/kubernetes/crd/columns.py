"""Checks printer columns and selectable fields: their paths are JSONPath of `kubectl` and lead to fields of a schema.

The server accepts any text that begins with a dot; other mistakes leave the column empty.
"""

from __future__ import annotations

import re

from validation_gen.kubernetes.crd.definition import Column
from validation_gen.kubernetes.crd.fieldpath import NO_FIELD, FieldPathError, resolve
from validation_gen.kubernetes.crd.gotypes import OBJECT_META, STRING_MAP
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema import EMPTY, Schema
from validation_gen.kubernetes.crd.structural import unsupported
from validation_gen.runtime.words import nearest

#: Step into items, or into all values.
ANY = 0
Step = str | int

_TOKEN = re.compile(
    r"""
    (?P<field> \.(?!\.) (?: \\. | [^.,\[\]$@{}\s\\] )* )
    | (?P<deep> \.\. )
    | \[' (?P<key> [^']* ) '\]
    | (?P<filter> \[\?\( (?: "[^"]*" | '[^']*' | [^"')] )* \)\] )
    | (?P<items> \[ (?: \* | -?\d* (?: :-?\d* ){0,2} ) \] )
    | (?P<union> \[ [^\]]* , [^\]]* \] )
    """,
    re.VERBOSE,
)


class PrinterPathError(ValueError):
    """The text is no JSONPath of kubectl."""


def steps(path: str) -> list[Step] | None:
    """Returns the steps of a path; `None` if it may select several values.

    Raises:
        PrinterPathError: it is malformed.
    """
    found: list[Step] = []
    many = False
    at = 0
    while at < len(path):
        match = _TOKEN.match(path, at)
        if match is None or match.end() == at:
            raise PrinterPathError(path[at:])
        at = match.end()
        if match["field"]:
            name = re.sub(r"\\(.)", r"\1", match["field"][1:])
            found += [name] if name else []
        elif match["key"] is not None:
            found += [name for name in match["key"].split(".") if name]
        elif match["deep"] or match["union"]:
            many = True
        else:
            found.append(ANY)
    return None if many else found


def missing(found: list[Step], schema: Schema, *, root: bool = True) -> tuple[str, list[str]] | None:
    """Returns the first name in a path that no value of the schema can have, and the possible names."""
    for index, step in enumerate(found):
        if isinstance(step, str) and (root or schema.embedded_resource) and step in ("apiVersion", "kind", "metadata"):
            return _missing_in_metadata(found[index + 1 :]) if step == "metadata" else None
        part = schema.item if step == ANY and schema.type == "array" else None
        if isinstance(step, str):
            part = schema.properties.get(step) or schema.additional
        if part is None:
            return None if _anything(schema, step) else (str(step), list(schema.properties))
        schema, root = part, False
    return None


def _anything(schema: Schema, step: Step) -> bool:
    """Returns whether the schema allows values that it does not describe."""
    additional = schema.additional_properties
    free = additional is not None and additional.allows
    return schema.preserves or free or (step == ANY and schema.type != "array")


def _missing_in_metadata(found: list[Step]) -> tuple[str, list[str]] | None:
    if not found or not isinstance(found[0], str):
        return None
    known = OBJECT_META.fields
    if found[0] not in known:
        return found[0], list(known)
    if len(found) > 1 and known[found[0]] != STRING_MAP and isinstance(found[1], str):
        return found[1], []
    return None


_TYPES = ("boolean", "date", "integer", "number", "string")
_FORMATS = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")
_SELECTABLE = ("string", "boolean", "integer")
_MAX_SELECTABLE = 8


def check_columns(columns: tuple[Column, ...], schemas: tuple[Schema, ...], place: Place, report: Report) -> None:
    """Checks columns of a version, or of all, against the schemas, of which one must have the shown field."""
    for index, column in enumerate(columns):
        _check_column(column, schemas, place.index(index), report)


def _check_column(column: Column, schemas: tuple[Schema, ...], place: Place, report: Report) -> None:
    types, formats = (f"must be one of {','.join(names)}" for names in (_TYPES, _FORMATS))
    if not column.name:
        report.required("VG507", place.child("name"), help="write the heading of the column")
    if not column.type:
        report.required("VG507", place.child("type"), types, "write the type of what the column shows")
    elif column.type not in _TYPES:
        report.invalid("VG507", place.child("type"), column.type, types)
    if column.format and column.format not in _FORMATS:
        report.invalid("VG507", place.child("format"), column.format, formats)
    path = place.child("JSONPath", "jsonPath")
    if not column.path:
        report.required("VG507", path, help="write a path such as .spec.replicas")
    elif check_simple_path(column.path, path, report):
        warn_of_missing(column.path, schemas, path, "the column", report)


def check_simple_path(path: str, place: Place, report: Report) -> bool:
    """Returns whether a path begins with a dot, which is all that the server checks."""
    if path.startswith("."):
        return True
    report.invalid("VG507", place, path, "must be a simple json path starting with .", f"write .{path.lstrip('$')}")
    return False


def warn_of_missing(path: str, schemas: tuple[Schema, ...], place: Place, subject: str, report: Report) -> None:
    """Warns of a path that leads to no field of any of the schemas."""
    try:
        found = steps(path)
    except PrinterPathError as error:
        help = "write .name, [0], [*], ['name'] or [?(@.type==\"Ready\")]"
        report.warn("VG507", place, f'{subject} stays empty: "{path}" is no JSONPath from "{error}" on', help)
        return
    losses = [missing(found, schema) for schema in schemas] if found else []
    if losses and (lost := losses[0]) and all(losses):
        near = nearest(lost[0], lost[1])
        help = f"did you mean {near[0]}?" if near else "add it to the schema, or correct the path"
        report.warn("VG507", place, f'{subject} stays empty: the schema has no "{lost[0]}" where "{path}" leads', help)


def check_selectable(paths: tuple[str, ...], schema: Schema | None, place: Place, report: Report) -> None:
    """Checks the fields by which objects can be listed."""
    unknown = schema is None or unsupported(schema) is not None
    unique: set[tuple[str, ...]] = set()
    for index, path in enumerate(paths):
        where = place.index(index).child("jsonPath")
        if not path:
            report.required("VG507", where, help="write a path such as .spec.color")
            continue
        try:
            segments, part = resolve(path, EMPTY if unknown or schema is None else schema, brackets=False)
        except FieldPathError as error:
            if unknown and str(error) == NO_FIELD:
                continue  # the schema is unknown
            help = "write the path of a property in the schema, such as .spec.color"
            report.invalid("VG507", where, path, f"is an invalid path: {error}", help)
            continue
        if segments[0] == ".metadata":
            detail = "must not point to fields in metadata"
            report.invalid("VG507", where, path, detail, "metadata.name and metadata.namespace can be selected anyway")
        if part.type not in _SELECTABLE:
            detail = "must point to a field of type string, boolean or integer. "
            detail += "Enum string fields and strings with formats are allowed."
            report.invalid("VG507", where, path, detail, "select a field below it, or none")
        if segments in unique:
            report.duplicate("VG507", where, path, "drop one of the two")
        unique.add(segments)
    if len(unique) > _MAX_SELECTABLE:
        report.too_many("VG507", place, len(unique), _MAX_SELECTABLE)
