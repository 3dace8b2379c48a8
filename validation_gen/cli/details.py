"""Details of `--verbose`: packages, files, and whether an earlier result was used."""

from __future__ import annotations

import os
from collections.abc import Iterable

import typer

from validation_gen.cli.options import DiagnosticFormat
from validation_gen.cli.terminal import one_line
from validation_gen.emit.output import Written


def wants_details(*, quiet: bool, verbose: bool, format: DiagnosticFormat) -> bool:
    """Returns whether to print details: only in formats for people.

    Raises:
        typer.BadParameter: `--quiet` is given as well.
    """
    if quiet and verbose:
        raise typer.BadParameter("it is the opposite of --quiet; leave one of them out", param_hint="--verbose")
    return verbose and format.for_people


def print_details(
    packages: Iterable[str], left_out: Iterable[str], written: Iterable[tuple[str, Written]], *, kept: bool
) -> None:
    """Prints the packages, the skipped files, and the state of the files in each directory."""
    if kept:
        _tell("kept result used")
    for path in packages:
        _tell(f"package {path}")
    for line in left_out:
        _tell(f"left out {line}")
    for directory, files in written:
        for state, names in (("written", files.written), ("unchanged", files.unchanged), ("removed", files.removed)):
            for name in names:
                _tell(f"{state} {os.path.join(directory, name)}")  # noqa: PTH118 - as it was given


def _tell(line: str) -> None:
    typer.echo(one_line(line), err=True)
