"""Checks of changes. They are called on updates only, for values that differ from the old ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from validation_gen.runtime import texts
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotime import INTEGER_TEXTS
from validation_gen.runtime.items import Items

__all__ = ["immutable", "monotonic", "update_list", "update_map", "update_pointer", "update_struct", "update_value"]


def immutable(value: Any) -> list[FieldError] | None:  # noqa: ARG001 - every value that gets here has changed
    return [FieldError(ErrorType.INVALID, None, texts.IMMUTABLE, "immutable")]


def monotonic(value: int | None, old: int | None, type: str = "") -> list[FieldError] | None:
    """Reports a number less than the old one. `type` is a Go type whose numbers print differently."""
    if value is None or old is None or value >= old:
        return None
    shown = INTEGER_TEXTS[type](old) if type else old
    return [FieldError(ErrorType.INVALID, value, f"may not be decreased from {shown}", "monotonic")]


def _transition(constraints: Iterable[str], was: bool, is_set: bool) -> list[FieldError]:
    """Reports the constraints that a step from `was` set to `is_set` breaks; NoModify means set before and after."""
    broken = {"NoSet": is_set and not was, "NoUnset": was and not is_set, "NoModify": was and is_set}
    details = [texts.TRANSITIONS[name] for name in constraints if broken.get(name)]
    return [FieldError(ErrorType.INVALID, None, detail, "update") for detail in details]


def update_value(value: Any, old: Any, constraints: Sequence[str]) -> list[FieldError] | None:
    """Checks a plain value, set when it is not zero. Without an old value there is no transition."""
    return None if old is None else _transition(constraints, bool(old), bool(value)) or None


def update_pointer(value: Any, old: Any, constraints: Sequence[str]) -> list[FieldError] | None:
    """Checks a pointer, set when it is not null; a missing old value counts as unset."""
    return _transition(constraints, old is not None, value is not None) or None


def update_struct(value: Any, known: bool, constraints: Sequence[str]) -> list[FieldError] | None:  # noqa: ARG001
    """Checks a struct by value, which is always set. `known`: there is an old value."""
    return _transition(constraints, True, True) or None if known else None


def update_list(
    value: Sequence[Any] | None, old: Sequence[Any] | None, constraints: Sequence[str], items: Items | None = None
) -> list[FieldError] | None:
    """Checks a list, set when it has items. `items` identifies the items, where none may be added or removed."""
    value, old = value or (), old or ()
    errors = _transition(constraints, bool(old), bool(value))
    if items is not None and "NoAddItem" in constraints:
        find = items.finder(old)
        errors += [
            FieldError(ErrorType.FORBIDDEN, "", texts.NO_NEW_ITEM, "update", f"[{i}]")
            for i, item in enumerate(value)
            if not items.is_nil(item) and find(item) is None
        ]
    if items is not None and "NoRemoveItem" in constraints:
        find = items.finder(value)
        errors += [
            FieldError(ErrorType.FORBIDDEN, "", texts.NO_LOST_ITEM, "update")
            for item in old
            if not items.is_nil(item) and find(item) is None
        ]
    return errors or None


def update_map(
    value: Mapping[str, Any] | None, old: Mapping[str, Any] | None, constraints: Sequence[str]
) -> list[FieldError] | None:
    """Checks a map, set when it has keys."""
    value, old = value or {}, old or {}
    errors = _transition(constraints, bool(old), bool(value))
    for constraint, here, there, detail in (
        ("NoAddItem", value, old, texts.NO_NEW_ITEM),
        ("NoRemoveItem", old, value, texts.NO_LOST_ITEM),
    ):
        if constraint in constraints:
            errors += [
                FieldError(ErrorType.FORBIDDEN, "", detail, "update", f"[{key}]") for key in here if key not in there
            ]
    return errors or None
