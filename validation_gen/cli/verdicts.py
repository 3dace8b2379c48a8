"""The verdicts of `validation-gen validate` in all formats: in the words of kubectl, as JSON, and as findings."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer

from validation_gen.cli.options import DiagnosticFormat
from validation_gen.cli.terminal import has_color, one_line, print_diagnostics
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.diagnostics.formats import render
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_json
from validation_gen.uses.compare.report.ways import way_to
from validation_gen.uses.validate import State, Verdict

#: Where tags stand, by their places and texts.
Spans = Mapping[tuple[str, str], Span]

_ALLOW = "name the sources of this kind, or use --ignore-missing-schemas, or --skip for this kind only"


def tell(verdicts: Sequence[Verdict], diagnostics: Diagnostics, format: DiagnosticFormat, spans: Spans) -> None:
    """Prints the verdicts, and before them what was found while the types and manifests were read."""
    match format:
        case DiagnosticFormat.FULL:
            print_diagnostics(diagnostics, format.value)
            for verdict in verdicts:
                _print(verdict)
        case DiagnosticFormat.CONCISE:
            print_diagnostics(diagnostics, format.value)
            found = [finding for verdict in verdicts for finding in _findings(verdict, spans)]
            typer.echo(render(found, color=has_color(sys.stdout), format=format.value), nl=False, color=True)
        case DiagnosticFormat.JSON:
            print_diagnostics(diagnostics, DiagnosticFormat.CONCISE.value)
            typer.echo(_as_json([_as_dict(verdict) for verdict in verdicts], indent=2))
        case DiagnosticFormat.JSONL:
            print_diagnostics(diagnostics, format.value)
            for verdict in verdicts:
                typer.echo(_as_json([_as_dict(verdict)])[1:-1])
        case DiagnosticFormat.JUNIT:
            typer.echo(_junit(verdicts, diagnostics), nl=False)
        case DiagnosticFormat.GITHUB | DiagnosticFormat.SARIF:
            all = Diagnostics(list(diagnostics.items))
            for verdict in verdicts:
                for finding in _findings(verdict, spans):
                    all.add(finding)
            print_diagnostics(all, format.value)


# --- for people -------------------------------------------------------------------------------------------------------


def _print(verdict: Verdict) -> None:
    """One error on the line of its object, several as a list, in kubectl's words."""
    if not verdict.told:
        return
    manifest, errors = verdict.manifest, verdict.errors
    place = f"{manifest.file}:{manifest.line}"
    if verdict.state is State.NOT_JUDGED:
        lead = "" if verdict.fails else "warning: "
        typer.echo(one_line(f"{place}: {lead}{_without_rules(manifest)}"))
        return
    kind = manifest.identity[1] or "object"
    head = one_line(f'{place}: The {kind} "{manifest.name}" is invalid:')
    if len(errors) == 1:
        typer.echo(f"{head} {one_line(str(errors[0]))}")
        return
    typer.echo(head)
    for error in errors:
        typer.echo(f"* {one_line(str(error))}")


def _without_rules(manifest: Manifest) -> str:
    version, kind, _, name = manifest.identity
    return f"not judged: no rules for {version} {kind}" + (f' "{name}"' if name else "")


# --- for programs -----------------------------------------------------------------------------------------------------


def _findings(verdict: Verdict, spans: Spans) -> Iterator[Diagnostic]:
    """What is wrong with an object, each at the place in the manifest that it speaks of."""
    manifest = verdict.manifest
    if verdict.state is State.NOT_JUDGED:
        if verdict.severity is not None:
            way, _ = way_to(manifest.obj, "kind")
            place = manifest.positions.span(way)
            yield Diagnostic("VG807", verdict.severity, _without_rules(manifest), place, _ALLOW)
        return
    kind = manifest.identity[1] or "object"
    for error in verdict.errors:
        way, _ = way_to(manifest.obj, error.field)
        message = f'{kind} "{manifest.name}": {error}'
        tag, source = error.rule.tag, error.rule.source
        stands = spans.get((error.rule.place, tag))
        notes: tuple[tuple[str, Span | None], ...] = ((f"the tag is {tag} on {source}", stands),) if tag else ()
        yield Diagnostic("VG804", Severity.ERROR, message, manifest.positions.span(way), notes=notes)


def _junit(verdicts: Sequence[Verdict], diagnostics: Diagnostics) -> str:
    """A suite for each file with a case for each object, behind those of other findings."""
    from validation_gen.diagnostics.formats.junit import junit, suites  # noqa: PLC0415 - late: only this format needs it
    from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, junit_file  # noqa: PLC0415

    files: dict[str, list[Case]] = {}
    for verdict in verdicts:
        manifest, errors = verdict.manifest, verdict.errors
        version, kind, namespace, name = manifest.identity
        failure, skipped = None, ""
        place = f"{manifest.file}:{manifest.line}"
        if verdict.state is State.NOT_JUDGED and verdict.fails:
            failure = Failure(_without_rules(manifest), "NotJudged", f"{place}: {_without_rules(manifest)}")
        elif verdict.state is State.NOT_JUDGED:
            skipped = _without_rules(manifest)
        elif verdict.state is State.SKIPPED:
            skipped = "--skip names this kind"
        elif errors:
            told = "\n".join(f"{place}: {_line(error)}" for error in errors)
            failure = Failure(_line(errors[0]), errors[0].type.value, told)
        title = f"{version} {kind or 'object'} {f'{namespace}/' if namespace else ''}{name or 'without a name'}"
        files.setdefault(manifest.file, []).append(Case(title.strip(), failure, skipped))
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


def _as_dict(verdict: Verdict) -> dict[str, Any]:
    manifest = verdict.manifest
    version, kind, namespace, name = manifest.identity
    return {
        "file": manifest.file,
        "line": manifest.line,
        "apiVersion": version,
        "kind": kind,
        "namespace": namespace,
        "name": name,
        "status": verdict.state.value,
        "errors": [error.as_dict() for error in verdict.errors],
    }
