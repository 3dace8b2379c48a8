"""Merges objects as mutations with an `ApplyConfiguration` do: given fields are set, all others stay.

Source of the behaviour: `pkg/admission/plugin/policy/mutating/patch/smd.go` of `k8s.io/apiserver`. Lists are atomic
unless the schema makes them sets or maps: the server refuses to change atomic values this way.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any


class MergeError(ValueError):
    """An object that cannot be merged; the text has the reason."""


def merged(obj: Any, other: Mapping[str, Any], schema: Mapping[str, Any] | None) -> Any:
    """Merges an object into a copy of another one.

    Raises:
        MergeError: it would change an atomic value.
    """
    atomic: list[str] = []
    found = _merged(copy.deepcopy(obj), other, schema or {}, "", atomic)
    if atomic:
        said = ", ".join(atomic)
        text = f"invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {said}"
        raise MergeError(f"error applying patch: {text}")
    return found


def _merged(one: Any, other: Any, schema: Mapping[str, Any], path: str, atomic: list[str]) -> Any:
    if isinstance(other, Mapping):
        if schema.get("x-kubernetes-map-type") == "atomic":
            atomic.append(path)
        result = dict(one) if isinstance(one, Mapping) else {}
        for name, part in other.items():
            inner = _part(schema, name)
            result[name] = _merged(result.get(name), part, inner, f"{path}.{name}", atomic)
        return result
    if isinstance(other, list):
        kind = schema.get("x-kubernetes-list-type")
        known = one if isinstance(one, list) else []
        if kind == "set":
            return [*known, *(copy.deepcopy(each) for each in other if each not in known)]
        if kind == "map":
            return _merged_items(known, other, schema, path, atomic)
        atomic.append(path)
    return copy.deepcopy(other)


def _part(schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    properties, values = schema.get("properties"), schema.get("additionalProperties")
    found = properties.get(name) if isinstance(properties, Mapping) else None
    found = values if found is None else found
    return found if isinstance(found, Mapping) else {}


def _merged_items(
    known: list[Any], other: list[Any], schema: Mapping[str, Any], path: str, atomic: list[str]
) -> list[Any]:
    """Merges items that have the same keys, and adds others."""
    keys = schema.get("x-kubernetes-list-map-keys") or ()
    items = schema.get("items")
    inner = items if isinstance(items, Mapping) else {}
    result = list(known)
    for part in other:
        at = next((i for i, each in enumerate(result) if _same_keys(each, part, keys)), None)
        if at is None:
            result.append(_merged({}, part, inner, f"{path}[]", atomic))
        else:
            result[at] = _merged(result[at], part, inner, f"{path}[]", atomic)
    return result


def _same_keys(one: Any, other: Any, keys: Any) -> bool:
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return False
    return all(one.get(key) == other.get(key) for key in keys)
