"""Automaton that searches a text in linear time, as Go does, and finds the begin and end of a match.

Python's `re` backtracks, which takes exponential time for `(a+)+$`. Here all alternatives advance together: the state
is the set of states that any of them has reached. Python's `re` decides only which characters a state takes, and
whether a position is the beginning of a line or of a word; so both engines read an expression alike.

Go returns the leftmost match, and of those the one that Perl would find first. To find its ends, the alternatives
advance in the order in which Perl would try them, each with its start position. An alternative that reaches a state
after another one is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from validation_gen.runtime.goregex.parser import Piece

#: Greatest number of states of an expression. Each counted repetition has its own: `a{1000}` has a thousand.
MAX_STATES = 20_000
#: Size limit of the cache of one expression: sets of states, and transitions by character.
_MAX_KNOWN = 100_000
_MAX_ANSWERS, _SHORT = 256, 64
_BEGIN, _END = r"(?:\A)", r"(?:\Z)"

States = frozenset[int]


class TooLargeError(ValueError):
    """The expression would have too many states."""


class _Reached:
    """A set of states: the transitions by character, and whether it contains the final state."""

    __slots__ = ("is_match", "next", "takers")

    def __init__(self, takers: Sequence[tuple[int, int]], is_match: bool) -> None:
        self.takers = takers
        self.is_match = is_match
        self.next: dict[str, States] = {}


def _ways(piece: Piece, on: int, out: int) -> tuple[int, int]:
    """Orders repeating and leaving by preference."""
    return (out, on) if piece.is_lazy else (on, out)


class Automaton:
    """The states of an expression.

    Raises:
        TooLargeError: there are too many.
        RecursionError: it is nested too deeply.
    """

    def __init__(self, whole: Piece) -> None:
        #: For each state: its condition (an index into the codes, -1 for none), whether that is an assertion, and the
        #: next states, the preferred one first.
        self.codes: list[re.Pattern[str]] = []
        self._numbers: dict[str, int] = {}
        self.steps: list[tuple[int, bool, tuple[int, ...]]] = [(-1, False, ())]
        self._demands: list[int] = []
        self.start = self._built(whole, 0)
        #: True if the only assertions are the beginning and the end of a text.
        self.is_plain = {self.codes[number].pattern for number in self._demands} <= {_BEGIN, _END}
        self._known: dict[tuple[States, tuple[bool, ...]], _Reached] = {}
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
        """Adds the states of a piece that continues with the state `then`. Returns its first state."""
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
        """Builds a repetition within its bounds, in Go's order of preference."""
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
            # A state of its own: if the part can be empty, `again` would already have been visited when the part ends.
            return self._state(-1, False, *_ways(piece, start, then))
        return self._copies(part, low - 1, start)

    def _copies(self, part: Piece, count: int, then: int) -> int:
        for _ in range(count):
            then = self._built(part, then)
        return then

    # --- running ------------------------------------------------------------------------------------------------------

    def finds(self, text: str) -> bool:
        """Returns whether there is a match anywhere in a text. Results for short texts are cached."""
        answer = self._answers.get(text)
        if answer is None:
            answer = self._search(text)
            if len(text) <= _SHORT:
                if len(self._answers) >= _MAX_ANSWERS:
                    self._answers.clear()
                self._answers[text] = answer
        return answer

    def step(self, states: States | None, chars: Sequence[str]) -> tuple[bool, bool, list[States]]:
        """Advances from a set of states, or from the beginning for None.

        Returns whether there is a match already, whether there is one if the text ends here, and the states after each
        of some characters. Only for plain expressions.
        """
        here = self._reached(states or frozenset(), self._demanded(_BEGIN if states is None else ""))
        is_end = self._search("") if states is None else self._reached(states, self._demanded(_END)).is_match
        return here.is_match, here.is_match or is_end, [self._follow(here, char) for char in chars]

    def _search(self, text: str) -> bool:
        #: Which assertions hold between two characters, where that is the same everywhere.
        within = self._demanded("") if self.is_plain else None
        reached = self._reached(frozenset(), self._find_assertions(text, 0))
        for at, char in enumerate(text, 1):
            if reached.is_match:
                return True
            follow = reached.next.get(char)
            if follow is None:
                follow = self._follow(reached, char)
            kept = within if within is not None and at < len(text) else self._find_assertions(text, at)
            found = self._known.get((follow, kept))
            reached = found if found is not None else self._reached(follow, kept)
        return reached.is_match

    def _demanded(self, place: str) -> tuple[bool, ...]:
        """Returns which assertions hold at the beginning, at the end, or in between."""
        return tuple([self.codes[code].pattern == place for code in self._demands])

    def _find_assertions(self, text: str, at: int) -> tuple[bool, ...]:
        """Returns which assertions hold at a position."""
        return tuple([self.codes[code].match(text, at) is not None for code in self._demands])

    def _reached(self, states: States, kept: tuple[bool, ...]) -> _Reached:
        """Returns the set of states reachable from some states, and from the first one, without a character."""
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
        found = self._known[key] = _Reached(takers, 0 in met)
        return found

    def _follow(self, reached: _Reached, char: str) -> States:
        """Returns the states after a character."""
        codes = self.codes
        takes = {code: codes[code].match(char) is not None for code, _ in reached.takers}
        follow = frozenset([then for code, then in reached.takers if takes[code]])
        self._note(1)
        reached.next[char] = follow
        return follow

    def _note(self, size: int) -> None:
        """Clears the cache when it is full, so that memory stays bounded."""
        self._count += size + 1
        if self._count > _MAX_KNOWN:
            self._known.clear()
            self._count = 0


#: States that wait for a character, with the start positions of their alternatives.
_Ways = dict[int, int]


class StepLimitError(Exception):
    """The search has used up its steps."""


class Steps:
    """Number of characters that may still be read, repeatedly: finding all matches can be quadratic."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self) -> None:
        """Counts one character.

        Raises:
            StepLimitError: none is left.
        """
        self.left -= 1
        if self.left < 0:
            raise StepLimitError


def first_span(automaton: Automaton, text: str, start: int, steps: Steps | None = None) -> tuple[int, int] | None:
    """Returns the first match from a position on.

    The text before the position counts for beginnings of lines and words.
    """
    found: tuple[int, int] | None = None
    ways: _Ways = {}
    takes: dict[tuple[int, str], bool] = {}
    for at in range(start, len(text) + 1):
        if steps is not None:
            steps.take()
        if found is None:
            _go_on(automaton, text, at, automaton.start, at, ways)
        elif not ways:
            break
        char = text[at : at + 1]
        follow: _Ways = {}
        for state, begin in ways.items():
            if state == 0:
                found = begin, at  # all following alternatives have a lower preference
                break
            code, demands, leads = automaton.steps[state]
            if demands or code < 0 or not char:
                continue
            taken = takes.get((code, char))
            if taken is None:
                taken = takes[code, char] = automaton.codes[code].match(char) is not None
            if taken:
                _go_on(automaton, text, at + 1, leads[0], begin, follow)
        ways = follow
    return found


def _go_on(automaton: Automaton, text: str, at: int, state: int, begin: int, ways: _Ways) -> None:
    """Adds the states reachable without a character, in order of preference."""
    waiting = [state]
    while waiting:
        state = waiting.pop()
        if state in ways:
            continue
        ways[state] = begin
        code, demands, leads = automaton.steps[state]
        if state and (code < 0 or (demands and automaton.codes[code].match(text, at) is not None)):
            waiting.extend(reversed(leads))
