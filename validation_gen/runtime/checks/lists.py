"""Checks of a list as a whole (tag reference 2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.runtime import texts
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.items import Items, Selector
from validation_gen.runtime.shapes import Pointer

__all__ = ["no_nulls", "required_item", "unique"]


def no_nulls(value: Sequence[Any] | None) -> list[FieldError] | None:
    if value is None or None not in value:
        return None
    return [FieldError(ErrorType.REQUIRED, "", "", "", f"[{i}]") for i, item in enumerate(value) if item is None]


def required_item(value: Sequence[Any] | None, selector: Selector, text: str) -> list[FieldError] | None:
    """Reports a list without a matching item. `text` is the selector in messages."""
    if selector.find(value, pointers=False)[0] >= 0:
        return None
    return [FieldError(ErrorType.REQUIRED, "", texts.required_item(text))]


def unique(value: Sequence[Any] | None, items: Items) -> list[FieldError] | None:
    """Reports each item that equals an earlier one, once."""
    if value is None or len(value) < 2:
        return None
    as_json = True if isinstance(items.shape, Pointer) else None  # otherwise decided by the rule
    return [
        FieldError(ErrorType.DUPLICATE, items.shape.encoded(value[i]), "", "", f"[{i}]", json_string=as_json)
        for i in items.duplicates(value)
    ] or None
