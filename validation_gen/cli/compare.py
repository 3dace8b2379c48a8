"""`validation-gen compare PATH… --handwritten SPEC -f WHERE…`: compares handwritten validation with tags."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.cluster_options import cluster_of, processes_of
from validation_gen.cli.compare_options import EXAMPLES, Connection, Reports, Requests, Run, Sides
from validation_gen.cli.config_context import get_configuration
from validation_gen.cli.options import Defined, Sources, expand_groups
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, INTERRUPTED, OK, SELDOM, Progress
from validation_gen.cli.trust_policy import end_if_untrusted
from validation_gen.commands.definitions import split
from validation_gen.compiler.config.named import BELIEVED
from validation_gen.compiler.config.webhooks import series_prefix
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import redact
from validation_gen.rules.releases import NEWEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from validation_gen.commands.compare.sides import SideSpec
    from validation_gen.commands.compare.work import Plan

__all__ = ["EXAMPLES", "compare"]


@expand_groups
def compare(
    paths: Defined,
    *,
    sides: Sides,
    requests: Requests,
    run: Run,
    reports: Reports,
    connection: Connection,
    sources: Sources,
) -> int:
    """Compare handwritten validation with that of the tags, on many objects. Writes only the files that are named."""
    definitions, types = split(paths)
    settings = replace(sources.settings(types), rules=sides.rules).with_definitions(definitions, types)
    resume = _refuse_unreadable(definitions, requests, run, reports)
    # Imported late, so that --help stays fast.
    from validation_gen.commands.compare.comparison import run_comparison  # noqa: PLC0415
    from validation_gen.commands.compare.outputs import (  # noqa: PLC0415
        check_outputs,
        keep_history,
        to_report,
        write_metrics,
        write_page,
    )
    from validation_gen.commands.distributed.engines import Interruption  # noqa: PLC0415

    diagnostics = Diagnostics()
    printed = reports.format.of_findings
    side = _handwritten(sides, connection, diagnostics, printed)
    plan = _plan(side, sides, requests, run, reports, sources)
    plan = replace(plan, resume=resume, about=_about(paths, sides, requests, sources))
    prefix = series_prefix(get_configuration().config)
    check_outputs(reports.report, reports.history, reports.metrics_file, diagnostics)
    with Interruption() as interruption:
        found = None
        if not diagnostics.has_errors:
            settings = replace(settings, every_type=not sources.require_directive)
            with Progress(every=SELDOM if plan.cluster else None) as progress:
                found = run_comparison(plan, settings, diagnostics, interruption, progress)
        if found is None:
            terminal.print_diagnostics(diagnostics, printed)
            return terminal.exit_code(diagnostics) or ENVIRONMENT
        work, results = found
        with interruption.held():
            runs = keep_history(reports.history, results, diagnostics)
            if reports.report:
                write_page(reports.report, results, runs, diagnostics)
            if reports.metrics_file:
                write_metrics(reports.metrics_file, prefix, results, diagnostics)
            terminal.print_report(to_report(results, work, diagnostics), reports.format.record)
        code = INTERRUPTED if interruption.asked else terminal.exit_code(diagnostics)
        if code == OK and results.interrupted:
            code = INTERRUPTED
    return code or (FINDINGS if results.mismatches > reports.allow else OK)


def _refuse_unreadable(definitions: list[str], requests: Requests, run: Run, reports: Reports) -> str:
    """Refuses objects that this run cannot read. Returns the file of its checkpoint, `""` for none."""
    files, old = requests.filename, requests.old
    checks.check_files(filename=files, old=old, path=definitions)
    checks.refuse_empty(reports.expected, "--expected")
    if not files and not requests.fuzz and not requests.cases:
        message = "there is nothing to compare: name objects, or draw requests with --fuzz N"
        raise typer.BadParameter(message, param_hint="--filename")
    if run.cluster:
        checks.refuse_on_cluster([*files, *old])
    resume = run.resume if run.cluster else checks.refuse_state_at_url(run.resume)
    if definitions and requests.fuzz:
        message = f"requests are drawn of types in Go or Python; for {definitions[0]} name objects by --filename"
        raise typer.BadParameter(message, param_hint="--fuzz")
    return resume


def _handwritten(sides: Sides, connection: Connection, diagnostics: Diagnostics, format: str) -> SideSpec:
    """Returns the handwritten side.

    Raises:
        typer.Exit: there is none, or only an untrusted configuration names it, or another code to run.
    """
    from validation_gen.cli.compare_arguments import handwritten_side  # noqa: PLC0415 - late, as above
    from validation_gen.commands.compare.sides import SideOptions  # noqa: PLC0415

    believed = BELIEVED if sides.handwritten.startswith("webhook:") else ()
    code = ("custom_validations", "handwritten", "cluster")
    end_if_untrusted(format, *code, *believed, functions=not sides.handwritten)
    options = SideOptions(
        connection.timeout,
        connection.ca_file,
        connection.client_cert,
        connection.client_key,
        connection.server_name,
        retries=connection.retries,
    )
    side = handwritten_side(sides.handwritten, options, connection.header, connection.plural, diagnostics)
    if side is None:
        terminal.print_diagnostics(diagnostics, format)
        raise typer.Exit(ENVIRONMENT)
    return side


def _plan(side: SideSpec, sides: Sides, requests: Requests, run: Run, reports: Reports, sources: Sources) -> Plan:
    """Returns the plan of a comparison: its sides and its settings."""
    from validation_gen.cli.compare_arguments import feature_gates, normalization  # noqa: PLC0415 - late, as above
    from validation_gen.commands.compare.judge import ComparisonConfig  # noqa: PLC0415
    from validation_gen.commands.compare.work import Plan  # noqa: PLC0415

    return Plan(
        side,
        tuple(requests.filename),
        tuple(requests.old),
        requests.fuzz,
        requests.seed,
        tuple(requests.kind),
        requests.cases,
        tuple(reports.expected),
        ComparisonConfig(
            feature_gates(sides.feature_gates, sides.lifecycle, sources.target),
            sources.target,
            normalization(sides.normalize),
            sides.short_circuit_mismatch,
            checks.assignments(requests.option, "--option"),
        ),
        processes_of(run.jobs),
        run.strict,
        cluster=cluster_of(run.cluster),
        partition_bytes=run.partition_size << 20,
        most_bad=run.max_bad_partitions,
        spill=run.spill,
        column=requests.column,
    )


def _about(paths: Sequence[str], sides: Sides, requests: Requests, sources: Sources) -> dict[str, str]:
    """Returns the arguments as a report prints them."""
    words: dict[str, list[str] | bool] = {
        "--module": sources.module,
        "--readonly-pkg": sources.readonly_pkg,
        "--custom-validations": sources.custom_validations,
        "--validation-extensions-file": sources.extensions,
        "--require-directive": sources.require_directive,
        "--known-tags": sources.known_tags,
        "--normalize": sides.normalize,
        "--short-circuit-mismatch": sides.short_circuit_mismatch,
        "--lifecycle": sides.lifecycle,
        "--feature-gates": [sides.feature_gates] if sides.feature_gates else [],
        "--target": [sources.target] if sources.target != NEWEST else [],
        "--rules": [sides.rules.value] if sides.rules is not None else [],
    }
    given: list[str] = []
    for flag, values in words.items():
        if isinstance(values, list):
            given += [word for value in values for word in (flag, value)]
        elif values:
            given.append(flag)
    about = {
        "paths": shlex.join(paths),
        "handwritten": sides.handwritten or getattr(get_configuration().config.file, "name", "pyproject.toml"),
        "objects": shlex.join(map(redact, requests.filename)),
        "settings": shlex.join(given),
        "target": sources.target,
    }
    about |= {"fuzz": str(requests.fuzz), "seed": str(requests.seed)} if requests.fuzz else {}
    return {name: redact(text) for name, text in about.items() if text}
