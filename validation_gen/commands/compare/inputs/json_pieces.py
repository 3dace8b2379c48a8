"""Cuts JSON values into pieces: one for each object, also for each item of a list. It does not interpret objects.

Finds the beginnings and ends of JSON values in a text that is still being read. It does not interpret them.

Python's reader does the work, so exactly the same values are accepted.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from validation_gen.commands.compare.inputs.decoding import Form, Piece
from validation_gen.files.reading import MOST_OF_DATA

_SPACE = re.compile(r"[ \t\r\n]*")
_NEAR = 16  # an error this close to the end may be due to text that is not yet read
_LEAST = 1 << 16


class MalformedError(Exception):
    """The text is not JSON. The message is the reason."""


class TooLongError(Exception):
    """A value is longer than the limit."""


class Scanner:
    """A position in a text. `line` is that of its beginning at first; `line` and `column` count from 1."""

    def __init__(self, text: str, line: int, more: Callable[[int], bytes] | None = None) -> None:
        self.text = text
        self.at = 0
        self._more = more
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._line, self._counted, self._line_start = line, 0, 0
        self._json = json.JSONDecoder()

    @property
    def line(self) -> int:
        if self._counted < self.at:
            self._line += self.text.count("\n", self._counted, self.at)
            self._line_start = max(self._line_start, self.text.rfind("\n", self._counted, self.at) + 1)
            self._counted = self.at
        return self._line

    @property
    def column(self) -> int:
        return self.at - self._line_start + 1 if self.line else 0

    def drop(self) -> None:
        """Drops the text before this position, when that is worth the copy."""
        if self._more is not None and self.line and self.at > max(_LEAST, len(self.text) // 2):
            self.text = self.text[self.at :]
            self._line_start -= self.at
            self.at = self._counted = 0

    def stop(self) -> None:
        """Leaves the rest unread."""
        self.at, self._more = len(self.text), None

    def back(self, place: tuple[int, int, int]) -> None:
        """Goes back to a `mark` that was set since text was dropped."""
        self.at, self._line, self._line_start = place
        self._counted = self.at

    def mark(self) -> tuple[int, int, int]:
        return self.at, self.line, self._line_start

    def peek(self) -> str:
        """Returns the next non-blank character, `""` at the end."""
        while True:
            self.at = _end(_SPACE.match(self.text, self.at))
            if self.at < len(self.text):
                return self.text[self.at]
            if not self._fill():
                return ""

    def expect(self, wanted: str) -> str:
        """Reads the next character, which must be one of `wanted`."""
        found = self.peek()
        if not found or found not in wanted:
            raise MalformedError(f"{' or '.join(f'`{one}`' for one in wanted)} should stand here")
        self.at += 1
        return found

    def value(self, limit: int | None = None) -> Any:
        """Skips a value, and returns its approximate content.

        Raises:
            MalformedError: there is none.
            TooLongError: it may not end within `limit` characters.
        """
        self.peek()
        if limit is not None and self._more is None and len(self.text) - self.at > limit:
            raise TooLongError  # perhaps
        while True:
            try:
                value, end = self._json.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos >= len(self.text) - _NEAR
                if not cut or (limit is None and not self._fill()):
                    raise MalformedError(error.msg) from None
            except (ValueError, RecursionError) as error:
                raise MalformedError(str(error)) from None
            else:
                if end < len(self.text) or self.text[end - 1] in '}]"' or not self._fill():
                    self.at = end
                    return value
                continue
            if limit is not None:
                if len(self.text) - self.at > limit:
                    raise TooLongError
                if not self._fill():
                    limit = None  # it is malformed, but the error must be that of the full text

    def members(self) -> Iterator[str]:
        """Yields the keys of an object. The caller has to skip each value before the next key."""
        self.expect("{")
        if self.peek() == "}":
            self.at += 1
            return
        while True:
            if self.peek() != '"':
                raise MalformedError("a key should stand here")
            key = self.value()
            self.expect(":")
            self.peek()
            yield key
            if self.expect(",}") == "}":
                return

    def elements(self) -> Iterator[None]:
        """Stops before each element of a list, which the caller has to skip."""
        self.expect("[")
        if self.peek() == "]":
            self.at += 1
            return
        while True:
            self.peek()
            yield
            if self.expect(",]") == "]":
                return

    def _fill(self) -> bool:
        """Reads as much again as is buffered. Returns whether there was more."""
        if self._more is None or len(self.text) - self.at > MOST_OF_DATA:
            return False
        wanted = max(_LEAST, len(self.text) - self.at)
        parts: list[str] = []
        while wanted > 0:
            data = self._more(wanted)
            parts.append(self._decoder.decode(data, not data))
            wanted -= len(data)
            if not data:
                self._more = None
                break
        self.text += "".join(parts)
        return any(parts)


def _end(match: re.Match[str] | None) -> int:
    assert match
    return match.end()


#: Longer values are not read as a whole if that can be avoided.
LONG = 1 << 20
_QUOTED = 60


def of_stream(scanner: Scanner) -> Iterator[Piece]:
    """Yields the pieces of consecutive values. It stops where no object or list begins."""
    while (begin := scanner.peek()) and begin in "{[":
        scanner.drop()
        place, line = scanner.mark(), scanner.line
        try:
            value = scanner.value(LONG)
        except MalformedError:
            return
        except TooLongError:
            yield from _long(scanner)
        else:
            text = scanner.text[place[0] : scanner.at]
            yield from of_list(text, value, line) if is_list(value) else [_piece(text, line)]


def is_list(value: Any) -> bool:
    """Returns whether a value is a list of objects."""
    if isinstance(value, dict):
        return _text(value.get("kind")).endswith("List") and isinstance(value.get("items"), list)
    return isinstance(value, list)


def item_kind(value: Any) -> tuple[str, str]:
    """Returns `apiVersion` and `kind` of list items that have none."""
    if not isinstance(value, dict):
        return "", ""
    return _text(value.get("apiVersion")), _text(value.get("kind")).removesuffix("List")


def of_list(text: str, value: Any, line: int) -> Iterator[Piece]:
    """Yields the items of a list whose whole text is available."""
    return _items(Scanner(text, line), item_kind(value))


def _long(scanner: Scanner) -> Iterator[Piece]:
    """Yields the pieces of a long value with little buffering.

    If the items have their kind, or the list has it before them, they need not wait for the end of the list.
    """
    place, line = scanner.mark(), scanner.line
    try:
        known = _look_ahead(scanner)
        scanner.back(place)
        if known is not None:
            yield from _items(scanner, known)
            return
        value = scanner.value()
        text = scanner.text[place[0] : scanner.at]
    except MalformedError as error:
        yield _broken(scanner, error)
    else:
        yield from of_list(text, value, line) if is_list(value) else [_piece(text, line)]


def _look_ahead(scanner: Scanner) -> tuple[str, str] | None:
    """Returns `item_kind` of a list's items, `None` if only the whole text shows whether it is a list."""
    if scanner.peek() == "[":
        return "", ""
    head: dict[str, Any] = {}
    for key in scanner.members():
        if key == "items" and scanner.peek() == "[":
            if "kind" in head:
                return item_kind(head) if is_list({**head, "items": []}) else None
            for _ in scanner.elements():
                item = scanner.value()
                says = isinstance(item, dict) and item.get("kind") and item.get("apiVersion")
                return ("", "") if says else None
            return None
        head[key] = scanner.value()
    return None


def _items(scanner: Scanner, own: tuple[str, str]) -> Iterator[Piece]:
    """Yields one piece for each item of the list that begins here."""
    first_line = scanner.line
    try:
        if scanner.peek() == "[":
            yield from _elements(scanner, own, first_line)
            return
        for key in scanner.members():
            if key == "items" and scanner.peek() == "[":
                yield from _elements(scanner, own, first_line)
            else:
                scanner.value()
    except MalformedError as error:
        yield _broken(scanner, error)


def _elements(scanner: Scanner, own: tuple[str, str], first_line: int) -> Iterator[Piece]:
    for _ in scanner.elements():
        scanner.drop()
        start, line = scanner.at, scanner.line
        column = scanner.column if line == first_line else 0
        scanner.value()
        yield _piece(scanner.text[start : scanner.at], line, column, own)


def _piece(text: str, line: int, column: int = 0, own: tuple[str, str] = ("", "")) -> Piece:
    return Piece(Form.JSON, text.encode("utf-8", "surrogateescape"), line, column, own)


def _broken(scanner: Scanner, error: Exception) -> Piece:
    """Returns the error of a malformed long value. The rest cannot be read."""
    quote = scanner.text[scanner.at : scanner.at + _QUOTED].encode("utf-8", "surrogateescape")
    reason = f"not JSON: {error}; nothing behind it is read"
    piece = Piece(Form.UNREADABLE, quote, scanner.line, scanner.column, reason=reason)
    scanner.stop()
    return piece


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
