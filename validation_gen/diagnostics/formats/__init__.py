"""Diagnostics as text, one module a format: for people at a terminal, for programs, for servers that run checks.

`formats` has the names. `text` is for people; `data`, `github`, `sarif` and `junit` are for others, of which the last
two stand on `sariflog` and `junitfile`: what such a file consists of, whatever it tells. Nothing here decides what is a
finding, in which order findings come or where the text goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.diagnostics import Diagnostic
from validation_gen.diagnostics.formats.about import Explain
from validation_gen.diagnostics.formats.lines import MAX_EXCERPT, TAB_STOP, excerpt, one_line, short
from validation_gen.diagnostics.formats.names import DiagnosticFormat
from validation_gen.diagnostics.formats.styles import Styler, styler
from validation_gen.diagnostics.formats.text import concise, full, summary

__all__ = [
    "MAX_EXCERPT",
    "TAB_STOP",
    "DiagnosticFormat",
    "Styler",
    "excerpt",
    "one_line",
    "render",
    "short",
    "styler",
    "summary",
]


def render(
    diagnostics: Sequence[Diagnostic],
    *,
    color: bool,
    format: str = "full",
    explain: Explain | None = None,
    columns: int = 0,
) -> str:
    """The diagnostics as text, in the order given, each line ended.

    Nothing to say is `""`, save for formats whose documents have a beginning and an end.

    Args:
        diagnostics: the findings. Their files need not exist: a finding whose line cannot be read has no excerpt.
        color: whether to use ANSI escapes. Formats for programs never do.
        format: one of `DiagnosticFormat`.
        explain: says what a code means, for formats that tell it. Without it these have the titles only.
        columns: how wide the terminal is; 0 if there is none.

    Raises:
        ValueError: the format is unknown.
    """
    try:
        chosen = DiagnosticFormat(format)
    except ValueError:
        names = ", ".join(each.value for each in DiagnosticFormat)
        raise ValueError(f"unknown diagnostic format {format!r}, expected one of: {names}") from None
    match chosen:
        case DiagnosticFormat.FULL:
            return full(diagnostics, styler(color), columns)
        case DiagnosticFormat.CONCISE:
            return concise(diagnostics, styler(color))
        case DiagnosticFormat.JSON:
            from validation_gen.diagnostics.formats.data import json_array  # noqa: PLC0415 - each run needs one format at most

            return json_array(diagnostics)
        case DiagnosticFormat.JSONL:
            from validation_gen.diagnostics.formats.data import json_lines  # noqa: PLC0415

            return json_lines(diagnostics)
        case DiagnosticFormat.GITHUB:
            from validation_gen.diagnostics.formats.github import commands  # noqa: PLC0415

            return commands(diagnostics)
        case DiagnosticFormat.SARIF:
            from validation_gen.diagnostics.formats.sarif import sarif  # noqa: PLC0415

            return sarif(diagnostics, explain)
        case DiagnosticFormat.JUNIT:
            from validation_gen.diagnostics.formats.junit import junit  # noqa: PLC0415

            return junit(diagnostics)
