"""Decoded JSON: copies, equality, and validity; and the errors of declarations and of objects that cannot be converted.

Nothing here goes deeper than `DEEPEST`.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

#: Greatest length of an exception's text, and least length of a value that is hidden.
_LONGEST_TEXT, _SHORT = 500, 4
_NOT_THEIRS = (f"{Path(__file__).parents[2]}{os.sep}", str(Path(os.__file__).parent), "<")


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
    """Returns the beginning of a text without some values, even if the end of the cut is inside one."""
    hidden: list[tuple[int, int]] = []
    for value in values:
        start = text.find(value, 0, _LONGEST_TEXT + len(value))
        while start >= 0:
            hidden.append((start, start + len(value)))
            start = text.find(value, start + len(value), _LONGEST_TEXT + len(value))
    shown, end = "", 0
    for first, last in sorted(hidden):
        if first >= end:
            shown += f"{text[end:first]}…"
        end = max(end, last)
    return shown + text[end:_LONGEST_TEXT]


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


#: Greatest nesting depth of objects and lists, within the limit of Python's own encoder.
DEEPEST = 400
_LONGEST = 200


class _Absent:
    """Marker of an absent value, where null is a value."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


def check_depth(value: Any, what: str) -> None:
    """Refuses a value that is nested too deeply."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [part for each in level for part in _parts(each) if isinstance(part, dict | list)]
        if not level:
            return
    raise ConversionError(f"{what} has more than {DEEPEST} objects and lists in one another")


def _parts(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def copy_value(value: Any) -> Any:
    """Returns a copy that shares nothing mutable."""
    if isinstance(value, dict):
        return {name: copy_value(item) for name, item in value.items()}
    return [copy_value(item) for item in value] if isinstance(value, list) else value


def same(one: Any, other: Any) -> bool:
    """Returns whether two values are the same JSON: `true` is not 1."""
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def digest(value: Any) -> str:
    """Returns a short hash of a value, which is the same for the same JSON."""
    return compute_digest(digest_text(value))


def digest_text(value: Any) -> str:
    """Returns the text that a digest is made of."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


def compute_digest(text: str) -> str:
    """Returns the digest of a value as text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    """Converts whole numbers to integers, as servers write them."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def not_json(value: Any) -> str:
    """Returns the part of a value that is not JSON, and its path; empty if there is none."""
    waiting = [("", value)]
    while waiting:
        path, each = waiting.pop()
        if isinstance(each, dict):
            for name, item in each.items():
                if not isinstance(name, str):
                    return f"{path or 'the object'} has a key that is not a string: {name!r:.80}"
                waiting.append((f"{path}.{name}".removeprefix("."), item))
        elif isinstance(each, list):
            waiting += [(f"{path}[{index}]", item) for index, item in enumerate(each)]
        elif isinstance(each, float) and not math.isfinite(each):
            return f"{path} is {each}, which JSON cannot say"
        elif not isinstance(each, str | int | float | bool | None):
            return f"{path or 'the object'} is of the Python type {type(each).__name__:.80}"
    return ""


def render_value(value: Any) -> str:
    """Formats a value for people, shortened."""
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
