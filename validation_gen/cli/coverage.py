"""`validation-gen coverage PATH… --tests FILE`: which errors that the tags declare have been triggered by tests."""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from validation_gen.cli.configured import levels
from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import (
    DiagnosticFormat,
    Paths,
    ReportFormat,
    refuse_empty,
    refuse_second_stdin,
)
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress, exit_code, one_line, print_diagnostics
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.runtime.words import counted
from validation_gen.uses.coverage import ROOT, Declared, Report, declared


@grouped
def coverage(
    paths: Paths,
    *,
    tests: Annotated[
        list[str],
        typer.Option(
            "--tests",
            metavar="FILE|-",
            help="What tests have seen, a JSON object a line: package or apiVersion, kind, errors. Repeatable.",
            show_default=False,
        ),
    ],
    allow: Annotated[
        list[str],
        typer.Option(
            "--allow",
            metavar="FILE",
            help="Errors that no test has to trigger, a YAML list: kind, path, type, origin, reason. Repeatable.",
            show_default=False,
        ),
    ] = [],  # noqa: B006 - typer wants a plain default and never changes it
    sources: Sources,
    format: Annotated[ReportFormat, typer.Option("--format", help="How the report is printed.")] = ReportFormat.TEXT,
) -> None:
    """List the errors that the tags declare and no test has triggered. Writes no files."""
    from validation_gen.build.pipeline import build_program  # noqa: PLC0415
    from validation_gen.cli.coverageinputs import read_allowances, read_observed  # noqa: PLC0415 - late, for a fast --help

    options = sources.settings(paths)
    refuse_empty(tests, "--tests")
    refuse_empty(allow, "--allow")
    refuse_second_stdin(tests=tests, allow=allow)
    with Progress() as progress:
        result = build_program(options, progress)
        diagnostics = result.diagnostics
        observed = [error for file in tests for error in read_observed(file, diagnostics)]
        allowances = [entry for file in allow for entry in read_allowances(file, diagnostics)]
    code = exit_code(diagnostics)
    printed = DiagnosticFormat.CONCISE if format is ReportFormat.JSON else format.of_findings
    if code == ENVIRONMENT:
        print_diagnostics(diagnostics, printed.value)
        raise typer.Exit(code)  # a report about half of the tests would be wrong
    report = Report.of(declared(result.program), observed, allowances)
    for code_told, entries in (("VG805", report.missing), ("VG806", report.stale)):
        for remark in levels().of_error(code_told)[1] if entries else ():
            diagnostics.add(remark)
    match format:
        case ReportFormat.TEXT | ReportFormat.FULL:
            print_diagnostics(diagnostics, printed.value)
            for line in _lines(report):
                typer.echo(one_line(line))
        case ReportFormat.JSON:
            print_diagnostics(diagnostics, printed.value)
            typer.echo(json.dumps(_as_dict(report), indent=2))
        case ReportFormat.JSONL:
            print_diagnostics(diagnostics, printed.value)
            for key in ("rules", "stale"):
                for record in _as_dict(report)[key]:
                    typer.echo(json.dumps(record))
        case ReportFormat.JUNIT:
            typer.echo(_junit(report, diagnostics), nl=False)
        case ReportFormat.CONCISE | ReportFormat.GITHUB | ReportFormat.SARIF:
            found = Diagnostics([*diagnostics.items, *_findings(report)])
            print_diagnostics(found, printed.value, sys.stdout)
    code = code or (FINDINGS if report.missing or report.stale else OK)
    if code != OK:
        raise typer.Exit(code)


# --- for people ------------------------------------------------------------------------------------------------------


def _lines(report: Report) -> Iterator[str]:
    """The kinds in a table, then what is missing or not needed, then the numbers."""
    if report.rules:
        parts = (report.rules, report.triggered, report.allowed, report.missing)
        counts = [Counter(map(_kind, part)) for part in parts]
        rows = [(kind, *(str(count[kind]) for count in counts)) for kind in counts[0]]
        yield from _table([("KIND", "DECLARED", "TRIGGERED", "ALLOWED", "MISSING"), *rows], numbers=True)
        yield ""
    for kind, rules in itertools.groupby(report.missing, _kind):
        yield f"No test triggers, of {kind}:"
        yield from _table([(str(r.span), r.path or ROOT, r.type, r.origin or "-", r.tag) for r in rules])
        yield ""
    for entry, reason in report.stale:
        yield f"{entry.span}: this entry is not needed: {reason}"
    if report.stale:
        yield ""
    yield (
        f"{counted(len(report.rules), 'error')} declared: {len(report.triggered)} triggered, "
        f"{len(report.allowed)} allowed, {len(report.missing)} missing"
    )


def _kind(rule: Declared) -> str:
    return f"{rule.package}.{rule.kind}"


def _table(rows: list[tuple[str, ...]], *, numbers: bool = False) -> Iterator[str]:
    """Rows with columns as wide as they must be; numbers, behind the first column, stand to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *others = (f"{cell:{'>' if numbers and i else '<'}{widths[i]}}" for i, cell in enumerate(row))
        yield "  ".join([first, *others]).rstrip()


# --- for programs ----------------------------------------------------------------------------------------------------


def _findings(report: Report) -> Iterator[Diagnostic]:
    for rule in report.missing:
        message = f"no test triggers, of {_kind(rule)}, {_error(rule)} of {rule.tag}"
        help = "add a test that breaks the rule, or allow it with a reason in a file for --allow"
        yield Diagnostic("VG805", Severity.ERROR, message, rule.span, help)
    for entry, reason in report.stale:
        message = f"this entry is not needed: {reason}"
        yield Diagnostic("VG806", Severity.ERROR, message, entry.span, "take it out")


def _error(rule: Declared) -> str:
    return f"{rule.path or ROOT}: {rule.type}{f' ({rule.origin})' if rule.origin else ''}"


def _junit(report: Report, diagnostics: Diagnostics) -> str:
    """A suite for each kind with a case for each error, behind those of findings."""
    from validation_gen.diagnostics.formats.junit import junit, suites  # noqa: PLC0415 - late: only this format needs it
    from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, junit_file  # noqa: PLC0415

    kinds: dict[str, list[Case]] = {}
    missing = set(report.missing)
    for rule in report.rules:
        failure = None
        if rule in missing:
            failure = Failure("no test triggers this error", "VG805", f"{rule.span}: no test triggers this error")
        allowance = report.allowed.get(rule)
        case = Case(f"{_error(rule)}: {rule.tag}", failure, allowance.reason if allowance else "", [str(rule.span)])
        kinds.setdefault(_kind(rule), []).append(case)
    others = [*diagnostics.sorted(), *(found for found in _findings(report) if found.code == "VG806")]
    told = [*suites(others), *(Suite(kind, cases) for kind, cases in kinds.items())]
    return junit_file("validation-gen coverage", told) if told else junit([])


def _as_dict(report: Report) -> dict[str, Any]:
    return {
        "rules": [_rule(rule, report) for rule in report.rules],
        "stale": [
            {
                "kind": entry.kind,
                "path": entry.path,
                "type": entry.type,
                "origin": entry.origin,
                "reason": entry.reason,
                "source": str(entry.span),
                "message": reason,
            }
            for entry, reason in report.stale
        ],
        "summary": {
            "declared": len(report.rules),
            "triggered": len(report.triggered),
            "allowed": len(report.allowed),
            "missing": len(report.missing),
        },
    }


def _rule(rule: Declared, report: Report) -> dict[str, str]:
    """A declared error and its state; `reason` says why it is allowed to be missing."""
    allowance = report.allowed.get(rule)
    state = "triggered" if rule in report.triggered else "missing" if allowance is None else "allowed"
    return {
        "package": rule.package,
        "apiVersion": rule.api_version,
        "kind": rule.kind,
        "path": rule.path or ROOT,
        "type": rule.type,
        "origin": rule.origin,
        "tag": rule.tag,
        "source": str(rule.span),
        "state": state,
        "reason": allowance.reason if allowance else "",
    }
