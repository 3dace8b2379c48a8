"""Results of mutations: patches and objects to apply, as JSON."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any

from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.functions.times import format_duration, format_timestamp
from validation_gen.kubernetes.cel.values import ConstructedObject, Duration, Optional, Timestamp

#: Result types of the expressions for each type of patch.
APPLY = (types.object_type("Object"),)
PATCH = (types.list_type(types.object_type("JSONPatch")),)
#: Greater integers become texts in the server's conversion.
_PRECISE = 2**53 - 1


class UnfitError(ValueError):
    """A value that is not JSON, or an object of another type than its field."""


def as_json(value: Any) -> Any:
    """Converts a value of an expression to JSON.

    Raises:
        UnfitError: it has no JSON form.
    """
    match value:
        case None | bool() | str():
            return value
        case int():
            return int(value) if abs(value) <= _PRECISE else str(int(value))
        case float() if math.isfinite(value):
            return int(value) if value.is_integer() and abs(value) <= _PRECISE else value
        case bytes():
            return base64.b64encode(value).decode()
        case Timestamp():
            return format_timestamp(value)
        case Duration():
            return format_duration(value)
        case ConstructedObject():
            return {name: as_json(part) for name, part in value.fields.items()}
        case Optional():
            return as_json(value.value) if value.present else None
        case Mapping():
            return {_key(key): as_json(part) for key, part in value.items()}
        case list() | tuple():
            return [as_json(part) for part in value]
    raise UnfitError(f"a value of type {type(value).__name__} cannot be JSON")


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise UnfitError(f"{key!r:.40} cannot be a key in JSON")
    return key


def operations(value: Any) -> list[dict[str, Any]]:
    """Returns the operations of a patch that an expression has made.

    Raises:
        UnfitError: one of them has a value that cannot be JSON.
    """
    found = []
    for each in value:
        if not isinstance(each, ConstructedObject):
            raise UnfitError("an element of the list is not a JSONPatch")
        fields = each.fields
        operation: dict[str, Any] = {"op": fields.get("op", ""), "path": fields.get("path", "")}
        if fields.get("from"):
            operation["from"] = fields["from"]
        if "value" in fields:
            _fitting(fields["value"], None)
            operation["value"] = as_json(fields["value"])
        found.append(operation)
    return found


def read_applied(value: Any) -> dict[str, Any]:
    """Returns the object to apply, from the value of an expression.

    Raises:
        UnfitError: a part of it has the type of another field, or cannot be JSON.
    """
    _fitting(value, "Object")
    found = as_json(value)
    assert isinstance(found, dict)
    return found


def _fitting(value: Any, name: str | None) -> None:
    """Checks that the type of each object is named after its path.

    Raises:
        UnfitError: there is another object.
    """
    if isinstance(value, ConstructedObject):
        if name is not None and value.type != name:
            raise UnfitError(f"type mismatch: unexpected type name {value.type!r}, expected {name!r}")
        for field, part in value.fields.items():
            _fitting(part, f"{value.type}.{field}")
    elif isinstance(value, list | tuple):
        for part in value:
            _fitting(part, name)
    elif isinstance(value, Mapping):
        for part in value.values():
            _fitting(part, None)
    elif isinstance(value, Optional) and value.present:
        _fitting(value.value, name)
