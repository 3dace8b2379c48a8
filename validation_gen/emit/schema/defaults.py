"""Whether a schema takes a zero value, as far as its own keywords say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from validation_gen.emit.schema.node import Node

_TYPES: tuple[tuple[type, tuple[str, ...]], ...] = (
    (bool, ("boolean",)),
    (str, ("string",)),
    (int, ("integer", "number")),
    (dict, ("object",)),
)
_JUNCTORS = ("allOf", "anyOf", "not", "oneOf")


def takes(node: Node, value: str | int | bool | dict[str, Any]) -> bool:
    """Whether `""`, `0`, `False` or `{}` is surely valid. What a reference leads to is not looked at."""
    if node.required and isinstance(value, dict):
        return False
    return all(_takes(keywords, value) for keywords in (node.keywords, *node.all_of))


def _takes(keywords: Mapping[str, Any], value: str | int | bool | dict[str, Any]) -> bool:
    types = next(names for kind, names in _TYPES if isinstance(value, kind))
    if keywords.get("type", types[0]) not in types or any(junctor in keywords for junctor in _JUNCTORS):
        return False
    if "enum" in keywords and value not in keywords["enum"]:
        return False
    if isinstance(value, str):
        return not (keywords.get("minLength") or "format" in keywords) and _matches(keywords.get("pattern", ""))
    if isinstance(value, dict):
        return not keywords.get("minProperties")
    return isinstance(value, bool) or _within(keywords, value)


def _within(keywords: Mapping[str, Any], value: int) -> bool:
    low, high = keywords.get("minimum", value), keywords.get("maximum", value)
    above = low < value or (low == value and not keywords.get("exclusiveMinimum"))
    below = value < high or (value == high and not keywords.get("exclusiveMaximum"))
    return above and below


def _matches(pattern: str) -> bool:
    """Whether a pattern matches the empty text. One that only Go can read is taken not to."""
    try:
        return re.search(pattern, "") is not None
    except re.error:
        return False
