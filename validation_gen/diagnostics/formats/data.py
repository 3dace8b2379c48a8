"""Diagnostics as JSON: one array (`json`), or one object a line (`jsonl`), which can be read while a run goes on."""

from __future__ import annotations

import json
from collections.abc import Sequence

from validation_gen.diagnostics import CODES, Diagnostic, Fix, Span


def json_array(diagnostics: Sequence[Diagnostic]) -> str:
    """All findings in one value."""
    # ASCII only, here and below: it survives every pipe and terminal
    return json.dumps([_record(diagnostic) for diagnostic in diagnostics], indent=2) + "\n"


def json_lines(diagnostics: Sequence[Diagnostic]) -> str:
    """A line for each finding; the values are those of the array."""
    return "".join(f"{json.dumps(_record(diagnostic))}\n" for diagnostic in diagnostics)


def _record(d: Diagnostic) -> dict[str, object]:
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
    """What `--fix` would do. Of a whole `comment` the marker goes, too, and the line if nothing else is on it."""
    edits = [{**_position(each.span), "old": each.old, "new": each.new, "comment": each.line} for each in fix.edits]
    return {"title": fix.title, "edits": edits}


def _position(span: Span) -> dict[str, str | int]:
    return {"file": span.file, "line": span.line, "column": span.column, "end_column": span.end_column}
