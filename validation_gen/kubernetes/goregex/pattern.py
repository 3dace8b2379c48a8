"""Compiled expressions: what can be run here of what Go accepts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from validation_gen.kubernetes.goregex.automaton import Automaton, TooLargeError
from validation_gen.kubernetes.goregex.parser import parsed


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression that Go accepts. Without `automaton` nobody here can say what it matches."""

    text: str
    automaton: Automaton | None

    def matches(self, text: str) -> bool | None:
        """Whether there is a match anywhere in a text; `None` if that cannot be told."""
        return None if self.automaton is None else self.automaton.finds(text)


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
