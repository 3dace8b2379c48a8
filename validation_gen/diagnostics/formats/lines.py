"""Lines of foreign text on a terminal: excerpts of source lines, and messages that cannot move the cursor.

Nothing here knows what a finding is.
"""

from __future__ import annotations

import unicodedata

from validation_gen.diagnostics import Span
from validation_gen.diagnostics.visible import hidden_places, one_line

__all__ = ["MAX_EXCERPT", "TAB_STOP", "excerpt", "one_line", "short"]

#: Greatest width of an excerpt without a terminal, in cells, without the gutter. Longer lines are cut around the caret.
MAX_EXCERPT = 100

#: Go code is indented with tabs. Four cells keep the text visible and the structure clear.
TAB_STOP = 4

_DOTS = "…"


def excerpt(line: str, span: Span, most: int = MAX_EXCERPT) -> tuple[str, int, int]:
    """Returns the visible part of a line, the number of cells before the carets, and the number of carets.

    A line with more cells than `most` is cut, with a mark at each cut.
    """
    cells, offsets = _cells(line)
    start = span.column - 1
    end = min(max(span.end_column - 1, start), len(cells))
    first, last = _window(offsets, offsets[start], offsets[end], most)
    text = "".join(cells[first:last])
    lead, trail = "…" if first else "", "…" if last < len(cells) else ""
    begin = max(start, first)
    carets = offsets[max(min(end, last), begin)] - offsets[begin]
    return f"{lead}{text}{trail}", len(lead) + offsets[begin] - offsets[first], max(carets, 1)


def _window(offsets: list[int], begin: int, end: int, most: int) -> tuple[int, int]:
    """Returns the characters to show so that the cells from `begin` to `end` are visible, as many of them as fit."""
    total = offsets[-1]
    if total <= most:
        return 0, len(offsets) - 1
    left = max(begin - max(most - (end - begin), 0) // 2, 0)  # the span in the middle
    left = min(left, total - most)  # but nothing is wasted at the end of the line
    first = next(i for i, offset in enumerate(offsets) if offset >= left)
    last = max(i for i, offset in enumerate(offsets) if offset <= left + most)
    return first, last


def _cells(line: str) -> tuple[list[str], list[int]]:
    """Returns the printed text of each character of a line, and its first cell, with the end of the line added."""
    cells: list[str] = []
    offsets = [0]
    hidden = hidden_places(line)
    for place, character in enumerate(line):
        cell, width = _cell(character, offsets[-1], hidden=place in hidden)
        cells.append(cell)
        offsets.append(offsets[-1] + width)
    return cells, offsets


def _cell(character: str, offset: int, *, hidden: bool) -> tuple[str, int]:
    if character == "\t":
        width = TAB_STOP - offset % TAB_STOP
        return " " * width, width
    if hidden:
        # Escape sequences and bidirectional controls in a source must not reach the terminal.
        return "\N{REPLACEMENT CHARACTER}", 1
    if character in "\u200c\u200d" or unicodedata.category(character) in {"Mn", "Me"}:
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def short(text: str, most: int) -> str:
    """Shortens a text to that many characters by cutting the middle: paths differ at both ends."""
    if len(text) <= most:
        return text
    head = (most - 1) * 2 // 3
    return f"{text[:head]}{_DOTS}{text[len(text) - (most - 1 - head) :]}"
