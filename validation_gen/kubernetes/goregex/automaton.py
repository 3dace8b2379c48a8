"""Looks for an expression in a text in a time that grows with the text and not faster, as Go does.

Python's `re` tries one way after the other, of which `(a+)+$` has more than anybody can wait for. Here all ways are
gone at once: what is kept is the set of states that any of them has reached. Which characters a state takes, and
whether a place is the beginning of a line or of a word, Python's `re` says; so both understand an expression alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from validation_gen.kubernetes.goregex.parser import Piece

#: The states that an expression may have. Each repetition with a count has its own: `a{1000}` has a thousand.
MAX_STATES = 20_000
#: What is remembered of one expression: states that are reached together, and the characters that lead on.
_MAX_KNOWN = 100_000
_MAX_ANSWERS, _SHORT = 256, 64
_BEGIN, _END = r"(?:\A)", r"(?:\Z)"

States = frozenset[int]


class TooLargeError(ValueError):
    """The expression would have too many states."""


class _Reached:
    """States that are reached together: what follows by which character, and whether one of them is the last.

    `within` and `last` are for texts of which only the beginning and the end can be demanded: what follows by a
    character that is not the last one, and whether there is a match behind one that is.
    """

    __slots__ = ("is_dead", "is_match", "last", "next", "takers", "within")

    def __init__(self, takers: Sequence[tuple[int, int]], is_match: bool, is_dead: bool) -> None:
        self.takers = takers
        self.is_match = is_match
        #: Whether nothing has begun, and nothing can begin further on, but at the end.
        self.is_dead = is_dead
        self.next: dict[str, States] = {}
        self.within: dict[str, _Reached] = {}
        self.last: dict[str, bool] = {}


def _ways(piece: Piece, on: int, out: int) -> tuple[int, int]:
    """Once more and out, the preferred one first."""
    return (out, on) if piece.is_lazy else (on, out)


class Automaton:
    """The states of an expression.

    Raises:
        TooLargeError: there are too many.
        RecursionError: it is nested too deeply.
    """

    def __init__(self, whole: Piece) -> None:
        #: For each state: what it takes or demands (an index into the codes, -1 for nothing), and where it leads, the
        #: preferred way first.
        self.codes: list[re.Pattern[str]] = []
        self._numbers: dict[str, int] = {}
        self.steps: list[tuple[int, bool, tuple[int, ...]]] = [(-1, False, ())]
        self._demands: list[int] = []
        self.start = self._built(whole, 0)
        #: Whether all that is demanded is to be at the beginning or at the end of a text.
        self.is_plain = {self.codes[number].pattern for number in self._demands} <= {_BEGIN, _END}
        self._known: dict[tuple[States, tuple[bool, ...]], _Reached] = {}
        self._first: _Reached | None = None
        self._answers: dict[str, bool] = {}
        self._count = 0

    # --- building -----------------------------------------------------------------------------------------------------

    def _state(self, code: int, demands: bool, *ways: int) -> int:
        if len(self.steps) >= MAX_STATES:
            raise TooLargeError
        self.steps.append((code, demands, ways))
        return len(self.steps) - 1

    def _code(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.codes)
            self.codes.append(re.compile(text))
        return number

    def _built(self, piece: Piece, then: int) -> int:
        """The state in which a piece begins that goes on with another state."""
        if piece.parts is None:
            code = self._code(piece.text)
            if piece.asserts and code not in self._demands:
                self._demands.append(code)
            return self._state(code, piece.asserts, then)
        if piece.bounds is not None:
            return self._repeated(piece.parts[0], piece, then)
        if piece.chooses:
            return self._state(-1, False, *(self._built(part, then) for part in piece.parts))
        for part in reversed(piece.parts):
            then = self._built(part, then)
        return then

    def _repeated(self, part: Piece, piece: Piece, then: int) -> int:
        """A part as often as the bounds of a piece say, in the order in which Go prefers the ways."""
        assert piece.bounds is not None
        low, high = piece.bounds
        if high >= 0:
            start = then
            for _ in range(high - low):
                start = self._state(-1, False, *_ways(piece, self._built(part, start), then))
            return self._copies(part, low, start)
        again = self._state(-1, False)
        start = self._built(part, again)
        self.steps[again] = (-1, False, _ways(piece, start, then))
        if low == 0:
            # A state of its own: of a part that may be empty, `again` would have been met when the part ends.
            return self._state(-1, False, *_ways(piece, start, then))
        return self._copies(part, low - 1, start)

    def _copies(self, part: Piece, count: int, then: int) -> int:
        for _ in range(count):
            then = self._built(part, then)
        return then

    # --- running ------------------------------------------------------------------------------------------------------

    def finds(self, text: str) -> bool:
        """Whether there is a match anywhere in a text. Answers about short texts, which come again, are remembered."""
        answer = self._answers.get(text)
        if answer is None:
            answer = self._finds_plainly(text) if self.is_plain and text else self._searched(text)
            if len(text) <= _SHORT:
                if len(self._answers) >= _MAX_ANSWERS:
                    self._answers.clear()
                self._answers[text] = answer
        return answer

    def step(self, states: States | None, chars: Sequence[str]) -> tuple[bool, bool, list[States]]:
        """What is true where a character has led to some states, or None at the beginning, and what comes next.

        That is whether there is a match already, whether there is one if the text ends here, and the states behind each
        of some characters. Only for what is plain.
        """
        here = self._reached(states or frozenset(), self._demanded(_BEGIN if states is None else ""))
        is_end = self._searched("") if states is None else self._reached(states, self._demanded(_END)).is_match
        return here.is_match, here.is_match or is_end, [self._follow(here, char) for char in chars]

    def _searched(self, text: str) -> bool:
        reached = self._reached(frozenset(), self._kept(text, 0))
        for at, char in enumerate(text, 1):
            if reached.is_match:
                return True
            follow = reached.next.get(char)
            if follow is None:
                follow = self._follow(reached, char)
            kept = self._kept(text, at)
            found = self._known.get((follow, kept))
            reached = found if found is not None else self._reached(follow, kept)
        return reached.is_match

    def _finds_plainly(self, text: str) -> bool:
        """The same where all that is demanded is to be at the beginning or at the end of a text, which has characters.

        So what follows a character is the same wherever it stands, but at the end.
        """
        reached = self._first
        if reached is None:
            reached = self._first = self._reached(frozenset(), self._demanded(_BEGIN))
        for char in text[:-1]:
            if reached.is_match:
                return True
            follow = reached.within.get(char)
            reached = follow if follow is not None else self._within(reached, char)
            if reached.is_dead:
                return self._reached(frozenset(), self._demanded(_END)).is_match
        if reached.is_match:
            return True
        result = reached.last.get(text[-1])
        return result if result is not None else self._last(reached, text[-1])

    def _within(self, reached: _Reached, char: str) -> _Reached:
        found = reached.within[char] = self._reached(self._follow(reached, char), self._demanded(""))
        return found

    def _last(self, reached: _Reached, char: str) -> bool:
        found = self._reached(self._follow(reached, char), self._demanded(_END)).is_match
        reached.last[char] = found
        return found

    def _demanded(self, place: str) -> tuple[bool, ...]:
        """Which of the demands are kept at the beginning, or at the end, or in between."""
        return tuple([self.codes[code].pattern == place for code in self._demands])

    def _kept(self, text: str, at: int) -> tuple[bool, ...]:
        """Which of the demands are kept at a place."""
        return tuple([self.codes[code].match(text, at) is not None for code in self._demands])

    def _reached(self, states: States, kept: tuple[bool, ...]) -> _Reached:
        """What can be reached from some states, and from the first one, without a character."""
        key = states, kept
        found = self._known.get(key)
        if found is not None:
            return found
        fulfilled = {code for code, is_kept in zip(self._demands, kept, strict=True) if is_kept}
        steps = self.steps
        takers: list[tuple[int, int]] = []
        waiting = [*states, self.start]
        met = set(waiting)
        while waiting:
            code, demands, ways = steps[waiting.pop()]
            if code >= 0 and not demands:
                takers.append((code, ways[0]))
            elif code < 0 or code in fulfilled:
                for way in ways:
                    if way not in met:
                        met.add(way)
                        waiting.append(way)
        self._note(len(takers))
        found = self._known[key] = _Reached(takers, 0 in met, not takers and not states)
        return found

    def _follow(self, reached: _Reached, char: str) -> States:
        """The states behind a character."""
        codes = self.codes
        takes = {code: codes[code].match(char) is not None for code, _ in reached.takers}
        follow = frozenset([then for code, then in reached.takers if takes[code]])
        self._note(1)
        reached.next[char] = follow
        return follow

    def _note(self, size: int) -> None:
        """Forgets everything from time to time, so that no text makes us remember ever more."""
        self._count += size + 1
        if self._count > _MAX_KNOWN:
            self._known.clear()
            self._first = None
            self._count = 0
