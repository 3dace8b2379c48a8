"""Checks of changes. They are called on updates only, for values that differ from the old ones."""

from __future__ import annotations

from typing import Any

from validation_gen.runtime.errors import ErrorType, FieldError


def immutable(value: Any) -> list[FieldError]:  # noqa: ARG001 - every value that gets here has changed
    return [FieldError(ErrorType.INVALID, None, "field is immutable", "immutable")]
