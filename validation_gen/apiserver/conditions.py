"""Conditions in the status of objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def make_condition(kind: str, *, holds: bool, stamp: str, reason: str, message: str) -> dict[str, Any]:
    """Returns a condition; `stamp` is the time of its last change."""
    return {
        "type": kind,
        "status": "True" if holds else "False",
        "lastTransitionTime": stamp,
        "reason": reason,
        "message": message,
    }


def find_condition(obj: Mapping[str, Any], kind: str) -> dict[str, Any] | None:
    """Returns a condition of an object, None if it has none of this type."""
    for condition in (obj.get("status") or {}).get("conditions") or ():
        if condition.get("type") == kind:
            found: dict[str, Any] = condition
            return found
    return None


def condition_is_true(obj: Mapping[str, Any], kind: str) -> bool:
    """Returns whether a condition of an object holds."""
    condition = find_condition(obj, kind)
    return condition is not None and condition.get("status") == "True"


def with_conditions(obj: Mapping[str, Any], *conditions: dict[str, Any]) -> dict[str, Any]:
    """Returns an object with some conditions replaced by type. A condition with an unchanged status keeps its time."""
    status = dict(obj.get("status") or {})
    found = list(status.get("conditions") or [])
    for condition in conditions:
        for index, each in enumerate(found):
            if each.get("type") == condition["type"]:
                known = each.get("lastTransitionTime") if each.get("status") == condition["status"] else None
                found[index] = {**condition, "lastTransitionTime": known or condition["lastTransitionTime"]}
                break
        else:
            found.append(condition)
    status["conditions"] = found
    return {**obj, "status": status}
