"""Formats numbers and foreign texts for reports, in the same words for every format.

Every text from an object, a tag or a message goes through `visible` before it is shown. Nothing here knows a format.
"""

from __future__ import annotations

from validation_gen.diagnostics.formats import one_line, short
from validation_gen.runtime import words

__all__ = ["counted", "duration", "number", "percent", "rate", "short", "visible"]


def visible(text: str) -> str:
    """Escapes characters that move cursors, change the direction of text or cannot be encoded."""
    return one_line(text)


def number(value: int) -> str:
    """Formats a number: `1,234,567`."""
    return f"{value:,}"


def counted(value: int, noun: str) -> str:
    """Formats a number with a noun: `1 mismatch`, `2 mismatches`."""
    return words.counted(value, noun, grouped=True)


def percent(part: int, whole: int) -> str:
    """Formats a share with one decimal place; only zero and the whole are shown as 0 % and 100 %."""
    if not whole:
        return "–"
    if part in (0, whole):
        return "100 %" if part else "0 %"
    tenths = min((part * 2000 + whole) // (2 * whole), 999)
    return f"{tenths / 10:.1f} %" if tenths else "< 0.1 %"


def duration(seconds: float) -> str:
    """Formats a duration: `850 µs`, `12.3 ms`, `4.56 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds <= 0:
        return "0 s"
    if seconds < 0.001:
        return f"{seconds * 1e6:.3g} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"


def rate(count: int, seconds: float) -> str:
    """Formats a rate per second."""
    if seconds <= 0:
        return "–"
    each = count / seconds
    return number(round(each)) if each >= 10 else f"{each:.1f}"
