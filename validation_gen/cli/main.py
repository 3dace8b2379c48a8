"""The entry point: `validation-gen PATH…` and its commands."""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import sys
from collections.abc import Iterable
from typing import Annotated

try:
    import typer

    from validation_gen.cli.compare import compare
    from validation_gen.cli.convert import convert
    from validation_gen.cli.coverage import coverage
    from validation_gen.cli.crd import app as crd
    from validation_gen.cli.explain import explain
    from validation_gen.cli.generate import generate
    from validation_gen.cli.monitoring import monitoring
    from validation_gen.cli.schemas import jsonschema, openapi
    from validation_gen.cli.stdio import stdio
    from validation_gen.cli.terminal import ENVIRONMENT, INTERRUPTED
    from validation_gen.cli.validate import validate
except KeyboardInterrupt:  # this takes most of the time until `run` can answer for it
    sys.exit(130)

app = typer.Typer(
    name="validation-gen",
    help="Kubernetes declarative validation: Python validators from +k8s: tags.\n\n"
    "`validation-gen PATH...` is short for `validation-gen generate PATH...`, "
    "`validation-gen crd PATH...` for `validation-gen crd generate PATH...`.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("generate")(generate)
app.command("validate")(validate)
app.command("stdio")(stdio)
app.command("coverage")(coverage)
app.command("compare")(compare)
app.command("convert")(convert)
app.add_typer(crd)
app.command("openapi")(openapi)
app.command("jsonschema")(jsonschema)
app.command("monitoring")(monitoring)
app.command("explain")(explain)

_COMMANDS = frozenset(
    "generate validate stdio compare coverage convert crd openapi jsonschema monitoring explain".split()
)


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
    if len(given) > 1 and given[0] == "crd":
        known = given[1] in {"generate", "check", "-h", "--help"} or _is_slip(given[1], ("generate", "check"))
        return given if known else ["crd", "generate", *given[1:]]
    if not given or given[0] in own | _COMMANDS:
        return given
    return given if _is_slip(given[0], _COMMANDS) else ["generate", *given]


def _is_slip(word: str, commands: Iterable[str]) -> bool:
    """Whether a word is meant as a command: it is refused as such then, with a suggestion."""
    return word.isalpha() and not os.path.lexists(word) and bool(difflib.get_close_matches(word, list(commands)))


def run() -> None:
    """Runs the program with the arguments of the process, and ends it."""
    _open_streams()
    try:
        app(arguments(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except SystemExit as end:
        # The reader has gone (`| head`): typer ends with 1 then, which would mean findings.
        sys.exit(ENVIRONMENT if isinstance(end.__context__, BrokenPipeError) else end.code)
    except OSError as error:  # such as a full disk below standard output
        with contextlib.suppress(OSError):
            sys.stderr.write(f"error: {error}\n")
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - what is left cannot be written
        sys.exit(ENVIRONMENT)


def _open_streams() -> None:
    """Makes standard streams take any text: some are closed by the caller, some know ASCII only."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    run()
