"""Formats of reports: for people at a terminal, for programs, for servers that run checks.

A command makes a `Report` (`report`): findings and other results, in neutral forms. A format is a function of a report,
and a record in `known`; `names` has the names for `--format`. `text` is for people; `data`, `github`, `sarif` and
`junit` are for others, of which the last two use `sariflog` and `junitfile`, the writers of such files. Nothing here
decides what is a finding, or where the text goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.diagnostics import Diagnostic
from validation_gen.diagnostics.formats.about import Explain
from validation_gen.diagnostics.formats.lines import MAX_EXCERPT, TAB_STOP, excerpt, one_line, short
from validation_gen.diagnostics.formats.names import DiagnosticFormat, format_of
from validation_gen.diagnostics.formats.report import Findings, Page
from validation_gen.diagnostics.formats.styles import Styler, styler
from validation_gen.diagnostics.formats.text import summary

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
    return format_of(format).render(Findings(diagnostics), page)
