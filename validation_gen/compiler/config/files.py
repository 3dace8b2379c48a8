"""Finds the configuration file of a directory, reads it as TOML, and finds the locations of its keys and values.

Python's parser has no positions. The document has been parsed before, so locations follow only its outline, without
error checks.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.compiler.config.keys import name_kind, report
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import note_secrets
from validation_gen.files import reading

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KeyPath = tuple[str | int, ...]

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
    keys: dict[KeyPath, Span] = field(default_factory=dict)
    values: dict[KeyPath, Span] = field(default_factory=dict)

    def key(self, path: KeyPath) -> Span:
        """Returns the place of a key; for an item of a list, the place of the item."""
        return self.keys.get(path) or self.values.get(path) or Span(self.file)

    def value(self, path: KeyPath) -> Span:
        """Returns the place of a value; for a table with its own head, the place of the head."""
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
        self._items: dict[KeyPath, int] = {}

    def document(self) -> None:
        prefix: KeyPath = ()
        self._skip(_GAP)
        while self.at < len(self.text):
            prefix = self._head() if self.text[self.at] == "[" else self._pair(prefix)
            self._skip(_GAP)

    def _head(self) -> KeyPath:
        """Reads the head of a table, `[a.b]` or `[[a.b]]`, and returns its path."""
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        names = self._names()
        path: KeyPath = ()
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

    def _pair(self, prefix: KeyPath) -> KeyPath:
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
            names.append((_decode(word), self._span(*match.span())))
            self.at = match.end()
            self._skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return names
            self.at += 1

    def _value(self, path: KeyPath) -> None:
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

    def _list(self, path: KeyPath) -> None:
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

    def _table(self, path: KeyPath) -> None:
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


def _decode(word: str) -> str:
    if word[0] not in "\"'":
        return word
    parsed: dict[str, Any] = tomllib.loads(f"key = {word}")
    return str(parsed["key"])


OWN, SHARED = "validation-gen.toml", "pyproject.toml"
_POSITION = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Document:
    """A file, our table in it, and the path to that table."""

    file: Path
    table: dict[str, Any]
    at: KeyPath
    places: Places


def find(directory: Path, diagnostics: Diagnostics) -> Document | None:
    """Returns the nearest configuration upwards. It skips a `pyproject.toml` without our table."""
    absolute = directory.absolute()
    for each in (absolute, *absolute.parents):
        known = len(diagnostics.items)
        own, shared = (_open(each / name, diagnostics) for name in (OWN, SHARED))
        if own and shared:
            message = f"{own.file.as_posix()} and {shared.file.as_posix()} both configure this directory"
            help = f"keep one of them: move [tool.validation-gen] into {OWN}, or the other way round"
            report(diagnostics, message, shared.places.key(shared.at), help)
        if own or shared or len(diagnostics.items) > known:
            return own or shared
    return None


def _open(file: Path, diagnostics: Diagnostics) -> Document | None:
    if not os.path.isfile(file):  # noqa: PTH113 - unlike Path.is_file, it never raises
        return None
    return open_document(_shortest(file), diagnostics)


def open_document(file: Path, diagnostics: Diagnostics) -> Document | None:
    """Reads our part of a file: `None` if there is none, or the file is malformed, which is reported."""
    name = file.as_posix()
    shared = file.name == SHARED
    try:
        content = reading.read_named(file, reading.MOST_OF_A_SOURCE)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        diagnostics.error("VG901", f"cannot read: {reason}", Span(name), "check the path and the permissions")
        return None
    # A file without our name is not checked, and need not be parsed.
    if shared and b"validation-gen" not in content and b"validation_gen" not in content:
        return None
    parsed = parse(name, content, diagnostics)
    if parsed is None:
        return None
    return _ours(file, *parsed, diagnostics) if shared else Document(file, parsed[0], (), parsed[1])


def parse(name: str, content: bytes, diagnostics: Diagnostics) -> tuple[dict[str, Any], Places] | None:
    """Parses TOML. Returns `None` for other content, which is reported."""
    try:
        text = content.decode("utf-8-sig")
        note_secrets((text,))
        return tomllib.loads(text), places(name, text.replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        span = Span(name, content.count(b"\n", 0, error.start) + 1, 1, 2)
        report(diagnostics, f"not UTF-8: {error.reason}", span, "save the file as UTF-8")
    except RecursionError:
        report(diagnostics, "not TOML that anyone can read: it is nested too deeply", Span(name), "fix the file")
    except ValueError as error:
        report(diagnostics, *_syntax_error(str(error), name, text))
    return None


def _ours(file: Path, parsed: dict[str, Any], found: Places, diagnostics: Diagnostics) -> Document | None:
    """Our table of a `pyproject.toml`."""
    tool = parsed.get("tool", {})
    if not isinstance(tool, dict):
        report(diagnostics, "tool is not a table", found.key(("tool",)), "write [tool.validation-gen]")
        return None
    if "validation_gen" in tool:
        help = "write [tool.validation-gen]"
        report(diagnostics, "tool.validation_gen is spelt with a dash", found.key(("tool", "validation_gen")), help)
    if "validation-gen" not in tool:
        return None
    table, at = tool["validation-gen"], ("tool", "validation-gen")
    if not isinstance(table, dict):
        help = 'write [tool.validation-gen] and below it such as inputs = ["apis"]'
        message = f"tool.validation-gen is {name_kind(table)}, and takes a table"
        report(diagnostics, message, found.key(at), help)
        return None
    return Document(file, table, at, found)


def _syntax_error(message: str, name: str, text: str) -> tuple[str, Span, str]:
    """Returns the words of the parser, and the position that it puts behind them."""
    match = _POSITION.search(message)
    lines = text.replace("\r\n", "\n").split("\n")
    span = Span(name)
    if match and match[1]:
        span = Span(name, int(match[1]), int(match[2]), int(match[2]) + 1)
    elif match:
        line = len(lines) - 1 if len(lines) > 1 and not lines[-1] else len(lines)
        span = Span(name, line, len(lines[line - 1]) + 1, len(lines[line - 1]) + 2)
    reason = message[: match.start()] if match else message
    return f"not TOML: {reason[:1].lower()}{reason[1:]}", span, "fix the file; texts stand in quotes"


def _shortest(file: Path) -> Path:
    try:
        return file.relative_to(Path.cwd())
    except (ValueError, OSError):  # OSError: the current directory is gone
        return file
