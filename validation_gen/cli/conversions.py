"""`crd test-conversion` and `crd new-conversion`: tests conversions between versions, and writes first drafts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import Defined, DiagnosticFormat, Format, ReportFormat, refuse_empty
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress, exit_code, print_diagnostics, print_report
from validation_gen.commands.definitions import is_lasting, split
from validation_gen.diagnostics import Diagnostics

_MOST = 10_000_000


@grouped
def prove(
    paths: Defined,
    *,
    with_: Annotated[str, typer.Option("--with", metavar="FILE.py", help="Your module with conversions. It is run.")],
    kind: Annotated[list[str], typer.Option("--kind", metavar="KIND", help="Only this kind. Repeatable.")] = [],  # noqa: B006 - typer wants a plain default and never changes it
    cases: Annotated[
        int, typer.Option("--cases", metavar="N", min=1, max=_MOST, help="Number of drawn objects of each version.")
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="Draw other objects.")] = 0,
    write_test: Annotated[
        str, typer.Option("--write-test", metavar="FILE.py", help="Write a test that checks the same.")
    ] = "",
    sources: Sources,
    format: Annotated[ReportFormat, typer.Option("--format", help="Format of the report.")] = ReportFormat.TEXT,
) -> None:
    """Prove conversions on drawn objects, there and back. Writes only the test that is named."""
    from validation_gen.commands.conversions.run import check as run  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.conversions.run import written  # noqa: PLC0415

    definitions, types = split(paths)
    settings = replace(sources.settings(types), lint=False).with_definitions(definitions, types)
    refuse_empty([with_], "--with")
    for path in definitions if write_test else ():
        if not is_lasting(path):
            raise typer.BadParameter(f"a test cannot read {path} again; name files", param_hint="--write-test")
    diagnostics = Diagnostics()
    with Progress() as progress:
        found = run(settings, with_, kind, cases, seed, diagnostics, progress)
    if found is not None and write_test:
        _write(write_test, written(settings, with_, kind, cases, seed, write_test), diagnostics, "--write-test")
    if found is None:
        print_diagnostics(diagnostics, format.of_findings)
        raise typer.Exit(exit_code(diagnostics) or ENVIRONMENT)
    print_report(found, format.record)
    code = exit_code(diagnostics) or (FINDINGS if found.failed else OK)
    if code != OK:
        raise typer.Exit(code)


@grouped
def new(
    paths: Defined,
    *,
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help="The kind.")],
    from_: Annotated[str, typer.Option("--from", metavar="VERSION", help="A version.")],
    to: Annotated[str, typer.Option("--to", metavar="VERSION", help="Another one.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE.py", help="A new file, instead of printing.")
    ] = "",
    sources: Sources,
    format: Format = DiagnosticFormat.FULL,
) -> None:
    """Print a draft of a conversion between two versions of a kind, with open decisions."""
    from validation_gen.commands.conversions.run import begin  # noqa: PLC0415 - late, so that --help stays fast

    definitions, types = split(paths)
    settings = replace(sources.settings(types), lint=False).with_definitions(definitions, types)
    diagnostics = Diagnostics()
    with Progress():
        text = begin(settings, kind, (from_, to), diagnostics)
    if text is not None and output:
        _write(output, text, diagnostics, "--output")
    print_diagnostics(diagnostics, format.value)
    if text is not None and not output:
        typer.echo(text, nl=False)
    code = exit_code(diagnostics)
    if code != OK or text is None:
        raise typer.Exit(code or ENVIRONMENT)


def _write(file: str, text: str, diagnostics: Diagnostics, option: str) -> None:
    """Writes the file that an option names: a new one, or one that an earlier run has generated."""
    from validation_gen.emit.output import write_files  # noqa: PLC0415

    path = Path(file)
    own = Diagnostics()
    write_files(str(path.parent), {path.name: text}, own, prune=False)
    for found in own.items:
        diagnostics.add(replace(found, help=found.help.replace("--output-dir", option)))
