"""Formats of reports: for people at a terminal, for programs, for servers that run checks.

A command makes a `Report` (`report`): findings and other results, in neutral forms. A format is a function of a report,
and a record in `names`. `text` is for people, `github` for its checks; `sariflog` and `junitfile` write such files.
Nothing here decides what is a finding, or where the text goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.diagnostics import Diagnostic
from validation_gen.diagnostics.formats.names import DiagnosticFormat, find_format
from validation_gen.diagnostics.formats.report import Findings, Page
from validation_gen.diagnostics.formats.sariflog import Explain
from validation_gen.diagnostics.formats.text import (
    MAX_EXCERPT,
    TAB_STOP,
    Styler,
    excerpt,
    one_line,
    short,
    styler,
    summary,
)

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
    """Renders diagnostics as text, in the order given, each line ended.

    Without diagnostics it is `""`, except for formats whose documents have a beginning and an end.

    Args:
        diagnostics: the findings. Their files need not exist: a finding whose line cannot be read has no excerpt.
        color: whether to use ANSI escapes. Formats for programs never do.
        format: one of `DiagnosticFormat`.
        explain: explains a code, for formats that include it. Without it these have the titles only.
        columns: width of the terminal; 0 if there is none.

    Raises:
        ValueError: the format is unknown.
    """
    page = Page(color=color, columns=columns, explain=explain)
    return find_format(format).render(Findings(diagnostics), page)
