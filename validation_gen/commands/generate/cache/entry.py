"""Serialises cache entries: a checksum, and JSON that is validated when it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from validation_gen.commands.generate.run import Generated
from validation_gen.diagnostics import Diagnostic, Edit, Fix, Severity, Span
from validation_gen.emit.output.files import problem_with
from validation_gen.sources.questions import Question, is_question


class UnusableError(Exception):
    """The bytes are no cache entry."""


def encode(answers: Mapping[Question, str], result: Generated) -> bytes:
    """Serialises a result with its dependencies."""
    record = {
        "answers": [[kind, argument, answer] for (kind, argument), answer in answers.items()],
        "outputs": {name: dict(files) for name, files in result.outputs.items()},
        "findings": [_finding(d) for d in result.findings],
        "numbers": [result.packages, result.types, result.rules],
        "names": result.names,
        "left out": result.left_out,
        "bundled": result.bundled,
        "unjudged": result.unjudged,
        "dropped": result.dropped,
    }
    text = json.dumps(record, separators=(",", ":")).encode()
    return _checksum(text) + b"\n" + text


def decode(content: bytes) -> tuple[dict[Question, str], Generated]:
    """Decodes what `encode` made.

    Raises:
        UnusableError: the bytes are something else, or have been cut or changed.
    """
    checksum, _, text = content.partition(b"\n")
    if checksum != _checksum(text):
        raise UnusableError
    try:
        record = json.loads(text)
        answers = {(kind, argument): str(answer) for kind, argument, answer in record["answers"]}
        if not all(is_question(*question) for question in answers):
            raise UnusableError
        outputs = {str(emitter): _files(files) for emitter, files in record["outputs"].items()}
        findings = tuple(map(_as_finding, record["findings"]))
        packages, types, rules = map(int, record["numbers"])
        names = tuple(map(str, record["names"]))
        left_out = tuple(map(str, record["left out"]))
        bundled = str(record["bundled"])
        unjudged = str(record["unjudged"])
        dropped = tuple(map(str, record["dropped"]))
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError):
        raise UnusableError from None
    return answers, Generated(outputs, findings, packages, types, rules, names, left_out, bundled, unjudged, dropped)


def _checksum(text: bytes) -> bytes:
    return blake2b(text, digest_size=20).hexdigest().encode()


def _files(record: Mapping[str, object]) -> dict[str, str]:
    """Returns texts by path, after validation."""
    files = {name: text for name, text in record.items() if isinstance(text, str) and not problem_with(name)}
    if len(files) != len(record):
        raise UnusableError
    return files


def _finding(found: Diagnostic) -> list[Any]:
    notes = [[text, _span(span) if span else None] for text, span in found.notes]
    return [found.code, found.severity.value, found.message, _span(found.span), found.help, notes, _fix(found.fix)]


def _as_finding(record: list[Any]) -> Diagnostic:
    code, severity, message, span, help, notes, fix = record
    told = tuple((str(text), _as_span(place) if place else None) for text, place in notes)
    return Diagnostic(str(code), Severity(severity), str(message), _as_span(span), str(help), told, _as_fix(fix))


def _fix(fix: Fix | None) -> list[Any] | None:
    if fix is None:
        return None
    return [fix.title, [[_span(edit.span), edit.old, edit.new, edit.line] for edit in fix.edits], fix.barrier]


def _as_fix(record: list[Any] | None) -> Fix | None:
    if record is None:
        return None
    title, edits, barrier = record
    made = tuple(Edit(_as_span(span), str(old), str(new), bool(line)) for span, old, new, line in edits)
    return Fix(str(title), made, str(barrier))


def _span(span: Span) -> list[str | int]:
    return [span.file, span.line, span.column, span.end_column]


def _as_span(record: list[Any]) -> Span:
    file, line, column, end_column = record
    return Span(str(file), int(line), int(column), int(end_column))
