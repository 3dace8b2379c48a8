"""OpenAPI documents of a program: version 3 as API servers publish them, and version 2 for old clients.

Those of version 3, one for each group and version, have the schemas of the kinds, of their lists and of all their
types. They have no paths, which depend on the server. Nothing is compiled: CEL rules are the same as in a
CustomResourceDefinition, although they may read members behind a reference.

Version 2 is lossy: it has neither alternatives nor null. Inexpressible parts are dropped, with all parts that would
make clients refuse valid objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.components import Components, GroupVersion
from validation_gen.ir import Program

PREFIX_V3 = "#/components/schemas/"

#: Schemas that Kubernetes publishes for types with their own JSON form.
_WIRES_V3: dict[str, Mapping[str, Any]] = {
    "any": {},
    "duration": {"type": "string"},
    "gotime": {"format": "date-time", "type": "string"},
    "intorstring": {"format": "int-or-string", "oneOf": [{"type": "integer"}, {"type": "string"}]},
    "microtime": {"format": "date-time", "type": "string"},
    "quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]},
    "raw": {"type": "object"},
    "time": {"format": "date-time", "type": "string"},
}


def components_v3(program: Program, options: SchemaOptions) -> Components:
    """Returns the shared schemas of a program for documents of version 3."""
    return Components(program, options, PREFIX_V3, _WIRES_V3)


def document_v3(shared: Components, key: GroupVersion) -> dict[str, Any]:
    """Returns the document of a group and version."""
    return {
        "components": {"schemas": shared.find_schemas(key)},
        "info": info(key),
        "openapi": "3.0.0",
        "paths": {},
    }


def documents_v3(shared: Components) -> dict[str, dict[str, Any]]:
    """Returns all documents by path, with their names in Kubernetes' own repository."""
    return {f"openapi/v3/{stem(key)}_openapi.json": document_v3(shared, key) for key in shared.kinds}


def info(key: GroupVersion) -> dict[str, str]:
    """Returns the info object of a document."""
    group, version = key
    return {"title": group or "core", "version": version}


def stem(key: GroupVersion) -> str:
    """Returns the request path below which the kinds are found, as part of a file name."""
    group, version = key
    return f"apis__{group}__{version}" if group else f"api__{version}"


PREFIX = "#/definitions/"

_KIND = "x-kubernetes-group-version-kind"
_OPEN = "x-kubernetes-preserve-unknown-fields"
_UNKNOWN = frozenset({"$ref", "allOf", "anyOf", "default", "not", "nullable", "oneOf"})

#: Schemas that Kubernetes publishes for types with their own JSON form, without alternatives.
_WIRES: dict[str, Mapping[str, Any]] = {
    "any": {},
    "duration": {"type": "string"},
    "gotime": {"format": "date-time", "type": "string"},
    "intorstring": {"format": "int-or-string", "type": "string"},
    "microtime": {"format": "date-time", "type": "string"},
    "quantity": {"type": "string"},
    "raw": {"type": "object"},
    "time": {"format": "date-time", "type": "string"},
}


def to_v2(schema: Mapping[str, Any], *, root: bool = False) -> dict[str, Any]:
    """Converts an OpenAPI v3 schema to version 2. `root` is True for the schema of a kind.

    A reference keeps only its description and extensions. A kind that preserves unknown fields loses all its
    properties: clients would take those for the only ones.
    """
    if root and schema.get(_OPEN):
        return {"type": "object", **({_KIND: deepcopy(schema[_KIND])} if _KIND in schema else {})}
    nullable = bool(schema.get("nullable"))
    reference = _reference(schema)
    kept = {key: value for key, value in schema.items() if key not in _UNKNOWN}
    if reference:
        kept = {key: value for key, value in kept.items() if key == "description" or key.startswith("x-")}
        return deepcopy(kept) if nullable else {"$ref": reference, **deepcopy(kept)}
    if nullable:
        kept.pop("type", None)
    if nullable or schema.get(_OPEN):
        kept.pop("items", None)
        kept.pop("properties", None)
    type = kept.get("type")
    if (type == "array" and "items" not in kept) or (type == "object" and schema.get(_OPEN)):
        del kept["type"]
    _let_be_absent(kept)
    return {key: _part(key, value) for key, value in kept.items()}


def _reference(schema: Mapping[str, Any]) -> str:
    """Returns the target of a reference in version 2, `""` for a schema without a reference."""
    wrapped = [part["$ref"] for part in schema.get("allOf", ()) if "$ref" in part]
    reference = str(schema.get("$ref") or (wrapped[0] if len(wrapped) == 1 else ""))
    return PREFIX + reference.removeprefix(PREFIX_V3) if reference.startswith(PREFIX_V3) else reference


def _let_be_absent(schema: dict[str, Any]) -> None:
    """Removes nullable properties from the required ones."""
    names = schema.get("required")
    if names is None:
        return
    properties, values = schema.get("properties", {}), schema.get("additionalProperties")
    kept = [name for name in names if not properties.get(name, {}).get("nullable")]
    if not kept or (isinstance(values, Mapping) and values.get("nullable")):
        del schema["required"]
    else:
        schema["required"] = kept


def _part(key: str, value: Any) -> Any:
    if key == "properties":
        return {name: to_v2(part) for name, part in value.items()}
    if key in ("items", "additionalProperties") and isinstance(value, Mapping):
        return to_v2(value)
    return deepcopy(value)


# --- documents ------------------------------------------------------------------------------------------------------


def files(program: Program, options: SchemaOptions) -> dict[str, dict[str, Any]]:
    """Returns all documents by file. Like those of version 3, they list no request paths."""
    shared = Components(program, options, PREFIX, _WIRES)
    found = {}
    for key in shared.kinds:
        definitions = {name: to_v2(schema, root=_KIND in schema) for name, schema in shared.find_schemas(key).items()}
        document = {"definitions": definitions, "info": info(key), "paths": {}, "swagger": "2.0"}
        found[f"openapi/v2/{stem(key)}_swagger.json"] = document
    return found
