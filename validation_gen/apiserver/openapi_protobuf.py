"""OpenAPI documents of version 2 in protobuf, which kubectl reads to edit lists and to explain.

Source of the messages: `openapiv2/OpenAPIv2.proto` of `github.com/google/gnostic-models`. Zero values are left out, and
extensions are YAML, as which JSON serves.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

_VARINT, _FIXED64, _BYTES = 0, 1, 2
_Write: TypeAlias = Callable[[int, Any], bytes]


def encode_document(document: Mapping[str, Any]) -> bytes:
    """Returns a document as a message."""
    return _encode(_DOCUMENT, document)


def _encode(fields: Mapping[str, tuple[int, _Write]], value: Mapping[str, Any]) -> bytes:
    """Returns a message with the known fields of a value; those with the name `x-` are its extensions."""
    found = []
    extension = fields.get("x-")
    for name, each in value.items():
        if name in fields:
            number, write = fields[name]
            found.append(write(number, each))
        elif extension is not None and name.startswith("x-"):
            found.append(_write_entry(extension[0], name, extension[1](2, each)))
    return b"".join(found)


def _varint(number: int) -> bytes:
    found = bytearray()
    number &= (1 << 64) - 1
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def _delimit(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(content)) + content


def _write_entry(number: int, name: str, value: bytes) -> bytes:
    return _delimit(number, _write_text(1, name) + value)


def _write_text(number: int, value: str) -> bytes:
    return _delimit(number, value.encode()) if value else b""


def _write_integer(number: int, value: int) -> bytes:
    return _varint(number << 3 | _VARINT) + _varint(int(value)) if value else b""


def _write_double(number: int, value: float) -> bytes:
    return _varint(number << 3 | _FIXED64) + struct.pack("<d", value) if value else b""


def _write_any(number: int, value: Any) -> bytes:
    return _delimit(number, _write_text(2, json.dumps(value, ensure_ascii=False)))


def _write_message(fields: Mapping[str, tuple[int, _Write]], *wrappers: int) -> _Write:
    """Returns a function that writes a message, nested in outer messages by the field numbers `wrappers`."""

    def write(number: int, value: Any) -> bytes:
        content = _encode(fields, value)
        for wrapper in reversed(wrappers):
            content = _delimit(wrapper, content)
        return _delimit(number, content)

    return write


def _write_each(write: _Write) -> _Write:
    return lambda number, values: b"".join(write(number, value) for value in values)


def _write_map(write: _Write, inner: int = 1) -> _Write:
    """Returns a function that writes a mapping as a message with entries of name and value."""

    def write_all(number: int, values: Mapping[str, Any]) -> bytes:
        return _delimit(number, b"".join(_write_entry(inner, name, write(2, each)) for name, each in values.items()))

    return write_all


def _write_types(number: int, value: Any) -> bytes:
    names = [value] if isinstance(value, str) else value
    return _delimit(number, _write_each(_write_text)(1, names))


def _write_items(number: int, value: Any) -> bytes:
    schemas = value if isinstance(value, list) else [value]
    return _delimit(number, _write_each(_write_schema)(1, schemas))


def _write_additional(number: int, value: Any) -> bytes:
    return _delimit(number, _write_integer(2, value) if isinstance(value, bool) else _write_schema(1, value))


def _write_schema(number: int, value: Mapping[str, Any]) -> bytes:
    return _delimit(number, _encode(_SCHEMA, value))


def _write_parameter(number: int, value: Mapping[str, Any]) -> bytes:
    """Writes a parameter in a body, in the query or in the path."""
    if value["in"] == "body":
        return _write_message(_BODY, 1, 1)(number, value)
    if value["in"] == "query":
        return _write_message(_QUERY, 1, 2, 3)(number, value)
    return _write_message(_PATH, 1, 2, 4)(number, value)


_SCHEMA: Mapping[str, tuple[int, _Write]] = {
    "$ref": (1, _write_text),
    "format": (2, _write_text),
    "title": (3, _write_text),
    "description": (4, _write_text),
    "default": (5, _write_any),
    "multipleOf": (6, _write_double),
    "maximum": (7, _write_double),
    "exclusiveMaximum": (8, _write_integer),
    "minimum": (9, _write_double),
    "exclusiveMinimum": (10, _write_integer),
    "maxLength": (11, _write_integer),
    "minLength": (12, _write_integer),
    "pattern": (13, _write_text),
    "maxItems": (14, _write_integer),
    "minItems": (15, _write_integer),
    "uniqueItems": (16, _write_integer),
    "maxProperties": (17, _write_integer),
    "minProperties": (18, _write_integer),
    "required": (19, _write_each(_write_text)),
    "enum": (20, _write_each(_write_any)),
    "additionalProperties": (21, _write_additional),
    "type": (22, _write_types),
    "items": (23, _write_items),
    "allOf": (24, _write_each(_write_schema)),
    "properties": (25, _write_map(_write_schema)),
    "example": (30, _write_any),
    "x-": (31, _write_any),
}
_BODY: Mapping[str, tuple[int, _Write]] = {
    "description": (1, _write_text),
    "name": (2, _write_text),
    "in": (3, _write_text),
    "required": (4, _write_integer),
    "schema": (5, _write_schema),
}
_SHARED: Mapping[str, tuple[int, _Write]] = {
    "required": (1, _write_integer),
    "in": (2, _write_text),
    "description": (3, _write_text),
    "name": (4, _write_text),
}
_QUERY: Mapping[str, tuple[int, _Write]] = {
    **_SHARED,
    "type": (6, _write_text),
    "format": (7, _write_text),
    "uniqueItems": (20, _write_integer),
}
_PATH: Mapping[str, tuple[int, _Write]] = {
    **_SHARED,
    "type": (5, _write_text),
    "format": (6, _write_text),
    "uniqueItems": (19, _write_integer),
}
_RESPONSE: Mapping[str, tuple[int, _Write]] = {
    "description": (1, _write_text),
    "schema": (2, lambda number, value: _delimit(number, _write_schema(1, value))),
}
_OPERATION: Mapping[str, tuple[int, _Write]] = {
    "tags": (1, _write_each(_write_text)),
    "summary": (2, _write_text),
    "description": (3, _write_text),
    "operationId": (5, _write_text),
    "produces": (6, _write_each(_write_text)),
    "consumes": (7, _write_each(_write_text)),
    "parameters": (8, _write_each(_write_parameter)),
    "responses": (9, _write_map(_write_message(_RESPONSE, 1))),
    "schemes": (10, _write_each(_write_text)),
    "x-": (13, _write_any),
}
_METHODS = {"get": 2, "put": 3, "post": 4, "delete": 5, "options": 6, "head": 7, "patch": 8}
_ITEM: Mapping[str, tuple[int, _Write]] = {
    **{method: (number, _write_message(_OPERATION)) for method, number in _METHODS.items()},
    "parameters": (9, _write_each(_write_parameter)),
    "x-": (10, _write_any),
}
_DOCUMENT: Mapping[str, tuple[int, _Write]] = {
    "swagger": (1, _write_text),
    "info": (2, _write_message({"title": (1, _write_text), "version": (2, _write_text)})),
    "paths": (8, _write_map(_write_message(_ITEM), 2)),
    "definitions": (9, _write_map(_write_schema)),
}
