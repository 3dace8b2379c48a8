"""Compiled expressions: what Python can run of what Go accepts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from validation_gen.goregex.parser import translate


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression that Go accepts. Without `code` nobody here can say what it matches."""

    text: str
    code: re.Pattern[str] | None

    def matches(self, text: str) -> bool | None:
        """Whether there is a match anywhere in a text; `None` if that cannot be told."""
        return None if self.code is None else self.code.search(text) is not None


@lru_cache(maxsize=4096)
def compiled(text: str) -> Pattern:
    """The expression, ready to be used.

    Raises:
        GoRegexError: it is none of Go's.
    """
    translated = translate(text)
    try:
        return Pattern(text, None if translated is None else re.compile(translated))
    except (re.error, RecursionError, OverflowError):  # what is nested deeply
        return Pattern(text, None)
