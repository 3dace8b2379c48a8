"""Wraps prose to a given width."""

from __future__ import annotations

import re
import textwrap

from validation_gen.diagnostics.visible import visible

_KEPT = "\N{NO-BREAK SPACE}"


def wrapped(text: str, width: int) -> list[str]:
    """Returns the lines of a text, at least one. Text in backquotes is meant to be typed, and stays on one line."""
    joined = re.sub("`[^`]*`", lambda match: match[0].replace(" ", _KEPT), visible(text, keep="\t\n"))
    lines = textwrap.wrap(joined, width, break_long_words=False, break_on_hyphens=False)
    return [line.replace(_KEPT, " ") for line in lines] or [""]
