"""Checks of an object as a client sends it, beside its rules: fields that no type declares, metadata, the status.

Most metadata is recognised as valid here. The rest is checked by the rules of the API server, which are not part of
the runtime (`MetadataCheck`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from validation_gen.runtime.containers import behind_pointers
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.shapes import ListOf, MapOf, Struct

#: Finds errors of metadata, given an object, its `group/version`, and flags for a namespace and an update.
MetadataCheck = Callable[[dict[str, Any], str, bool, bool], list[FieldError]]

#: Fields of every object, whatever its type declares.
OF_ALL = frozenset(("apiVersion", "kind", "metadata"))
_UNKNOWN = "strict decoding error: unknown field"
#: A name and a namespace that are valid for every kind.
_LABEL = re.compile(r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?", re.ASCII)
_PLAIN = frozenset(("name", "namespace"))


def has_plain_metadata(obj: dict[str, Any]) -> bool:
    """Tells whether an object has a name that is certainly valid, maybe a namespace, and no other metadata."""
    metadata = obj.get("metadata")
    if metadata.__class__ is not dict or "name" not in metadata or not metadata.keys() <= _PLAIN:
        return False
    return all(value.__class__ is str and _LABEL.fullmatch(value) for value in metadata.values())


def find_unknown_fields(shape: Struct, obj: dict[str, Any]) -> list[str]:
    """Returns the paths of the fields that no type declares, such as `spec.replcias`."""
    found: list[str] = []
    known = {name: value for name, value in obj.items() if name not in OF_ALL}
    with suppress(RecursionError):
        _walk(shape, known, False, [], found)
    return found


def _walk(shape: Shape, value: Any, kept: bool, steps: list[str], found: list[str]) -> None:
    """Adds the paths of the unknown fields of a value. `kept`: the value may have unknown fields itself."""
    shape = behind_pointers(shape)
    if isinstance(shape, Struct) and isinstance(value, dict):
        members, preserves = shape.members, shape.preserves
        kept = kept or "*" in preserves
        for name, item in value.items():
            member = members.get(name)
            if member is None:
                if not kept:
                    found.append("".join([*steps, f".{name}"])[1:])
            elif isinstance(item, dict | list):
                steps.append(f".{name}")
                _walk(member, item, name in preserves, steps, found)
                steps.pop()
    elif isinstance(shape, ListOf) and isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict | list):
                steps.append(f"[{index}]")
                _walk(shape.elem, item, kept, steps, found)
                steps.pop()
    elif isinstance(shape, MapOf) and isinstance(value, dict):
        for name, item in value.items():
            if isinstance(item, dict | list):
                steps.append(f".{name}")
                _walk(shape.elem, item, False, steps, found)
                steps.pop()


def unknown_field(path: str) -> FieldError:
    """Returns the error of a field that no type declares."""
    return FieldError(ErrorType.INVALID, OMITTED, f'{_UNKNOWN} "{path}"', "", f".{path}")


def join_errors(
    metadata: list[FieldError], rules: list[FieldError], unknown: list[str], *, is_defined: bool = False
) -> list[FieldError]:
    """Returns all errors of an object in order, without metadata of a wrong type that the rules have reported.

    If a definition declares the kind and there are unknown fields, a server reports only these.
    """
    slips = [error for error in metadata if error.detail.startswith(_UNKNOWN)]
    if is_defined and (slips or unknown):
        return [*slips, *map(unknown_field, unknown)]
    if any(error.type is ErrorType.TYPE_INVALID and error.field.partition(".")[0] == "metadata" for error in rules):
        metadata = [error for error in metadata if error.segments]
    return [*metadata, *rules, *map(unknown_field, unknown)]


def with_status(obj: Any, other: Any) -> Any:
    """Returns an object with the status of another object, without a status if that has none."""
    if not isinstance(obj, dict):
        return other if obj is None else obj
    found = {name: value for name, value in obj.items() if name != "status"}
    if isinstance(other, dict) and "status" in other:
        found["status"] = other["status"]
    return found
