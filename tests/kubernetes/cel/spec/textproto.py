"""Messages of protobuf as people write them, read without their definitions.

A message is a `dict` from the name of a field to the list of its values; the name of an extension or of the type of an
`Any` is in brackets. Texts are `bytes`, as protobuf has them; numbers and names of constants stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Message = dict[str, list[Any]]

_TOKEN = re.compile(
    r"""(?:\s+|\#[^\n]*)*
        (?:(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
          |(?P<type>\[[A-Za-z][\w./-]*\](?=\s*[:{]))
          |(?P<word>[-+\w.]+)
          |(?P<sign>[{}<>\[\]:,;])
          |(?P<end>\Z))""",
    re.VERBOSE,
)
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_NAMED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


class UnreadableError(Exception):
    """A text that is no message."""


def message(text: str) -> Message:
    """The message that a whole text is.

    Raises:
        UnreadableError: it is none.
    """
    return _Reader(text).whole()


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._kind, self._text = next(self._tokens)

    def whole(self) -> Message:
        return self._fields("")

    def _take(self) -> str:
        text = self._text
        self._kind, self._text = next(self._tokens)
        return text

    def _skip(self, signs: str) -> bool:
        if self._kind == "sign" and self._text in signs:
            self._take()
            return True
        return False

    def _fields(self, end: str) -> Message:
        found: Message = {}
        while not (self._skip(end) if end else self._kind == "end"):
            if self._kind not in ("word", "type"):
                raise UnreadableError(f"a field was expected at {self._text!r}")
            values = found.setdefault(self._take(), [])
            self._skip(":")
            values += self._items() if self._skip("[") else [self._value()]
            self._skip(",;")
        return found

    def _items(self) -> Iterator[Any]:
        while not self._skip("]"):
            yield self._value()
            self._skip(",")

    def _value(self) -> Any:
        if self._skip("{"):
            return self._fields("}")
        if self._skip("<"):
            return self._fields(">")
        if self._kind == "word":
            return self._take()
        if self._kind != "text":
            raise UnreadableError(f"a value was expected at {self._text!r}")
        parts = []
        while self._kind == "text":
            parts.append(_bytes(self._take()))
        return b"".join(parts)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while True:
        match = _TOKEN.match(text, at)
        if match is None:
            raise UnreadableError(text[at : at + 40])
        kind = str(match.lastgroup)
        yield kind, match[kind]
        at = match.end()


def _bytes(quoted: str) -> bytes:
    return _ESCAPE.sub(_unescaped, quoted[1:-1].encode())


def _unescaped(match: re.Match[bytes]) -> bytes:
    octal, byte, short, long, other = match.groups()
    if octal or byte:
        return bytes([int(octal, 8) if octal else int(byte, 16)])
    if short or long:
        return chr(int(short or long, 16)).encode()
    return _NAMED.get(other, other)
