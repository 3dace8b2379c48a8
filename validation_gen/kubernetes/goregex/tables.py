"""Expressions as transition tables for ASCII texts, for the native fast path.

The states are the sets of states of the automaton. Characters that no part of an expression distinguishes have the same
transitions, so only one of each class is tried.
"""

from __future__ import annotations

import functools

from validation_gen.kubernetes.goregex.automaton import Automaton, States
from validation_gen.kubernetes.goregex.pattern import compiled

_LETTERS = 128
#: States are bytes; 0 is the dead state.
_MOST_STATES = 255
#: Larger expressions get no table: building it takes long, and it mostly has too many states.
_MOST_STEPS = 2_000


class _Tables:
    """Numbers of the states. The first one is the start."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.numbers: dict[States | None, int] = {None: 1}
        self.groups = self._groups()

    def _groups(self) -> list[list[int]]:
        """Returns groups of characters that the expression does not distinguish."""
        found: dict[tuple[bool, ...], list[int]] = {}
        codes = self.automaton.codes
        for letter in range(_LETTERS):
            char = chr(letter)
            found.setdefault(tuple([code.match(char) is not None for code in codes]), []).append(letter)
        return list(found.values())

    def table(self) -> bytes | None:
        rows, ends = [bytes(_LETTERS)], [False]
        waiting: list[States | None] = [None]
        for states in waiting:
            is_found, is_end, follows = self.automaton.step(states, [chr(group[0]) for group in self.groups])
            number = self.numbers[states]
            ends.append(is_end)
            row = bytearray(_LETTERS)
            for group, follow in zip(self.groups, follows, strict=True):
                if not is_found and follow not in self.numbers:
                    if len(self.numbers) >= _MOST_STATES:
                        return None
                    self.numbers[follow] = len(self.numbers) + 1
                    waiting.append(follow)
                for letter in group:  # after a match every text matches
                    row[letter] = number if is_found else self.numbers[follow]
            rows.append(bytes(row))
        return b"".join(rows) + bytes(ends)


@functools.lru_cache(maxsize=512)
def table_of(pattern: str) -> bytes | None:
    """Returns the table for searching an ASCII text for an expression that Go accepts; None if there is none.

    It has 128 bytes for each state, the first of which is the dead one and the second the start, and then a byte for
    each state that is 1 if a text may end there.
    """
    automaton = compiled(pattern).automaton
    if automaton is None or not automaton.is_plain or len(automaton.steps) > _MOST_STEPS:
        return None
    return _Tables(automaton).table()
