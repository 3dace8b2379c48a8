"""`validation-gen crd …`: commands about CustomResourceDefinitions."""

from __future__ import annotations

from collections.abc import Sequence
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
            help="YAML or JSON with definitions, configurations of webhooks or policies, or patterns such as "
            "'crds/**/*.yaml'. Other objects are skipped.",
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

    Configurations of webhooks and admission policies are checked, too.
    """
    from validation_gen.kubernetes.crd import run  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.kubernetes.manifests import each_manifest  # noqa: PLC0415
    from validation_gen.kubernetes.policies import run as policies  # noqa: PLC0415
    from validation_gen.kubernetes.registration import run as registration  # noqa: PLC0415
    from validation_gen.kubernetes.ways import way_to  # noqa: PLC0415

    refuse_empty(files, "FILE")
    refuse_second_stdin(FILE=files)
    check_target(target)
    minor = int(target.partition(".")[2]) - 1  # rules may use what the release before knows
    found = Diagnostics()
    with Progress() as progress:
        progress("checking")
        definitions, configurations, written = _Count("definition"), _Count("configuration"), _Count("policy")
        others = 0
        for manifest in each_manifest(files, found):
            if run.is_definition(manifest.obj):
                problems = run.diagnostics(
                    manifest.obj, manifest.positions, max_description=max_description, minor=minor
                )
                definitions.add(problems, found)
            elif registration.is_configuration(manifest.obj):
                configurations.add(registration.diagnostics(manifest.obj, manifest.positions, minor=minor), found)
            elif policies.is_policy(manifest.obj):
                said = [
                    Diagnostic("VG573", Severity.ERROR, text, manifest.positions.span(way_to(manifest.obj, path)[0]))
                    for path, text in policies.problems(manifest.obj, minor=minor)
                ]
                written.add(said, found)
            else:
                others += 1
        counts = (definitions, configurations, written)
        judged = sum(each.judged for each in counts)
        if others and not judged:
            help = "name a file that holds a CustomResourceDefinition"
            found.error("VG902", "there are no CustomResourceDefinitions here", Span(files[0]), help)
    print_diagnostics(found, format.value)
    told = [each.told() for each in counts if each.judged] or [definitions.told()]
    told += [f"{counted(others, 'other object')} skipped"] if others else []
    say("; ".join(told), format, quiet=quiet or was_stopped(found, judged))
    code = exit_code(found)
    if code != OK:
        raise typer.Exit(code)


class _Count:
    """How many there are of something, and how many of them are invalid."""

    def __init__(self, noun: str) -> None:
        self.judged = self.invalid = 0
        self._noun = noun

    def add(self, problems: Sequence[Diagnostic], found: Diagnostics) -> None:
        """One more, and what is told of it."""
        self.judged += 1
        self.invalid += any(each.severity is Severity.ERROR for each in problems)
        for problem in problems:
            found.add(problem)

    def told(self) -> str:
        return f"{counted(self.judged, self._noun)}: {self.judged - self.invalid} valid, {self.invalid} invalid"
