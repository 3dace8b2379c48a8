"""Contents that all formats of a report show: numbers in the same words, and the details of a group of mismatches.

The formats lay them out. Each escapes texts of objects, tags and messages in its own way, after `visible`.
"""

from __future__ import annotations

import hashlib
import operator
import re
from dataclasses import astuple, dataclass, replace
from typing import Any

from validation_gen.commands.compare.groups import Group
from validation_gen.diagnostics.formats import one_line as visible
from validation_gen.diagnostics.formats import short
from validation_gen.kubernetes.positions import ValueKeys, find_path
from validation_gen.mismatch.expected import general_path
from validation_gen.mismatch.outcome import Side
from validation_gen.runtime import words
from validation_gen.runtime.gotext import go_json

__all__ = ["counted", "duration", "number", "percent", "rate", "short", "visible"]


def number(value: int) -> str:
    """Formats a number: `1,234,567`."""
    return f"{value:,}"


def counted(value: int, noun: str) -> str:
    """Formats a number with a noun: `1 mismatch`, `2 mismatches`."""
    return words.counted(value, noun, grouped=True)


def percent(part: int, whole: int) -> str:
    """Formats a share with one decimal place; only zero and the whole are shown as 0 % and 100 %."""
    if not whole:
        return "–"
    if part in (0, whole):
        return "100 %" if part else "0 %"
    tenths = min((part * 2000 + whole) // (2 * whole), 999)
    return f"{tenths / 10:.1f} %" if tenths else "< 0.1 %"


def duration(seconds: float) -> str:
    """Formats a duration: `850 µs`, `12.3 ms`, `4.56 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds <= 0:
        return "0 s"
    if seconds < 0.001:
        return f"{seconds * 1e6:.3g} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"


def rate(count: int, seconds: float) -> str:
    """Formats a rate per second."""
    if seconds <= 0:
        return "–"
    each = count / seconds
    return number(round(each)) if each >= 10 else f"{each:.1f}"


#: The side of a group of pairs: both report an error, and these differ in their path, type or origin only.
BOTH = "both"

_SOURCE = re.compile(r"(?s)(.+?):([0-9]{1,9})(?::([0-9]{1,9}))?")
_MARKED = re.compile(r"\+.*\S|\w+|\S+")


def _split_position(text: str) -> tuple[str, int, int]:
    """Splits the location of a tag into its file, line and column; the line is 0 where it is unknown."""
    found = _SOURCE.fullmatch(text)
    return (found[1], int(found[2]), int(found[3] or 1)) if found else (text, 0, 0)


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of the source. In the one to blame the characters from `start` to `end` are marked; else both are 0."""

    number: int
    text: str
    start: int = 0
    end: int = 0

    @property
    def blamed(self) -> bool:
        return self.end > 0


@dataclass(frozen=True, slots=True)
class Answer:
    """One error of one side. `shared`: the other side reports it, too. `blamed`: the group is about it."""

    message: str
    origin: str
    shared: bool
    blamed: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """A group with the details of its example.

    `way` is the path to the offending value as
    far as the object has it; `found` is True if the value exists. `field` is the path with its indices.
    """

    group: Group
    code: list[CodeLine]
    field: str
    way: ValueKeys
    found: bool
    handwritten: list[Answer]
    declarative: list[Answer]


def finding(group: Group) -> Finding:
    """Collects the details of a group."""
    sort, example = group.sort, group.example
    blamed = _find_errors(group)
    field = str(blamed[0].get("field", "")) if blamed else sort.path
    way, found = find_path(example.obj, field)
    return Finding(
        group,
        _code(group),
        field,
        way,
        found,
        _answers(example.handwritten, example.declarative, blamed),
        _answers(example.declarative, example.handwritten, blamed),
    )


def fingerprint(group: Group) -> str:
    """Returns an identifier that is stable when lines move, and for all operations."""
    sort = replace(group.sort, operation="", source=_split_position(group.sort.source)[0])
    return hashlib.sha256(go_json(list(astuple(sort))).encode()).hexdigest()[:16]


def headline(group: Group) -> str:
    """Counts the mismatches of a group in a few words: errors without a counterpart, or pairs that differ."""
    if group.sort.side == BOTH:
        pairs = "pair of errors that differs" if group.count == 1 else "pairs of errors that differ"
        return f"{number(group.count)} {pairs}"
    return f"{counted(group.count, f'{group.sort.side} error')} without counterpart"


def render_options(group: Group) -> str:
    """Renders the validation options of the example: `A=on, B=off`."""
    return ", ".join(f"{name}={'on' if on else 'off'}" for name, on in sorted(group.example.options.items()))


def is_update(group: Group) -> bool:
    """Returns whether the example is an update."""
    operation = group.example.request.get("op") or group.sort.operation
    return str(operation).startswith("update")


def _find_errors(group: Group) -> list[dict[str, Any]]:
    """Returns the errors of the example that the group is about: one error, or for a pair also its counterpart.

    If no error has the group's path, type and origin, it takes the closest one.
    """
    sort, example = group.sort, group.example
    sides = [example.declarative, example.handwritten]
    if sort.side == Side.HANDWRITTEN.value:
        sides.reverse()
    for errors, others in (sides, sides[::-1]):
        alike = [e for e in errors if e.get("type") == sort.type and e.get("origin", "") == sort.origin]
        exact = [e for e in alike if general_path(str(e.get("field", ""))) == sort.path]
        for error in (exact or alike)[:1]:
            return [error, *_partner(error, errors, others)] if sort.side == BOTH else [error]
        if sort.side != BOTH:
            break
    return []


def _partner(error: dict[str, Any], errors: list[dict[str, Any]], others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the most similar error of the other side that has no counterpart."""
    known = {_key(each) for each in errors}
    left = [each for each in others if _key(each) not in known] or others
    return sorted(left, key=lambda each: -sum(map(operator.eq, _key(each), _key(error))))[:1]


def _answers(errors: list[dict[str, Any]], others: list[dict[str, Any]], blamed: list[dict[str, Any]]) -> list[Answer]:
    known = {_key(error) for error in others}
    chosen = {id(error) for error in blamed}
    return [
        Answer(
            str(error.get("message") or f"{error.get('field', '')}: {error.get('type', '')}"),
            str(error.get("origin", "")),
            id(error) not in chosen and _key(error) in known,
            id(error) in chosen,
        )
        for error in errors
    ]


def _key(error: dict[str, Any]) -> tuple[str, str, str]:
    return str(error.get("type", "")), str(error.get("field", "")), str(error.get("origin", ""))


def _code(group: Group) -> list[CodeLine]:
    _, blamed, column = _split_position(group.file or group.sort.source)
    lines = []
    for number, text in enumerate(group.excerpt, group.excerpt_line):
        start = end = 0
        if number == blamed:
            start = min(max(column - 1, 0), len(text))
            match = _MARKED.match(text, start)
            end = match.end() if match else start + 1
        lines.append(CodeLine(number, text, start, end))
    return lines
