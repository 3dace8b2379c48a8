"""Patterns as tables: the next state by state and character, as the native fast path walks them.

It reads only the syntax that our own patterns need: characters, sets, groups, `|`, and how often something is repeated.
A pattern that is anything else, or whose table would be large, has no table, and functions are called instead.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

_LETTERS = 128
#: States are bytes, of which 0 is the one from which nothing follows.
_MOST_STATES = 255
#: Repeated parts are written out.
_MOST_NODES = 2_000

#: A part of a pattern: states that are entered, and those from which it is left.
_Part = tuple[int, int]


class NoTableError(Exception):
    """Raised for a pattern without a table."""


class _Reader:
    """Reads a pattern into an automaton whose states have several successors."""

    def __init__(self, pattern: str) -> None:
        self.rest = list(reversed(pattern))
        self.empty: list[set[int]] = []
        self.steps: list[tuple[frozenset[int], int] | None] = []

    def state(self) -> int:
        if len(self.empty) >= _MOST_NODES:
            raise NoTableError
        self.empty.append(set())
        self.steps.append(None)
        return len(self.empty) - 1

    def peek(self) -> str:
        return self.rest[-1] if self.rest else ""

    def take(self) -> str:
        if not self.rest:
            raise NoTableError
        return self.rest.pop()

    def whole(self) -> _Part:
        part = self.alternatives()
        if self.rest:
            raise NoTableError
        return part

    def alternatives(self) -> _Part:
        start, end = self.state(), self.state()
        while True:
            first, last = self.sequence()
            self.empty[start].add(first)
            self.empty[last].add(end)
            if self.peek() != "|":
                return start, end
            self.take()

    def sequence(self) -> _Part:
        start = last = self.state()
        while self.peek() not in ("", "|", ")"):
            before = list(self.rest)
            first, end = self.atom()
            read = before[len(self.rest) :]
            least, most = self.times()
            if (least, most) != (1, 1):
                first, end = self.repeated(read, least, most)
            self.empty[last].add(first)
            last = end
        return start, last

    def repeated(self, read: list[str], least: int, most: int | None) -> _Part:
        """Returns a part repeated: it is read again for each repetition, from the same characters."""
        rest = self.rest
        start = last = self.state()
        end = self.state()
        for count in range(max(least, most or 0, 1)):
            self.rest = list(read)
            first, after = self.atom()
            if count >= least:
                self.empty[last].add(end)
            self.empty[last].add(first)
            last = after
        if most is None:  # the last one any number of times
            self.empty[last].add(first)
            if not least:
                self.empty[start].add(end)
        self.empty[last].add(end)
        self.rest = rest
        return start, end

    def times(self) -> tuple[int, int | None]:
        match self.peek():
            case "*":
                self.take()
                return 0, None
            case "+":
                self.take()
                return 1, None
            case "?":
                self.take()
                return 0, 1
            case "{":
                self.take()
                text = ""
                while self.peek() != "}":
                    text += self.take()
                self.take()
                least, comma, most = text.partition(",")
                if not least.isdecimal() or (most and not most.isdecimal()):
                    raise NoTableError
                return int(least), (int(most) if most else None) if comma else int(least)
        return 1, 1

    def atom(self) -> _Part:
        char = self.take()
        if char == "(":
            if self.peek() == "?":
                self.take()
                if self.take() != ":":
                    raise NoTableError
            part = self.alternatives()
            if self.take() != ")":
                raise NoTableError
            return part
        start, end = self.state(), self.state()
        self.steps[start] = self.letters(char), end
        return start, end

    def letters(self, char: str) -> frozenset[int]:
        if char == "[":
            return self.set()
        if char == "\\":
            char = self.take()
            if char.isalnum():
                raise NoTableError
        elif char in ".^$*+?{}":
            raise NoTableError
        return frozenset([ord(char)])

    def set(self) -> frozenset[int]:
        found: set[int] = set()
        if self.peek() in ("^", "]"):
            raise NoTableError
        while (char := self.take()) != "]":
            if char in "\\[":
                raise NoTableError
            if self.peek() == "-" and len(self.rest) > 1 and self.rest[-2] != "]":
                self.take()
                found.update(range(ord(char), ord(self.take()) + 1))
            else:
                found.add(ord(char))
        return frozenset(found)

    def closure(self, states: Iterator[int]) -> frozenset[int]:
        found: set[int] = set()
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if state not in found:
                found.add(state)
                waiting += self.empty[state]
        return frozenset(found)


@functools.lru_cache(maxsize=256)
def table_of(pattern: str) -> bytes | None:
    """Returns the table of a pattern that whole texts of ASCII must match; `None` if it has none.

    It has 128 bytes for each state, the first of which is the dead one and the second the one to begin with, and then a
    byte for each that says whether a text may end there.
    """
    try:
        return _table(_Reader(pattern))
    except NoTableError:
        return None


def _table(reader: _Reader) -> bytes:
    first, last = reader.whole()
    start = reader.closure(iter([first]))
    numbers: dict[frozenset[int], int] = {frozenset(): 0, start: 1}
    rows = [bytes(_LETTERS)]
    waiting = [start]
    for states in waiting:
        steps = [step for state in states if (step := reader.steps[state]) is not None]
        letters = frozenset[int]().union(*(letters for letters, _ in steps))
        row = bytearray(_LETTERS)
        for letter in letters:
            if letter >= _LETTERS:
                continue
            after = reader.closure(end for allowed, end in steps if letter in allowed)
            if after not in numbers:
                if len(numbers) > _MOST_STATES:
                    raise NoTableError
                numbers[after] = len(numbers)
                waiting.append(after)
            row[letter] = numbers[after]
        rows.append(bytes(row))
    return b"".join(rows) + bytes(last in states for states in numbers)
