"""`validation-gen lint PATH…` reports problems of the sources, and nothing else. `--fix` applies fixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import typer

from validation_gen.cli import terminal
from validation_gen.cli.options import (
    Caching,
    DiagnosticFormat,
    Findings,
    ListedSources,
    Options,
    Paths,
    expand_groups,
    option,
)
from validation_gen.cli.terminal import FINDINGS, OK, Progress
from validation_gen.cli.trust_policy import untouchable
from validation_gen.commands.fix import Judge, Outcome, mend, write
from validation_gen.commands.generate.cache import load_or_run
from validation_gen.commands.generate.run import GenerateResult
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.runtime.words import counted
from validation_gen.sources.recording_fs import override_files

if TYPE_CHECKING:
    from validation_gen.compiler.settings import Settings


def fix_first(judge: Judge, options: Settings, output: Findings, *, diff: bool) -> list[Diagnostic]:
    """Fixes the sources. Returns the diagnostics about files left unchanged.

    Raises:
        typer.Exit: with `diff`, after printing it.
    """
    with Progress() as progress:
        progress("looking for what to fix")
        findings = judge({})
        outcome = mend(findings, judge, _trees(options), untouchable())
    format, quiet = output.format, output.quiet
    for_people = format.for_people
    if for_people:
        terminal.print_patch("".join(outcome.files[name].patch for name in sorted(outcome.files)))
    problems = outcome.diagnostics
    if diff:
        for finding in findings:
            if finding not in outcome.gone:
                problems.add(finding)
        terminal.print_diagnostics(problems, format.value)
        if for_people and not quiet and not terminal.was_stopped(problems, outcome.fixed):
            typer.echo(
                f"would fix {_summarize(outcome, counted(outcome.fixed, 'finding'), len(outcome.files))}", err=True
            )
        raise typer.Exit(max(terminal.exit_code(problems), FINDINGS if outcome.files else 0))
    written = write(outcome.files, problems)
    if for_people and not quiet and not terminal.was_stopped(Diagnostics([*findings, *problems.items]), outcome.fixed):
        fixed = counted(outcome.fixed, "finding") if len(written) == len(outcome.files) else "some findings"
        typer.echo(f"fixed {_summarize(outcome, fixed, len(written))}")
    return problems.items


def fixable(found: Diagnostics, judge: Judge, options: Settings, format: DiagnosticFormat) -> int:
    """Counts the findings that `--fix` would fix; 0 for formats that programs read.

    Tries each fix, because `--fix` skips a fix that causes an error.
    """
    if not (format.for_people and found.fixable):
        return 0
    return mend(found.items, judge, _trees(options), untouchable()).fixed


def _trees(options: Settings) -> list[str]:
    """Returns the directories in the arguments."""
    return [path.removesuffix("/...") for path in (*options.paths, *map(str, options.modules.values()))]


def find_in(options: Settings, *, schemas: bool, markers: bool = True) -> Judge:
    """Returns a function that finds problems in the sources; with `schemas`, including those of schema generators.

    Without `markers` it reports only the syntax of markers.
    """

    def judge(contents: Mapping[str, bytes]) -> Sequence[Diagnostic]:
        from validation_gen.compiler.pipeline import lower, read, read_markers  # noqa: PLC0415

        diagnostics = Diagnostics()
        with override_files(contents):
            sources = read(options, diagnostics)
            lower(sources, options, diagnostics)
            if schemas:
                read_markers(sources, options, diagnostics, whole=markers)
        terminal.apply_levels(diagnostics)
        return diagnostics.items

    return judge


def _summarize(outcome: Outcome, fixed: str, files: int) -> str:
    """Returns a sentence with the numbers of fixed and refused findings."""
    done = f"{fixed} in {counted(files, 'file')}" if files else "no findings"
    if not outcome.refused:
        return done
    return f"{done}; {counted(outcome.refused, 'finding')} left, as the fix would bring an error"


@dataclass(frozen=True)
class Linting(Options):
    """Options of the findings, and of fixes."""

    strict_lint: bool = option(False, "Make findings of Kubernetes' own lint errors.")
    markers: bool = option(False, "Report all findings about markers (+kubebuilder:…), not only misspelt ones.")
    max_warnings: int = option(-1, "End with 1 if there are more warnings; -1: never.", "N", min=-1)
    fix: bool = option(False, "Fix findings in the sources that have one meaning; show the changes.")
    diff: bool = option(False, "With --fix: show the changes, make none, and end with 1 if there are any.")


@expand_groups
def lint(paths: Paths, *, sources: ListedSources, linting: Linting, findings: Findings, caching: Caching) -> int:
    """Report mistakes and unwise tags in the sources in PATH; --fix corrects them. Writes nothing else."""
    settings = replace(sources.settings(paths), lint=True, strict_lint=linting.strict_lint)
    if linting.diff and not linting.fix:
        raise typer.BadParameter("it needs --fix, whose changes it shows", param_hint="--diff")
    format, markers = findings.format, linting.markers
    judge = find_in(settings, schemas=True, markers=markers)
    diagnostics = Diagnostics(fix_first(judge, settings, findings, diff=linting.diff) if linting.fix else [])
    with Progress() as progress:
        place = caching.directory()

        def work() -> GenerateResult:
            return _find_all(settings, markers, progress)

        found = work() if place is None else load_or_run(settings, place, work, wanted=["lint", markers])
        diagnostics.extend(found.findings)
    terminal.apply_levels(diagnostics)
    fixes = 0 if linting.fix else fixable(diagnostics, judge, settings, format)
    terminal.print_diagnostics(diagnostics, format.value, fixable=fixes)
    if not diagnostics.items:
        terminal.say(f"{found.counts}: no findings ({progress.seconds:.1f} s)", format, quiet=findings.quiet)
    terminal.say_unjudged(found.unjudged, format, quiet=findings.quiet)
    warnings = sum(item.severity is Severity.WARNING for item in diagnostics.items)
    too_many = 0 <= linting.max_warnings < warnings
    if too_many:
        typer.echo(f"more than {counted(linting.max_warnings, 'warning')}", err=True)
    return terminal.exit_code(diagnostics) or (FINDINGS if too_many else OK)


def _find_all(options: Settings, markers: bool, progress: Progress) -> GenerateResult:
    """Returns all findings. Markers need a separate pass that includes packages without rules."""
    from validation_gen.compiler.pipeline import (  # noqa: PLC0415 - not every run has to work
        describe_unchecked,
        lower,
        mark_checked_types,
        read,
        read_markers,
        refuse_nothing,
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
    mark_checked_types(sources, others)
    for_people = describe_unchecked(sources, others)
    return GenerateResult({}, tuple(diagnostics.items), len(packages), len(plans), rules, unjudged=for_people)
