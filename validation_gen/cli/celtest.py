"""`validation-gen cel test FILE|DIR…`: runs table tests of CEL rules."""

from __future__ import annotations

import json
import math
from typing import Annotated

import typer

from validation_gen.cli.options import ReportFormat, refuse_empty
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress, print_report
from validation_gen.diagnostics import Diagnostics


def run(
    files: Annotated[list[str], typer.Argument(metavar="FILE|DIR", help="Tests, or directories with *.celtest.yaml.")],
    *,
    min_coverage: Annotated[
        float | None,
        typer.Option(
            "--min-coverage",
            metavar="PERCENT",
            min=0,
            max=100,
            help="Fail if cases see fewer rules both hold and fail.",
        ),
    ] = None,
    format: Annotated[ReportFormat, typer.Option("--format", help="Format of the report.")] = ReportFormat.TEXT,
) -> None:
    """Run tests of CEL rules, and list the rules that none sees hold and fail. Writes no files."""
    from validation_gen.commands.cel.suites import (  # noqa: PLC0415 - late, so that --help stays fast
        Coverage,
        Subjects,
        named,
        read_suites,
        run_all,
    )
    from validation_gen.commands.cel.suites.report import Results  # noqa: PLC0415

    refuse_empty(files, "FILE")
    if min_coverage is not None and math.isnan(min_coverage):
        raise typer.BadParameter("it is no number", param_hint="'--min-coverage'")
    diagnostics = Diagnostics()
    with Progress() as progress:
        progress("reading")
        suites = [suite for file in named(files, diagnostics) for suite in read_suites(file, diagnostics)]
        progress("testing")
        subjects = Subjects(diagnostics)
        ran = list(run_all(suites, subjects))
    wrong = diagnostics.has_errors
    # With errors, only some cases have run, and the coverage of rules is unknown.
    results = Results(
        ran, Coverage() if wrong else Coverage.from_subjects(subjects.known, min_coverage), diagnostics.items
    )
    print_report(results, format.record)
    code = ENVIRONMENT if wrong else FINDINGS if results.failed or results.coverage.fails else OK
    if code != OK:
        raise typer.Exit(code)


def schema() -> None:
    """Print the JSON Schema of test files, for editors. Writes no files."""
    from validation_gen.commands.cel.suites.reading import schema as made  # noqa: PLC0415

    typer.echo(json.dumps(made(), indent=2))
