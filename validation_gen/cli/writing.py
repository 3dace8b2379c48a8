"""Writes, compares or prints generated files, and reports the result.

Checks output directories: a directory, standard output, or an importable package.
"""

from __future__ import annotations

import keyword
import os
import re
import sys
from collections.abc import Mapping, Sequence

import typer

from validation_gen.cli import terminal
from validation_gen.cli.options import DiagnosticFormat, Writing
from validation_gen.commands.generate.run import GenerateResult
from validation_gen.commands.generate.writing import Outcome, Output, describe_held_back
from validation_gen.compiler.emitters import PYTHON
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import one_line
from validation_gen.runtime.words import counted


def report(outcome: Outcome, seconds: float, writing: Writing, *, fixable: int = 0) -> int:
    """Prints the findings and a summary, in which `fixable` findings have a fix. Returns the exit code.

    With `--diff`, standard output is a patch and nothing else, unless it belongs to the findings.
    """
    format, quiet = writing.format, writing.quiet
    diagnostics, made = outcome.diagnostics, outcome.made
    has_validators = PYTHON.name in made.outputs
    if writing.details:
        for line in outcome.details():
            typer.echo(one_line(line), err=True)
    terminal.print_diagnostics(diagnostics, format.value, fixable=fixable)
    if format.for_people:
        terminal.say_unjudged(made.bundled, format, quiet=quiet)
    if not format.owns_stdout:
        terminal.print_patch(outcome.patch)
    if outcome.told:  # otherwise nothing was written or compared
        head = f"{made.counts}: " if has_validators else ""
        terminal.say(f"{head}{'; '.join(outcome.told)} ({seconds:.1f} s)", format, quiet=quiet, aside=writing.diff)
    say_dropped(outcome.dropped, format)
    terminal.say_unjudged(made.unjudged if has_validators else "", format, quiet=quiet)
    return terminal.exit_code(diagnostics)


def print_files(made: GenerateResult, output: Output, writing: Writing) -> int:
    """Prints the files of one emitter in the order of their names. All other text goes to standard error.

    Returns the exit code.
    """
    diagnostics = Diagnostics(list(made.findings))
    terminal.print_diagnostics(diagnostics, writing.format.value)
    if terminal.was_stopped(diagnostics, len(output.files)):
        return terminal.exit_code(diagnostics)
    if output.held and diagnostics.has_errors:
        text = describe_held_back([output], "prints")
    else:
        for _, content in sorted(output.files.items()):
            sys.stdout.write(content.encode(errors="replace").decode())  # as in a file
        sys.stdout.flush()
        say_dropped(made.dropped, writing.format)
        text = f"{counted(len(output.files), output.noun)} printed"
    terminal.say(text, writing.format, quiet=writing.quiet, aside=True)
    return terminal.exit_code(diagnostics)


def say_dropped(kinds: Sequence[str], format: DiagnosticFormat) -> None:
    """Prints the kinds that were left out because of errors, each with the reason, if there are any."""
    lines = "".join(f"\n  {one_line(kind)}" for kind in kinds)
    terminal.say_unjudged(lines and f"{counted(len(kinds), 'kind')} left out because of errors:{lines}", format)


STDOUT = "-"
_OUTPUT = "--output-dir"


def refuse_beside(writing: Writing, others: Mapping[str, object]) -> None:
    """Refuses options that conflict with schemas on standard output."""
    if writing.format.owns_stdout:
        raise typer.BadParameter(
            f"standard output cannot hold {writing.format.value} findings, too", param_hint=_OUTPUT
        )
    for name, value in {"--check": writing.check, "--diff": writing.diff, **others}.items():
        if value:
            raise typer.BadParameter(f"it is about files, and {_OUTPUT} - writes none", param_hint=name)


def refuse_unimportable(directory: str) -> None:
    """Refuses a directory whose name cannot be imported: the validators there are a package."""
    if directory == STDOUT:
        reason = "validators are a package of several files, which standard output cannot hold; name a directory"
        raise typer.BadParameter(reason, param_hint=_OUTPUT)
    name = os.path.basename(os.path.normpath(directory))  # noqa: PTH119 - of a text
    if name in (os.curdir, os.pardir, "") or (name.isidentifier() and not keyword.iskeyword(name)):
        return
    other = f"{name}_" if keyword.iskeyword(name) else re.sub(r"\W", "_", name)
    other = other if other.isidentifier() else f"_{other}"
    raise typer.BadParameter(f"Python cannot import a package named {name!r}; use {other!r}", param_hint=_OUTPUT)
