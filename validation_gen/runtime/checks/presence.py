"""Checks of presence (tag reference 2.1). A pointer is unset when null, other values when zero or empty."""

from __future__ import annotations

from typing import Any

from validation_gen.runtime.errors import ErrorType, FieldError

__all__ = ["forbidden", "forbidden_pointer", "required", "required_pointer", "unset", "unset_pointer"]


def required(value: Any) -> list[FieldError] | None:
    return None if value else [FieldError(ErrorType.REQUIRED)]


def required_pointer(value: Any) -> list[FieldError] | None:
    return [FieldError(ErrorType.REQUIRED)] if value is None else None


def forbidden(value: Any) -> list[FieldError] | None:
    return [FieldError(ErrorType.FORBIDDEN)] if value else None


def forbidden_pointer(value: Any) -> list[FieldError] | None:
    return None if value is None else [FieldError(ErrorType.FORBIDDEN)]


def unset(value: Any) -> bool:
    """Returns whether a value is unset. Its other checks are skipped then."""
    return not value


def unset_pointer(value: Any) -> bool:
    return value is None
