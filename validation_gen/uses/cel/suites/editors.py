"""JSON Schema of test files, for completion and checks in editors."""

from __future__ import annotations

from typing import Any

from validation_gen.uses.cel.suites.keys import ANY, FLAG, LIST, NUMBER, OBJECT, TABLES, TEXT, TYPES, Key

_SIMPLE: dict[str, dict[str, Any]] = {
    TEXT: {"type": "string"},
    FLAG: {"type": "boolean"},
    NUMBER: {"type": "integer", "minimum": 0},
    OBJECT: {"type": "object"},
    ANY: {},
}
_VERDICTS = ("valid", "errors", "warnings", "result", "cost")


def schema() -> dict[str, Any]:
    """Returns the schema, in draft 7, which all editors support."""
    tables = {name: _table(keys) for name, keys in TABLES.items()}
    tables["case"]["anyOf"] = [{"required": [name]} for name in _VERDICTS]
    tables["error"]["properties"]["type"]["enum"] = [*TYPES, *(f"FieldValue{name}" for name in TYPES[:-1])]
    head = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "celtest",
        "description": "Tests of CEL rules for `validation-gen cel test`: *.celtest.yaml.",
    }
    return {**head, **tables.pop("file"), "definitions": tables}


def _table(keys: dict[str, Key]) -> dict[str, Any]:
    required = [name for name, key in keys.items() if key.required]
    found: dict[str, Any] = {
        "type": "object",
        "properties": {name: {**_type(key.type), "description": key.doc} for name, key in keys.items()},
        "additionalProperties": False,
    }
    return {**found, "required": required} if required else found


def _type(name: str) -> dict[str, Any]:
    if name.startswith(LIST):
        return {"type": "array", "items": _type(name.removeprefix(LIST))}
    # In draft 7, keywords beside a reference are ignored.
    return dict(_SIMPLE[name]) if name in _SIMPLE else {"allOf": [{"$ref": f"#/definitions/{name}"}]}
