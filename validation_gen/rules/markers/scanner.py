"""Tokens of a marker's arguments, as controller-gen gets them from Go's `text/scanner`.

Markers use Go's tokens: identifiers, numbers, quoted and raw strings; any other character is a token of its own.
Nothing is refused here: a malformed token has its `problem`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: Kinds of tokens other than single characters. `END` is the end of the text.
IDENTIFIER, INTEGER, FLOAT, STRING, RAW_STRING, END = "identifier", "integer", "float", "string", "raw string", ""

_SPACE = " \t\n\r"
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(
    r"(?P<prefix>0[xXoObB])(?P<body>[0-9a-fA-F_]*)"
    r"|(?P<whole>[0-9][0-9_]*)?(?P<fraction>\.[0-9_]*)?(?P<exponent>[eE][+-]?[0-9_]*)?"
)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"?')
_RAW_STRING = re.compile(r"`[^`]*`?")
_ESCAPE = re.compile(
    r"\\(?:(?P<plain>[abfnrtv\\\"])|x(?P<hex>[0-9a-fA-F]{2})|(?P<octal>[0-3][0-7]{2})"
    r"|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})|(?P<bad>.?))",
    re.DOTALL,
)
_PLAIN = dict(zip('abfnrtv\\"', '\a\b\f\n\r\t\v\\"', strict=True))


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text. `kind` is one of the kinds above, or the character itself."""

    kind: str
    text: str
    start: int
    end: int
    problem: str = ""


class Scanner:
    """Scans a text from left to right. `position` is the offset of the next token."""

    def __init__(self, text: str, position: int = 0) -> None:
        self.text = text
        self.position = position

    def fork(self) -> Scanner:
        """Returns another scanner at the same position, to look ahead."""
        return Scanner(self.text, self.position)

    def peek(self) -> str:
        """Returns the next character, `""` at the end."""
        return self.text[self.position : self.position + 1]

    def peek_behind_space(self) -> str:
        """Skips white space, and returns the next character."""
        while self.peek() and self.peek() in _SPACE:
            self.position += 1
        return self.peek()

    def scan(self, *, numbers: bool = True) -> Token:
        """Returns the next token. Without `numbers`, digits are characters like any other."""
        character = self.peek_behind_space()
        start = self.position
        kind, problem = character, ""
        end = start + len(character)
        if match := _IDENTIFIER.match(self.text, start):
            kind, end = IDENTIFIER, match.end()
        elif numbers and ((character.isascii() and character.isdigit()) or self._starts_fraction()):
            number = _NUMBER.match(self.text, start)
            assert number is not None, "it begins like a number"
            end = number.end()
            kind = FLOAT if number["fraction"] or number["exponent"] else INTEGER
            problem = _problem_of_number(number)
        elif character == '"' and (match := _STRING.match(self.text, start)):
            kind, end = STRING, match.end()
            problem = _problem_of_string(match[0])
        elif character == "`" and (match := _RAW_STRING.match(self.text, start)):
            kind, end = RAW_STRING, match.end()
            problem = "" if end - start > 1 and match[0].endswith("`") else "the string has no closing backtick"
        self.position = end
        return Token(kind, self.text[start:end], start, end, problem)

    def _starts_fraction(self) -> bool:
        following = self.text[self.position + 1 : self.position + 2]
        return self.peek() == "." and following.isascii() and following.isdigit()


def unquote(token: Token) -> str:
    """Returns the value of a string token."""
    if token.kind == RAW_STRING:
        return token.text[1:-1].replace("\r", "")
    found = b""
    end = 1
    for match in _ESCAPE.finditer(token.text, 1, len(token.text) - 1):
        found += token.text[end : match.start()].encode(errors="replace") + _meaning(match)
        end = match.end()
    return (found + token.text[end:-1].encode(errors="replace")).decode(errors="replace")


def _meaning(escape: re.Match[str]) -> bytes:
    """Returns the bytes of an escape. Hexadecimal and octal ones are bytes, of which several can form a character."""
    if escape["plain"]:
        return _PLAIN[escape["plain"]].encode()
    if escape["hex"]:
        return bytes([int(escape["hex"], 16)])
    if escape["octal"]:
        return bytes([int(escape["octal"], 8)])
    return chr(min(int(escape["short"] or escape["long"] or "0", 16), 0x10FFFF)).encode(errors="replace")


def _problem_of_number(number: re.Match[str]) -> str:
    if number["prefix"]:
        digits = {"x": "0123456789abcdef", "o": "01234567", "b": "01"}[number["prefix"][1].lower()]
        good = number["body"].strip("_") and all(c in digits for c in number["body"].lower().replace("_", ""))
        return "" if good else f"{number[0]} is not a number"
    if number["exponent"] and not number["exponent"].lstrip("eE+-"):
        return f"{number[0]} is not a number"
    whole = number["whole"] or ""
    is_integer = not number["fraction"] and not number["exponent"]
    if is_integer and whole.startswith("0") and any(c in "89" for c in whole):
        return f"{number[0]} is not a number: 0 at the beginning means base 8"
    return ""


def _problem_of_string(text: str) -> str:
    body = text[1:-1]
    trailing = len(body) - len(body.rstrip("\\"))
    if len(text) < 2 or not text.endswith('"') or trailing % 2:
        return "the string has no closing quote"
    bad = next((m[0] for m in _ESCAPE.finditer(body) if m["bad"] is not None), "")
    return f"{bad} means nothing in a quoted string" if bad else ""
