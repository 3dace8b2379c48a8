"""`crd test-conversion` and `crd new-conversion`: tests conversions between versions, and writes first drafts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import typer

from validation_gen.cli.options import (
    FORMAT,
    REPORT_FORMAT,
    REQUIRED,
    Defined,
    DiagnosticFormat,
    Options,
    ReportFormat,
    Sources,
    grouped,
    option,
    refuse_empty,
)
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress, exit_code, print_diagnostics, print_report
from validation_gen.commands.definitions import is_lasting, split
from validation_gen.diagnostics import Diagnostics

_MOST = 10_000_000


@dataclass(frozen=True)
class Tested(Options):
    """Options of a test of conversions."""

    with_: str = option(REQUIRED, "Your module with conversions. It is run.", "FILE.py", names=("--with",))
    kind: list[str] = option([], "Only this kind. Repeatable.", "KIND")
    cases: int = option(1000, "Number of drawn objects of each version.", "N", min=1, max=_MOST)
    seed: int = option(0, "Draw other objects.")
    write_test: str = option("", "Write a test that checks the same.", "FILE.py")
    format: ReportFormat = REPORT_FORMAT()


@dataclass(frozen=True)
class Drafted(Options):
    """Options of the draft of a conversion."""

    kind: str = option(REQUIRED, "The kind.", "KIND")
    from_: str = option(REQUIRED, "A version.", "VERSION", names=("--from",))
    to: str = option(REQUIRED, "Another one.", "VERSION")
    output: str = option("", "A new file, instead of printing.", "FILE.py", names=("--output", "-o"))
    format: DiagnosticFormat = FORMAT()


@grouped
def prove(paths: Defined, *, tested: Tested, sources: Sources) -> None:
    """Prove conversions on drawn objects, there and back. Writes only the test that is named."""
    from validation_gen.commands.conversions.run import check as run  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.conversions.run import written  # noqa: PLC0415

    definitions, types = split(paths)
    module, format = tested.with_, tested.format
    settings = replace(sources.settings(types), lint=False).with_definitions(definitions, types)
    refuse_empty([module], "--with")
    for path in definitions if tested.write_test else ():
        if not is_lasting(path):
            raise typer.BadParameter(f"a test cannot read {path} again; name files", param_hint="--write-test")
    diagnostics = Diagnostics()
    with Progress() as progress:
        found = run(settings, module, tested.kind, tested.cases, tested.seed, diagnostics, progress)
    if found is not None and (file := tested.write_test):
        text = written(settings, module, tested.kind, tested.cases, tested.seed, file)
        _write(file, text, diagnostics, "--write-test")
    if found is None:
        print_diagnostics(diagnostics, format.of_findings)
        raise typer.Exit(exit_code(diagnostics) or ENVIRONMENT)
    print_report(found, format.record)
    code = exit_code(diagnostics) or (FINDINGS if found.failed else OK)
    if code != OK:
        raise typer.Exit(code)


@grouped
def new(paths: Defined, *, drafted: Drafted, sources: Sources) -> None:
    """Print a draft of a conversion between two versions of a kind, with open decisions."""
    from validation_gen.commands.conversions.run import begin  # noqa: PLC0415 - late, so that --help stays fast

    definitions, types = split(paths)
    output, format = drafted.output, drafted.format
    settings = replace(sources.settings(types), lint=False).with_definitions(definitions, types)
    diagnostics = Diagnostics()
    with Progress():
        text = begin(settings, drafted.kind, (drafted.from_, drafted.to), diagnostics)
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
