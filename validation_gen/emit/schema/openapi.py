"""OpenAPI v3 documents, one for each group and version, in the form in which API servers publish them.

They have the schemas of the kinds, of their lists and of all their types. They have no paths: these depend on the
server. Nothing is compiled here: CEL rules are the same as in a CustomResourceDefinition, although they may read
members behind a reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from validation_gen.emit.schema.components import Components, GroupVersion
from validation_gen.emit.schema.options import SchemaOptions
from validation_gen.ir import Program

PREFIX = "#/components/schemas/"

#: Schemas that Kubernetes publishes for types with their own JSON form.
_WIRES: dict[str, Mapping[str, Any]] = {
    "any": {},
    "duration": {"type": "string"},
    "gotime": {"format": "date-time", "type": "string"},
    "intorstring": {"format": "int-or-string", "oneOf": [{"type": "integer"}, {"type": "string"}]},
    "microtime": {"format": "date-time", "type": "string"},
    "quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]},
    "raw": {"type": "object"},
    "time": {"format": "date-time", "type": "string"},
}


def components(program: Program, options: SchemaOptions) -> Components:
    """Returns the shared schemas of a program for documents of version 3."""
    return Components(program, options, PREFIX, _WIRES)


def document(shared: Components, key: GroupVersion) -> dict[str, Any]:
    """Returns the document of a group and version."""
    return {
        "components": {"schemas": shared.find_schemas(key)},
        "info": info(key),
        "openapi": "3.0.0",
        "paths": {},
    }


def files(program: Program, options: SchemaOptions) -> dict[str, dict[str, Any]]:
    """Returns all documents by path."""
    return documents(components(program, options))


def documents(shared: Components) -> dict[str, dict[str, Any]]:
    """Returns all documents by path, with their names in Kubernetes' own repository."""
    return {f"openapi/v3/{stem(key)}_openapi.json": document(shared, key) for key in shared.kinds}


def info(key: GroupVersion) -> dict[str, str]:
    """Returns the info object of a document."""
    group, version = key
    return {"title": group or "core", "version": version}


def stem(key: GroupVersion) -> str:
    """Returns the request path below which the kinds are found, as part of a file name."""
    group, version = key
    return f"apis__{group}__{version}" if group else f"api__{version}"
