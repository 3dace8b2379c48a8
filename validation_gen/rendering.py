"""Diagnostics as text: `full` for people at a terminal, `concise` for editors and logs, `json` for programs.

Source lines are read here, when an excerpt is wanted, and not earlier: a run without findings reads nothing twice.
This module never decides what is a finding, in which order findings come or where the text goes.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from validation_gen.diagnostics import CODES, Diagnostic, Severity, Span

#: The widest excerpt, in terminal cells, without the gutter. Longer lines are cut around the caret.
MAX_EXCERPT = 100

#: Go code is indented with tabs. Four cells keep the text in sight and the structure visible.
TAB_STOP = 4

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


def render(diagnostics: Sequence[Diagnostic], *, color: bool, format: str = "full") -> str:
    """The diagnostics as text, in the order given, each line ended; `""` when there is nothing to say.

    Args:
        diagnostics: the findings. Their files need not exist: a finding whose line cannot be read has no excerpt.
        color: whether to use ANSI escapes. Machine formats never do, so it has no effect on `json`.
        format: one of `FORMATS`.

    Raises:
        ValueError: the format is unknown.
    """
    if format not in FORMATS:
        raise ValueError(f"unknown diagnostic format {format!r}, expected one of: {', '.join(FORMATS)}")
    return FORMATS[format](diagnostics, styler(color))


def styler(color: bool) -> Styler:
    """What puts text in the style of that name, or leaves it as it is."""
    return _colored if color else _plain


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """How many findings there are: `2 errors, 1 warning`, or `no problems`."""
    counts = [(s, sum(d.severity is s for d in diagnostics)) for s in sorted(Severity, reverse=True)]
    return ", ".join(f"{n} {s.value}{'' if n == 1 else 's'}" for s, n in counts if n) or "no problems"


def _full(diagnostics: Sequence[Diagnostic], style: Styler) -> str:
    sources = _Sources()
    blocks = ("\n".join(line.rstrip() for line in _block(d, sources, style)) for d in diagnostics)
    return "\n\n".join(blocks) + "\n" if diagnostics else ""


def _concise(diagnostics: Sequence[Diagnostic], style: Styler) -> str:
    return "".join(
        f"{style('strong', one_line(str(d.span)))}: {style(d.severity.value, d.severity.value)} {d.code} "
        f"{one_line(d.message)}{f' ({one_line(d.help)})' if d.help else ''}\n"
        for d in diagnostics
    )


def _json(diagnostics: Sequence[Diagnostic], _style: Styler) -> str:
    records = [
        {
            "code": d.code,
            "title": CODES[d.code],
            "severity": d.severity.value,
            "message": d.message,
            **_position(d.span),
            "help": d.help,
            "notes": [{"message": text, **(_position(span) if span else {})} for text, span in d.notes],
        }
        for d in diagnostics
    ]
    return json.dumps(records, indent=2) + "\n"  # ASCII only: it survives every pipe and terminal


#: The formats by name.
FORMATS: dict[str, Callable[[Sequence[Diagnostic], Styler], str]] = {"full": _full, "concise": _concise, "json": _json}


def _position(span: Span) -> dict[str, str | int]:
    return {"file": span.file, "line": span.line, "column": span.column, "end_column": span.end_column}


def _block(diagnostic: Diagnostic, sources: _Sources, style: Styler) -> list[str]:
    """The lines of one finding in the full format."""
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
    # What has no place of its own hangs on the gutter, below all that has one.
    remarks = [("note", text) for text, span in diagnostic.notes if not span]
    if diagnostic.help:
        remarks.append(("help", diagnostic.help))
    bullet = " " * gutter + style("gutter", " = ")
    lines += [f"{bullet}{style(kind, kind)}: {one_line(text)}" for kind, text in remarks]
    return lines


def _place(span: Span, gutter: int, severity: str, sources: _Sources, style: Styler) -> list[str]:
    """Where something is: the position, and the source line with carets below it if it can be had."""
    bar = " " * gutter + style("gutter", " |")
    lines = [" " * gutter + style("gutter", "--> ") + one_line(str(span))]
    line = sources.line(span)
    # A span that does not fit in its line is a sign that the file has changed since it was read.
    if line is None or not 1 <= span.column <= len(line) + 1:
        return lines
    text, indent, carets = excerpt(line, span)
    number = style("gutter", f"{span.line:>{gutter}} |")
    return [*lines, bar, f"{number} {text}", f"{bar} {' ' * indent}{style(severity, '^' * carets)}", bar]


def excerpt(line: str, span: Span) -> tuple[str, int, int]:
    """The visible part of a line, how many cells stand before the carets, and how many carets there are."""
    cells, offsets = _cells(line)
    start = span.column - 1
    end = min(max(span.end_column - 1, start), len(cells))
    first, last = _window(offsets, offsets[start], offsets[end])
    text = "".join(cells[first:last])
    lead, trail = "…" if first else "", "…" if last < len(cells) else ""
    begin = max(start, first)
    carets = offsets[max(min(end, last), begin)] - offsets[begin]
    return f"{lead}{text}{trail}", len(lead) + offsets[begin] - offsets[first], max(carets, 1)


def _window(offsets: list[int], begin: int, end: int) -> tuple[int, int]:
    """Which characters to show so that the cells from `begin` to `end` are in sight, as much of them as fits."""
    total = offsets[-1]
    if total <= MAX_EXCERPT:
        return 0, len(offsets) - 1
    left = max(begin - max(MAX_EXCERPT - (end - begin), 0) // 2, 0)  # the span in the middle
    left = min(left, total - MAX_EXCERPT)  # but nothing is wasted at the end of the line
    first = next(i for i, offset in enumerate(offsets) if offset >= left)
    last = max(i for i, offset in enumerate(offsets) if offset <= left + MAX_EXCERPT)
    return first, last


def _cells(line: str) -> tuple[list[str], list[int]]:
    """What to print for each character of a line, and the cell where each begins, with the end of the line added."""
    cells: list[str] = []
    offsets = [0]
    for character in line:
        cell, width = _cell(character, offsets[-1])
        cells.append(cell)
        offsets.append(offsets[-1] + width)
    return cells, offsets


def _cell(character: str, offset: int) -> tuple[str, int]:
    if character == "\t":
        width = TAB_STOP - offset % TAB_STOP
        return " " * width, width
    category = unicodedata.category(character)
    if category in {"Mn", "Me"}:
        return character, 0
    if category in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        # Escape sequences and bidirectional controls in a source must not reach the terminal.
        return "\N{REPLACEMENT CHARACTER}", 1
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def one_line(text: str) -> str:
    """A message or a file name without anything that moves the cursor: it may quote what a user wrote."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _plain(_style: str, text: str) -> str:
    return text


def _colored(style: str, text: str) -> str:
    return f"{_STYLES[style]}{text}{_RESET}" if text.strip() else text


@dataclass(slots=True)
class _Sources:
    """The files of one rendering, each read at most once and only when a line of it is asked for."""

    _files: dict[str, list[str]] = field(default_factory=dict)

    def line(self, span: Span) -> str | None:
        """The line of a span without its end; `None` when there is no such file or line."""
        if span.line < 1:
            return None
        if span.file not in self._files:
            self._files[span.file] = _read_lines(span.file)
        lines = self._files[span.file]
        return lines[span.line - 1] if span.line <= len(lines) else None


def _read_lines(file: str) -> list[str]:
    """The lines of a file as compilers count them: only a line feed ends one. An unreadable file has none."""
    try:
        path = Path(file)
        if not path.is_file():  # a pipe or a device must not be waited for
            return []
        text = path.read_bytes().decode(errors="replace")
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return []
    return [line.removesuffix("\r") for line in text.split("\n")]
