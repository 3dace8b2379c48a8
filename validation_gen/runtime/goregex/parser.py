"""Translates a regular expression of Go to Python, or raises with Go's error.

Follows `parse.go` of Go's `regexp/syntax` with the flags of `regexp.Compile`. Nothing here matches a text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from validation_gen.runtime.goregex.classes import (
    LAST,
    PERL,
    POSIX,
    Ranges,
    ScriptError,
    brackets,
    complement,
    unicode_class,
)

_MAX_COUNT = 1000
_MAX_HEIGHT = 1000
_MAX_SIZE = (128 << 20) // 40
_COUNT = re.compile(r"\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}")
_NAME = re.compile(r"\w+", re.ASCII)
_SINGLE = dict(zip("afnrtv", "\a\f\n\r\t\v", strict=True))
_BEGIN, _END = r"(?:\A)", r"(?:\Z)"


class GoRegexError(ValueError):
    """Go refuses the expression."""

    def __init__(self, problem: str, part: str) -> None:
        super().__init__(f"error parsing regexp: {problem}: `{part}`")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an expression in Python's syntax, with its structure.

    A piece without `parts` is one character, or an assertion about a position (`asserts`). Otherwise it is a sequence
    of its parts, an alternative of them (`chooses`), or a repetition of its one part with `bounds`, where -1 is no
    bound; `is_lazy`: fewer repetitions are preferred. `size`, `height` and `count` are limited by Go: instructions,
    nesting, repetitions.
    """

    text: str
    size: int = 1
    height: int = 1
    count: int = 1
    parts: tuple[Piece, ...] | None = None
    asserts: bool = False
    chooses: bool = False
    bounds: tuple[int, int] | None = None
    is_lazy: bool = False


@dataclass(frozen=True, slots=True)
class _Class:
    """A set of characters, or its complement."""

    ranges: Ranges
    negative: bool = False


def _union(members: list[_Class], *, negative: bool, folded: bool) -> str:
    """Writes the union of classes, or its complement."""
    if folded and any(member.negative for member in members):
        # Python folds the case of a set after our negation, Go before it.
        found = "|".join(brackets(member.ranges, negative=member.negative) for member in members)
        return f"(?:(?!{found})[\\s\\S])" if negative else f"(?:{found})"
    ranges: list[tuple[int, int]] = []
    for member in members:
        ranges += complement(member.ranges) if member.negative else member.ranges
    return brackets(ranges, negative=negative)


@dataclass(slots=True)
class _Group:
    """An open group, or the whole expression: its finished `branches`, the pieces since then, and its flags."""

    captures: bool
    flags: frozenset[str]
    items: list[Piece] = field(default_factory=list)
    branches: list[Piece] = field(default_factory=list)

    def close_branch(self) -> None:
        items = self.items
        self.branches.append(_joined(items, "", 0))
        self.items = []

    def closed(self) -> Piece:
        self.close_branch()
        node = self.branches[0] if len(self.branches) == 1 else _joined(self.branches, "|", len(self.branches) - 1)
        extra = 2 if self.captures else 0
        parts = (node,)
        return Piece(f"(?:{node.text})", node.size + extra, node.height + bool(extra), node.count, parts)


def _joined(nodes: Sequence[Piece], mark: str, extra: int) -> Piece:
    text = mark.join(node.text for node in nodes)
    size = sum(node.size for node in nodes) + extra
    height = max((node.height for node in nodes), default=0) + (len(nodes) > 1)
    count = max((node.count for node in nodes), default=1)
    return Piece(text, max(size, 1), height, count, tuple(nodes), chooses=mark == "|")


def parsed(pattern: str) -> Piece | None:
    """Returns the expression in Python's syntax; `None` if it has a class that Python does not have.

    Raises:
        GoRegexError: Go refuses it.
    """
    parser = _Parser(pattern)
    whole = parser.parse()
    return whole if parser.exact else None


class _Parser:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.exact = True
        self.flags: frozenset[str] = frozenset()
        self.groups = [_Group(False, self.flags)]

    def parse(self) -> Piece:
        repeated = -1  # start of the repetition that was just read
        while self.at < len(self.pattern):
            start = self.at
            if self._repetition(repeated):
                repeated = start
                continue
            repeated = -1
            self._one()
        if len(self.groups) > 1:
            raise GoRegexError("missing closing )", self.pattern)
        return self.groups[0].closed()

    def _one(self) -> None:
        char = self.pattern[self.at]
        if char == "(":
            self._open()
        elif char == ")":
            self._close()
        elif char == "|":
            self.groups[-1].close_branch()
            self.at += 1
        elif char == "[":
            self._push(self._folded(self._class()))
        elif char == "\\":
            self._escape()
        else:
            self.at += 1
            if char in "^$":
                self._push(f"(?m:{char})" if "m" in self.flags else _BEGIN if char == "^" else _END, asserts=True)
            else:
                self._push(self._plain(char))

    def _plain(self, char: str) -> str:
        if char == ".":
            return r"[\s\S]" if "s" in self.flags else r"[^\n]"
        return self._folded(re.escape(char))

    def _folded(self, text: str) -> str:
        return f"(?i:{text})" if "i" in self.flags else text

    def _push(self, text: str, *, asserts: bool = False) -> None:
        self.groups[-1].items.append(Piece(text, asserts=asserts))

    def _limit(self, node: Piece) -> Piece:
        if node.size > _MAX_SIZE:
            raise GoRegexError("expression too large", self.pattern)
        if node.height > _MAX_HEIGHT:
            raise GoRegexError("expression nests too deeply", self.pattern)
        return node

    # --- groups -------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        rest = self.pattern[self.at :]
        outer = self.flags
        captures = True
        if rest.startswith("(?"):
            start = 4 if rest.startswith("(?P<") and len(rest) > 4 else 3 if rest[2:3] == "<" and len(rest) > 3 else 0
            if start:
                self._name(rest, start)
            else:
                captures = False
                if self._set_flags(rest):
                    return
        else:
            self.at += 1
        self.groups.append(_Group(captures, outer))

    def _name(self, rest: str, start: int) -> None:
        end = rest.find(">")
        if end < 0:
            raise GoRegexError("invalid named capture", rest)
        if not _NAME.fullmatch(rest, start, end):
            raise GoRegexError("invalid named capture", rest[: end + 1])
        self.at += end + 1

    def _set_flags(self, rest: str) -> bool:
        """Reads `(?flags:` or `(?flags)`; returns whether it was the latter, which opens no group."""
        on, negative, seen = set(self.flags), False, False
        off: set[str] = set()
        for offset, char in enumerate(rest[2:], 3):
            if char in "imsU":
                (off if negative else on).add(char)
                seen = True
            elif char == "-" and not negative:
                negative, seen = True, False
            elif char in ":)" and (seen or not negative):
                self.at += offset
                self.flags = frozenset(on - off)
                return char == ")"
            else:
                raise GoRegexError("invalid or unsupported Perl syntax", rest[:offset])
        raise GoRegexError("invalid or unsupported Perl syntax", rest)

    def _close(self) -> None:
        if len(self.groups) == 1:
            raise GoRegexError("unexpected )", self.pattern)
        group = self.groups.pop()
        self.flags = group.flags
        self.groups[-1].items.append(self._limit(group.closed()))
        self.at += 1

    # --- repetitions --------------------------------------------------------------------------------------------------

    def _repetition(self, repeated: int) -> bool:
        """Reads a repetition of the preceding piece, and returns whether there is one.

        `{` may also be a plain character.
        """
        start = self.at
        counted = _COUNT.match(self.pattern, start)
        if counted is None and self.pattern[start] not in "*+?":
            return False
        end = counted.end() if counted else start + 1
        low, high = self._count(counted) if counted else (0, -1)
        lazy = self.pattern[end : end + 1] == "?"
        end += lazy
        lazy ^= "U" in self.flags
        if repeated >= 0:
            raise GoRegexError("invalid nested repetition operator", self.pattern[repeated:end])
        items = self.groups[-1].items
        if not items:
            raise GoRegexError("missing argument to repetition operator", self.pattern[start:end])
        items.append(self._limit(_repeated(items.pop(), self.pattern[start], low, high, lazy)))
        if items[-1].count > _MAX_COUNT and max(low, high) >= 2:
            raise GoRegexError("invalid repeat count", self.pattern[start:end])
        self.at = end
        return True

    def _count(self, match: re.Match[str]) -> tuple[int, int]:
        low = int(match[1][:9])
        high = low if not match[2] else int(match[3][:9]) if match[3] else -1
        if low > _MAX_COUNT or high > _MAX_COUNT or 0 <= high < low:
            raise GoRegexError("invalid repeat count", match[0])
        return low, high

    # --- escapes and classes ------------------------------------------------------------------------------------------

    def _escape(self) -> None:
        """Reads a backslash outside of brackets."""
        rest = self.pattern[self.at :]
        letter = rest[1:2]
        if letter in ("A", "z", "b", "B"):
            self._push({"A": _BEGIN, "z": _END, "b": r"(?a:\b)", "B": r"(?!(?a:\b))"}[letter], asserts=True)
            self.at += 2
        elif letter == "C":
            raise GoRegexError("invalid escape sequence", rest[:2])
        elif letter == "Q":
            literal, _, after = rest[2:].partition(r"\E")
            for char in literal:
                self._push(self._folded(re.escape(char)))
            self.at = len(self.pattern) - len(after)
        elif (inside := self._named()) is not None:
            self._push(self._folded(brackets(inside.ranges, negative=inside.negative)))
        else:
            self._push(self._folded(re.escape(self._character())))

    def _named(self) -> _Class | None:
        r"""Reads a class such as `\d` or `\pL`; returns `None` if there is none here."""
        letter = self.pattern[self.at + 1 : self.at + 2]
        if letter.lower() in PERL:
            self.at += 2
            return _Class(PERL[letter.lower()], letter.isupper())
        if letter not in ("p", "P"):
            return None
        start, end = self.at + 2, self.at + 3
        if self.pattern[start : start + 1] == "{":
            end = self.pattern.find("}", start) + 1
            if not end:
                raise GoRegexError("invalid character class range", self.pattern[self.at :])
        name = self.pattern[start:end].removeprefix("{").removesuffix("}")
        negative = (letter == "P") is not name.startswith("^")
        try:
            members = unicode_class(name.removeprefix("^"))
        except ScriptError:
            members, self.exact = (), False
        if members is None:
            raise GoRegexError("invalid character class range", self.pattern[self.at : end])
        self.at = end
        return _Class(members, negative)

    def _character(self) -> str:
        """Reads an escaped character."""
        start = self.at
        text = self.pattern
        if start + 1 == len(text):
            raise GoRegexError("trailing backslash at end of expression", "")
        char = text[start + 1]
        self.at += 2
        if char in _SINGLE:
            return _SINGLE[char]
        if octal := re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}").match(text, start + 1):
            self.at = octal.end()
            return chr(int(octal[0], 8))
        if char == "x":
            return self._hexadecimal(start)
        if ord(char) < 0x80 and not char.isalnum():
            return char
        raise GoRegexError("invalid escape sequence", text[start : self.at])

    def _hexadecimal(self, start: int) -> str:
        text = self.pattern
        match = re.compile(r"\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2})").match(text, start + 2)
        if match and int(match[1] or match[2], 16) <= LAST:
            self.at = match.end()
            return chr(int(match[1] or match[2], 16))
        raise GoRegexError("invalid escape sequence", text[start : self._hexadecimal_end(start + 2)])

    def _hexadecimal_end(self, at: int) -> int:
        """Returns the position at which Go stops reading."""
        text = self.pattern
        if text[at : at + 1] != "{":
            return min(at + 2, len(text))
        value, digits = 0, 0
        for end in range(at + 1, len(text)):
            digit = "0123456789abcdef".find(text[end].lower())
            if digit < 0:
                return end + 1
            value, digits = value * 16 + digit, digits + 1
            if value > LAST:
                return end + 1
        return len(text)

    def _class(self) -> str:
        """Reads a class in brackets."""
        text, start = self.pattern, self.at
        self.at += 1
        negative = text[self.at : self.at + 1] == "^"
        self.at += negative
        first = True
        members: list[_Class] = []
        while self.at >= len(text) or text[self.at] != "]" or first:
            first = False
            inside = self._posix() if text.startswith("[:", self.at) and self.at + 2 < len(text) else None
            if inside is None and text[self.at : self.at + 1] == "\\":
                inside = self._named()
            members.append(inside or self._range(start))
        self.at += 1
        return _union(members, negative=negative, folded="i" in self.flags)

    def _range(self, start: int) -> _Class:
        """Reads a character, or two with a dash in between."""
        begin = self.at
        low = self._class_character(start)
        high = low
        if self.pattern[self.at : self.at + 1] == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
            self.at += 1
            high = self._class_character(start)
            if high < low:
                raise GoRegexError("invalid character class range", self.pattern[begin : self.at])
        return _Class(((ord(low), ord(high)),))

    def _posix(self) -> _Class | None:
        end = self.pattern.find(":]", self.at + 2)
        if end < 0:
            return None
        name = self.pattern[self.at + 2 : end]
        if name.removeprefix("^") not in POSIX:
            raise GoRegexError("invalid character class range", self.pattern[self.at : end + 2])
        self.at = end + 2
        return _Class(POSIX[name.removeprefix("^")], name.startswith("^"))

    def _class_character(self, start: int) -> str:
        if self.at >= len(self.pattern):
            raise GoRegexError("missing closing ]", self.pattern[start:])
        if self.pattern[self.at] == "\\":
            return self._character()
        self.at += 1
        return self.pattern[self.at - 1]


def _repeated(node: Piece, mark: str, low: int, high: int, lazy: bool) -> Piece:
    """Builds a repetition; greediness does not change whether a text matches."""
    height = node.height + 1
    if mark != "{":
        size = node.size + (2 if mark == "*" else 1)
        bounds = (0, 1) if mark == "?" else (1 if mark == "+" else 0, -1)
        return Piece(f"(?:{node.text}){mark}", size, height, node.count, (node,), bounds=bounds, is_lazy=lazy)
    many = high if high >= 0 else low
    count = node.count * many if many > 0 else 1 if high == 0 else node.count
    size = low * node.size + 2 if high < 0 else high * node.size + high - low
    text = f"(?:{node.text}){{{low},{high if high >= 0 else ''}}}"
    return Piece(text, max(size, 1), height, count, (node,), bounds=(low, high), is_lazy=lazy)
