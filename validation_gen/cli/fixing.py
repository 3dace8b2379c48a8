"""`--fix`: applies fixes, and prints the changes and their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from validation_gen.cli.options import DiagnosticFormat, Findings
from validation_gen.cli.terminal import (
    FINDINGS,
    Progress,
    apply_levels,
    exit_code,
    print_diagnostics,
    print_patch,
    was_stopped,
)
from validation_gen.diagnostics import Diagnostic, Diagnostics
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.commands.fix import Judge, Outcome
    from validation_gen.compiler.settings import Settings


def fix_first(judge: Judge, options: Settings, output: Findings, *, diff: bool) -> list[Diagnostic]:
    """Fixes the sources. Returns the diagnostics about files left unchanged.

    Raises:
        typer.Exit: with `diff`, after printing it.
    """
    from validation_gen.cli.trust_policy import untouchable  # noqa: PLC0415
    from validation_gen.commands.fix import mend, write  # noqa: PLC0415 - not every run mends

    with Progress() as progress:
        progress("looking for what to fix")
        findings = judge({})
        outcome = mend(findings, judge, _trees(options), untouchable())
    format, quiet = output.format, output.quiet
    told = format.for_people
    if told:
        print_patch("".join(outcome.files[name].patch for name in sorted(outcome.files)))
    problems = outcome.diagnostics
    if diff:
        for finding in findings:
            if finding not in outcome.gone:
                problems.add(finding)
        print_diagnostics(problems, format.value)
        if told and not quiet and not was_stopped(problems, outcome.fixed):
            typer.echo(f"would fix {_told(outcome, counted(outcome.fixed, 'finding'), len(outcome.files))}", err=True)
        raise typer.Exit(max(exit_code(problems), FINDINGS if outcome.files else 0))
    written = write(outcome.files, problems)
    if told and not quiet and not was_stopped(Diagnostics([*findings, *problems.items]), outcome.fixed):
        fixed = counted(outcome.fixed, "finding") if len(written) == len(outcome.files) else "some findings"
        typer.echo(f"fixed {_told(outcome, fixed, len(written))}")
    return problems.items


def fixable(found: Diagnostics, judge: Judge, options: Settings, format: DiagnosticFormat) -> int:
    """Counts the findings that `--fix` would fix, for people.

    Tries each fix, as one that causes an error is not made.
    """
    if not (format.for_people and found.fixable):
        return 0
    from validation_gen.cli.trust_policy import untouchable  # noqa: PLC0415
    from validation_gen.commands.fix import mend  # noqa: PLC0415 - most runs find nothing to mend

    return mend(found.items, judge, _trees(options), untouchable()).fixed


def _trees(options: Settings) -> list[str]:
    """Returns the directories in the arguments."""
    return [path.removesuffix("/...") for path in (*options.paths, *map(str, options.modules.values()))]


def found_in(options: Settings, *, schemas: bool, markers: bool = True) -> Judge:
    """Returns a function that finds problems in the sources; with `schemas`, including those of schema generators.

    Without `markers` it reports only the syntax of markers.
    """

    def judge(contents: Mapping[str, bytes]) -> Sequence[Diagnostic]:
        from validation_gen.compiler.pipeline import lower, read, read_markers  # noqa: PLC0415
        from validation_gen.sources.recording_fs import changed  # noqa: PLC0415 - not every run mends

        diagnostics = Diagnostics()
        with changed(contents):
            sources = read(options, diagnostics)
            lower(sources, options, diagnostics)
            if schemas:
                read_markers(sources, options, diagnostics, whole=markers)
        apply_levels(diagnostics)
        return diagnostics.items

    return judge


def _told(outcome: Outcome, fixed: str, files: int) -> str:
    """Returns a sentence with the numbers of fixed and refused findings."""
    done = f"{fixed} in {counted(files, 'file')}" if files else "no findings"
    if not outcome.refused:
        return done
    return f"{done}; {counted(outcome.refused, 'finding')} left, as the fix would bring an error"
