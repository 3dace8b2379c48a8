"""Decoded JSON: copies, equality, and validity. Nothing here goes deeper than `DEEPEST`."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from validation_gen.conversions.errors import ConversionError

#: Greatest nesting depth of objects and lists, within the limit of Python's own encoder.
DEEPEST = 400
_LONGEST = 200
_PLAIN = frozenset((str, int, float, bool, type(None)))


class _Absent:
    """Marker of an absent value, where null is a value."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


def check_depth(value: Any, what: str) -> None:
    """Refuses a value that is nested too deeply.

    Raises:
        ConversionError: it is.
    """
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [part for each in level for part in _parts(each) if isinstance(part, dict | list)]
        if not level:
            return
    raise ConversionError(f"{what} has more than {DEEPEST} objects and lists in one another")


def _parts(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def copied(value: Any) -> Any:
    """Returns a copy that shares nothing mutable."""
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def same(one: Any, other: Any) -> bool:
    """Returns whether two values are the same JSON: `true` is not 1."""
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def digest(value: Any) -> str:
    """Returns a short hash of a value: the same JSON has the same one."""
    return compute_digest(digested(value))


def digested(value: Any) -> str:
    """Returns the text that a digest is made of."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


def compute_digest(text: str) -> str:
    """Returns the digest of such a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    """Converts whole numbers to integers, as servers write them."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def not_json(value: Any) -> str:
    """Returns the part of a value that is no JSON, and its path; empty if there is none."""
    return "" if _is_json(value) else _no_json(value)


def _is_json(value: Any) -> bool:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            if not all(type(name) is str for name in each):
                return False
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
        elif type(each) not in _PLAIN or (isinstance(each, float) and not math.isfinite(each)):
            return False
    return True


def _no_json(value: Any) -> str:
    waiting = [("", value)]
    while waiting:
        path, each = waiting.pop()
        if isinstance(each, dict):
            for name, item in each.items():
                if not isinstance(name, str):
                    return f"{path or 'the object'} has a key that is no text: {name!r:.80}"
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
