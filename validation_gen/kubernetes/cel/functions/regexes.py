"""Patterns: `matches`, `find` and `findAll`, in a time that grows with the text and not faster.

Source of the behaviour: `common/types/string.go` of cel-go, `pkg/cel/library/regex.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.goregex import GoRegexError, compiled
from validation_gen.kubernetes.goregex.spans import Finder, finder

_TOO_LARGE = "the pattern is too large to be run here"


def matches(text: str, pattern: str) -> bool:
    """Whether a pattern matches anywhere in a text."""
    try:
        found = compiled(pattern).matches(text)
    except GoRegexError as error:
        raise EvaluationError(f"error parsing regexp: {_reason(error)}") from None
    if found is None:
        raise EvaluationError(_TOO_LARGE)
    return found


def find(text: str, pattern: str) -> str:
    """The first match, or an empty text."""
    found = _finder(pattern).find(text)
    return "" if found is None else text[slice(*found)]


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """All matches, at most `limit` if that is not negative."""
    return [text[slice(*found)] for found in _finder(pattern).all(text, limit)]


def _finder(pattern: str) -> Finder:
    try:
        found = finder(pattern)
    except GoRegexError as error:
        raise EvaluationError(f"Illegal regex: error parsing regexp: {_reason(error)}") from None
    if found is None:
        raise EvaluationError(_TOO_LARGE)
    return found


def _reason(error: GoRegexError) -> str:
    return str(error).removeprefix("error parsing regexp: ")
