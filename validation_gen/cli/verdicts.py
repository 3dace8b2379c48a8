"""The verdicts of `validation-gen validate` in all formats: in the words of kubectl, as JSON, and as findings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import typer

from validation_gen.cli.options import DiagnosticFormat
from validation_gen.cli.terminal import one_line, print_diagnostics
from validation_gen.compare.report.ways import way_to
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.manifests import Manifest
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_json

#: An object and its errors.
Verdict = tuple[Manifest, Sequence[FieldError]]


def tell(verdicts: Sequence[Verdict], diagnostics: Diagnostics, format: DiagnosticFormat) -> None:
    """Prints the verdicts, and before them what was found while the types and manifests were read."""
    match format:
        case DiagnosticFormat.FULL | DiagnosticFormat.CONCISE:
            print_diagnostics(diagnostics, format.value)
            for manifest, errors in verdicts:
                _print(manifest, errors)
        case DiagnosticFormat.JSON:
            print_diagnostics(diagnostics, DiagnosticFormat.CONCISE.value)
            typer.echo(_as_json([_as_dict(*verdict) for verdict in verdicts], indent=2))
        case DiagnosticFormat.JSONL:
            print_diagnostics(diagnostics, format.value)
            for verdict in verdicts:
                typer.echo(_as_json([_as_dict(*verdict)])[1:-1])
        case DiagnosticFormat.JUNIT:
            typer.echo(_junit(verdicts, diagnostics), nl=False)
        case DiagnosticFormat.GITHUB | DiagnosticFormat.SARIF:
            found = Diagnostics(list(diagnostics.items))
            for manifest, errors in verdicts:
                for error in errors:
                    found.add(_finding(manifest, error))
            print_diagnostics(found, format.value)


# --- for people -------------------------------------------------------------------------------------------------------


def _print(manifest: Manifest, errors: Sequence[FieldError]) -> None:
    """One error on the line of its object, several as a list, in kubectl's words."""
    if not errors:
        return
    kind = manifest.identity[1] or "object"
    head = one_line(f'{manifest.file}:{manifest.line}: The {kind} "{manifest.name}" is invalid:')
    if len(errors) == 1:
        typer.echo(f"{head} {one_line(str(errors[0]))}")
        return
    typer.echo(head)
    for error in errors:
        typer.echo(f"* {one_line(str(error))}")


# --- for programs -----------------------------------------------------------------------------------------------------


def _finding(manifest: Manifest, error: FieldError) -> Diagnostic:
    """An error at the place in the manifest that it speaks of."""
    way, _ = way_to(manifest.obj, error.field)
    kind = manifest.identity[1] or "object"
    message = f'{kind} "{manifest.name}": {error}'
    tag, source = error.rule.tag, error.rule.source
    notes: tuple[tuple[str, Span | None], ...] = ((f"the tag is {tag} at {source}", None),) if tag else ()
    return Diagnostic("VG804", Severity.ERROR, message, manifest.positions.span(way), notes=notes)


def _junit(verdicts: Sequence[Verdict], diagnostics: Diagnostics) -> str:
    """A suite for each file with a case for each object, behind those of other findings."""
    from validation_gen.rendering.junit import junit, suites  # noqa: PLC0415 - late: only this format needs it
    from validation_gen.rendering.junitfile import Case, Failure, Suite, junit_file  # noqa: PLC0415

    files: dict[str, list[Case]] = {}
    for manifest, errors in verdicts:
        version, kind, namespace, name = manifest.identity
        failure = None
        if errors:
            place = f"{manifest.file}:{manifest.line}"
            told = "\n".join(f"{place}: {_line(error)}" for error in errors)
            failure = Failure(_line(errors[0]), errors[0].type.value, told)
        title = f"{version} {kind or 'object'} {f'{namespace}/' if namespace else ''}{name or 'without a name'}"
        files.setdefault(manifest.file, []).append(Case(title.strip(), failure))
    found = [*suites(diagnostics.sorted()), *(Suite(file, cases) for file, cases in files.items())]
    return junit_file("validation-gen validate", found) if found else junit([])


def _line(error: FieldError) -> str:
    return one_line(str(error))


def _as_json(verdicts: list[dict[str, Any]], indent: int | None = None) -> str:
    try:
        return json.dumps(verdicts, indent=indent, allow_nan=False, default=repr)
    except RecursionError:  # values that are too deep for Python's JSON become its text
        for error in (error for verdict in verdicts for error in verdict["errors"]):
            if isinstance(error["badValue"], dict | list):
                error["badValue"] = go_json(error["badValue"])
        return json.dumps(verdicts, indent=indent, allow_nan=False, default=repr)


def _as_dict(manifest: Manifest, errors: Sequence[FieldError]) -> dict[str, Any]:
    version, kind, namespace, name = manifest.identity
    return {
        "file": manifest.file,
        "line": manifest.line,
        "apiVersion": version,
        "kind": kind,
        "namespace": namespace,
        "name": name,
        "errors": [error.as_dict() for error in errors],
    }
