"""`validation-gen coverage PATH… --tests FILE`: which errors that the tags declare have been triggered by tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from validation_gen.build.settings import RuleSource
from validation_gen.cli.configured import levels
from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import (
    Paths,
    ReportFormat,
    refuse_empty,
    refuse_second_stdin,
)
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress, exit_code, print_diagnostics, print_report
from validation_gen.uses.coverage import Report, declared


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
    from validation_gen.uses.coverage.told import Covered  # noqa: PLC0415

    options = replace(sources.settings(paths), rules=RuleSource.TAGS)  # the others are no rules of ours
    refuse_empty(tests, "--tests")
    refuse_empty(allow, "--allow")
    refuse_second_stdin(tests=tests, allow=allow)
    with Progress() as progress:
        result = build_program(options, progress)
        diagnostics = result.diagnostics
        observed = [error for file in tests for error in read_observed(file, diagnostics)]
        allowances = [entry for file in allow for entry in read_allowances(file, diagnostics)]
    code = exit_code(diagnostics)
    if code == ENVIRONMENT:
        print_diagnostics(diagnostics, format.of_findings)
        raise typer.Exit(code)  # a report about half of the tests would be wrong
    report = Report.of(declared(result.program), observed, allowances)
    for code_told, entries in (("VG805", report.missing), ("VG806", report.stale)):
        for remark in levels().of_error(code_told)[1] if entries else ():
            diagnostics.add(remark)
    print_report(Covered(report, diagnostics.items), format.record)
    code = code or (FINDINGS if report.missing or report.stale else OK)
    if code != OK:
        raise typer.Exit(code)
