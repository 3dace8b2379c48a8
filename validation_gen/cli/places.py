"""Checks output directories: a directory, standard output, or an importable package."""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Mapping

import typer

from validation_gen.cli.options import DiagnosticFormat

STDOUT = "-"
_OUTPUT = "--output-dir"


def refuse_beside(format: DiagnosticFormat, others: Mapping[str, object]) -> None:
    """Refuses options that conflict with schemas on standard output.

    Raises:
        typer.BadParameter: an option among `others` has a value, or the findings go to standard output, too.
    """
    if format.owns_stdout:
        raise typer.BadParameter(f"standard output cannot hold {format.value} findings, too", param_hint=_OUTPUT)
    for name, value in others.items():
        if value:
            raise typer.BadParameter(f"it is about files, and {_OUTPUT} - writes none", param_hint=name)


def refuse_unimportable(directory: str) -> None:
    """Refuses a directory whose name cannot be imported: the validators there are a package.

    Raises:
        typer.BadParameter: it has such a name. The reason proposes a valid one.
    """
    if directory == STDOUT:
        reason = "validators are a package of several files, which standard output cannot hold; name a directory"
        raise typer.BadParameter(reason, param_hint=_OUTPUT)
    name = os.path.basename(os.path.normpath(directory))  # noqa: PTH119 - of a text
    if name in (os.curdir, os.pardir, "") or (name.isidentifier() and not keyword.iskeyword(name)):
        return
    other = f"{name}_" if keyword.iskeyword(name) else re.sub(r"\W", "_", name)
    other = other if other.isidentifier() else f"_{other}"
    raise typer.BadParameter(f"Python cannot import a package named {name!r}; use {other!r}", param_hint=_OUTPUT)
