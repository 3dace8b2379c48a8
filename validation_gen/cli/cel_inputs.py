"""Inputs of the commands about CEL rules: an expression, an object, a definition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from validation_gen.cli.terminal import ENVIRONMENT, print_diagnostics
from validation_gen.diagnostics import Diagnostics

if TYPE_CHECKING:
    from validation_gen.kubernetes.manifests import Manifest


def expression(rule: str) -> str:
    """Returns the text of a rule, which `-` reads from standard input."""
    return typer.get_text_stream("stdin").read().strip() if rule == "-" else rule


def first_object(file: str) -> Any:
    """Returns the first object in a file."""
    found = manifests(file)
    if not found:
        raise typer.Exit(ENVIRONMENT)
    return found[0].obj


def definition(file: str) -> Manifest:
    """Returns the only definition in a file."""
    from validation_gen.kubernetes.crd.run import is_definition  # noqa: PLC0415 - late, so that --help stays fast

    found = [each for each in manifests(file) if is_definition(each.obj)]
    if len(found) != 1:
        raise typer.BadParameter(f"{Path(file).name} has {len(found)} definitions, not one", param_hint="'--crd'")
    return found[0]


def manifests(file: str) -> list[Manifest]:
    """Returns the objects in a file. Prints problems of the file and ends the command."""
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415

    diagnostics = Diagnostics()
    found = read_manifests([file], diagnostics)
    if diagnostics.items:
        print_diagnostics(diagnostics, "concise")
        raise typer.Exit(ENVIRONMENT)
    return found
