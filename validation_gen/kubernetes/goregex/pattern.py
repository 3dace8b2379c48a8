"""Compiled expressions: what can be run here of what Go accepts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from validation_gen.kubernetes.goregex.automaton import Automaton, TooLargeError
from validation_gen.kubernetes.goregex.parser import parsed
from validation_gen.kubernetes.goregex.spans import Steps, first_span


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression that Go accepts. Without `automaton` nobody here can say what it matches."""

    text: str
    automaton: Automaton | None

    def matches(self, text: str) -> bool | None:
        """Whether there is a match anywhere in a text; `None` if that cannot be told."""
        return None if self.automaton is None else self.automaton.finds(text)

    def span(self, text: str, start: int = 0, steps: Steps | None = None) -> tuple[int, int] | None:
        """Where the first match begins and ends, from a place on; `None` if there is none.

        There has to be an automaton.

        Raises:
            TooMuchWorkError: it takes more steps than there are.
        """
        assert self.automaton is not None
        return first_span(self.automaton, text, start, steps)


@lru_cache(maxsize=512)
def compiled(text: str) -> Pattern:
    """The expression, ready to be used.

    Raises:
        GoRegexError: it is none of Go's.
    """
    whole = parsed(text)
    try:
        return Pattern(text, None if whole is None else Automaton(whole))
    except (re.error, RecursionError, TooLargeError):  # what is nested deeply, or repeated very often
        return Pattern(text, None)
