"""Metadata that a function may change: no part of its identity, and no field of the server."""

from __future__ import annotations

from typing import Any

from validation_gen.webhooks.patches import identical

#: Fields of metadata that may change.
FREE = frozenset({"annotations", "finalizers", "labels", "ownerReferences"})


def changed_metadata(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Returns the first protected field of an object's type or metadata that has changed; empty if there is none."""
    for name in ("apiVersion", "kind"):
        if not identical(old.get(name), new.get(name)):
            return name
    before, after = old.get("metadata"), new.get("metadata")
    before = {} if before is None else before
    after = {} if after is None else after
    if not isinstance(before, dict) or not isinstance(after, dict):
        return "" if identical(before, after) else "metadata"
    for name in sorted(before.keys() | after.keys(), key=str):
        if name not in FREE and not identical(before.get(name), after.get(name)):
            return f"metadata.{name}"
    return ""
