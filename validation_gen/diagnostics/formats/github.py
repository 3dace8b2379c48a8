"""Diagnostics for GitHub Actions: workflow commands that become annotations, and a summary in Markdown.

The commands and their escapes are those of "Workflow commands for GitHub Actions". Nothing here writes a file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats.locations import is_file, relative
from validation_gen.diagnostics.formats.report import Page, Report
from validation_gen.diagnostics.formats.text import one_line, short, summary

_MOST_ROWS = 1000  # a summary may have 1 MiB, and a larger one is dropped
_LONGEST = 500
#: GitHub's names of severities, where they differ.
_LEVELS = {Severity.INFO: "notice"}


def render(report: Report, page: Page) -> str:
    """Renders a workflow command for each finding, each on a line of its own."""
    return "".join(
        command(_LEVELS.get(d.severity, d.severity.value), d.span, d.code, _message(d)) for d in report.found(page)
    )


def command(level: str, span: Span, title: str, message: str) -> str:
    """Returns a workflow command.

    Args:
        level: `error`, `warning` or `notice`.
        span: position of the annotation. One that is not in a file is part of the message instead.
        title: the heading of the annotation.
        message: the text; may have several lines.
    """
    properties: dict[str, str] = {}
    if is_file(span):
        properties["file"] = relative(span.file, os.environ.get("GITHUB_WORKSPACE", ""))
        if span.line:
            properties |= {"line": str(span.line), "endLine": str(span.line), "col": str(max(span.column, 1))}
            if span.end_column > span.column:
                properties["endColumn"] = str(span.end_column)
    else:
        message = f"{one_line(str(span))}: {message}"
    properties["title"] = title
    text = ",".join(f"{name}={_property(text)}" for name, text in properties.items())
    return f"::{level} {text}::{_data(message)}\n"


def _message(d: Diagnostic) -> str:
    notes = [f"note: {one_line(text)}{f' ({one_line(str(span))})' if span else ''}" for text, span in d.notes]
    return "\n".join([one_line(d.message), *notes, *([f"help: {one_line(d.help)}"] if d.help else [])])


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


# --- the summary of a step --------------------------------------------------------------------------------------------


def step_summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Returns the findings as a table in Markdown, for the page of the run."""
    head = f"### validation-gen: {summary(diagnostics)}\n\n"
    if not diagnostics:
        return head
    rows = [
        f"| {d.severity.value} | {d.code} | {_cell(str(d.span))} | {_cell(d.message)}"
        f"{f'<br>{_cell(d.help)}' if d.help else ''} |\n"
        for d in diagnostics[:_MOST_ROWS]
    ]
    left = len(diagnostics) - len(rows)
    more = f"\n… and {left} more\n" if left else ""
    return f"{head}| Severity | Code | Place | Finding |\n|---|---|---|---|\n{''.join(rows)}{more}\n"


_MEANT = str.maketrans({c: f"&#{ord(c)};" for c in "&<>|`*_[]#\\~@"})  # nothing in a message is markup or a mention


def _cell(text: str) -> str:
    return short(one_line(text), _LONGEST).translate(_MEANT)
