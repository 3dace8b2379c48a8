"""Finds the begin and end of a match in linear time.

Go returns the leftmost match, and of those the one that Perl would find first. So all alternatives advance together, in
the order in which Perl would try them, each with its start position. An alternative that reaches a state after another
one is dropped.
"""

from __future__ import annotations

from validation_gen.kubernetes.goregex.automaton import Automaton

#: States that wait for a character, with the start positions of their alternatives.
_Ways = dict[int, int]


class TooMuchWorkError(Exception):
    """The search has used up its steps."""


class Steps:
    """Number of characters that may still be read, repeatedly: finding all matches can be quadratic."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self) -> None:
        """Counts one character.

        Raises:
            TooMuchWorkError: none is left.
        """
        self.left -= 1
        if self.left < 0:
            raise TooMuchWorkError


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
