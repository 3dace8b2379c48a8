"""What `--verbose` says beside the times of stages: packages, files, and whether work was done at all."""

from __future__ import annotations

import os
from collections.abc import Iterable

import typer

from validation_gen.cli.options import DiagnosticFormat
from validation_gen.cli.terminal import one_line
from validation_gen.emit.output import Written


def wants_details(*, quiet: bool, verbose: bool, format: DiagnosticFormat) -> bool:
    """Whether details are printed: nobody wants them between those of a format for programs.

    Raises:
        typer.BadParameter: silence is wanted, too.
    """
    if quiet and verbose:
        raise typer.BadParameter("it is the opposite of --quiet; leave one of them out", param_hint="--verbose")
    return verbose and format.for_people


def print_details(
    packages: Iterable[str], left_out: Iterable[str], written: Iterable[tuple[str, Written]], *, kept: bool
) -> None:
    """The packages that take part, files that do not, and what has become of the files below each directory."""
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
