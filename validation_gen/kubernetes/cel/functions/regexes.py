"""`matches`, `find` and `findAll`, with the results of Go's `regexp`."""

from __future__ import annotations

from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.goregex import GoRegexError, Pattern, Steps, TooMuchWorkError, compiled

#: Least step limit of `findAll`, which counts each character as often as it is read. Upstream has no limit.
_MANY_STEPS = 1_000_000


def matches(text: str, pattern: str) -> bool:
    """Returns whether there is a match anywhere in a text."""
    return bool(_compiled(pattern, "").matches(text))


def find(text: str, pattern: str) -> str:
    """Returns the first match, `""` if there is none."""
    span = _compiled(pattern, "Illegal regex: ").span(text)
    return text[slice(*span)] if span else ""


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """Returns all matches, or at most `limit` of them if it is not negative."""
    try:
        return _found(_compiled(pattern, "Illegal regex: "), text, limit)
    except TooMuchWorkError:
        raise EvaluationError("the pattern takes too many steps on this text") from None


def _found(expression: Pattern, text: str, limit: int) -> list[str]:
    steps = Steps(max(_MANY_STEPS, 4 * len(text)))
    found: list[str] = []
    at, last_end = 0, -1
    while at <= len(text) and (limit < 0 or len(found) < limit):
        span = expression.span(text, at, steps)
        if span is None:
            break
        start, end = span
        # Directly behind a match only a non-empty match counts.
        if end > at or start != last_end:
            found.append(text[start:end])
        at = end if end > at else at + 1
        last_end = end
    return found


def _compiled(pattern: str, prefix: str) -> Pattern:
    try:
        expression = compiled(pattern)
    except GoRegexError as error:
        raise EvaluationError(f"{prefix}{error}") from None
    if expression.automaton is None:
        raise EvaluationError("the pattern is too large or has classes that cannot be matched here")
    return expression
