"""Defaulting of objects by their schema.

Follows `pkg/apiserver/schema/defaulting` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from validation_gen.kubernetes.crd.schema import Schema


def defaulted(value: Any, schema: Schema | None) -> Any:
    """Returns a copy of a value without nulls in non-nullable fields, and with the defaults of absent fields."""
    return filled(without_nulls(value, schema), schema)


def _field(schema: Schema | None, name: str) -> Schema | None:
    return None if schema is None else schema.properties.get(name) or schema.additional


def _means_nothing(value: Any, schema: Schema | None) -> bool:
    return value is None and schema is not None and not schema.nullable


def without_nulls(value: Any, schema: Schema | None) -> Any:
    """Returns a copy of a value without the nulls in non-nullable fields that have no default."""
    if isinstance(value, dict):
        kept = {}
        for name, item in value.items():
            part = _field(schema, name)
            if not _means_nothing(item, part) or (part is not None and part.default is not None):
                kept[name] = without_nulls(item, part)
        return kept
    if isinstance(value, list):
        return [without_nulls(item, schema.item if schema else None) for item in value]
    return value


def filled(value: Any, schema: Schema | None) -> Any:
    """Returns a copy of a value with the defaults of absent fields, or the value itself if its schema has none."""
    if schema is None or schema.simple:
        return value
    if isinstance(value, list):
        return [filled(_instead(item, schema.item), schema.item) for item in value]
    if not isinstance(value, dict):
        return value
    found = dict(value)
    properties = schema.properties
    for name, part in properties.items():
        if part.default is not None and (name not in found or _means_nothing(found[name], part)):
            found[name] = deepcopy(part.default.value)
    for name, item in found.items():
        if name in properties:
            if isinstance(item, dict | list):
                found[name] = filled(item, properties[name])
        elif schema.additional is not None:
            found[name] = filled(_instead(item, schema.additional), schema.additional)
    return found


def _instead(value: Any, schema: Schema | None) -> Any:
    """Replaces a null by the default."""
    if schema is None or not _means_nothing(value, schema):
        return value
    return deepcopy(schema.default.value) if schema.default else None
