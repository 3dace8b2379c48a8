"""`validation-gen crd …`: commands about CustomResourceDefinitions. Those about conversions are in `conversions`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from validation_gen.cli import conversions, schemas
from validation_gen.cli.cluster_options import Parallel, died, processes_of, telling
from validation_gen.cli.config_context import Configurable
from validation_gen.cli.helping import command_group
from validation_gen.cli.options import (
    TARGET,
    Findings,
    check_target,
    grouped,
    option,
    refuse_empty,
    refuse_second_stdin,
)
from validation_gen.cli.terminal import INTERRUPTED, OK, Progress, exit_code, print_diagnostics, say, was_stopped
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.commands.crdcheck import Checked

app = command_group("crd", "CustomResourceDefinitions, and conversions between their versions.")
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
@grouped
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
) -> None:
    """Check CustomResourceDefinitions as the API server does when they are created. Writes no files.

    Configurations of webhooks and admission policies are checked, too.
    """
    from validation_gen.commands.crdcheck import Checker  # noqa: PLC0415
    from validation_gen.commands.crdcheck import check as check_all  # noqa: PLC0415
    from validation_gen.commands.distributed.chunking import SIZE, ChunkReader  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.distributed.engines import Interruption  # noqa: PLC0415

    target = linted.target
    refuse_empty(files, "FILE")
    refuse_second_stdin(FILE=files)
    check_target(target)
    minor = int(target.partition(".")[2]) - 1  # rules may use functions of the release before
    with Progress() as progress, Interruption() as interruption:
        progress("checking")
        count = processes_of(linted.jobs)
        reader = ChunkReader(files, recursive=True, size=SIZE if count > 1 else None)
        checked = check_all(Checker(minor, linted.max_description), reader, count, interruption, telling(progress))
        interruption.hold()  # the rest is quick
    _report(checked, files[0], findings)


def _report(checked: Checked, first: str, findings: Findings) -> None:
    """Prints the findings and a summary.

    Raises:
        typer.Exit: there are errors.
    """
    from validation_gen.commands.crdcheck import CONFIGURATION, DEFINITION, POLICY  # noqa: PLC0415 - as above

    format, quiet, found = findings.format, findings.quiet, Diagnostics()
    for each in checked.findings:
        found.add(each)
    judged = checked.judged.total()
    others = checked.objects - judged
    if checked.refused is not None:
        found.error("VG904", str(checked.refused), Span("--jobs"), checked.refused.help)
    if checked.failure is not None:
        found.add(died(checked.failure, checked.where))
    if others and not judged and not checked.is_partial:
        help = "name a file that holds a CustomResourceDefinition"
        found.error("VG902", "there are no CustomResourceDefinitions here", Span(first), help)
    print_diagnostics(found, format.value)
    nouns = [noun for noun in (DEFINITION, CONFIGURATION, POLICY) if checked.judged[noun]] or [DEFINITION]
    told = [_told(noun, checked.judged[noun], checked.invalid[noun]) for noun in nouns]
    told += [f"{counted(others, 'other object')} skipped"] if others else []
    quietly = quiet or (checked.is_partial and not judged) or was_stopped(found, judged)
    if checked.interrupted:
        say("interrupted: the objects behind were not checked", format, quiet=quietly, aside=True)
    say("; ".join(told), format, quiet=quietly)
    code = INTERRUPTED if checked.interrupted else exit_code(found)
    if code != OK:
        raise typer.Exit(code)


def _told(noun: str, judged: int, invalid: int) -> str:
    """Returns a sentence with the numbers of valid and invalid objects."""
    return f"{counted(judged, noun)}: {judged - invalid} valid, {invalid} invalid"


app.command("test-conversion")(conversions.prove)
app.command("new-conversion")(conversions.new)
