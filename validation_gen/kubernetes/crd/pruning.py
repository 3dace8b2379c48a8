"""Steps of a server by the schema of an object: pruning, defaulting, and uniqueness of the items of sets and maps.

Follows `pruning`, `defaulting` and `listtype` in `pkg/apiserver/schema` of `k8s.io/apiextensions-apiserver`. Paths of
errors are relative to the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import Any

from validation_gen.kubernetes.crd.schema import EMPTY, Schema
from validation_gen.kubernetes.crd.schema_path import as_decoded, under
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_json, sort_members

#: Fields of every object, whatever its schema has.
META_FIELDS = ("apiVersion", "kind", "metadata")


def prune_value(value: Any, schema: Schema | None, *, resource: bool = False, unknown: list[str] | None = None) -> Any:
    """Returns a copy of a value without unknown fields; `resource`: the value is a whole object.

    Appends the paths of pruned fields, such as `spec.items[0].b`, to `unknown`.
    """
    schema = schema or EMPTY
    return _prune(value, schema, resource or schema.embedded_resource, _Cursor(unknown))


class _Cursor:
    """Current path in a value, and the list of pruned paths, if the caller wants one."""

    __slots__ = ("found", "steps")

    def __init__(self, found: list[str] | None) -> None:
        self.found = found
        self.steps: list[str] = []

    def lost(self, key: str) -> None:
        if self.found is not None:
            self.found.append("".join([*self.steps, f".{key}"]).removeprefix("."))


def _below(path: _Cursor, step: str, value: Any, schema: Schema | None, prune: Callable[..., Any]) -> Any:
    path.steps.append(step)
    found = prune(value, schema, schema is not None and schema.embedded_resource, path)
    path.steps.pop()
    return found


def _prune(value: Any, schema: Schema | None, embedded: bool, path: _Cursor) -> Any:
    if schema is not None and schema.preserves:
        return _prune_unknown(value, schema, embedded, path)
    if isinstance(value, list):
        item = schema.item if schema else None
        return [_below(path, f"[{index}]", entry, item, _prune) for index, entry in enumerate(value)]
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, entry in value.items():
        part, known = _part(schema, key)
        own = schema is not None and embedded and key in META_FIELDS
        if own or (known and not isinstance(entry, dict | list)):
            kept[key] = entry
        elif known:
            kept[key] = _below(path, f".{key}", entry, part, _prune)
        else:
            path.lost(key)
    return kept


def _prune_unknown(value: Any, schema: Schema | None, embedded: bool, path: _Cursor) -> Any:
    """Prunes a value that keeps its own unknown fields: it only prunes within fields that the schema describes."""
    if schema is None:
        return value
    if isinstance(value, list):
        item = schema.item
        return [_below(path, f"[{index}]", entry, item, _prune_unknown) for index, entry in enumerate(value)]
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, entry in value.items():
        part, known = _part(schema, key)
        own = known and not (embedded and key in META_FIELDS)
        kept[key] = _below(path, f".{key}", entry, part, _prune) if own else entry
    return kept


def _part(schema: Schema | None, key: str) -> tuple[Schema | None, bool]:
    """Returns the schema of a field, None without one, and whether pruning keeps the field."""
    if schema is None:
        return None, False
    if key in schema.properties:
        return schema.properties[key], True
    return schema.additional, schema.additional_properties is not None


def apply_defaults(value: Any, schema: Schema | None) -> Any:
    """Returns a copy of a value without nulls in non-nullable fields, and with the defaults of absent fields."""
    return fill_absent(without_nulls(value, schema), schema)


def _means_nothing(value: Any, schema: Schema | None) -> bool:
    return value is None and schema is not None and not schema.nullable


def without_nulls(value: Any, schema: Schema | None) -> Any:
    """Returns a copy of a value without the nulls in non-nullable fields that have no default."""
    if isinstance(value, dict):
        kept = {}
        for name, item in value.items():
            part, _ = _part(schema, name)
            if not _means_nothing(item, part) or (part is not None and part.default is not None):
                kept[name] = without_nulls(item, part)
        return kept
    if isinstance(value, list):
        return [without_nulls(item, schema.item if schema else None) for item in value]
    return value


def fill_absent(value: Any, schema: Schema | None) -> Any:
    """Returns a copy of a value with the defaults of absent fields, or the value itself if its schema has none."""
    if schema is None or schema.simple:
        return value
    if isinstance(value, list):
        return [fill_absent(_instead(item, schema.item), schema.item) for item in value]
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
                found[name] = fill_absent(item, properties[name])
        elif schema.additional is not None:
            found[name] = fill_absent(_instead(item, schema.additional), schema.additional)
    return found


def _instead(value: Any, schema: Schema | None) -> Any:
    """Replaces a null by the default."""
    if schema is None or not _means_nothing(value, schema):
        return value
    return deepcopy(schema.default.value) if schema.default else None


def parts(value: Any, schema: Schema) -> Iterator[tuple[str, Any, Schema | None]]:
    """Yields the parts of a value that a schema knows: the segment of the path, the part, and its schema."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield f"[{index}]", item, schema.item
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in schema.properties:
                yield f".{key}", item, schema.properties[key]
            elif schema.additional is not None:
                yield f"[{key}]", item, schema.additional


def list_errors(value: Any, schema: Schema | None) -> Iterator[FieldError]:
    """Yields the errors of duplicate items, in this list and in any list within the value."""
    if schema is None or schema.simple:  # simple schemas have no sets and maps
        return
    if isinstance(value, list):
        if schema.list_type == "set":
            yield from (_duplicate(value[index], index) for index in _find_repeated(value))
        elif schema.list_type == "map":
            yield from _map_errors(value, schema.list_map_keys)
    for step, item, part in parts(value, schema):
        yield from under(list_errors(item, part), step)


def _map_errors(items: list[Any], names: tuple[str, ...]) -> Iterator[FieldError]:
    wrong = next((index for index, item in enumerate(items) if not isinstance(item, dict | None)), None)
    if wrong is not None:
        detail = "must be an object for an array of list-type map"
        yield FieldError(ErrorType.INVALID, as_decoded(items[wrong]), detail, "", f"[{wrong}]")
        return
    keys = [{name: item[name] for name in sorted(names) if name in item} if item else {} for item in items]
    yield from (_duplicate(keys[index], index) for index in _find_repeated(keys))


def _duplicate(value: Any, index: int) -> FieldError:
    return FieldError(ErrorType.DUPLICATE, as_decoded(value), "", "", f"[{index}]")


def _find_repeated(items: Iterable[Any]) -> Iterator[int]:
    """Yields the index of the second occurrence of each value, but not of later ones."""
    counts: dict[Any, int] = {}
    for index, item in enumerate(items):
        key = (type(item), go_json(sort_members(item)))
        counts[key] = counts.get(key, 0) + 1
        if counts[key] == 2:
            yield index
