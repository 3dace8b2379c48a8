"""Compiled expressions, for those that Go accepts and that can run here.

`includes` compares two of them: both automata read one character from each class that they treat alike. Expressions
with assertions other than the beginning or the end of a text are not compared. `build_table` writes one as a transition
table for ASCII texts, for the native fast path. Its states are sets of states of the automaton; characters that no part
of an expression distinguishes have the same transitions, so only one of each class is tried.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from validation_gen.runtime.goregex.automaton import Automaton, States, Steps, TooLargeError, first_span
from validation_gen.runtime.goregex.parser import GoRegexError, parsed


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression that Go accepts. Without `automaton` it cannot run here."""

    text: str
    automaton: Automaton | None

    def matches(self, text: str) -> bool | None:
        """Returns whether there is a match anywhere in a text; `None` if that is not known."""
        return None if self.automaton is None else self.automaton.finds(text)

    def span(self, text: str, start: int = 0, steps: Steps | None = None) -> tuple[int, int] | None:
        """Returns the begin and end of the first match from a position on; `None` if there is none.

        The pattern must have an automaton.

        Raises:
            StepLimitError: it needs more steps than are left.
        """
        assert self.automaton is not None
        return first_span(self.automaton, text, start, steps)


@lru_cache(maxsize=512)
def compiled(text: str) -> Pattern:
    """Compiles an expression.

    Raises:
        GoRegexError: Go refuses it.
    """
    whole = parsed(text)
    try:
        return Pattern(text, None if whole is None else Automaton(whole))
    except (re.error, RecursionError, TooLargeError):  # deep nesting, or too many repetitions
        return Pattern(text, None)


#: Work limits: pairs of state sets, classes of characters, and the product of both.
_MOST_PAIRS, _MOST_POINTS, _MOST_WORK = 5_000, 6_000, 400_000
_MOST_STEPS = 2_000

_CHARACTER = re.compile(r"\\U([0-9a-f]{8})|\\?([^\\])", re.DOTALL)
_FOLDED = "(?i"
_LAST, _SURROGATES = 0x10FFFF, range(0xD800, 0xE000)
#: Characters that a class may end at without naming them: newlines, and those that fold into ASCII letters.
_UNNAMED = (0, ord("\n"), 0x17F, 0x212A)


@functools.lru_cache(maxsize=256)
def includes(wide: str, narrow: str) -> bool:
    """Returns whether `wide` matches every text that `narrow` matches; False also where that is not known."""
    try:
        one, other = compiled(narrow).automaton, compiled(wide).automaton
    except GoRegexError:
        return False
    if one is None or other is None or not (one.is_plain and other.is_plain):
        return False
    if len(one.steps) + len(other.steps) > _MOST_STEPS:
        return False
    characters = _characters(one, other)
    return bool(characters) and _includes(one, other, characters)


def _includes(narrow: Automaton, wide: Automaton, characters: list[str]) -> bool:
    #: State sets of both, and whether `narrow` has already found a match, so that its further states do not matter.
    begin: tuple[States | None, States | None, bool] = (None, None, False)
    known, waiting, work = {begin}, [begin], 0
    for mine, others, was_found in waiting:
        is_found, is_end, follows = narrow.step(mine, characters)
        other_found, other_end, other_follows = wide.step(others, characters)
        if other_found:
            continue
        is_found = is_found or was_found
        if (is_found or is_end) and not other_end:
            return False
        for follow, other in zip(follows, other_follows, strict=True):
            pair = (frozenset[int]() if is_found else follow, other, is_found)
            if pair not in known:
                known.add(pair)
                waiting.append(pair)
        work += len(characters)
        if len(known) > _MOST_PAIRS or work > _MOST_WORK:
            return False
    return True


def _characters(*automata: Automaton) -> list[str]:
    """Returns a character of each class that the automata distinguish; none if there are too many."""
    codes = [code for automaton in automata for code in automaton.codes]
    points = set(_UNNAMED)
    for code in codes:
        for escaped, plain in _CHARACTER.findall(code.pattern):
            point = int(escaped, 16) if escaped else ord(plain)
            points.update((point, point + 1))
            if _FOLDED in code.pattern:
                if point > 0x7F:
                    return []
                points.update(ord(case) + more for case in (chr(point).lower(), chr(point).upper()) for more in (0, 1))
    points.update(point + 1 for point in _UNNAMED)
    if len(points) > _MOST_POINTS:
        return []
    chars = [chr(point) for point in sorted(points) if point <= _LAST and point not in _SURROGATES]
    return [group[0] for group in _groups(codes, chars)]


def _groups(codes: Sequence[re.Pattern[str]], chars: Iterable[str]) -> list[list[str]]:
    """Returns groups of characters that an expression does not distinguish."""
    found: dict[tuple[bool, ...], list[str]] = {}
    for char in chars:
        found.setdefault(tuple([code.match(char) is not None for code in codes]), []).append(char)
    return list(found.values())


@functools.lru_cache(maxsize=256)
def shortest(pattern: str) -> str | None:
    """Returns one of the shortest texts that an expression matches, of readable characters if that is possible.

    None if there is none, or if it is not found with the limits of work.
    """
    automaton = compiled(pattern).automaton
    if automaton is None or not automaton.is_plain or len(automaton.steps) > _MOST_STEPS:
        return None
    characters = _readable(automaton)
    known: set[States | None] = {None}
    waiting: list[tuple[States | None, str]] = [(None, "")]
    work = 0
    for states, text in waiting:
        is_found, is_end, follows = automaton.step(states, characters)
        if is_found or is_end:
            return text
        for char, follow in zip(characters, follows, strict=True):
            if follow and follow not in known:
                known.add(follow)
                waiting.append((follow, text + char))
        work += len(characters)
        if len(known) > _MOST_PAIRS or work > _MOST_WORK:
            return None
    return None


def _readable(automaton: Automaton) -> list[str]:
    """Returns a character of each class that an automaton distinguishes: a letter or a digit before others."""
    chars = (*"a0A", *map(chr, range(ord("!"), 0x7F)), *_characters(automaton))
    return [group[0] for group in _groups(automaton.codes, chars)]


_LETTERS = 128
#: States are bytes; 0 is the dead state.
_MOST_STATES = 255


@functools.lru_cache(maxsize=512)
def build_table(pattern: str) -> bytes | None:
    """Returns the table for searching an ASCII text for an expression that Go accepts; None if there is none.

    It has 128 bytes for each state, the first of which is the dead one and the second the start, and then a byte for
    each state that is 1 if a text may end there.
    """
    automaton = compiled(pattern).automaton
    if automaton is None or not automaton.is_plain or len(automaton.steps) > _MOST_STEPS:
        return None
    groups = _groups(automaton.codes, map(chr, range(_LETTERS)))
    chars = [group[0] for group in groups]
    numbers: dict[States | None, int] = {None: 1}
    is_found, is_end, follows = automaton.step(frozenset(), chars)
    if not (is_found or is_end or any(follows)):
        numbers[frozenset()] = 0
    rows, ends = [bytes(_LETTERS)], [False]
    waiting: list[States | None] = [None]
    for number, states in enumerate(waiting, 1):
        is_found, is_end, follows = automaton.step(states, chars)
        ends.append(is_end)
        row = bytearray(_LETTERS)
        for group, follow in zip(groups, follows, strict=True):
            if not is_found and follow not in numbers:
                if len(waiting) >= _MOST_STATES:
                    return None
                waiting.append(follow)
                numbers[follow] = len(waiting)
            for char in group:  # after a match every text matches
                row[ord(char)] = number if is_found else numbers[follow]
        rows.append(bytes(row))
    return b"".join(rows) + bytes(ends)


def build_whole_table(pattern: str) -> bytes | None:
    """Returns the table for texts that match as a whole; None if there is none."""
    return build_table(rf"\A(?:{pattern})\z")
