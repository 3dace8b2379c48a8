"""Implementations of CEL functions, by library of cel-go and of the API server.

Each function takes and returns Python values (see `values`), and raises `EvaluationError` with upstream's text. None
knows a type of an expression, or a cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from validation_gen.kubernetes.cel.values import EvaluationError


def accepts(parse: Callable[..., object]) -> Callable[..., bool]:
    """Returns a function that checks whether a parser accepts a text."""

    def is_accepted(*args: object) -> bool:
        try:
            parse(*args)
        except EvaluationError:
            return False
        return True

    return is_accepted


def compare(left: Any, right: Any) -> int:
    """Returns -1, 0 or 1, as the left value is less than, equal to or greater than the right one."""
    return int(left > right) - int(left < right)
