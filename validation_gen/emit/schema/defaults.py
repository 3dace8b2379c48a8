"""Defaults that a schema refuses: the API server would not take the definition, so they are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from validation_gen.emit.schema.node import Node


def drop_refused(node: Node) -> Iterator[Node]:
    """Takes defaults that are not valid out of a schema. Gives the nodes that have lost theirs."""
    for each in node.nodes():
        if "default" in each.keywords and not admits(each, each.keywords["default"]):
            del each.keywords["default"]
            yield each


def surely_admits(node: Node, value: Any) -> bool:
    """Whether a value is valid, also by what `admits` passes over. What a reference leads to is not looked at."""
    parts = (node.keywords, *node.all_of)
    unclear = any(word in part for part in parts for word in ("allOf", "anyOf", "not", "oneOf", "format"))
    typed = any(isinstance(value, kind) for kind in _TYPES.get(str(node.keywords.get("type")), (object,)))
    if unclear and not (isinstance(value, int) and node.keywords.get("format") in ("int32", "int64")):
        return False
    return typed and all(admits(Node(part), value) for part in node.all_of) and admits(node, value)


_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}


def admits(node: Node, value: Any) -> bool:
    """Whether a value is valid, as far as can be seen without evaluating rules.

    Rules that tags have put there are no obstacle to texts, numbers and truths: those that fail are noted in
    `refuses_default` when they are made. Of objects and lists it is not known, so that any rule rules them out.
    """
    keywords = node.keywords
    if node.refuses_default or ("enum" in keywords and value not in keywords["enum"]):
        return False
    match value:
        case bool() | None:
            return True
        case str():
            fits = keywords.get("minLength", 0) <= len(value) <= keywords.get("maxLength", len(value))
            return fits and _matches(keywords.get("pattern"), value)
        case int() | float():
            return bool(keywords.get("minimum", value) <= value <= keywords.get("maximum", value))
        case dict():
            parts = ((node.properties.get(name, node.values), part) for name, part in value.items())
            return (
                not node.rules
                and node.required <= value.keys()
                and keywords.get("minProperties", 0) <= len(value) <= keywords.get("maxProperties", len(value))
                and all(part is None or admits(part, inner) for part, inner in parts)
            )
        case list():
            return (
                not node.rules
                and keywords.get("minItems", 0) <= len(value) <= keywords.get("maxItems", len(value))
                and all(node.items is None or admits(node.items, item) for item in value)
            )
    return True


def _matches(pattern: str | None, value: str) -> bool:
    """Whether a text matches; a pattern that Python cannot read is left to the API server."""
    try:
        return pattern is None or re.search(pattern, value) is not None
    except re.error:
        return True
