"""Values of literals: numbers within their ranges, strings and bytes with their escapes resolved."""

from __future__ import annotations

import math
import re

_ESCAPE = re.compile(r"\\(?:([abfnrtv\\'\"`?])|[xX]([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2}))")
_SIMPLE = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))
_PREFIX = re.compile(r"[bBrR]*")


class BadLiteral(Exception):  # noqa: N818
    """A literal has the right form but no value."""


def integer(text: str, *, unsigned: bool = False) -> int:
    """Parses a decimal or hexadecimal number in the range of 64 bits; `text` may have a sign and no suffix."""
    value = int(text, 16 if "0x" in text else 10) if len(text) < 100 else 1 << 64
    low, high = (0, (1 << 64) - 1) if unsigned else (-(1 << 63), (1 << 63) - 1)
    if not low <= value <= high:
        raise BadLiteral("invalid uint literal" if unsigned else "invalid int literal")
    return value


def double(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise BadLiteral("invalid double literal")
    return value


def string(text: str) -> str | bytes:
    """Returns the value of a string or bytes literal with its quotes and prefixes."""
    prefix = _PREFIX.match(text)[0].lower()  # type: ignore[index]
    body = text[len(prefix) :].replace("\r\n", "\n").replace("\r", "\n")
    quotes = 3 if body[:3] in ('"""', "'''") and len(body) >= 6 else 1
    body = body[quotes:-quotes]
    if "r" not in prefix and "\\" in body:
        _check_escapes(text, quotes + len(prefix))
        if "b" in prefix:
            return b"".join(_byte_pieces(body))
        return _ESCAPE.sub(_character, body)
    return body.encode() if "b" in prefix else body


def _check_escapes(text: str, start: int) -> None:
    """Raises unless each backslash begins an escape; with the words of upstream's lexer, which stops there."""
    at = text.find("\\", start)
    while at >= 0:
        if not (match := _ESCAPE.match(text, at)):
            wrong = at + 1
            if digits := re.compile(r"\\(?:[xX][\da-fA-F]{0,1}|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7}|[0-3][0-7]?)").match(
                text, at
            ):
                wrong = digits.end()
            raise BadLiteral(f"Syntax error: token recognition error at: '{text[: wrong + 1]}'")
        at = text.find("\\", match.end())


def _character(match: re.Match[str]) -> str:
    simple, byte, short, long, octal = match.groups()
    if simple:
        return _SIMPLE.get(simple, simple)
    code = int(octal, 8) if octal else int(byte or short or long, 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise BadLiteral("invalid unicode code point")
    return chr(code)


def _byte_pieces(body: str) -> list[bytes]:
    pieces = []
    last = 0
    for match in _ESCAPE.finditer(body):
        pieces.append(body[last : match.start()].encode())
        last = match.end()
        simple, byte, short, long, octal = match.groups()
        if short or long:
            raise BadLiteral("unable to unescape string")
        if simple:
            pieces.append(_SIMPLE.get(simple, simple).encode())
        else:
            pieces.append(bytes([int(octal, 8) if octal else int(byte, 16)]))
    return [*pieces, body[last:].encode()]
