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
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
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
            help="YAML or JSON with definitions or configurations of webhooks, or patterns such as 'crds/**/*.yaml'. "
            "Other objects are skipped.",
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
    """Check CustomResourceDefinitions as the API server does when they are created. Writes no files.

    Configurations of webhooks are checked, too.
    """
    from validation_gen.kubernetes.crd import run  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415
    from validation_gen.kubernetes.registration import run as registration  # noqa: PLC0415

    refuse_empty(files, "FILE")
    refuse_second_stdin(FILE=files)
    check_target(target)
    minor = int(target.partition(".")[2]) - 1  # rules may use what the release before knows
    found = Diagnostics()
    with Progress() as progress:
        progress("reading")
        manifests = read_manifests(files, found)
        definitions = [manifest for manifest in manifests if run.is_definition(manifest.obj)]
        configurations = [manifest for manifest in manifests if registration.is_configuration(manifest.obj)]
        others = len(manifests) - len(definitions) - len(configurations)
        if others and not (definitions or configurations):
            help = "name a file that holds a CustomResourceDefinition"
            found.error("VG902", "there are no CustomResourceDefinitions here", Span(files[0]), help)
        progress("checking")
        problems = [
            run.diagnostics(each.obj, each.positions, max_description=max_description, minor=minor)
            for each in definitions
        ]
        of_webhooks = [registration.diagnostics(each.obj, each.positions, minor=minor) for each in configurations]
        for problem in (each for some in (*problems, *of_webhooks) for each in some):
            found.add(problem)
    print_diagnostics(found, format.value)
    told = [_told(problems, "definition")] if definitions or not configurations else []
    told += [_told(of_webhooks, "configuration")] if configurations else []
    told += [f"{counted(others, 'other object')} skipped"] if others else []
    judged = len(definitions) + len(configurations)
    say("; ".join(told), format, quiet=quiet or was_stopped(found, judged))
    code = exit_code(found)
    if code != OK:
        raise typer.Exit(code)


def _told(problems: list[list[Diagnostic]], noun: str) -> str:
    """How many there are of something, and how many of them are invalid."""
    invalid = sum(any(each.severity is Severity.ERROR for each in some) for some in problems)
    return f"{counted(len(problems), noun)}: {len(problems) - invalid} valid, {invalid} invalid"
