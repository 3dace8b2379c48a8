"""Compiled expressions, for those that Go accepts and that can run here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from validation_gen.kubernetes.goregex.automaton import Automaton, TooLargeError
from validation_gen.kubernetes.goregex.parser import parsed
from validation_gen.kubernetes.goregex.spans import Steps, first_span


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
            TooMuchWorkError: it needs more steps than are left.
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
