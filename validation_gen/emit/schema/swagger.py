"""OpenAPI v2: the lossy form that API servers still publish for old clients.

Version 2 has neither alternatives nor null. Inexpressible parts are dropped, with all parts that would make clients
refuse valid objects: the documentation of CustomResourceDefinition has the list, and the API server does the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from validation_gen.emit.schema import openapi
from validation_gen.emit.schema.components import Components, GroupVersion
from validation_gen.emit.schema.options import SchemaOptions
from validation_gen.ir import Program

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
    """Returns the target of a reference in version 2, `""` if the schema is none."""
    wrapped = [part["$ref"] for part in schema.get("allOf", ()) if "$ref" in part]
    reference = str(schema.get("$ref") or (wrapped[0] if len(wrapped) == 1 else ""))
    return PREFIX + reference.removeprefix(openapi.PREFIX) if reference.startswith(openapi.PREFIX) else reference


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


def components(program: Program, options: SchemaOptions) -> Components:
    """The shared schemas of a program, still in the words of version 3, but with the references of version 2."""
    return Components(program, options, PREFIX, _WIRES)


def document(shared: Components, key: GroupVersion) -> dict[str, Any]:
    """Returns the document of a group and version. It has no paths, as those of version 3."""
    definitions = {name: to_v2(schema, root=_KIND in schema) for name, schema in shared.find_schemas(key).items()}
    return {"definitions": definitions, "info": openapi.info(key), "paths": {}, "swagger": "2.0"}


def files(program: Program, options: SchemaOptions) -> dict[str, dict[str, Any]]:
    """Returns all documents by path."""
    shared = components(program, options)
    return {f"openapi/v2/{openapi.stem(key)}_swagger.json": document(shared, key) for key in shared.kinds}
