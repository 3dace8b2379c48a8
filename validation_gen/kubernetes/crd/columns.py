"""Checks printer columns, selectable fields, and the size of a definition.

Paths of columns are JSONPath of `kubectl` and lead to fields of a schema. The server accepts any text that begins with
a dot; other mistakes leave the column empty. Sizes, in storage and in the annotation of `kubectl apply`, are those of
Go's JSON, without indentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.crd.definition import Column
from validation_gen.kubernetes.crd.gotypes import OBJECT_META, STRING_MAP
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema import EMPTY, Schema
from validation_gen.kubernetes.crd.schema_path import NO_FIELD, FieldPathError, SchemaPath, resolve
from validation_gen.kubernetes.crd.stored_metadata import ANNOTATIONS_MAX_BYTES, annotations_size
from validation_gen.kubernetes.crd.structural import find_unsupported
from validation_gen.runtime import native, texts
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.names import byte_count
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
    """The text is not a JSONPath of kubectl."""


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


def check_columns(columns: tuple[Column, ...], schemas: tuple[Schema, ...], path: SchemaPath, report: Report) -> None:
    """Checks columns of a version, or of all, against the schemas, of which one must have the shown field."""
    for index, column in enumerate(columns):
        _check_column(column, schemas, path.index(index), report)


def _check_column(column: Column, schemas: tuple[Schema, ...], at: SchemaPath, report: Report) -> None:
    types, formats = (f"must be one of {','.join(names)}" for names in (_TYPES, _FORMATS))
    if not column.name:
        report.required("VG507", at.child("name"), help="write the heading of the column")
    if not column.type:
        report.required("VG507", at.child("type"), types, "write the type of what the column shows")
    elif column.type not in _TYPES:
        report.invalid("VG507", at.child("type"), column.type, types)
    if column.format and column.format not in _FORMATS:
        report.invalid("VG507", at.child("format"), column.format, formats)
    path = at.child("JSONPath", "jsonPath")
    if not column.path:
        report.required("VG507", path, help="write a path such as .spec.replicas")
    elif check_simple_path(column.path, path, report):
        warn_of_missing(column.path, schemas, path, "the column", report)


def check_simple_path(path: str, at: SchemaPath, report: Report) -> bool:
    """Returns whether a path begins with a dot. The server checks nothing else."""
    if path.startswith("."):
        return True
    report.invalid("VG507", at, path, "must be a simple json path starting with .", f"write .{path.lstrip('$')}")
    return False


def warn_of_missing(path: str, schemas: tuple[Schema, ...], at: SchemaPath, subject: str, report: Report) -> None:
    """Warns of a path that leads to no field of any of the schemas."""
    try:
        found = steps(path)
    except PrinterPathError as error:
        help = "write .name, [0], [*], ['name'] or [?(@.type==\"Ready\")]"
        report.warn("VG507", at, f'{subject} stays empty: "{path}" is not a JSONPath from "{error}" on', help)
        return
    losses = [missing(found, schema) for schema in schemas] if found else []
    if losses and (lost := losses[0]) and all(losses):
        near = nearest(lost[0], lost[1])
        help = f"did you mean {near[0]}?" if near else "add it to the schema, or correct the path"
        report.warn("VG507", at, f'{subject} stays empty: the schema has no "{lost[0]}" where "{path}" leads', help)


def check_selectable(paths: tuple[str, ...], schema: Schema | None, at: SchemaPath, report: Report) -> None:
    """Checks the fields by which objects can be listed."""
    unknown = schema is None or find_unsupported(schema) is not None
    unique: set[tuple[str, ...]] = set()
    for index, path in enumerate(paths):
        where = at.index(index).child("jsonPath")
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
        report.too_many("VG507", at, len(unique), _MAX_SELECTABLE)


#: Default limit of etcd for one request.
REQUEST_MAX_BYTES = 1_572_864
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"

_METADATA = SchemaPath("metadata", "metadata")


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes of an object in storage, and of its annotations after `kubectl apply`."""

    stored: int
    annotations: int


def measure(obj: dict[str, Any]) -> Size:
    metadata = obj.get("metadata") or {}
    annotations = {name: text for name, text in (metadata.get("annotations") or {}).items() if name != LAST_APPLIED}
    rest = _size({**obj, "metadata": None}) - len("null")
    stored = rest + _size(obj["metadata"]) if "metadata" in obj else _size(obj)
    written = rest + _size({**metadata, "annotations": annotations}) + 1  # the encoder ends its line
    return Size(stored, annotations_size({**annotations, LAST_APPLIED: ""}) + written)


#: Counts the bytes of a value without writing it, -1 where they are not certain.
_certain: Callable[[Any], int] | None = getattr(native.accept, "json_size", None)


def _size(value: Any) -> int:
    """Returns the length of `go_json`, for most values without writing it, or by Python's encoder only."""
    if _certain and (size := _certain(value)) >= 0:
        return size
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        plain = len(text.encode())
    except (
        ValueError,
        TypeError,
        RecursionError,
    ):  # a lone surrogate, NaN, a key that is not a string, too deep a nesting
        plain = 0
    if not plain or (_FRACTION.search(text) and _has_float(value)):  # which Go writes differently
        return byte_count(go_json(value))
    escaped = sum(map(text.count, "<>&")) * (len(r"\u003c") - 1)
    return plain + escaped + sum(map(text.count, "\u2028\u2029")) * (len(r"\u2028") - 3)


#: Pattern of floats in JSON without blanks. It may also match inside texts.
_FRACTION = re.compile(r"[:,\[]-?[0-9]+[.e]|^-?[0-9]+[.e]")


def _has_float(value: Any) -> bool:
    """Returns whether there is a float in decoded JSON."""
    pending: list[Iterable[Any]] = [[value]]
    while pending:
        for item in pending.pop():
            if isinstance(item, dict):
                pending.append(item.values())
            elif isinstance(item, list | tuple):
                pending.append(item)
            elif isinstance(item, float):
                return True
    return False


def check_size(obj: dict[str, Any], max_description: int | None, report: Report) -> None:
    """Reports a definition that is too large.

    The help names the saving by descriptions of at most `max_description` characters.
    """
    size = measure(obj)
    if size.stored > REQUEST_MAX_BYTES:
        message = f"metadata: the object has {size.stored:,} bytes, and etcd takes no request of more than "
        message += f"{REQUEST_MAX_BYTES:,}: etcdserver: request is too large"
        report.refuse("VG509", _METADATA, message, _advice(obj, max_description, "stored"))
    elif size.annotations > ANNOTATIONS_MAX_BYTES:
        message = f"metadata.annotations: Too long: {texts.too_long(ANNOTATIONS_MAX_BYTES)}, and with what "
        message += f"`kubectl apply` adds they have {size.annotations}"
        help = _advice(obj, max_description, "annotations")
        report.warn("VG509", _METADATA, message, f"use `kubectl apply --server-side` or `kubectl create`, or {help}")


def _advice(obj: dict[str, Any], limit: int | None, name: str) -> str:
    if limit is None:
        least = getattr(measure(shorten_descriptions(obj, 0)), name)
        return f"shorten descriptions with --max-description N: without any it would have {least:,} bytes"
    saved = getattr(measure(shorten_descriptions(obj, limit)), name)
    return f"shorten descriptions: with --max-description {limit} it would have {saved:,} bytes"


# --- descriptions -----------------------------------------------------------------------------------------------------

_PLACES = frozenset({"properties", "patternProperties", "definitions"})
_LISTS = frozenset({"allOf", "oneOf", "anyOf", "items"})
_SENTENCE_ENDS = ".!?\u3002"
_SINGLE = frozenset({"items", "not", "additionalProperties", "additionalItems"})
_NESTED = _PLACES | _LISTS | _SINGLE


def shorten_descriptions(obj: dict[str, Any], limit: int) -> dict[str, Any]:
    """Returns a copy of a definition whose schemas have descriptions of at most `limit` characters."""
    spec = obj.get("spec") or {}
    versions = [_short_version(version, limit) for version in spec.get("versions") or ()]
    return {**obj, "spec": {**spec, "versions": versions}}


def _short_version(version: Any, limit: int) -> Any:
    schema = (version or {}).get("schema") or {}
    root = schema.get("openAPIV3Schema")
    return {**version, "schema": {**schema, "openAPIV3Schema": _short(root, limit)}} if root else version


def _short(schema: Any, limit: int) -> Any:
    if not isinstance(schema, dict):
        return schema
    found = dict(schema)
    text = found.pop("description", None)
    if isinstance(text, str) and limit and text:
        found["description"] = short_text(text, limit)
    for name in found.keys() & _NESTED:  # most schemas have none
        value = found[name]
        if isinstance(value, list) and name in _LISTS:
            found[name] = [_short(part, limit) for part in value]
        elif isinstance(value, dict) and name in _PLACES:
            found[name] = {key: _short(part, limit) for key, part in value.items()}
        elif isinstance(value, dict) and name in _SINGLE:
            found[name] = _short(value, limit)
    return found


def short_text(text: str, limit: int) -> str:
    """Cuts a text to `limit` characters: whole sentences if the first one fits, otherwise whole words and dots."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    end = max(map(cut.rfind, _SENTENCE_ENDS))
    if end > 0:
        return cut[: end + 1]
    words = cut.rsplit(None, 1)
    return f"{words[0] if len(words) > 1 else cut}..."
