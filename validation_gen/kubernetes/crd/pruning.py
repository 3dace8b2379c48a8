"""Pruning: the API server drops fields from an object that its schema does not have.

Follows `pkg/apiserver/schema/pruning` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from validation_gen.kubernetes.crd.schema import EMPTY, Schema

#: Fields of every object, whatever its schema has.
META_FIELDS = ("apiVersion", "kind", "metadata")


def pruned(value: Any, schema: Schema | None, *, resource: bool = False, unknown: list[str] | None = None) -> Any:
    """Returns a copy of a value without unknown fields; `resource`: the value is a whole object.

    Appends the paths of pruned fields, such as `spec.items[0].b`, to `unknown`.
    """
    schema = schema or EMPTY
    return _pruned(value, schema, resource or schema.embedded_resource, _Way(unknown))


class _Way:
    """Current path in a value, and the list of pruned paths, if the caller wants one."""

    __slots__ = ("found", "steps")

    def __init__(self, found: list[str] | None) -> None:
        self.found = found
        self.steps: list[str] = []

    def lost(self, key: str) -> None:
        if self.found is not None:
            self.found.append("".join([*self.steps, f".{key}"]).removeprefix("."))


def _below(way: _Way, step: str, value: Any, schema: Schema | None, prune: Callable[..., Any]) -> Any:
    way.steps.append(step)
    found = prune(value, schema, schema is not None and schema.embedded_resource, way)
    way.steps.pop()
    return found


def _pruned(value: Any, schema: Schema | None, embedded: bool, way: _Way) -> Any:
    if schema is not None and schema.preserves:
        return _kept(value, schema, embedded, way)
    if isinstance(value, list):
        item = schema.item if schema else None
        return [_below(way, f"[{index}]", entry, item, _pruned) for index, entry in enumerate(value)]
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, entry in value.items():
        part, known = _part(schema, key)
        own = schema is not None and embedded and key in META_FIELDS
        if own or (known and not isinstance(entry, dict | list)):
            kept[key] = entry
        elif known:
            kept[key] = _below(way, f".{key}", entry, part, _pruned)
        else:
            way.lost(key)
    return kept


def _kept(value: Any, schema: Schema | None, embedded: bool, way: _Way) -> Any:
    """Prunes below a value whose unknown fields stay. Fields that the schema describes are pruned again."""
    if schema is None:
        return value
    if isinstance(value, list):
        item = schema.item
        return [_below(way, f"[{index}]", entry, item, _kept) for index, entry in enumerate(value)]
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, entry in value.items():
        part, known = _part(schema, key)
        own = known and not (embedded and key in META_FIELDS)
        kept[key] = _below(way, f".{key}", entry, part, _pruned) if own else entry
    return kept


def _part(schema: Schema | None, key: str) -> tuple[Schema | None, bool]:
    """Returns the schema of a field, if it has one, and whether the field is known."""
    if schema is None:
        return None, False
    if key in schema.properties:
        return schema.properties[key], True
    return schema.additional, schema.additional_properties is not None
