"""Where an expression matches, as Go tells it: the leftmost match, and of those the one that is tried first.

All ways are gone at once, as in `automaton`, in the order in which Go prefers them, so that the time grows with the
text and with the expression and not faster (`Pike`'s machine, `regexp/exec.go`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from validation_gen.kubernetes.goregex.automaton import MAX_STATES, TooLargeError
from validation_gen.kubernetes.goregex.parser import Piece, parsed

_TAKES, _DEMANDS, _SPLITS, _MATCH = range(4)
_Step = tuple[int, re.Pattern[str] | None, tuple[int, ...]]


class Finder:
    """The steps of an expression.

    Raises:
        TooLargeError: there are too many.
        RecursionError: it is nested too deeply.
    """

    def __init__(self, whole: Piece) -> None:
        self._steps: list[_Step] = [(_MATCH, None, ())]
        self._start = self._built(whole, 0)

    def _step(self, kind: int, code: re.Pattern[str] | None, *ways: int) -> int:
        if len(self._steps) >= MAX_STATES:
            raise TooLargeError
        self._steps.append((kind, code, ways))
        return len(self._steps) - 1

    def _built(self, piece: Piece, then: int) -> int:
        """The step in which a piece begins that goes on with another step."""
        if piece.parts is None:
            return self._step(_DEMANDS if piece.asserts else _TAKES, re.compile(piece.text), then)
        if piece.bounds is not None:
            return self._repeated(piece, *piece.bounds, then)
        if piece.chooses:
            return self._step(_SPLITS, None, *(self._built(part, then) for part in piece.parts))
        for part in reversed(piece.parts):
            then = self._built(part, then)
        return then

    def _split(self, piece: Piece, more: int, then: int) -> tuple[int, ...]:
        return (then, more) if piece.lazy else (more, then)

    def _repeated(self, piece: Piece, low: int, high: int, then: int) -> int:
        assert piece.parts is not None
        inner = piece.parts[0]
        if high < 0:
            start = self._step(_SPLITS, None)
            self._steps[start] = (_SPLITS, None, self._split(piece, self._built(inner, start), then))
        else:
            start = then
            for _ in range(high - low):
                start = self._step(_SPLITS, None, *self._split(piece, self._built(inner, start), then))
        for _ in range(low):
            start = self._built(inner, start)
        return start

    def find(self, text: str, begin: int = 0) -> tuple[int, int] | None:
        """The first match at or behind a place: where it begins and ends."""
        found: tuple[int, int] | None = None
        threads: dict[int, int] = {}
        for at in range(begin, len(text) + 1):
            if found is None:
                self._follow(self._start, at, text, at, threads)
            if not threads:
                if found is not None:
                    break
                continue
            after: dict[int, int] = {}
            for step, start in threads.items():
                kind, code, ways = self._steps[step]
                if kind == _MATCH:
                    found = start, at  # what comes behind it is preferred less
                    break
                if at < len(text) and code is not None and code.match(text, at):
                    self._follow(ways[0], start, text, at + 1, after)
            threads = after
        return found

    def _follow(self, step: int, start: int, text: str, at: int, threads: dict[int, int]) -> None:
        """Adds what can be reached without a character, in the order of preference."""
        waiting, met = [step], set()
        while waiting:
            number = waiting.pop()
            if number in met or number in threads:
                continue
            met.add(number)
            kind, code, ways = self._steps[number]
            if kind == _SPLITS:
                waiting.extend(reversed(ways))
            elif kind == _DEMANDS:
                if code is not None and code.match(text, at):
                    waiting.append(ways[0])
            else:
                threads[number] = start

    def all(self, text: str, limit: int = -1) -> Iterator[tuple[int, int]]:
        """All matches that do not overlap, at most `limit` if that is not negative (`FindAllString`)."""
        at, last, count = 0, -1, 0
        while at <= len(text) and (limit < 0 or count < limit):
            found = self.find(text, at)
            if found is None:
                return
            start, end = found
            accepted = end > start or start != last  # an empty match right behind another one is none
            at = end if end > start else end + 1
            if accepted:
                count += 1
                yield found
            last = end


@lru_cache(maxsize=256)
def finder(text: str) -> Finder | None:
    """Finds matches of an expression; None if it cannot be run here.

    Raises:
        GoRegexError: it is none of Go's.
    """
    whole = parsed(text)
    try:
        return None if whole is None else Finder(whole)
    except (re.error, RecursionError, TooLargeError):
        return None
