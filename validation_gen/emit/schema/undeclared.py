"""Removes the parts of a schema that the API server would refuse because of an unknown type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.diagnostics import Span
from validation_gen.emit.schema.node import Node

_UNDEFINED = re.compile(r"undefined field '([^']*)'")
# The API server makes no variable of a value without a type.
_UNTYPED = ("unable to convert structural schema to CEL declarations", "undeclared reference to 'self'")


@dataclass(frozen=True, slots=True)
class Unfit:
    """An omitted part, with the unknown type."""

    type: str
    text: str
    span: Span | None


def drop_unfit(node: Node) -> list[Unfit]:
    """Takes keywords out of a schema that the API server admits beside a type only."""
    found = []
    for each in node.nodes():
        keywords = each.keywords
        if each.lost and "type" not in keywords and keywords.pop("x-kubernetes-map-type", None):
            found.append(Unfit(each.lost, "the schema goes without the type of the map", None))
        items = each.items
        if items is not None and items.lost and not _has_keys(keywords, items):
            del keywords["x-kubernetes-list-type"]
            keywords.pop("x-kubernetes-list-map-keys", None)
            found.append(Unfit(items.lost, "the schema does not tell items by their keys", None))
    return found


def _has_keys(keywords: Mapping[str, Any], items: Node) -> bool:
    """Returns whether items have the keys of their list, if it has any."""
    if keywords.get("x-kubernetes-list-type") != "map":
        return True
    keys = keywords.get("x-kubernetes-list-map-keys", ())
    return "type" in items.keywords and all(key in items.properties for key in keys)


def cause(node: Node, error: str) -> str:
    """Returns the unknown type that prevents a rule from compiling; `""` for other causes."""
    names = _UNDEFINED.findall(error)
    if names:
        causes = [_holder(node, name) for name in names]
        return causes[0] if all(causes) else ""
    return node.lost_type() if any(text in error for text in _UNTYPED) else ""


def _holder(node: Node, name: str) -> str:
    """The type that a field of this name has; else an embedded one, which may have such a field."""
    parts = list(node.nodes())
    own = next((part for part in parts if name in part.properties and part.properties[name].lost_type()), None)
    if own is not None:
        return own.properties[name].lost_type()
    return next((part.lost for part in parts if part.lost and part.keywords.get("type") == "object"), "")
