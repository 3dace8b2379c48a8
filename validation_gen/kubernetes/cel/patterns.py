"""Check of regular expressions for Go's `regexp`, which the API server uses."""

from __future__ import annotations

from validation_gen.kubernetes.goregex import GoRegexError, compiled


def problem_of(pattern: str) -> str:
    """Returns Go's error for a pattern; `""` if it compiles."""
    try:
        compiled(pattern)
    except GoRegexError as error:
        return str(error)
    return ""
