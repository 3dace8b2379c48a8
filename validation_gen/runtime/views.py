"""Inlined structs as views on the object around them: Go decodes their members from the same JSON object."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def without(obj: dict[str, Any] | None, names: Collection[str]) -> dict[str, Any] | None:
    """Returns the object as an inlined struct sees it: without names that belong to an outer or sibling struct."""
    return None if obj is None else {name: value for name, value in obj.items() if name not in names}


def inlined(obj: dict[str, Any] | None, names: Collection[str]) -> dict[str, Any] | None:
    """Returns an inlined pointer: nil unless one of the struct's own names is there."""
    return obj if obj is not None and any(name in obj for name in names) else None
