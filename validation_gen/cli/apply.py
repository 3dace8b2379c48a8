"""`validation-gen apply --dry-run -f FILE`: predicts the answers of an API server to manifests."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.cluster_options import refuse_urls
from validation_gen.cli.options import refuse_empty, refuse_second_stdin
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress, exit_code, one_line, print_diagnostics
from validation_gen.diagnostics import Diagnostics

if TYPE_CHECKING:
    from validation_gen.commands.apply import Applied


class FieldValidation(str, enum.Enum):
    """Handling of unknown and duplicate fields."""

    STRICT = "Strict"
    WARN = "Warn"
    IGNORE = "Ignore"


class Output(str, enum.Enum):
    """Output format of accepted objects."""

    YAML = "yaml"
    JSON = "json"
    NAME = "name"
    DIFF = "diff"


def apply(
    *,
    filename: Annotated[
        list[str],
        typer.Option(
            "--filename",
            "-f",
            metavar="FILE|DIR|-",
            help="Manifests to apply, in order. Definitions among them define kinds for those after them. Repeatable.",
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Required, as there is no server to change; --dry-run=server is the same.")
    ] = False,
    namespace: Annotated[
        str,
        typer.Option(
            "--namespace",
            "-n",
            metavar="NAME",
            help="The namespace of objects without one; those with another are refused.",
        ),
    ] = "",
    old: Annotated[
        list[str],
        typer.Option(
            "--old",
            metavar="FILE|DIR",
            help="Stored objects: those of the same kind, namespace and name are updated. Repeatable.",
        ),
    ] = [],  # noqa: B006 - typer wants a plain default and never changes it
    subresource: Annotated[
        str,
        typer.Option(
            "--subresource",
            metavar="NAME",
            help="Refused, as by kubectl without --server-side: `validate --subresource` validates a status.",
        ),
    ] = "",
    field_validation: Annotated[
        FieldValidation,
        typer.Option("--field-validation", help="Treatment of unknown and duplicate fields.", case_sensitive=False),
    ] = FieldValidation.STRICT,
    output: Annotated[Output | None, typer.Option("--output", "-o", help="Print the stored objects.")] = None,
    recursive: Annotated[
        bool, typer.Option("--recursive/--no-recursive", "-R", help="Read directories inside directories, too.")
    ] = True,
) -> None:
    """Predict `kubectl apply --dry-run=server`, without a cluster. Writes no files."""
    from validation_gen.commands.apply import Request, apply_all  # noqa: PLC0415
    from validation_gen.commands.schemes import Lists  # noqa: PLC0415
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415 - late, so that --help stays fast

    if not dry_run:
        raise typer.BadParameter("there is no server to change: add --dry-run", param_hint="'--dry-run'")
    if subresource:
        raise typer.BadParameter(
            "--subresource can only be specified for --server-side, which needs a cluster: an update of the status is "
            f"use `validation-gen validate DEFINITIONS -f FILE --old FILE --subresource {subresource}`",
            param_hint="'--subresource'",
        )
    refuse_empty(filename, "--filename")
    refuse_empty(old, "--old")
    refuse_second_stdin(filename=filename, old=old)
    refuse_urls(filename, "--filename")
    refuse_urls(old, "--old")
    diagnostics = Diagnostics()
    request = Request(field_validation.value, namespace)
    with Progress() as progress:
        progress("reading")
        lists = Lists()
        olds = read_manifests(old, diagnostics, recursive=recursive, is_object=lists.is_object)
        manifests = read_manifests(filename, diagnostics, recursive=recursive, is_object=lists.is_object)
        progress("applying")
        found = list(apply_all(manifests, olds, request, diagnostics))
    print_diagnostics(diagnostics, "concise")
    _print(found, output)
    code = exit_code(diagnostics) or (FINDINGS if any(each.fails for each in found) else OK)
    if code != OK:
        raise typer.Exit(code)


def _print(found: Sequence[Applied], output: Output | None) -> None:
    """Prints the outcome of each object, errors and warnings on standard error, as kubectl does."""
    from validation_gen.commands.apply.render import complaints, lines, summary, written  # noqa: PLC0415

    for each in found:
        for line in complaints(each):
            typer.echo(line, err=True)
        if output in (None, Output.NAME, Output.DIFF):
            for line in lines(each, output.value if output else ""):
                typer.echo(line)
    if output in (Output.YAML, Output.JSON):
        try:
            text = written([each.object for each in found if each.object is not None], output.value)
        except RecursionError:
            typer.echo("error: an object is nested too deeply to be printed", err=True)
            raise typer.Exit(ENVIRONMENT) from None
        typer.echo(text, nl=False)
    for line in summary(found):
        typer.echo(one_line(line), err=True)
