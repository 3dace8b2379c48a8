"""`validation-gen migrate PATH…`: rewrites markers of controller-gen as tags where the meaning stays the same."""

from __future__ import annotations

from typing import Annotated

import typer

from validation_gen.cli.groups import Types, grouped
from validation_gen.cli.options import DiagnosticFormat, Format, Paths, Quiet
from validation_gen.cli.terminal import OK, Progress, exit_code, print_diagnostics, print_patch, say, was_stopped
from validation_gen.cli.trusting import untouchable
from validation_gen.runtime.words import counted


@grouped
def migrate(
    paths: Paths,
    *,
    write: Annotated[
        bool, typer.Option("--write", help="Change the files; without it only the patch is printed.")
    ] = False,
    zeros: Annotated[
        bool,
        typer.Option(
            "--zeros",
            help="Accept that validators take a zero value that is written for unset, where the schema refuses it.",
        ),
    ] = False,
    types: Types,
    format: Format = DiagnosticFormat.FULL,
    quiet: Quiet = False,
) -> None:
    """Rewrite markers in PATH as tags where definitions and verdicts stay the same, and print the patch.

    The definitions that `crd` makes stay the same to the byte, and validators refuse what the schema refused by the
    markers, on objects at the edges of all rules and on drawn ones. Each marker that stays is reported with its reason.

    Examples:
    validation-gen migrate ./api/... | git apply

    validation-gen migrate ./api/v1 --write --format concise
    """
    from validation_gen.commands.fix import write as write_files  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.migrate import migrate as run  # noqa: PLC0415

    options = types.settings(paths)
    named = [*options.paths, *map(str, options.modules.values())]
    with Progress() as progress:
        trees = [path.removesuffix("/...") for path in named]
        result = run(options, zeros=zeros, trees=trees, bar=untouchable(), progress=progress)
    diagnostics = result.diagnostics
    names = write_files(result.files, diagnostics) if write else sorted(result.files)
    kept = len(result.kept)
    for finding in result.kept if not quiet or not format.for_people else ():
        diagnostics.add(finding)
    print_diagnostics(diagnostics, format.value)
    if not format.owns_stdout and not write:
        print_patch("".join(result.files[name].patch for name in names))
    verb = "rewritten" if write else "can be rewritten"
    told = f"{counted(result.migrated, 'marker')} {verb} in {counted(len(names), 'file')}, {kept} kept"
    say(told, format, quiet=quiet or was_stopped(diagnostics, result.migrated, kept), aside=not write)
    code = exit_code(diagnostics)
    if code != OK:
        raise typer.Exit(code)
