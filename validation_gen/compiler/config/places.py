"""Finds the locations of keys and values in a TOML document. Python's parser has no positions.

The document has been parsed before, so only its outline is followed here, without error checks.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from typing import Any

from validation_gen.diagnostics import Span

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Path = tuple[str | int, ...]

_BLANK = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_TEXT = re.compile(
    r'''
    """ (?: [^\\] | \\. )*? "{3,5}  | " (?: [^"\\\n] | \\. )* "
    | \'\'\' .*? '{3,5}  | ' [^'\n]* '
    ''',
    re.DOTALL | re.VERBOSE,
)
_SCALAR = re.compile(r"[^,\]}#\r\n]*")


@dataclass(slots=True)
class Places:
    """The keys and the values of a document by their paths. A path that is not there has its file as its place."""

    file: str
    keys: dict[Path, Span] = field(default_factory=dict)
    values: dict[Path, Span] = field(default_factory=dict)

    def key(self, path: Path) -> Span:
        """Returns the place where something is named, which for an item of a list is the item."""
        return self.keys.get(path) or self.values.get(path) or Span(self.file)

    def value(self, path: Path) -> Span:
        """Returns the place of a value. A table that has a head of its own is named there."""
        return self.values.get(path) or self.key(path)


def places(file: str, text: str) -> Places:
    """Returns the places of a document that has been parsed without an error."""
    scanner = _Scanner(text, Places(file))
    scanner.document()
    return scanner.found


class _Scanner:
    def __init__(self, text: str, found: Places) -> None:
        self.text = text
        self.found = found
        self.at = 0
        self._begins = [0, *(match.end() for match in re.finditer("\n", text))]
        self._line = 0
        self._items: dict[Path, int] = {}

    def document(self) -> None:
        prefix: Path = ()
        self._skip(_GAP)
        while self.at < len(self.text):
            prefix = self._head() if self.text[self.at] == "[" else self._pair(prefix)
            self._skip(_GAP)

    def _head(self) -> Path:
        """`[a.b]` or `[[a.b]]`, and to which path it belongs."""
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        names = self._names()
        path: Path = ()
        for index, (name, span) in enumerate(names):
            path += (name,)
            last = many and index == len(names) - 1
            if last:
                self._items[path] = self._items.get(path, -1) + 1
            self.found.keys.setdefault(path, span)
            if path in self._items:
                path += (self._items[path],)
                if last:
                    self.found.keys[path] = span
        self.at = self.text.index("]", self.at) + (2 if many else 1)
        return path

    def _pair(self, prefix: Path) -> Path:
        """Reads `a.b = value`; returns the path of the table that contains it."""
        path = prefix
        for name, span in self._names():
            path += (name,)
            self.found.keys.setdefault(path, span)
        self.at = self.text.index("=", self.at) + 1
        self._value(path)
        return prefix

    def _names(self) -> list[tuple[str, Span]]:
        """Returns the parts of a dotted key."""
        names = []
        while True:
            self._skip(_BLANK)
            match = _KEY.match(self.text, self.at)
            assert match is not None, "the document has been parsed"
            word = match[0]
            names.append((_decoded(word), self._span(*match.span())))
            self.at = match.end()
            self._skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return names
            self.at += 1

    def _value(self, path: Path) -> None:
        self._skip(_BLANK)
        start = self.at
        opening = self.text[start : start + 1]
        if opening == "[":
            self._list(path)
        elif opening == "{":
            self._table(path)
        else:
            match = (_TEXT if opening in {'"', "'"} else _SCALAR).match(self.text, start)
            assert match is not None, "the document has been parsed"
            self.at = start + len(match[0].rstrip(" \t"))
        self.found.values[path] = self._span(start, self.at)

    def _list(self, path: Path) -> None:
        self.at += 1
        index = 0
        while True:
            self._skip(_GAP)
            if self.text[self.at] == "]":
                self.at += 1
                return
            self._value((*path, index))
            index += 1
            self._skip(_GAP)
            if self.text[self.at] == ",":
                self.at += 1

    def _table(self, path: Path) -> None:
        self.at += 1
        while True:
            self._skip(_GAP)  # which newer TOML allows here
            if self.text[self.at] == "}":
                self.at += 1
                return
            self._pair(path)
            self._skip(_GAP)
            if self.text[self.at] == ",":
                self.at += 1

    def _skip(self, what: re.Pattern[str]) -> None:
        match = what.match(self.text, self.at)
        assert match is not None, "it matches nothing as well"
        self.at = match.end()

    def _span(self, start: int, end: int) -> Span:
        """Returns a range within its first line. Scanning goes forward, so each line is searched once."""
        while self._line and self._begins[self._line] > start:
            self._line -= 1
        while self._line + 1 < len(self._begins) and self._begins[self._line + 1] <= start:
            self._line += 1
        begin = self._begins[self._line]
        stop = self.text.find("\n", start, end)
        column = start - begin + 1
        return Span(self.found.file, self._line + 1, column, (end if stop < 0 else stop) - begin + 1)


def _decoded(word: str) -> str:
    if word[0] not in "\"'":
        return word
    parsed: dict[str, Any] = tomllib.loads(f"key = {word}")
    return str(parsed["key"])
