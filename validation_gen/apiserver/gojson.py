"""Errors of definitions. Their values are structs of the server's internal types, as Go writes them as JSON.

Source of the behaviour: `types_jsonschema.go` and `types.go` in `pkg/apis/apiextensions` of
`k8s.io/apiextensions-apiserver`; these types have no names for JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from validation_gen.kubernetes.crd.report import Finding
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_json

_MISSING: Any = object()
#: Fields of a schema in Go's order, with their values without one; `None` is a pointer or a list.
_SCHEMA: Sequence[tuple[str, str, Any]] = (
    ("ID", "id", ""),
    ("Schema", "$schema", ""),
    ("Ref", "$ref", None),
    ("Description", "description", ""),
    ("Type", "type", ""),
    ("Nullable", "nullable", False),
    ("Format", "format", ""),
    ("Title", "title", ""),
    ("Default", "default", None),
    ("Maximum", "maximum", None),
    ("ExclusiveMaximum", "exclusiveMaximum", False),
    ("Minimum", "minimum", None),
    ("ExclusiveMinimum", "exclusiveMinimum", False),
    ("MaxLength", "maxLength", None),
    ("MinLength", "minLength", None),
    ("Pattern", "pattern", ""),
    ("MaxItems", "maxItems", None),
    ("MinItems", "minItems", None),
    ("UniqueItems", "uniqueItems", False),
    ("MultipleOf", "multipleOf", None),
    ("Enum", "enum", None),
    ("MaxProperties", "maxProperties", None),
    ("MinProperties", "minProperties", None),
    ("Required", "required", None),
    ("Items", "items", None),
    ("AllOf", "allOf", None),
    ("OneOf", "oneOf", None),
    ("AnyOf", "anyOf", None),
    ("Not", "not", None),
    ("Properties", "properties", None),
    ("AdditionalProperties", "additionalProperties", None),
    ("PatternProperties", "patternProperties", None),
    ("Dependencies", "dependencies", None),
    ("AdditionalItems", "additionalItems", None),
    ("Definitions", "definitions", None),
    ("ExternalDocs", "externalDocs", None),
    ("Example", "example", None),
    ("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", None),
    ("XEmbeddedResource", "x-kubernetes-embedded-resource", False),
    ("XIntOrString", "x-kubernetes-int-or-string", False),
    ("XListMapKeys", "x-kubernetes-list-map-keys", None),
    ("XListType", "x-kubernetes-list-type", None),
    ("XMapType", "x-kubernetes-map-type", None),
    ("XValidations", "x-kubernetes-validations", None),
)
_RULE: Sequence[tuple[str, str, Any]] = (
    ("Rule", "rule", ""),
    ("Message", "message", ""),
    ("MessageExpression", "messageExpression", ""),
    ("Reason", "reason", None),
    ("FieldPath", "fieldPath", ""),
    ("OptionalOldSelf", "optionalOldSelf", None),
)
#: Fields of a schema that Go writes even if they are empty: they are pointers.
_POINTERS = {name for _, name, empty in _SCHEMA if empty is None} - {
    *("enum", "required", "allOf", "oneOf", "anyOf", "properties", "patternProperties", "dependencies"),
    *("definitions", "x-kubernetes-list-map-keys", "x-kubernetes-validations"),
}


def without_empty(schema: Any) -> Any:
    """Returns a schema as Go writes it: without empty fields that are no pointers."""
    if not isinstance(schema, dict):
        return schema
    found = {}
    for name, value in schema.items():
        if value is None or (name not in _POINTERS and value in ("", False, [], {})):
            continue
        found[name] = _inner(name, value)
    return found


def _inner(name: str, value: Any) -> Any:
    if name in ("properties", "patternProperties", "definitions") and isinstance(value, dict):
        return {key: without_empty(part) for key, part in value.items()}
    if name in ("allOf", "oneOf", "anyOf") and isinstance(value, list):
        return [without_empty(part) for part in value]
    return without_empty(value) if name in ("items", "not", "additionalProperties", "additionalItems") else value


def _rule_value(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a validation rule in the internal form."""
    return {go: rule.get(name, empty) for go, name, empty in _RULE}


def _schema_value(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a schema in the internal form."""
    return {go: _part(name, schema.get(name, _MISSING), empty) for go, name, empty in _SCHEMA}


def _part(name: str, value: Any, empty: Any) -> Any:
    if value is _MISSING or value is None:
        return empty
    if name in ("properties", "patternProperties", "definitions"):
        return {key: _schema_value(part) for key, part in sorted(value.items())}
    if name in ("allOf", "oneOf", "anyOf"):
        return [_schema_value(part) for part in value]
    if name == "not":
        return _schema_value(value)
    if name == "items":
        is_list = isinstance(value, list)
        return {"Schema": None if is_list else _schema_value(value), "JSONSchemas": value if is_list else None}
    if name in ("additionalProperties", "additionalItems"):
        is_schema = isinstance(value, dict)
        return {"Allows": True if is_schema else value, "Schema": _schema_value(value) if is_schema else None}
    if name == "externalDocs":
        return {"Description": value.get("description", ""), "URL": value.get("url", "")}
    if name == "x-kubernetes-validations":
        return [_rule_value(rule) for rule in value]
    return value


def _versions_value(versions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]] | None:
    """Returns versions in the internal form, None unless their schemas, subresources and columns are equal."""
    shared = ("schema", "subresources", "additionalPrinterColumns", "selectableFields")
    if any(version.get(name) != versions[0].get(name) for version in versions for name in shared):
        return None
    return [
        {
            "Name": version.get("name", ""),
            "Served": bool(version.get("served")),
            "Storage": bool(version.get("storage")),
            "Deprecated": bool(version.get("deprecated")),
            "DeprecationWarning": version.get("deprecationWarning"),
            "Schema": None,
            "Subresources": None,
            "AdditionalPrinterColumns": None,
            "SelectableFields": None,
        }
        for version in versions
    ]


# --- errors -----------------------------------------------------------------------------------------------------------


class FindingError(FieldError):
    """An error with the text of a finding."""

    __slots__ = ("_text",)

    def __init__(self, finding: Finding, definition: Mapping[str, Any]) -> None:
        known = {kind.value: kind for kind in ErrorType}
        super().__init__(known.get(finding.type, ErrorType.INVALID))
        self.segments = [f".{finding.field}"]
        self._text = _with_value(finding, definition)

    @property
    def body(self) -> str:
        return self._text.removeprefix(f"{self.field}: ")

    def __str__(self) -> str:
        return self._text


def _with_value(finding: Finding, definition: Mapping[str, Any]) -> str:
    """Returns the message of a finding with the value that the server shows, if that is a struct."""
    start = f"{finding.field}: Invalid value: "
    rest = finding.message.removeprefix(start)
    value: Any = definition
    try:
        for key in finding.keys:
            value = value[key]
    except (KeyError, IndexError, TypeError):
        return str(finding.message)
    shown: Any = None
    if rest.startswith(("must have exactly one version", "must contain unique version names")):
        shown = _versions_value(value) if value else []
    elif finding.field.endswith(".rule") and rest.startswith("compilation failed"):
        parent: Any = definition
        for key in finding.keys[:-1]:
            parent = parent[key]
        shown = _rule_value(parent if isinstance(parent, dict) else {"rule": value})
    elif rest.startswith("only [") and isinstance(definition, dict):
        schema = _schema_above(definition, finding.keys)
        shown = None if schema is None else _schema_value(schema)
    return str(finding.message) if shown is None else f"{start}{go_json(shown)}: {rest}"


def _schema_above(definition: Mapping[str, Any], keys: tuple[str | int, ...]) -> dict[str, Any] | None:
    value: Any = definition
    for key in keys:
        value = value[key]
        if key == "openAPIV3Schema":
            found: dict[str, Any] = value
            return found
    return None
