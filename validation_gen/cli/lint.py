"""`validation-gen lint PATH…`: reports problems of the sources, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.fixing import Fix, fix_first, fixable, found_in
from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import CacheDir, DiagnosticFormat, Format, NoCache, Paths, Quiet, StrictLint
from validation_gen.cli.terminal import (
    FINDINGS,
    OK,
    Progress,
    apply_levels,
    exit_code,
    print_diagnostics,
    say,
    say_unjudged,
)
from validation_gen.cli.trust_policy import results_place
from validation_gen.commands.generate.cache import remembered
from validation_gen.commands.generate.run import GenerateResult
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.compiler.settings import Settings


@grouped
def lint(
    paths: Paths,
    *,
    sources: Sources,
    strict_lint: StrictLint = False,
    markers: Annotated[
        bool,
        typer.Option("--markers", help="Report all findings about markers (+kubebuilder:…), not only misspelt ones."),
    ] = False,
    max_warnings: Annotated[
        int,
        typer.Option("--max-warnings", min=-1, metavar="N", help="End with 1 if there are more warnings; -1: never."),
    ] = -1,
    fix: Fix = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="With --fix: show the changes, make none, and end with 1 if there are any.")
    ] = False,
    format: Format = DiagnosticFormat.FULL,
    cache_dir: CacheDir = "",
    no_cache: NoCache = False,
    quiet: Quiet = False,
) -> None:
    """Report mistakes and unwise tags in the sources in PATH; --fix corrects them. Writes nothing else."""
    options = sources.settings(paths)
    options = replace(options, lint=True, strict_lint=strict_lint)
    if diff and not fix:
        raise typer.BadParameter("it needs --fix, whose changes it shows", param_hint="--diff")
    diagnostics = Diagnostics()
    judge = found_in(options, schemas=True, markers=markers)
    if fix:
        kept = fix_first(judge, options, diff=diff, format=format, quiet=quiet)
        for finding in kept:
            diagnostics.add(finding)
    with Progress() as progress:
        place = results_place(cache_dir, no_cache=no_cache)

        def work() -> GenerateResult:
            return _looked(options, markers, progress)

        found = work() if place is None else remembered(options, place, work, wanted=["lint", markers])
        for finding in found.findings:
            diagnostics.add(finding)
    apply_levels(diagnostics)
    print_diagnostics(diagnostics, format.value, fixable=0 if fix else fixable(diagnostics, judge, options, format))
    if not diagnostics.items:
        read = [(found.packages, "package"), (found.types, "type"), (found.rules, "rule")]
        counts = ", ".join(counted(number, noun) for number, noun in read)
        say(f"{counts}: no findings ({progress.seconds:.1f} s)", format, quiet=quiet)
    say_unjudged(found.unjudged, format, quiet=quiet)
    warnings = sum(item.severity is Severity.WARNING for item in diagnostics.items)
    too_many = 0 <= max_warnings < warnings
    code = exit_code(diagnostics) or (FINDINGS if too_many else OK)
    if too_many:
        typer.echo(f"more than {counted(max_warnings, 'warning')}", err=True)
    if code != OK:
        raise typer.Exit(code)


def _looked(options: Settings, markers: bool, progress: Progress) -> GenerateResult:
    """Returns all findings. Markers need a separate pass that includes packages without rules."""
    from validation_gen.compiler.pipeline import (  # noqa: PLC0415 - not every run has to work
        lower,
        note_judged,
        read,
        read_markers,
        refuse_nothing,
        unjudged,
        warn_of_nothing,
    )

    diagnostics = Diagnostics()
    sources = read(options, diagnostics, progress)
    program = lower(sources, options, diagnostics, progress)
    others = read_markers(sources, options, diagnostics, progress, whole=markers)
    refuse_nothing(sources, options, diagnostics)
    warn_of_nothing(others if others.types else program, options, diagnostics)
    plans = program.validated
    packages, rules = {plan.package for plan in plans}, sum(plan.rule_count for plan in plans)
    note_judged(sources, others)
    told = unjudged(sources, others)
    return GenerateResult({}, tuple(diagnostics.items), len(packages), len(plans), rules, unjudged=told)
