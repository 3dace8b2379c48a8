"""`validation-gen compare PATH… --handwritten SPEC --objects WHERE…`: in what handwritten validation differs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from validation_gen.cli import compareoptions as of
from validation_gen.cli.options import (
    Custom,
    Modules,
    Paths,
    Readonly,
    RequireDirective,
    Target,
    assignments,
    import_customs,
    refuse_empty,
    settings,
    warn_of_nothing,
)
from validation_gen.cli.terminal import (
    ENVIRONMENT,
    FINDINGS,
    INTERRUPTED,
    OK,
    Progress,
    exit_code,
    has_color,
    one_line,
    print_diagnostics,
)
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.rules.releases import NEWEST

if TYPE_CHECKING:
    from validation_gen.compare.engine import Job
    from validation_gen.compare.inputs import Item
    from validation_gen.compare.requests import Request
    from validation_gen.compare.results import Results
    from validation_gen.compare.run import Run
    from validation_gen.pipeline import Result


def compare(
    paths: Paths,
    handwritten: of.Spec,
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
    format: of.ReportAs = of.ReportFormat.TEXT,
    metrics_file: of.MetricsFile = "",
    metrics_prefix: of.MetricsPrefix = "apiserver_validation_",
    timeout: of.Timeout = 10.0,
    retries: of.Retries = 2,
    ca_file: of.CaFile = "",
    client_cert: of.ClientCert = "",
    client_key: of.ClientKey = "",
    header: of.Header = [],  # noqa: B006
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
    if not objects and not fuzz and not cases:
        raise typer.BadParameter(
            "there is nothing to compare: name files, or draw requests with --fuzz", param_hint="--objects"
        )
    rules, gates = of.normalization(normalize), of.feature_gates(feature_gates, lifecycle, target)
    spec = of.handwritten_side(handwritten, timeout, retries, ca_file, client_cert, client_key, header)
    options = assignments(option, "--option")
    if metrics_file:
        of.check_metrics(metrics_prefix)
    # Imported late, so that --help stays fast.
    from validation_gen.compare.judge import Manner  # noqa: PLC0415
    from validation_gen.compare.work import Plan  # noqa: PLC0415

    about = {"paths": " ".join(chosen.paths), "handwritten": " ".join(handwritten), "objects": " ".join(objects)}
    about |= {"fuzz": str(fuzz), "seed": str(seed)} if fuzz else {}
    about |= {"lifecycle": feature_gates or "default gates"} if lifecycle else {}
    plan = Plan(
        spec,
        tuple(objects),
        tuple(old),
        fuzz,
        seed,
        tuple(kind),
        cases,
        tuple(expected),
        Manner(gates, target, rules, short_circuit_mismatch, options),
        jobs or os.cpu_count() or 1,
        strict,
        resume,
        {**about, "target": target},
    )
    diagnostics, results = _compared(plan, replace(chosen, every_type=not require_directive))
    printed = "full" if format is of.ReportFormat.TEXT else "concise"
    if results is None:
        print_diagnostics(diagnostics, printed)
        raise typer.Exit(exit_code(diagnostics) or ENVIRONMENT)
    runs = _history(history, results, diagnostics)
    _write(report, lambda: of.page(results, runs), diagnostics)
    _write(metrics_file, lambda: of.exposition(results, metrics_prefix), diagnostics)
    print_diagnostics(diagnostics, printed)
    typer.echo(of.rendered(results, format, color=has_color(sys.stdout)), nl=False)
    code = INTERRUPTED if results.interrupted else exit_code(diagnostics)
    if code == OK and results.mismatches > allow:
        code = FINDINGS
    if code != OK:
        raise typer.Exit(code)
