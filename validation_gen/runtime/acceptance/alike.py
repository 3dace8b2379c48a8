"""Checks whose errors are alike: of all values that fail they say the same, and show at most the value or its length.

Native code makes such an error by copying one that a check has made and functions have reported. Whether the check
fails it finds out by itself, as it does when it walks a table. There is one entry for such a check, and none is needed:
a check that has none is asked each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.runtime import checks
from validation_gen.runtime.acceptance.nodes import LEAST, MOST
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.native import accept

_CODE: Any = accept

#: When a check fails, by its first operand if it has any, and what its error shows.
_ALIKE: dict[Any, tuple[str, str]] = {
    checks.enum: ("FAILS_UNLISTED", "SHOWS_VALUE"),
    checks.forbidden: ("FAILS_SET", "SHOWS_SAME"),
    checks.max_bytes: ("FAILS_MORE_BYTES", "SHOWS_SAME"),
    checks.max_items: ("FAILS_LONGER", "SHOWS_LENGTH"),
    checks.max_length: ("FAILS_LONGER", "SHOWS_SAME"),
    checks.max_properties: ("FAILS_LONGER", "SHOWS_LENGTH"),
    checks.maximum: ("FAILS_ABOVE", "SHOWS_VALUE"),
    checks.min_items: ("FAILS_SHORTER", "SHOWS_LENGTH"),
    checks.min_length: ("FAILS_SHORTER", "SHOWS_VALUE"),
    checks.min_properties: ("FAILS_SHORTER", "SHOWS_LENGTH"),
    checks.minimum: ("FAILS_BELOW", "SHOWS_VALUE"),
    checks.required: ("FAILS_UNSET", "SHOWS_SAME"),
    checks.unset: ("FAILS_UNSET", "SHOWS_SAME"),
}


def test_of(check: Any, operands: tuple[Any, ...]) -> tuple[int, Any] | None:
    """How native code finds out whether a check fails: what it looks for, and a limit or the values that are right.

    `None` where the check is asked.
    """
    if check not in _ALIKE:
        return None
    kind, _ = _ALIKE[check]
    operand = operands[0] if operands else 0
    fits = type(operand) is dict if kind == "FAILS_UNLISTED" else type(operand) is int and LEAST <= operand <= MOST
    return (getattr(_CODE, kind), operand) if fits else None


def shown_by(check: Any, errors: Sequence[FieldError], value: Any, *, gone: bool) -> int | None:
    """What the error of a check shows that is about a value, if all that it says is like that.

    Of a member that is gone each check says the same, as the value is.
    """
    if len(errors) != 1 or errors[0].segments or not (gone or check in _ALIKE):
        return None
    shown = errors[0].bad_value
    shows = "SHOWS_SAME" if gone else _ALIKE[check][1]
    if shows == "SHOWS_VALUE":
        fits = shown is value
    elif shows == "SHOWS_LENGTH":
        fits = type(shown) is int and shown == len(value)
    else:
        fits = shown is None or isinstance(shown, str | int)
    return getattr(_CODE, shows) if fits else None


def is_same_each_time(shows: int) -> bool:
    """Whether what an error shows does not depend on the value."""
    return bool(shows == _CODE.SHOWS_SAME)
