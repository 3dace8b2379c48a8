"""Prints generated files to standard output, one after the other: `crd apis -o - | kubectl apply -f -`."""

from __future__ import annotations

import sys
from typing import NoReturn

import typer

from validation_gen.cli.options import DiagnosticFormat
from validation_gen.cli.terminal import exit_code, print_diagnostics, say, was_stopped
from validation_gen.cli.writing import Output, held_back, say_dropped
from validation_gen.commands.generate.run import GenerateResult
from validation_gen.diagnostics import Diagnostics
from validation_gen.runtime.words import counted


def print_and_end(made: GenerateResult, output: Output, *, format: DiagnosticFormat, quiet: bool) -> NoReturn:
    """Prints the files of one emitter in the order of their names. All else goes to standard error.

    Raises:
        typer.Exit: always, with the code of the findings.
    """
    diagnostics = Diagnostics(list(made.findings))
    print_diagnostics(diagnostics, format.value)
    if was_stopped(diagnostics, len(output.files)):
        raise typer.Exit(exit_code(diagnostics))
    if output.held and diagnostics.has_errors:
        told = held_back([output], "prints")
    else:
        for _, text in sorted(output.files.items()):
            sys.stdout.write(text.encode(errors="replace").decode())  # as in a file
        sys.stdout.flush()
        say_dropped(made.dropped, format)
        told = f"{counted(len(output.files), output.noun)} printed"
    say(told, format, quiet=quiet, aside=True)
    raise typer.Exit(exit_code(diagnostics))
