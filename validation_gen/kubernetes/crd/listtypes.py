"""Uniqueness of the items of sets and maps.

Follows `pkg/apiserver/schema/listtype` of `k8s.io/apiextensions-apiserver`. Paths are relative to the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from validation_gen.kubernetes.crd.place import as_decoded
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_json


def list_errors(value: Any, schema: Schema | None) -> Iterator[FieldError]:
    """Yields the errors of duplicate items, in this list and in any list within the value."""
    if schema is None or schema.simple:  # simple schemas have no sets and maps
        return
    if isinstance(value, list):
        if schema.list_type == "set":
            yield from (_duplicate(value[index], index) for index in _again(value))
        elif schema.list_type == "map":
            yield from _map_errors(value, schema.list_map_keys)
        for index, item in enumerate(value):
            yield from _below(list_errors(item, schema.item), f"[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _below(list_errors(item, schema.additional), f"[{key}]")
            yield from _below(list_errors(item, schema.properties.get(key)), f".{key}")


def _below(errors: Iterator[FieldError], segment: str) -> Iterator[FieldError]:
    for error in errors:
        error.segments.append(segment)
        yield error


def _map_errors(items: list[Any], names: tuple[str, ...]) -> Iterator[FieldError]:
    wrong = next((index for index, item in enumerate(items) if not isinstance(item, dict | None)), None)
    if wrong is not None:
        detail = "must be an object for an array of list-type map"
        yield FieldError(ErrorType.INVALID, as_decoded(items[wrong]), detail, "", f"[{wrong}]")
        return
    keys = [{name: item[name] for name in sorted(names) if name in item} if item else {} for item in items]
    yield from (_duplicate(keys[index], index) for index in _again(keys))


def _duplicate(value: Any, index: int) -> FieldError:
    return FieldError(ErrorType.DUPLICATE, as_decoded(value), "", "", f"[{index}]")


def _again(items: Iterable[Any]) -> Iterator[int]:
    """Yields the indices at which values occur for the second time; a third one is skipped."""
    counts: dict[Any, int] = {}
    for index, item in enumerate(items):
        key = (type(item), go_json(_ordered(item)))
        counts[key] = counts.get(key, 0) + 1
        if counts[key] == 2:
            yield index


def _ordered(value: Any) -> Any:
    """Sorts the keys of objects, as Go writes them."""
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, list) else value
