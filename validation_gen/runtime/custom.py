"""Calls handwritten checks from generated ones.

A function takes the value, the old value (`None` when there is none) and the request, and returns a list of
`FieldError` with paths relative to the value. Values are decoded JSON; `None` is an absent value. Where an object has
values of the wrong type, a function may be called a second time, with replacements for these values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.operation import Operation

Function = Callable[[Any, Any, Operation], Any]


def run(value: Any, old: Any, function: Function, op: Operation) -> list[FieldError] | None:
    """Calls a handwritten function. Its exceptions and invalid results become internal errors."""
    try:
        found = function(value, old, op)
        errors = list(found or ())
        if all(isinstance(error, FieldError) for error in errors):
            return errors or None
        detail = f"{function.__name__} must return a list of FieldError"
    except Exception as error:
        detail = f"panic during declarative validation: {error}"
    return [FieldError(ErrorType.INTERNAL, {}, detail).marked(Mark.PANIC)]
