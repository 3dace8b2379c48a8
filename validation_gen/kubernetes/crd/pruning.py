"""What the API server drops from an object because its schema does not have it.

Follows `pkg/apiserver/schema/pruning` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.crd.schema import EMPTY, Schema

#: What every object has, whatever its schema says.
META_FIELDS = ("apiVersion", "kind", "metadata")


def pruned(value: Any, schema: Schema | None, *, resource: bool = False) -> Any:
    """A copy of a value without what its schema does not have; `resource` says that it is a whole object."""
    schema = schema or EMPTY
    return _pruned(value, schema, resource or schema.embedded_resource)


def _pruned(value: Any, schema: Schema | None, embedded: bool) -> Any:
    if schema is not None and schema.preserves:
        return _kept(value, schema, embedded)
    if isinstance(value, list):
        item = schema.item if schema else None
        return [_pruned(entry, item, item is not None and item.embedded_resource) for entry in value]
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, entry in value.items():
        part, known = _part(schema, key)
        if schema is not None and embedded and key in META_FIELDS:
            kept[key] = entry
        elif known:
            kept[key] = _pruned(entry, part, part is not None and part.embedded_resource)
    return kept


def _kept(value: Any, schema: Schema | None, embedded: bool) -> Any:
    """A value whose unknown fields stay. What the schema describes within it is pruned again."""
    if schema is None:
        return value
    if isinstance(value, list):
        item = schema.item
        return [_kept(entry, item, item is not None and item.embedded_resource) for entry in value]
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, entry in value.items():
        part, known = _part(schema, key)
        own = known and not (embedded and key in META_FIELDS)
        kept[key] = _pruned(entry, part, part is not None and part.embedded_resource) if own else entry
    return kept


def _part(schema: Schema | None, key: str) -> tuple[Schema | None, bool]:
    """The schema of a field, if it has one, and whether the field is known."""
    if schema is None:
        return None, False
    if key in schema.properties:
        return schema.properties[key], True
    return schema.additional, schema.additional_properties is not None
