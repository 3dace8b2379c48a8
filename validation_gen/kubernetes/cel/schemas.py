"""CEL types of structural schemas, and the possible sizes of their values.

`Declared` corresponds to upstream's `DeclType`: the type in CEL, fields by the names that expressions use, the greatest
number of elements or bytes and the smallest size in JSON, from which numbers of repetitions are estimated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.tree import RESERVED
from validation_gen.kubernetes.cel.types import Type

Schema = Mapping[str, Any]

#: The largest request that an API server accepts.
MAX_REQUEST = 3 * 1024 * 1024
_LARGEST_STRING = MAX_REQUEST - 2
_NAME_LENGTH = 253
_ESCAPES = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_UNESCAPED = re.compile(r"__|[./-]")
_ESCAPABLE = re.compile(r"[A-Za-z_./-][A-Za-z0-9_./-]*")

#: Formats that make a string another type: the type, its smallest size in JSON, its greatest length.
_FORMATS = {
    "duration": (types.DURATION, 3, 32),
    "date": (types.TIMESTAMP, 12, 12),
    "date-time": (types.TIMESTAMP, 21, 32),
}


@dataclass(slots=True, eq=False)
class Declared:
    """A part of a schema in CEL terms. `fields` are those of an object, `None` for other types."""

    type: Type
    smallest: int
    most: int = 0
    fields: dict[str, Declared] | None = None
    key: Declared | None = None
    element: Declared | None = None

    def field_types(self) -> dict[str, Type]:
        """Returns the types of fields, also by names that are only escaped because they are reserved."""
        found = {name: declared.type for name, declared in (self.fields or {}).items()}
        for word in RESERVED:
            if (escaped := found.get(f"__{word}__")) is not None:
                found.setdefault(word, escaped)
        return found


def escape(name: str) -> str | None:
    """Returns the name by which expressions select a property, None if they cannot.

    `a.b-c` is `a__dot__b__dash__c`, and a reserved word gets double underscores on both sides: `__in__`.
    """
    if name in RESERVED:
        return f"__{name}__"
    if not _ESCAPABLE.fullmatch(name):
        return None
    return _UNESCAPED.sub(lambda match: _ESCAPES[match[0]], name)


#: The name of the type of the outermost object; a server appends a number to it.
ROOT_NAME = "selfType"


@dataclass(slots=True)
class Declarations:
    """The declarations of one tree of schemas, and the fields of its objects by the names of their types."""

    objects: dict[str, dict[str, Type]] = field(default_factory=dict)

    def declared(self, schema: Schema, name: str = ROOT_NAME, *, root: bool = False) -> Declared | None:
        """Returns the declaration of a schema; None if it has no type that expressions could use.

        `root`: the schema is a whole resource, which always has `apiVersion`, `kind` and `metadata`.
        """
        if schema.get("x-kubernetes-int-or-string"):
            limit = schema.get("maxLength")
            return Declared(types.DYN, 1, _LARGEST_STRING if limit is None else _in_bytes(limit))
        if root:
            schema = with_metadata(schema)
        match schema.get("type"):
            case "array":
                return self._list(schema, name)
            case "object":
                additional = schema.get("additionalProperties")
                if isinstance(additional, Mapping):
                    return self._map(schema, additional, name)
                return self._object(schema, name)
            case "string":
                return _string(schema)
            case "boolean":
                return Declared(types.BOOL, 4)
            case "number":
                return Declared(types.DOUBLE, 1)
            case "integer":
                return Declared(types.INT, 1)
        return None

    def _inner(self, schema: Schema, name: str) -> Declared | None:
        return self.declared(schema, name, root=bool(schema.get("x-kubernetes-embedded-resource")))

    def _list(self, schema: Schema, name: str) -> Declared | None:
        items = schema.get("items")
        if not isinstance(items, Mapping) or (element := self._inner(items, f"{name}.@idx")) is None:
            return None
        limit = schema.get("maxItems")
        most = (MAX_REQUEST - 2) // (element.smallest + 1) if limit is None else max(limit, 0)
        return Declared(types.list_type(element.type), 2, most, element=element)

    def _map(self, schema: Schema, values: Schema, name: str) -> Declared | None:
        if (element := self._inner(values, f"{name}.@elem")) is None:
            return None
        limit = schema.get("maxProperties")
        most = (MAX_REQUEST - 2) // (element.smallest + 6) if limit is None else max(limit, 0)
        key = Declared(types.STRING, 2)
        return Declared(types.map_type(types.STRING, element.type), 2, most, key=key, element=element)

    def _object(self, schema: Schema, name: str) -> Declared:
        required = set(schema.get("required") or ())
        fields: dict[str, Declared] = {}
        smallest = 2
        for property, inner in (schema.get("properties") or {}).items():
            escaped = escape(property)
            declared = self._inner(inner, f"{name}.{escaped}")
            if declared is None:
                continue
            if escaped is not None:
                fields[escaped] = declared
            if property in required and inner.get("default") is None:
                smallest += len(property.encode()) + declared.smallest + 4
        found = Declared(types.object_type(name), smallest, fields=fields)
        self.objects[name] = found.field_types()
        return found


def _string(schema: Schema) -> Declared:
    format, limit = schema.get("format"), schema.get("maxLength")
    if format == "byte":
        return Declared(types.BYTES, 2, _LARGEST_STRING if limit is None else max(limit, 0))
    if format in _FORMATS:
        return Declared(*_FORMATS[format])
    if limit is not None:
        return Declared(types.STRING, 2, _in_bytes(limit))
    if enum := schema.get("enum"):
        return Declared(types.STRING, 2, max((len(v.encode()) for v in enum if isinstance(v, str)), default=0))
    return Declared(types.STRING, 2, _LARGEST_STRING)


def _in_bytes(characters: int) -> int:
    return max(characters, 0) * 4


def with_metadata(schema: Schema) -> Schema:
    """Returns a resource's schema with the fields that every resource has, unless it declares them all itself."""
    properties = schema.get("properties") or {}
    metadata = properties.get("metadata") or {}
    inner = metadata.get("properties") or {}
    declared = (properties.get("kind"), properties.get("apiVersion"), inner.get("name"), inner.get("generateName"))
    if metadata.get("type") == "object" and all((each or {}).get("type") == "string" for each in declared):
        return schema
    string = {"type": "string"}
    names = {
        "name": _cap(inner.get("name"), _NAME_LENGTH),
        "generateName": _cap(inner.get("generateName"), _NAME_LENGTH - 1),
    }
    metadata = {"type": "object", "properties": names}
    return {**schema, "properties": {**properties, "kind": string, "apiVersion": string, "metadata": metadata}}


def _cap(schema: Schema | None, length: int) -> Schema:
    limit = (schema or {}).get("maxLength")
    return {"type": "string", "maxLength": length if limit is None else min(limit, length)}
