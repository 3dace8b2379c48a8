"""Computes the maximum sizes of values that a policy accepts, as limits in a schema.

Larger values are refused by one rule or another: so implied limits count as well as explicit ones. A text that matches
`[a-f]{8}` has at most 8 characters, and a set of enum values has at most as many items as the enum.
"""

from __future__ import annotations

import re
from typing import Any

try:
    from re import _parser as parsing  # a private module of Python
except ImportError:  # Python 3.10
    import sre_parse as parsing

#: A longer text is as good as one without a limit.
_LONGEST = 1 << 20


def limited(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with the limits that its other keywords imply."""
    found = dict(schema)
    match found.get("type"):
        case "string":
            _limit_text(found)
        case "array":
            items = found.get("items")
            if isinstance(items, dict):
                found["items"] = limited(items)
                _limit_list(found, found["items"])
        case "object":
            if isinstance(found.get("properties"), dict):
                found["properties"] = {name: limited(part) for name, part in found["properties"].items()}
            if isinstance(found.get("additionalProperties"), dict):
                found["additionalProperties"] = limited(found["additionalProperties"])
    return found


def _limit_text(schema: dict[str, Any]) -> None:
    patterns = [schema.get("pattern"), *(part.get("pattern") for part in schema.get("allOf") or ())]
    longest = [most for pattern in patterns if isinstance(pattern, str) and (most := _longest(pattern)) is not None]
    if longest:
        schema["maxLength"] = min([*longest, schema.get("maxLength", _LONGEST)])


def _longest(pattern: str) -> int | None:
    """The most characters of a text that matches as a whole; `None` if that is not known."""
    if not pattern.startswith("^") or not pattern.endswith("$") or pattern.endswith("\\$"):
        return None
    try:
        parsed = parsing.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return None
    if any(str(operation) == "BRANCH" for operation, _ in parsed.data):
        return None  # one way may have no anchor
    most = int(parsed.getwidth()[1])
    return most if most < _LONGEST else None


def _limit_list(schema: dict[str, Any], items: dict[str, Any]) -> None:
    values = items.get("enum")
    if schema.get("x-kubernetes-list-type") == "set" and isinstance(values, list):
        schema["maxItems"] = min(len(values), schema.get("maxItems", len(values)))
