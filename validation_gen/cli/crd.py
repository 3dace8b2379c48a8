"""`validation-gen crd …`: commands about CustomResourceDefinitions."""

from __future__ import annotations

from typing import Annotated

import typer

from validation_gen.cli import schemas
from validation_gen.cli.options import DiagnosticFormat, Format, refuse_empty
from validation_gen.cli.terminal import OK, Progress, exit_code, print_diagnostics
from validation_gen.diagnostics import Diagnostics, Severity, Span

app = typer.Typer(name="crd", help="CustomResourceDefinitions.", no_args_is_help=True)
app.command("generate")(schemas.crd)


@app.command("check")
def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR|-",
            help="YAML or JSON with definitions. Other objects are passed over.",
            show_default=False,
        ),
    ],
    format: Format = DiagnosticFormat.FULL,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary line.")] = False,
) -> None:
    """Check CustomResourceDefinitions as the API server does when they are created. Writes no files."""
    from validation_gen.crd import run  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.manifests import read_manifests  # noqa: PLC0415

    refuse_empty(files, "FILE")
    found = Diagnostics()
    with Progress() as progress:
        manifests = read_manifests(files, found)
        progress("checking")
        definitions = [m for m in manifests if run.is_definition(m.obj)]
        if manifests and not definitions:
            help = "name a file that holds a CustomResourceDefinition"
            found.error("VG902", "there are no definitions here", Span(files[0]), help)
        invalid = 0
        for manifest in definitions:
            problems = run.diagnostics(manifest.obj, manifest.positions)
            invalid += any(problem.severity is Severity.ERROR for problem in problems)
            for problem in problems:
                found.add(problem)
    print_diagnostics(found, format.value)
    if not quiet and format is not DiagnosticFormat.JSON:
        noun = "definition" if len(definitions) == 1 else "definitions"
        typer.echo(f"{len(definitions)} {noun}: {len(definitions) - invalid} valid, {invalid} invalid")
    code = exit_code(found)
    if code != OK:
        raise typer.Exit(code)
