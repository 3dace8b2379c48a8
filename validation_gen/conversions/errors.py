"""Errors of conversions: a wrong declaration, and an object that cannot be converted."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

#: Greatest length of an exception's text, and least length of a value that is hidden.
_LONGEST, _SHORT = 500, 4
_NOT_THEIRS = (f"{Path(__file__).parent.parent}{os.sep}", str(Path(os.__file__).parent), "<")


class DeclarationError(ValueError):
    """An invalid conversion. It is raised at its declaration; the text has the correction."""


class ConversionError(ValueError):
    """An object that cannot be converted. The text has the reason.

    Functions raise it with a text for the client. For other exceptions it has their class; `__cause__` is the
    exception.
    """


def find_cause(problem: BaseException) -> BaseException | None:
    """Returns the exception of a user's function behind an error, if there is one."""
    cause: BaseException | None = problem
    while isinstance(cause, ConversionError):
        cause = cause.__cause__
    return cause


def find_line(problem: BaseException) -> str:
    """Returns the file name and line at which a user's function raised; empty for other code.

    Directories are left out, as strangers may read it.
    """
    found = ""
    for frame, line in traceback.walk_tb(problem.__traceback__):
        file = frame.f_code.co_filename
        if not file.startswith(_NOT_THEIRS) and "site-packages" not in file:
            found = f"{os.path.basename(file)}:{line}"  # noqa: PTH119 - of a name that need not be a path
    return found


def describe(problem: BaseException, obj: Any) -> str:
    """Returns the class and the text of an exception in one line, without the values of its object."""
    try:
        text = " ".join(str(problem).split())
    except Exception:  # the user's code makes the text
        text = ""
    shown = _without(text, _leaves(obj))
    return f"{type(problem).__name__}{f': {shown}' if shown else ''}"


def _without(text: str, values: Iterable[str]) -> str:
    """Returns the beginning of a text without some values, also where the end would cut one."""
    hidden: list[tuple[int, int]] = []
    for value in values:
        start = text.find(value, 0, _LONGEST + len(value))
        while start >= 0:
            hidden.append((start, start + len(value)))
            start = text.find(value, start + len(value), _LONGEST + len(value))
    shown, end = "", 0
    for first, last in sorted(hidden):
        if first >= end:
            shown += f"{text[end:first]}…"
        end = max(end, last)
    return shown + text[end:_LONGEST]


def _leaves(obj: Any) -> set[str]:
    """Returns the texts and numbers in an object in the form of messages; short ones only with their quotes."""
    found: set[str] = set()
    waiting = [obj]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and value:
            found.add(repr(value))
            found.update({value, " ".join(value.split())} if len(value) >= _SHORT else ())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found.update({str(value)} if len(str(value)) >= _SHORT else ())
    return found - {""}
