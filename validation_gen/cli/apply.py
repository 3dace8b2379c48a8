"""`validation-gen apply -f FILE`: predicts the answers of an API server to manifests."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import typer

from validation_gen.cli.cluster_options import refuse_urls
from validation_gen.cli.options import (
    FILENAME,
    OLD,
    RECURSIVE,
    Options,
    grouped,
    option,
    refuse_empty,
    refuse_second_stdin,
)
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


@dataclass(frozen=True)
class Applying(Options):
    """Options of the objects and of the request."""

    unlisted: ClassVar[tuple[str, ...]] = ("dry_run", "recursive")
    filename: list[str] = FILENAME(
        "Manifests to apply, in order. Definitions among them define kinds for those after them. Repeatable."
    )
    dry_run: bool = option(False, "Taken for granted, as there is no server to change.")
    namespace: str = option(
        "", "The namespace of objects without one; those with another are refused.", "NAME", names=("--namespace", "-n")
    )
    old: list[str] = OLD("Stored objects: those of the same kind, namespace and name are updated. Repeatable.")
    field_validation: FieldValidation = option(
        FieldValidation.STRICT, "Treatment of unknown and duplicate fields.", case_sensitive=False
    )
    output: Output | None = option(None, "Print the stored objects.", names=("--output", "-o"))
    recursive: bool = RECURSIVE()


@grouped
def apply(*, applying: Applying) -> None:
    """Predict `kubectl apply --dry-run=server`, without a cluster. Writes no files."""
    from validation_gen.commands.apply import Request, apply_all  # noqa: PLC0415
    from validation_gen.commands.schemes import Lists  # noqa: PLC0415
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415 - late, so that --help stays fast

    filename, old, recursive = applying.filename, applying.old, applying.recursive
    refuse_empty(filename, "--filename")
    refuse_empty(old, "--old")
    refuse_second_stdin(filename=filename, old=old)
    refuse_urls(filename, "--filename")
    refuse_urls(old, "--old")
    diagnostics = Diagnostics()
    request = Request(applying.field_validation.value, applying.namespace)
    with Progress() as progress:
        progress("reading")
        lists = Lists()
        olds = read_manifests(old, diagnostics, recursive=recursive, is_object=lists.is_object)
        manifests = read_manifests(filename, diagnostics, recursive=recursive, is_object=lists.is_object)
        progress("applying")
        found = list(apply_all(manifests, olds, request, diagnostics))
    print_diagnostics(diagnostics, "concise")
    _print(found, applying.output)
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
