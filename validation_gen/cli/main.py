"""The entry point: `validation-gen PATH…` and its commands."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from validation_gen.cli.generate import generate
from validation_gen.cli.stdio import stdio
from validation_gen.cli.terminal import ENVIRONMENT, INTERRUPTED
from validation_gen.cli.validate import validate

app = typer.Typer(
    name="validation-gen",
    help="Kubernetes declarative validation: Python validators from +k8s: tags.\n\n"
    "`validation-gen PATH...` is short for `validation-gen generate PATH...`.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("generate")(generate)
app.command("validate")(validate)
app.command("stdio")(stdio)

_COMMANDS = frozenset({"generate", "validate", "stdio"})


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - only this option needs it

        typer.echo(f"validation-gen {version('validation-gen')}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Kubernetes declarative validation: Python validators from +k8s: tags."""


def arguments(given: list[str]) -> list[str]:
    """The arguments with the main command named, unless they begin with a command or an option of the program."""
    own = {"-h", "--help", "--version", "--install-completion", "--show-completion"}
    return given if not given or given[0] in own | _COMMANDS else ["generate", *given]


def run() -> None:
    """Runs the program with the arguments of the process, and ends it."""
    try:
        app(arguments(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader has gone (`| head`): not an error, but Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ENVIRONMENT)


if __name__ == "__main__":
    run()
