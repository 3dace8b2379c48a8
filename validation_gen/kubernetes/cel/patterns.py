"""Whether a text is a regular expression for Go's `regexp`, with which the API server matches."""

from __future__ import annotations

from validation_gen.kubernetes.goregex import GoRegexError, compiled


def problem_of(pattern: str) -> str:
    """Why Go would not compile a pattern, in its words; `""` if it would."""
    try:
        compiled(pattern)
    except GoRegexError as error:
        return str(error)
    return ""
