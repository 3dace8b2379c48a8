"""Diagnostics for people: `full` at a terminal, `concise` for editors and logs.

Source lines are only read for excerpts: a run without findings reads nothing twice. Colours go by purpose; the caller
decides whether to use them. Foreign text on a terminal cannot move the cursor.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.visible import hidden_places, one_line
from validation_gen.files import reading
from validation_gen.files.reading import HEAD, detect_packing
from validation_gen.runtime.words import counted

_RESET = "\x1b[0m"
_STYLES = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "info": "\x1b[1;36m",
    "note": "\x1b[1;36m",
    "help": "\x1b[1;36m",
    "gutter": "\x1b[1;34m",
    "strong": "\x1b[1m",
}

Styler = Callable[[str, str], str]


def styler(color: bool) -> Styler:
    """Returns a function that styles text by the name of a style, or leaves it unchanged."""
    return _color if color else _plain


def _plain(_style: str, text: str) -> str:
    return text


def _color(style: str, text: str) -> str:
    return f"{_STYLES[style]}{text}{_RESET}" if text.strip() else text


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
    """Returns the range of characters to show: at most `most` cells, among them those from `begin` to `end`."""
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


#: The bar, the blanks around it, and a mark on both sides.
_BESIDE = 5
_LEAST = 20


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Returns the number of findings: `2 errors, 1 warning`, or `no problems`."""
    counts = [(s, sum(d.severity is s for d in diagnostics)) for s in sorted(Severity, reverse=True)]
    return ", ".join(counted(n, s.value) for s, n in counts if n) or "no problems"


def full(diagnostics: Sequence[Diagnostic], style: Styler, columns: int = 0) -> str:
    """Renders the findings with their source lines, and an empty line in between. A terminal has `columns`."""
    sources = _Sources(columns)
    blocks = ("\n".join(line.rstrip() for line in _block(d, sources, style)) for d in diagnostics)
    return "\n\n".join(blocks) + "\n" if diagnostics else ""


def concise(diagnostics: Sequence[Diagnostic], style: Styler) -> str:
    """Renders a line for each finding."""
    return "".join(
        f"{style('strong', one_line(str(d.span)))}: {style(d.severity.value, d.severity.value)} {d.code} "
        f"{one_line(d.message)}{f' ({one_line(d.help)})' if d.help else ''}\n"
        for d in diagnostics
    )


def _block(diagnostic: Diagnostic, sources: _Sources, style: Styler) -> list[str]:
    """Returns the lines of one finding in the full format."""
    severity = diagnostic.severity.value
    spans = [diagnostic.span, *(span for _, span in diagnostic.notes if span)]
    gutter = max(len(str(span.line)) for span in spans)
    title = style(severity, f"{severity}[{diagnostic.code}]")
    lines = [title + style("strong", f": {one_line(diagnostic.message)}")]
    lines += _place(diagnostic.span, gutter, severity, sources, style)
    for text, span in diagnostic.notes:
        if span:
            lines.append(style("note", "note") + style("strong", f": {one_line(text)}"))
            lines += _place(span, gutter, "note", sources, style)
    # Notes without a position are attached to the gutter, below all others.
    remarks = [("note", text) for text, span in diagnostic.notes if not span]
    if diagnostic.help:
        remarks.append(("help", diagnostic.help))
    bullet = " " * gutter + style("gutter", " = ")
    lines += [f"{bullet}{style(kind, kind)}: {one_line(text)}" for kind, text in remarks]
    return lines


def _place(span: Span, gutter: int, severity: str, sources: _Sources, style: Styler) -> list[str]:
    """Returns the position, and the source line with carets below it if it can be read."""
    bar = " " * gutter + style("gutter", " |")
    lines = [" " * gutter + style("gutter", "--> ") + one_line(str(span))]
    line = sources.line(span)
    # A span that does not fit in its line means that the file has changed since it was read.
    if line is None or not 1 <= span.column <= len(line) + 1:
        return lines
    text, indent, carets = excerpt(line, span, sources.most(gutter))
    number = style("gutter", f"{span.line:>{gutter}} |")
    return [*lines, bar, f"{number} {text}", f"{bar} {' ' * indent}{style(severity, '^' * carets)}", bar]


@dataclass(slots=True)
class _Sources:
    """Files of one rendering, each read at most once and only when a line of it is needed."""

    columns: int = 0
    _files: dict[str, list[str]] = field(default_factory=dict)

    def most(self, gutter: int) -> int:
        """Returns the number of visible cells of a line: those beside the gutter and the marks of a cut."""
        return max(self.columns - gutter - _BESIDE, _LEAST) if self.columns else MAX_EXCERPT

    def line(self, span: Span) -> str | None:
        """Returns the line of a span without its end; `None` when there is no such file or line."""
        if span.line < 1:
            return None
        if span.file not in self._files:
            self._files[span.file] = _read_lines(span.file)
        lines = self._files[span.file]
        return lines[span.line - 1] if span.line <= len(lines) else None


def _read_lines(file: str) -> list[str]:
    """Returns the lines of a file as compilers count them: only a line feed ends one. An unreadable file has none.

    Nor has a compressed one: its spans count in the uncompressed content, and its bytes are not readable.
    """
    try:
        content = reading.read(file)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return []
    if detect_packing(content[:HEAD]):
        return []
    text = content.decode(errors="replace")
    return [line.removesuffix("\r") for line in text.split("\n")]
