"""The object that kubectl sends: a manifest over the object that the server has.

What the manifest says is laid over the old object, and what the last manifest said and this one does not is taken away.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def merged(new: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    """The object that kubectl sends: the manifest over the old object, without what the last manifest had alone."""
    before = _last_applied(old)
    metadata = new.get("metadata")
    if isinstance(metadata, dict):
        # What kubectl sends has annotations always, as it writes one itself: those of others stay.
        new = {**new, "metadata": {**metadata, "annotations": metadata.get("annotations") or {}}}
    found: dict[str, Any] = _merged(new, old, before if isinstance(before, dict) else {})
    if isinstance(metadata, dict) and not found["metadata"].get("annotations"):
        found["metadata"].pop("annotations", None)
    return found


def _last_applied(old: dict[str, Any]) -> Any:
    metadata = old.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    text = annotations.get(_LAST_APPLIED) if isinstance(annotations, dict) else None
    try:
        return json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _merged(new: dict[str, Any], old: dict[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in old.items() if name in new or name not in before}
    for name, value in new.items():
        current, last = found.get(name), before.get(name)
        if isinstance(value, dict) and isinstance(current, dict):
            found[name] = _merged(value, current, last if isinstance(last, dict) else {})
        elif value is None:
            found.pop(name, None)  # a merge patch takes away what is null
        else:
            found[name] = value
    return found
