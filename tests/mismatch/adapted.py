"""How tests read errors that adapters make."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from validation_gen.mismatch.adapters import adapt
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.operation import Operation


def told(error: FieldError) -> tuple[str, str, str]:
    """Path, type and origin of an error, `?` for what it does not tell."""
    return (
        "?" if Mark.ANY_FIELD in error.marks else error.field,
        "?" if Mark.ANY_TYPE in error.marks else error.type.value.removeprefix("FieldValue"),
        "?" if Mark.ANY_ORIGIN in error.marks else error.origin,
    )


def ask(function: Any, obj: Any = None, old: Any = None, **options: Any) -> list[FieldError]:
    """What an adapted function says of an object; of an update if there is an old one."""
    adapted = adapt(function, **options)
    found = adapted(obj, old, Operation({"Gate": True}, update=old is not None))
    errors: list[FieldError] = asyncio.run(found) if inspect.iscoroutinefunction(adapted) else found
    return errors


def asked(function: Any, obj: Any = None, **options: Any) -> list[tuple[str, str, str]]:
    return [told(error) for error in ask(function, obj, **options)]
