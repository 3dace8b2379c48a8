"""Checks with a fixed result (tag reference 2.8)."""

from __future__ import annotations

from typing import Any

from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.shapes import Shape, Wire

__all__ = ["always_fails", "never_fails"]


def always_fails(value: Any, text: str, shape: Shape) -> list[FieldError] | None:
    """Reports every value."""
    detail = f"forced failure: {text}"
    # Go passes a pointer here, and what a pointer points to is printed as JSON.
    # A type with a JSON form of its own is never nil here, other values are when they are behind a pointer.
    bad = None if value is None and not isinstance(shape, Wire) else shape.encoded(value)
    return [FieldError(ErrorType.INVALID, bad, detail, "validateFalse", json_string=True)]


def never_fails(value: Any, text: str, shape: Shape) -> list[FieldError] | None:  # noqa: ARG001 - one form for both
    """Accepts every value."""
    return None
