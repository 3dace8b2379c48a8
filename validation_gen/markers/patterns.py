"""Whether a text is a regular expression for Go's `regexp`, which the API server takes patterns with."""

from __future__ import annotations


def problem_of(pattern: str) -> str:
    """Why Go would not compile a pattern; `""` if it would."""
    return ""
