"""Validation options (tag reference 2.4)."""

from __future__ import annotations

from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote

__all__ = ["undefined_option"]


def undefined_option(name: str) -> list[FieldError]:
    return [FieldError(ErrorType.INTERNAL, {}, f"undefined validation option {go_quote(name)}")]
