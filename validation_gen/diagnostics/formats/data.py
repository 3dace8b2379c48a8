"""Reports as JSON: one value (`json`), or one value a line (`jsonl`), which can be read during a run."""

from __future__ import annotations

import json
from typing import Any

from validation_gen.diagnostics import CODES, Diagnostic, Fix, Span
from validation_gen.diagnostics.formats.report import Page, Report


def render_document(report: Report, page: Page) -> str:
    """Renders the report as one value."""
    return f"{_encoded(report, report.document(page), indent=2)}\n"


def render_records(report: Report, page: Page) -> str:
    """Renders a line for each value."""
    return "".join(f"{_encoded(report, value)}\n" for value in report.records(page))


def _encoded(report: Report, value: Any, indent: int | None = None) -> str:
    try:
        return json.dumps(value, indent=indent, default=repr)  # ASCII only: it survives every pipe and terminal
    except RecursionError:
        return report.encode_deep(value, indent)


def record(d: Diagnostic) -> dict[str, object]:
    """Returns a finding as a value of JSON."""
    return {
        "code": d.code,
        "title": CODES[d.code],
        "severity": d.severity.value,
        "message": d.message,
        **_position(d.span),
        "help": d.help,
        "notes": [{"message": text, **(_position(span) if span else {})} for text, span in d.notes],
        "fix": _fix(d.fix) if d.fix and not d.fix.barrier else None,
    }


def _fix(fix: Fix) -> dict[str, object]:
    """Returns the edits of `--fix`.

    Of a whole `comment` the marker goes, too, and the line if nothing else is on it.
    """
    edits = [{**_position(each.span), "old": each.old, "new": each.new, "comment": each.line} for each in fix.edits]
    return {"title": fix.title, "edits": edits}


def _position(span: Span) -> dict[str, str | int]:
    return {"file": span.file, "line": span.line, "column": span.column, "end_column": span.end_column}
