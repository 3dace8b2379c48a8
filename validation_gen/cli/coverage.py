"""`validation-gen coverage PATH… --tests FILE`: lists which declared errors tests have triggered."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.cluster_options import Clustered, cluster_of
from validation_gen.cli.config_context import levels
from validation_gen.cli.options import (
    REPORT_FORMAT,
    REQUIRED,
    Options,
    Paths,
    ReportFormat,
    Sources,
    expand_groups,
    option,
)
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, INTERRUPTED, OK, SELDOM, Progress
from validation_gen.cli.trust_policy import end_if_untrusted
from validation_gen.commands.coverage import Declared, Report, list_declared_errors
from validation_gen.commands.distributed.engines import Interruption
from validation_gen.compiler.settings import RuleSource
from validation_gen.diagnostics import Diagnostics

if TYPE_CHECKING:
    from validation_gen.compiler.settings import Settings


@dataclass(frozen=True)
class Tested(Options):
    """Options of the results of tests, and of the report."""

    tests: list[str] = option(
        REQUIRED,
        "Results of tests, a JSON object a line: package or apiVersion, kind, errors. Files, folders, "
        "patterns or URLs. Repeatable.",
        "FILE|DIR|URL|-",
    )
    allow: list[str] = option(
        [], "Errors that tests need not trigger, a YAML list: kind, path, type, origin, reason. Repeatable.", "FILE"
    )
    format: ReportFormat = REPORT_FORMAT()


@expand_groups
def coverage(paths: Paths, *, tested: Tested, sources: Sources, on_dask: Clustered) -> int:
    """List the errors that the tags declare and no test has triggered. Writes no files but that of --resume."""
    options = replace(sources.settings(paths), rules=RuleSource.TAGS)  # the tags alone declare errors
    tests, allow, format = tested.tests, tested.allow, tested.format
    checks.check_files(tests=tests, allow=allow)
    if on_dask.cluster:
        checks.refuse_on_cluster(tests, "--tests")
    on_dask.refuse_resume()
    resume = on_dask.resume if on_dask.cluster else ""
    # Imported late, so that --help stays fast.
    from validation_gen.commands.coverage.report import Covered, read_allowances  # noqa: PLC0415

    diagnostics = Diagnostics()
    end_if_untrusted(format.of_findings, "cluster")
    with Interruption() as interruption:
        rules, triggered, begun = _find_seen(options, tests, on_dask, diagnostics, interruption)
        if interruption.asked:
            interruption.hold()  # the rest is quick
            terminal.print_diagnostics(diagnostics, format.of_findings)
            is_kept = resume and begun and all(each.code != "VG903" for each in diagnostics.items)
            kept = f"; finished work is kept in {resume}" if is_kept else ""
            typer.echo(f"interrupted: there is no report of a part of the tests{kept}", err=True)
            return INTERRUPTED
        allowances = [entry for file in allow for entry in read_allowances(file, diagnostics)]
        code = terminal.exit_code(diagnostics)
        if code == ENVIRONMENT:
            terminal.print_diagnostics(diagnostics, format.of_findings)
            return code  # a report about half of the tests would be wrong
        report = Report.from_rules(rules, triggered, allowances)
        for code_told, entries in (("VG805", report.missing), ("VG806", report.stale)):
            diagnostics.extend(levels().of_error(code_told)[1] if entries else ())
        terminal.print_report(Covered(report, diagnostics.items), format.record)
    return code or (FINDINGS if report.missing or report.stale else OK)


def _find_seen(
    options: Settings,
    tests: Sequence[str],
    on_dask: Clustered,
    diagnostics: Diagnostics,
    interruption: Interruption,
) -> tuple[list[Declared], set[Declared], bool]:
    """Returns the declared errors, those that tests have triggered, and whether reading the test results began.

    If no errors are returned, the diagnostics have the reason.
    """
    from validation_gen.commands.coverage.read_results import ReadSettings, find_triggered  # noqa: PLC0415
    from validation_gen.commands.distributed.engines import engine_at  # noqa: PLC0415
    from validation_gen.commands.distributed.running import bar, reporting  # noqa: PLC0415
    from validation_gen.compiler.pipeline import build_program, refuse_untagged, warn_of_markers  # noqa: PLC0415 - late, for a fast --help

    cluster, resume = cluster_of(on_dask.cluster), on_dask.resume if on_dask.cluster else ""
    rules: list[Declared] = []
    found: set[Declared] = set()
    begun = False
    with Progress(every=SELDOM if cluster else None) as progress, reporting(diagnostics, resume or "--resume"):
        try:
            result = build_program(options, progress)
            refuse_untagged(result, options, result.diagnostics)
            warn_of_markers(result, options, result.diagnostics)
            diagnostics.extend(result.diagnostics.items)
            rules = list_declared_errors(result.program)
            with closing(engine_at(cluster)) as engine:
                partition, most_bad = on_dask.partition_size << 20, on_dask.max_bad_partitions
                way = ReadSettings(engine, partition, most_bad, resume)

                def tell(done: int, parts: int) -> None:
                    nonlocal begun
                    begun = True
                    text = f"reading test results, {bar(done, parts)}" if parts else "reading test results"
                    progress(f"{text}, see {engine.dashboard}" if engine.dashboard else text)

                found = find_triggered(rules, tests, way, diagnostics, interruption, tell)
        except KeyboardInterrupt:
            interruption.noticed()
    return rules, found, begun
