"""`validation-gen compare PATH… --handwritten SPEC --objects WHERE…`: in what handwritten validation differs."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from validation_gen.cli import compareoptions as of
from validation_gen.cli.configured import configured
from validation_gen.cli.options import (
    Custom,
    Modules,
    Paths,
    Readonly,
    ReportFormat,
    RequireDirective,
    Target,
    assignments,
    import_customs,
    refuse_empty,
    refuse_second_stdin,
    settings,
)
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
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.build.settings import Settings
    from validation_gen.uses.compare.interruption import Interruption
    from validation_gen.uses.compare.pace import Told
    from validation_gen.uses.compare.results import Results
    from validation_gen.uses.compare.work import Plan, Work

EXAMPLES = of.EXAMPLES


def compare(
    paths: Paths,
    handwritten: of.Spec = "",
    objects: of.Objects = [],  # noqa: B006 - typer wants a plain default and never changes it
    old: of.Old = [],  # noqa: B006
    fuzz: of.Fuzz = 0,
    seed: of.Seed = 0,
    kind: of.Kinds = [],  # noqa: B006
    cases: of.Cases = "",
    option: of.Option = [],  # noqa: B006
    expected: of.Expected = [],  # noqa: B006
    lifecycle: of.Lifecycle = False,
    feature_gates: of.Gates = "",
    normalize: of.Normalize = [],  # noqa: B006
    short_circuit_mismatch: of.ShortCircuit = False,
    jobs: of.Jobs = 0,
    strict: of.Strict = False,
    resume: of.Resume = "",
    allow: of.Allow = 0,
    report: of.Report = "",
    history: of.History = "",
    format: of.ReportAs = ReportFormat.TEXT,
    metrics_file: of.MetricsFile = "",
    metrics_prefix: of.MetricsPrefix = "apiserver_validation_",
    timeout: of.Timeout = None,
    retries: of.Retries = 3,
    ca_file: of.CaFile = "",
    client_cert: of.ClientCert = "",
    client_key: of.ClientKey = "",
    server_name: of.ServerName = "",
    header: of.Header = [],  # noqa: B006
    plural: of.Plural = [],  # noqa: B006
    module: Modules = [],  # noqa: B006
    readonly_pkg: Readonly = [],  # noqa: B006
    require_directive: RequireDirective = False,
    custom_validations: Custom = [],  # noqa: B006
    target: Target = NEWEST,
) -> None:
    """Compare handwritten validation with that of the tags, on many objects. Writes only the files that are named."""
    chosen = settings(paths, module, readonly_pkg, require_directive, custom_validations, target)
    for values, flag in ((objects, "--objects"), (old, "--old"), (expected, "--expected")):
        refuse_empty(values, flag)
    refuse_second_stdin(objects=objects, old=old)
    if not objects and not fuzz and not cases:
        message = "there is nothing to compare: name objects, or draw requests with --fuzz N"
        raise typer.BadParameter(message, param_hint="--objects")
    # Imported late, so that --help stays fast.
    from validation_gen.cli import comparearguments as arguments  # noqa: PLC0415
    from validation_gen.cli.compareoutputs import (  # noqa: PLC0415
        check_outputs,
        keep_history,
        report_of,
        write_metrics,
        write_page,
    )
    from validation_gen.cli.trusting import end_if_refused, refuse_customs, refuse_handwritten  # noqa: PLC0415
    from validation_gen.uses.compare.interruption import Interruption  # noqa: PLC0415
    from validation_gen.uses.compare.judge import Manner  # noqa: PLC0415
    from validation_gen.uses.compare.sides import SideOptions  # noqa: PLC0415
    from validation_gen.uses.compare.work import Plan  # noqa: PLC0415

    rules, gates = arguments.normalization(normalize), arguments.feature_gates(feature_gates, lifecycle, target)
    about = {
        "paths": shlex.join(chosen.paths),
        "handwritten": handwritten or getattr(configured().config.file, "name", "pyproject.toml"),
        "objects": shlex.join(objects),
        "settings": shlex.join(
            [
                *arguments.repeated("--module", module),
                *arguments.repeated("--readonly-pkg", readonly_pkg),
                *arguments.repeated("--custom-validations", custom_validations),
                *(["--require-directive"] if require_directive else []),
                *arguments.repeated("--normalize", normalize),
                *(["--short-circuit-mismatch"] if short_circuit_mismatch else []),
                *(["--lifecycle"] if lifecycle else []),
                *arguments.repeated("--feature-gates", [feature_gates] if feature_gates else []),
                *(["--target", target] if target != NEWEST else []),
            ]
        ),
    }
    about |= {"fuzz": str(fuzz), "seed": str(seed)} if fuzz else {}
    diagnostics = Diagnostics()
    printed = format.of_findings
    ways = SideOptions(timeout, ca_file, client_cert, client_key, server_name, retries=retries)
    refuse_customs(diagnostics)
    refuse_handwritten(handwritten, diagnostics)
    end_if_refused(diagnostics, printed)
    side = arguments.handwritten_side(handwritten, ways, header, plural, diagnostics)
    if side is None:
        print_diagnostics(diagnostics, printed)
        raise typer.Exit(ENVIRONMENT)
    plan = Plan(
        side,
        tuple(objects),
        tuple(old),
        fuzz,
        seed,
        tuple(kind),
        cases,
        tuple(expected),
        Manner(gates, target, rules, short_circuit_mismatch, assignments(option, "--option")),
        jobs or _cores(),
        strict,
        resume,
        {name: text for name, text in {**about, "target": target}.items() if text},
    )
    check_outputs(report, history, metrics_file, metrics_prefix, diagnostics)
    with Interruption() as interruption:
        found = None
        if not diagnostics.has_errors:
            found = _compared(plan, replace(chosen, every_type=not require_directive), diagnostics, interruption)
        if found is None:
            print_diagnostics(diagnostics, printed)
            raise typer.Exit(exit_code(diagnostics) or ENVIRONMENT)
        work, results = found
        with interruption.held():
            runs = keep_history(history, results, diagnostics)
            if report:
                write_page(report, results, runs, diagnostics)
            if metrics_file:
                write_metrics(metrics_file, metrics_prefix, results, diagnostics)
            print_report(report_of(results, work, diagnostics), format.record)
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
    """The results, `None` if there are none because of what the diagnostics say."""
    from validation_gen.build.pipeline import build_files, build_program, warn_of_nothing  # noqa: PLC0415
    from validation_gen.emit.loading.generated import load_registry  # noqa: PLC0415
    from validation_gen.uses.compare.fuzz import MissingHypothesisError  # noqa: PLC0415
    from validation_gen.uses.compare.sides import SpecError  # noqa: PLC0415
    from validation_gen.uses.compare.state import StateError  # noqa: PLC0415
    from validation_gen.uses.compare.work import UnknownKindError, Work  # noqa: PLC0415

    with Progress() as progress:
        result = build_program(chosen, progress)
        warn_of_nothing(result.program, chosen, result.diagnostics)
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
        except StateError as error:
            help = "name another file, or delete it to begin anew"
            diagnostics.error("VG904", f"{plan.resume}: {error}", Span("--resume"), help)
        except OSError as error:
            place = Span(str(error.filename or plan.resume or plan.cases))
            diagnostics.error("VG903", f"cannot write: {error.strerror or error}", place, "check the permissions")
    if results is None:
        return None
    _tell_failure(work, results, diagnostics)
    return work, results


def _tell_failure(work: Work, results: Results, diagnostics: Diagnostics) -> None:
    """Why the comparison has ended before its time, or is worth nothing."""
    from validation_gen.uses.compare.engine import shown  # noqa: PLC0415
    from validation_gen.uses.compare.run import BadInputError  # noqa: PLC0415

    failure = work.failure
    if isinstance(failure, BadInputError):
        message = f"an input cannot be compared, and --strict is given: {failure}"
        diagnostics.error("VG901", message, Span("--strict"), "fix the input, or leave --strict out")
    elif failure is not None:
        message = f"a process that asks the handwritten side has ended ({failure}); {shown(failure.task)}"
        help = "find the object that ends it, and fix the handwritten validation; what follows was not compared"
        diagnostics.error("VG904", message, Span("--handwritten"), help)
    elif results.bad and not results.compared and not results.interrupted:
        message = f"none of the inputs could be compared: {results.notes[0]}"
        help = "name the objects of the types in PATH, and a handwritten side that answers"
        diagnostics.error("VG902", message, Span("--objects"), help)


def _cores() -> int:
    """The number of cores that this process may use: in a container there are often fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _sentence(told: Told) -> str:
    """How far the comparison has come, for people who wait."""
    if told.examples:
        return f"making {counted(told.examples, 'example')} small"
    text = f"comparing {told.compared:,} objects, {told.rate:,.0f}/s"
    if told.share is not None:
        text += f", {told.share:.0%}"
    if told.left is not None:
        minutes, seconds = divmod(round(told.left), 60)
        text += f", {minutes}:{seconds:02} left"
    return f"{text}, {told.mismatches:,} mismatches"
