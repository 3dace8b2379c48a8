"""`validation-gen crd …`: commands about CustomResourceDefinitions, and conversions between their versions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from validation_gen.cli import checks, schemas, terminal
from validation_gen.cli.app import command_group
from validation_gen.cli.cluster_options import Parallel, processes_of, report_dead_worker, telling
from validation_gen.cli.config_context import Configurable
from validation_gen.cli.options import (
    FORMAT,
    REPORT_FORMAT,
    REQUIRED,
    TARGET,
    Defined,
    DiagnosticFormat,
    Findings,
    Options,
    ReportFormat,
    Sources,
    expand_groups,
    option,
)
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, INTERRUPTED, OK, Progress
from validation_gen.commands.definitions import is_lasting, split
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.output import write_files

if TYPE_CHECKING:
    from validation_gen.commands.crdcheck import Checked


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


@expand_groups
def prove(paths: Defined, *, tested: Tested, sources: Sources) -> int:
    """Prove conversions on drawn objects, there and back. Writes only the test that is named."""
    from validation_gen.commands.conversions.run import check as run  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.conversions.run import render_test  # noqa: PLC0415

    definitions, types = split(paths)
    module, format = tested.with_, tested.format
    settings = replace(sources.settings(types), lint=False).with_definitions(definitions, types)
    checks.refuse_empty([module], "--with")
    for path in definitions if tested.write_test else ():
        if not is_lasting(path):
            raise typer.BadParameter(f"a test cannot read {path} again; name files", param_hint="--write-test")
    diagnostics = Diagnostics()
    with Progress() as progress:
        found = run(settings, module, tested.kind, tested.cases, tested.seed, diagnostics, progress)
    if found is not None and (file := tested.write_test):
        text = render_test(settings, module, tested.kind, tested.cases, tested.seed, file)
        _write(file, text, diagnostics, "--write-test")
    if found is None:
        terminal.print_diagnostics(diagnostics, format.of_findings)
        return terminal.exit_code(diagnostics) or ENVIRONMENT
    terminal.print_report(found, format.record)
    return terminal.exit_code(diagnostics) or (FINDINGS if found.failed else OK)


@expand_groups
def new(paths: Defined, *, drafted: Drafted, sources: Sources) -> int:
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
    terminal.print_diagnostics(diagnostics, format.value)
    if text is not None and not output:
        typer.echo(text, nl=False)
    return terminal.exit_code(diagnostics) or (ENVIRONMENT if text is None else OK)


def _write(file: str, text: str, diagnostics: Diagnostics, option: str) -> None:
    """Writes the file that an option names: a new one, or one that an earlier run has generated."""
    path = Path(file)
    own = Diagnostics()
    write_files(str(path.parent), {path.name: text}, own, prune=False)
    for found in own.items:
        diagnostics.add(replace(found, help=found.help.replace("--output-dir", option)))


app = command_group("crd")
app.command("generate", cls=Configurable)(schemas.crd)


@dataclass(frozen=True)
class Linted(Parallel):
    """Options of the checks."""

    panel: ClassVar[str | None] = None
    max_description: int | None = option(
        None, "Print the size of too large definitions with descriptions of at most N characters.", "N", min=0
    )
    target: str = TARGET()


@app.command("lint", cls=Configurable)
@expand_groups
def lint(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR|-",
            help="YAML or JSON with definitions, configurations of webhooks or policies, or patterns such as "
            "'crds/**/*.yaml'. Other objects are skipped.",
        ),
    ],
    *,
    linted: Linted,
    findings: Findings,
) -> int:
    """Check CustomResourceDefinitions as the API server does when they are created. Writes no files.

    Configurations of webhooks and admission policies are checked, too.
    """
    from validation_gen.commands.crdcheck import Checker  # noqa: PLC0415
    from validation_gen.commands.crdcheck import check as check_all  # noqa: PLC0415
    from validation_gen.commands.distributed.chunking import SIZE, ChunkReader  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.distributed.engines import Interruption  # noqa: PLC0415

    target = linted.target
    checks.check_files(FILE=files)
    checks.check_target(target)
    minor = int(target.partition(".")[2]) - 1  # rules may use functions of the release before
    with Progress() as progress, Interruption() as interruption:
        progress("checking")
        count = processes_of(linted.jobs)
        reader = ChunkReader(files, recursive=True, size=SIZE if count > 1 else None)
        checked = check_all(Checker(minor, linted.max_description), reader, count, interruption, telling(progress))
        interruption.hold()  # the rest is quick
    return _report(checked, files[0], findings)


def _report(checked: Checked, first: str, findings: Findings) -> int:
    """Prints the findings and a summary. Returns the exit code."""
    format, quiet, found = findings.format, findings.quiet, Diagnostics()
    found.extend(checked.findings)
    judged = checked.judged.total()
    if checked.refused is not None:
        found.error("VG904", str(checked.refused), Span("--jobs"), checked.refused.help)
    if checked.failure is not None:
        found.add(report_dead_worker(checked.failure, checked.where))
    if checked.objects and not judged and not checked.is_partial:
        help = "name a file that holds a CustomResourceDefinition"
        found.error("VG902", "there are no CustomResourceDefinitions here", Span(first), help)
    terminal.print_diagnostics(found, format.value)
    quietly = quiet or (checked.is_partial and not judged) or terminal.was_stopped(found, judged)
    if checked.interrupted:
        terminal.say("interrupted: the objects behind were not checked", format, quiet=quietly, aside=True)
    terminal.say(checked.summary(), format, quiet=quietly)
    return INTERRUPTED if checked.interrupted else terminal.exit_code(found)


app.command("test-conversion")(prove)
app.command("new-conversion")(new)
