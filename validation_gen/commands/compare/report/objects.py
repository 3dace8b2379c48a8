"""Renders objects as short YAML with one marked value, for the examples of reports.

Large values are cut, with a note: everything on the path to the marked value stays, and as much of the rest as fits. No
decoded JSON or YAML raises an exception. Reports for machines have whole objects.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from validation_gen.commands.compare.report.wording import counted, visible
from validation_gen.kubernetes.error_paths import ValueKeys
from validation_gen.kubernetes.yaml import plain
from validation_gen.runtime.gotext import go_json

_LONGEST = 200  # characters of one string
_DEEPEST = 30  # levels that are shown: more than any API has

_UNQUOTED = re.compile(r"[A-Za-z_/](?:[A-Za-z0-9_./+@-]|:(?=[A-Za-z0-9_./])| (?=[A-Za-z0-9_/]))*")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of YAML. `marked` is the one with the offending value, `aside` a note about omitted lines."""

    text: str
    marked: bool = False
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A line of two objects compared: `sign` is `-` (old), `+` (new), `blank` (both) or `…` (omitted lines)."""

    sign: str
    text: str


def yaml_lines(value: Any, way: ValueKeys | None = None, most: int = 60) -> list[Line]:
    """Renders a value in about `most` lines, with the value at `way` marked."""
    return list(_Writer(most).entries(value, "", way, 0))


def is_cut(lines: list[Line]) -> bool:
    """Returns whether parts of the object are omitted."""
    return any(line.aside for line in lines)


def changes(old: Any, new: Any, most: int = 60) -> list[Change]:
    """Renders the changes of an update, with the lines around them."""
    before = [line.text for line in yaml_lines(old, None, 400)]
    after = [line.text for line in yaml_lines(new, None, 400)]
    found = []
    for line in list(difflib.unified_diff(before, after, n=3, lineterm=""))[2:]:
        if not line.startswith("@@"):
            found.append(Change(line[0], line[1:]))
        elif found:
            found.append(Change("…", ""))
    return found[:most] + [Change("…", "")] * (len(found) > most)


class _Writer:
    """Writes one object. Values off the path to the marked value use up the remaining lines."""

    def __init__(self, most: int) -> None:
        self._left = most

    def entries(self, value: Any, indent: str, way: ValueKeys | None, depth: int) -> Iterator[Line]:
        """Yields the lines of a standalone value, or of all in a list or an object that is not empty."""
        if not isinstance(value, dict | list) or not value:
            yield from self._entry(indent, "", value, way, depth)
            return
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        hidden = 0
        for key, child in pairs:
            on_way = bool(way) and way is not None and way[0] == key
            if not on_way and self._left <= 0:
                hidden += 1
                continue
            if hidden:
                yield self._aside(indent, hidden, value)
                hidden = 0
            lead = "-" if isinstance(value, list) else f"{_scalar(key)[0]}:"
            yield from self._entry(indent, lead, child, way[1:] if on_way and way is not None else None, depth)
        if hidden:
            yield self._aside(indent, hidden, value)

    def _entry(self, indent: str, lead: str, value: Any, way: ValueKeys | None, depth: int) -> Iterator[Line]:
        """Yields the lines of a value behind its key or dash."""
        self._left -= 1
        marked = way == () and bool(lead)
        if not isinstance(value, dict | list) or not value:
            text, cut = ("[]" if isinstance(value, list) else "{}", False) if _is_container(value) else _scalar(value)
            yield Line(f"{indent}{lead} {text}" if lead else f"{indent}{text}", marked, cut)
        elif depth >= _DEEPEST:
            yield Line(f"{indent}{lead} # … deeper than {_DEEPEST} levels", marked, True)
        elif lead != "-":
            yield Line(f"{indent}{lead}", marked)
            inner = indent if isinstance(value, list) else f"{indent}  "
            yield from self.entries(value, inner, way, depth + 1)
        else:
            inside = self.entries(value, f"{indent}  ", way, depth + 1)
            first = next(inside)
            text = f"{indent}- {first.text[len(indent) + 2 :]}"
            yield Line(text, marked or first.marked, first.aside)
            yield from inside

    def _aside(self, indent: str, hidden: int, value: Any) -> Line:
        return Line(
            f"{indent}# … {counted(hidden, 'more item' if isinstance(value, list) else 'more field')}", False, True
        )


def _is_container(value: Any) -> bool:
    return isinstance(value, dict | list)


def _scalar(value: Any) -> tuple[str, bool]:
    """Renders a scalar as YAML, and returns whether it is cut."""
    if not isinstance(value, str):
        return visible(go_json(value)), False
    if len(value) > _LONGEST:
        return f"{_quoted(value[:_LONGEST])} # … {counted(len(value), 'character')}", True
    if _UNQUOTED.fullmatch(value) and plain(value) == value:
        return value, False
    return _quoted(value), False


def _quoted(text: str) -> str:
    return visible(json.dumps(text, ensure_ascii=False))
