"""Generates texts that match a regular expression: a few short ones, from Python's parse of it.

Callers have to validate the texts: Go reads some expressions differently.
"""

from __future__ import annotations

import importlib
import itertools
import re
import string
from collections.abc import Iterator
from typing import Any

#: Maximum repetitions, unless more are required, and maximum length of a text.
_REPEATS, _LONGEST = 3, 400
_TRIES = 6
_USUAL = string.ascii_lowercase + string.ascii_uppercase + string.digits + "-_./: @"
_CATEGORIES = {"CATEGORY_DIGIT": "1", "CATEGORY_WORD": "a", "CATEGORY_SPACE": " "}
_OUTSIDE = {"CATEGORY_NOT_DIGIT": "a", "CATEGORY_NOT_WORD": "-", "CATEGORY_NOT_SPACE": "a"}


def texts_of(pattern: str) -> Iterator[str]:
    """Yields texts for an expression, without duplicates; none if it cannot be parsed."""
    try:
        parser: Any = importlib.import_module("re._parser" if hasattr(re, "_parser") else "sre_parse")
        tree = parser.parse(pattern)
    except (re.error, ImportError, RecursionError, OverflowError, ValueError):
        return
    seen: set[str] = set()
    for turn in range(_TRIES):
        try:
            text = _text(tree, itertools.count(turn), turn)
        except RecursionError:
            return
        if len(text) <= _LONGEST and text not in seen:
            seen.add(text)
            yield text


def _text(tree: Any, counter: Iterator[int], turn: int) -> str:
    return "".join(_part(str(kind), value, counter, turn) for kind, value in tree)


def _part(kind: str, value: Any, counter: Iterator[int], turn: int) -> str:
    match kind:
        case "LITERAL":
            return chr(value)
        case "NOT_LITERAL":
            return next(char for char in _USUAL if ord(char) != value)
        case "ANY":
            return "a"
        case "IN":
            return _one_of(value, next(counter))
        case "BRANCH":
            branches = value[1]
            return _text(branches[next(counter) % len(branches)], counter, turn)
        case "SUBPATTERN":
            return _text(value[-1], counter, turn)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, inside = value
            times = min(int(most), max(int(least), min(turn, _REPEATS)))
            return "".join(_text(inside, counter, turn) for _ in range(min(times, _LONGEST)))
    return ""  # matches between characters


def _one_of(items: Any, number: int) -> str:
    """Returns one character of a set, another one for another number."""
    if str(items[0][0]) == "NEGATE":
        return next((char for char in _USUAL if not any(_has(item, char) for item in items[1:])), "~")
    kind, value = items[number % len(items)]
    match str(kind):
        case "LITERAL":
            return chr(value)
        case "RANGE":
            low, high = value
            return chr(low + number % (high - low + 1))
    return {**_CATEGORIES, **_OUTSIDE}.get(str(value), "a")


def _has(item: Any, char: str) -> bool:
    kind, value = item
    match str(kind):
        case "LITERAL":
            return bool(ord(char) == value)
        case "RANGE":
            return bool(value[0] <= ord(char) <= value[1])
    tests = {"CATEGORY_DIGIT": char.isdigit(), "CATEGORY_WORD": char.isalnum() or char == "_"}
    return tests.get(str(value), char.isspace())
