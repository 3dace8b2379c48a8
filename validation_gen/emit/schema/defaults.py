"""Defaults that a schema refuses: the API server would not take the definition, so they are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.emit.schema.node import Node


def drop_refused(node: Node) -> Iterator[Node]:
    """Removes invalid defaults from a schema. Yields the nodes that had one."""
    for each in node.nodes():
        if "default" in each.keywords and not admits(each, each.keywords["default"]):
            del each.keywords["default"]
            yield each


_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}
_BITS = {"int32": 32, "int64": 64}
_UNCLEAR = frozenset({"allOf", "anyOf", "not", "oneOf"})


def default_is_valid(node: Node, zero: str | int | bool | dict[str, Any]) -> bool:
    """Returns whether an implicit zero value is certainly valid: constraints that `admits` skips count as obstacles.

    Targets of references and the CEL rules of an object are not evaluated.
    """
    if node.refuses_default or (node.not_empty and zero == "") or (node.required and isinstance(zero, dict)):
        return False
    return all(_surely_admits(keywords, zero) for keywords in (node.keywords, *node.all_of))


def _surely_admits(keywords: Mapping[str, Any], zero: str | int | bool | dict[str, Any]) -> bool:
    types = _TYPES.get(str(keywords.get("type")), (object,))
    if not isinstance(zero, types) or (isinstance(zero, bool) and not {bool, object} & set(types)):
        return False
    if _UNCLEAR & keywords.keys() or not _matches(keywords.get("pattern"), zero, unreadable=False):
        return False
    exclusive = any(keywords.get(f"exclusive{bound}") for bound in ("Minimum", "Maximum"))
    if exclusive and zero in (keywords.get("minimum"), keywords.get("maximum")):
        return False
    return not (isinstance(zero, str) and "format" in keywords) and admits(Node(dict(keywords)), zero)


def admits(node: Node, value: Any) -> bool:
    """Returns whether a value is valid, without evaluating rules.

    CEL rules from tags do not affect texts, numbers and booleans: failing ones were recorded in `refuses_default`. For
    objects and lists that is unknown, so any such rule excludes them. Handwritten CEL rules next to a default are
    assumed to agree with it.
    """
    keywords = node.keywords
    if (
        node.refuses_default
        or (node.not_empty and value in ("", []))
        or ("enum" in keywords and value not in keywords["enum"])
    ):
        return False
    match value:
        case bool() | None:
            return True
        case str():
            fits = keywords.get("minLength", 0) <= len(value) <= keywords.get("maxLength", len(value))
            # A pattern that Python cannot read is left to the API server.
            return fits and _matches(keywords.get("pattern"), value, unreadable=True)
        case int() | float():
            bits = _BITS.get(str(keywords.get("format")), 0)
            fits = not bits or -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)
            return fits and bool(keywords.get("minimum", value) <= value <= keywords.get("maximum", value))
        case dict():
            parts = ((node.properties.get(name, node.values), part) for name, part in value.items())
            return (
                not any(rule.tag for rule in node.rules)
                and node.required <= value.keys()
                and keywords.get("minProperties", 0) <= len(value) <= keywords.get("maxProperties", len(value))
                and all(part is None or admits(part, inner) for part, inner in parts)
            )
        case list():
            return (
                not any(rule.tag for rule in node.rules)
                and keywords.get("minItems", 0) <= len(value) <= keywords.get("maxItems", len(value))
                and all(node.items is None or admits(node.items, item) for item in value)
            )
    return True


def _matches(pattern: str | None, value: object, *, unreadable: bool) -> bool:
    """Returns whether a value is no text or matches a pattern; `unreadable` if Python cannot read the pattern."""
    try:
        return pattern is None or not isinstance(value, str) or re.search(pattern, value) is not None
    except re.error:
        return unreadable
