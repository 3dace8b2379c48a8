"""`validation-gen crd …`: commands about CustomResourceDefinitions."""

from __future__ import annotations

from typing import Annotated

import typer

from validation_gen.cli import schemas
from validation_gen.cli.configured import Configurable
from validation_gen.cli.helping import Commands
from validation_gen.cli.options import (
    DiagnosticFormat,
    Format,
    Quiet,
    Target,
    check_target,
    refuse_empty,
    refuse_second_stdin,
)
from validation_gen.cli.terminal import OK, Progress, exit_code, print_diagnostics, say, was_stopped
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.words import counted

app = typer.Typer(
    cls=Commands,
    name="crd",
    help="CustomResourceDefinitions.",
    no_args_is_help=True,
    add_completion=False,  # the program has it
    rich_markup_mode=None,
)
app.command("generate", cls=Configurable)(schemas.crd)


@app.command("check", cls=Configurable)
def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR|-",
            help="YAML or JSON with definitions, or patterns such as 'crds/**/*.yaml'. Other objects are skipped.",
            show_default=False,
        ),
    ],
    max_description: Annotated[
        int | None,
        typer.Option(
            "--max-description",
            metavar="N",
            min=0,
            help="Say of definitions that are too large how large they are with descriptions of at most N characters.",
            show_default=False,
        ),
    ] = None,
    target: Target = NEWEST,
    format: Format = DiagnosticFormat.FULL,
    quiet: Quiet = False,
) -> None:
    """Check CustomResourceDefinitions as the API server does when they are created. Writes no files."""
    from validation_gen.kubernetes.crd import run  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.kubernetes.manifests import each_manifest  # noqa: PLC0415

    refuse_empty(files, "FILE")
    refuse_second_stdin(FILE=files)
    check_target(target)
    minor = int(target.partition(".")[2]) - 1  # rules may use what the release before knows
    found = Diagnostics()
    with Progress() as progress:
        progress("checking")
        definitions = others = invalid = 0
        for manifest in each_manifest(files, found):
            if not run.is_definition(manifest.obj):
                others += 1
                continue
            definitions += 1
            problems = run.diagnostics(manifest.obj, manifest.positions, max_description=max_description, minor=minor)
            wrong = any(problem.severity is Severity.ERROR for problem in problems)
            invalid += wrong
            for problem in problems:
                found.add(problem)
        if others and not definitions:
            help = "name a file that holds a CustomResourceDefinition"
            found.error("VG902", "there are no CustomResourceDefinitions here", Span(files[0]), help)
    print_diagnostics(found, format.value)
    valid = definitions - invalid
    passed = f"; {counted(others, 'other object')} skipped" if others else ""
    told = f"{counted(definitions, 'definition')}: {valid} valid, {invalid} invalid{passed}"
    say(told, format, quiet=quiet or was_stopped(found, definitions))
    code = exit_code(found)
    if code != OK:
        raise typer.Exit(code)
