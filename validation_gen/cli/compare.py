"""`validation-gen compare PATH… --handwritten SPEC --objects WHERE…`: compares handwritten validation with tags."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from validation_gen.cli import compare_options as of
from validation_gen.cli.cluster_options import (
    SELDOM,
    Jobs,
    MostBad,
    OnCluster,
    PartitionSize,
    bar,
    cluster_of,
    processes_of,
    refuse_on_cluster,
    refuse_state_at_url,
)
from validation_gen.cli.config_context import configured
from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import Defined, Rules, assignments, import_customs, refuse_empty, refuse_second_stdin
from validation_gen.cli.terminal import (
    ENVIRONMENT,
    FINDINGS,
    INTERRUPTED,
    OK,
    Progress,
    exit_code,
    print_diagnostics,
    print_report,
)
from validation_gen.commands.definitions import split
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.commands.compare.results import Results
    from validation_gen.commands.compare.run import ProgressState
    from validation_gen.commands.compare.work import Plan, Work
    from validation_gen.commands.corpora.engines import Interruption
    from validation_gen.compiler.settings import Settings

EXAMPLES = of.EXAMPLES


@grouped
def compare(
    paths: Defined,
    *,
    handwritten: of.Spec = "",
    asked: of.Requests,
    judging: of.Judging,
    jobs: Jobs = 0,
    strict: of.Strict = False,
    resume: of.Resume = "",
    cluster: OnCluster = "",
    partition_size: PartitionSize = 64,
    max_bad_partitions: MostBad = 10,
    spill: of.Spill = "",
    allow: of.Allow = 0,
    reports: of.Reports,
    connection: of.Connection,
    sources: Sources,
    rules: Rules = None,
) -> None:
    """Compare handwritten validation with that of the tags, on many objects. Writes only the files that are named."""
    named = paths
    definitions, paths = split(named)
    chosen = replace(sources.settings(paths), rules=rules).with_definitions(definitions, paths)
    for values, flag in ((asked.objects, "--objects"), (asked.old, "--old"), (judging.expected, "--expected")):
        refuse_empty(values, flag)
    refuse_second_stdin(objects=asked.objects, old=asked.old, path=definitions)
    if not asked.objects and not asked.fuzz and not asked.cases:
        message = "there is nothing to compare: name objects, or draw requests with --fuzz N"
        raise typer.BadParameter(message, param_hint="--objects")
    if cluster:
        refuse_on_cluster([*asked.objects, *asked.old])
    else:
        resume = refuse_state_at_url(resume)
    if definitions and asked.fuzz:
        message = f"requests are drawn of types in Go or Python; for {definitions[0]} name objects by --objects"
        raise typer.BadParameter(message, param_hint="--fuzz")
    # Imported late, so that --help stays fast.
    from validation_gen.cli import compare_arguments as arguments  # noqa: PLC0415
    from validation_gen.cli.compareoutputs import (  # noqa: PLC0415
        check_outputs,
        keep_history,
        report_of,
        write_metrics,
        write_page,
    )
    from validation_gen.cli.trust_policy import (  # noqa: PLC0415
        end_if_refused,
        refuse_cluster,
        refuse_customs,
        refuse_handwritten,
        refuse_sources,
    )
    from validation_gen.commands.compare.judge import ComparisonConfig  # noqa: PLC0415
    from validation_gen.commands.compare.sides import SideOptions  # noqa: PLC0415
    from validation_gen.commands.compare.work import Plan  # noqa: PLC0415
    from validation_gen.commands.corpora.engines import Interruption  # noqa: PLC0415
    from validation_gen.diagnostics.visible import redact  # noqa: PLC0415

    renamed, gates = (
        arguments.normalization(judging.normalize),
        arguments.feature_gates(judging.feature_gates, judging.lifecycle, sources.target),
    )
    about = {
        "paths": shlex.join(named),
        "handwritten": handwritten or getattr(configured().config.file, "name", "pyproject.toml"),
        "objects": shlex.join(map(redact, asked.objects)),
        "settings": shlex.join(
            [
                *arguments.repeated("--module", sources.module),
                *arguments.repeated("--readonly-pkg", sources.readonly_pkg),
                *arguments.repeated("--custom-validations", sources.custom_validations),
                *(["--require-directive"] if sources.require_directive else []),
                *(["--known-tags"] if sources.known_tags else []),
                *arguments.repeated("--normalize", judging.normalize),
                *(["--short-circuit-mismatch"] if judging.short_circuit_mismatch else []),
                *(["--lifecycle"] if judging.lifecycle else []),
                *arguments.repeated("--feature-gates", [judging.feature_gates] if judging.feature_gates else []),
                *(["--target", sources.target] if sources.target != NEWEST else []),
                *(["--rules", rules.value] if rules is not None else []),
            ]
        ),
    }
    about |= {"fuzz": str(asked.fuzz), "seed": str(asked.seed)} if asked.fuzz else {}
    diagnostics = Diagnostics()
    printed = reports.format.of_findings
    ways = SideOptions(
        connection.timeout,
        connection.ca_file,
        connection.client_cert,
        connection.client_key,
        connection.server_name,
        retries=connection.retries,
    )
    refuse_customs(diagnostics)
    refuse_handwritten(handwritten, diagnostics)
    refuse_cluster(cluster, diagnostics)
    refuse_sources(diagnostics)
    end_if_refused(diagnostics, printed)
    side = arguments.handwritten_side(handwritten, ways, connection.header, connection.plural, diagnostics)
    if side is None:
        print_diagnostics(diagnostics, printed)
        raise typer.Exit(ENVIRONMENT)
    plan = Plan(
        side,
        tuple(asked.objects),
        tuple(asked.old),
        asked.fuzz,
        asked.seed,
        tuple(asked.kind),
        asked.cases,
        tuple(judging.expected),
        ComparisonConfig(
            gates, sources.target, renamed, judging.short_circuit_mismatch, assignments(asked.option, "--option")
        ),
        processes_of(jobs),
        strict,
        resume,
        cluster=cluster_of(cluster),
        partition_bytes=partition_size << 20,
        most_bad=max_bad_partitions,
        spill=spill,
        column=asked.column,
        about={name: redact(text) for name, text in {**about, "target": sources.target}.items() if text},
    )
    check_outputs(reports.report, reports.history, reports.metrics_file, reports.metrics_prefix, diagnostics)
    with Interruption() as interruption:
        found = None
        if not diagnostics.has_errors:
            found = _compared(
                plan, replace(chosen, every_type=not sources.require_directive), diagnostics, interruption
            )
        if found is None:
            print_diagnostics(diagnostics, printed)
            raise typer.Exit(exit_code(diagnostics) or ENVIRONMENT)
        work, results = found
        with interruption.held():
            runs = keep_history(reports.history, results, diagnostics)
            if reports.report:
                write_page(reports.report, results, runs, diagnostics)
            if reports.metrics_file:
                write_metrics(reports.metrics_file, reports.metrics_prefix, results, diagnostics)
            print_report(report_of(results, work, diagnostics), reports.format.record)
        code = INTERRUPTED if interruption.asked else exit_code(diagnostics)
        if code == OK and results.interrupted:
            code = INTERRUPTED
    if code == OK and results.mismatches > allow:
        code = FINDINGS
    if code != OK:
        raise typer.Exit(code)


def _compared(
    plan: Plan, chosen: Settings, diagnostics: Diagnostics, interruption: Interruption
) -> tuple[Work, Results] | None:
    """Runs the comparison. Returns `None` if the diagnostics have the reason why there are no results."""
    from validation_gen.commands.compare.fuzz import MissingHypothesisError  # noqa: PLC0415
    from validation_gen.commands.compare.run import StateError  # noqa: PLC0415
    from validation_gen.commands.compare.sides import SpecError  # noqa: PLC0415
    from validation_gen.commands.compare.work import UnknownKindError, Work  # noqa: PLC0415
    from validation_gen.commands.corpora.engines import EngineError  # noqa: PLC0415
    from validation_gen.compiler.pipeline import build_files, build_program, warn_of_markers, warn_of_nothing  # noqa: PLC0415
    from validation_gen.emit.loading.generated import load_registry  # noqa: PLC0415

    with Progress(every=SELDOM if plan.cluster else None) as progress:
        result = build_program(chosen, progress)
        warn_of_nothing(result.program, chosen, result.diagnostics)
        warn_of_markers(result, chosen, result.diagnostics)
        files = build_files(result.program)
        registry = load_registry(files)
        import_customs(result, chosen, registry)
        for each in result.diagnostics.items:
            diagnostics.add(each)
        if exit_code(diagnostics) == ENVIRONMENT:
            return None
        work = Work(plan, result.program, files, registry, diagnostics, interruption=interruption)
        results = None
        try:
            results = work.compare(lambda told: progress(_sentence(told)))
        except SpecError as error:
            diagnostics.error("VG904", error.reason, Span("--handwritten"), error.suggestion)
        except MissingHypothesisError as error:
            diagnostics.error("VG904", str(error), Span("--fuzz"))
        except UnknownKindError as error:
            help = f"did you mean {' or '.join(error.near)}?" if error.near else "write the name of a kind"
            diagnostics.error("VG904", str(error), Span("--kind"), help)
        except EngineError as error:
            diagnostics.error("VG904", str(error), Span("--cluster"), error.help)
        except StateError as error:
            help = "name another file, or delete it to begin anew"
            diagnostics.error("VG904", f"{plan.resume}: {error}", Span("--resume"), help)
        except OSError as error:
            place = Span(str(error.filename or plan.resume or plan.cases))
            message = f"cannot write: {error.strerror or error}"
            diagnostics.error("VG903", message, place, "check the permissions")
    if results is None:
        return None
    _tell_failure(work, results, diagnostics)
    return work, results


def _tell_failure(work: Work, results: Results, diagnostics: Diagnostics) -> None:
    """Reports why the comparison ended early or is unusable."""
    from validation_gen.commands.compare.portions import shown  # noqa: PLC0415
    from validation_gen.commands.compare.run import BadInputError  # noqa: PLC0415
    from validation_gen.commands.corpora.engines import EngineError  # noqa: PLC0415

    failure = work.failure
    if isinstance(failure, BadInputError):
        message = f"an input cannot be compared, and --strict is given: {failure}"
        diagnostics.error("VG901", message, Span("--strict"), "fix the input, or leave --strict out")
    elif isinstance(failure, EngineError):
        diagnostics.error("VG904", str(failure), Span("--cluster"), failure.help)
    elif failure is not None:
        message = f"a process that asks the handwritten side has ended ({failure}); {shown(failure.task)}"
        help = "find the object that ends it, and fix the handwritten validation; what follows was not compared"
        diagnostics.error("VG904", message, Span("--handwritten"), help)
    elif results.bad and not results.compared and not results.interrupted:
        message = f"none of the inputs could be compared: {results.notes[0]}"
        help = "name the objects of the types in PATH, and a handwritten side that answers"
        diagnostics.error("VG902", message, Span("--objects"), help)


def _sentence(told: ProgressState) -> str:
    """Renders the progress of the comparison."""
    if told.examples:
        return f"making {counted(told.examples, 'example')} small"
    text = f"comparing {counted(told.compared, 'object', grouped=True)}, {told.rate:,.0f}/s"
    done, parts = told.parts
    if parts:
        text = f"{bar(done, parts)}, {text}"
    if told.share is not None:
        text += f", {told.share:.0%}"
    if told.left is not None:
        minutes, seconds = divmod(round(told.left), 60)
        text += f", {minutes}:{seconds:02} left"
    text += f", {counted(told.mismatches, 'mismatch', grouped=True)}"
    return f"{text}, see {told.dashboard}" if told.dashboard else text
