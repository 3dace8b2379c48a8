"""What the commands about CEL rules read: an expression, an object, a definition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from validation_gen.cli.terminal import ENVIRONMENT, print_diagnostics
from validation_gen.diagnostics import Diagnostics

if TYPE_CHECKING:
    from validation_gen.kubernetes.manifests import Manifest


def expression(rule: str) -> str:
    """The text of a rule, which may stand on standard input."""
    return typer.get_text_stream("stdin").read().strip() if rule == "-" else rule


def first_object(file: str) -> Any:
    """The first object in a file."""
    found = manifests(file)
    if not found:
        raise typer.Exit(ENVIRONMENT)
    return found[0].obj


def definition(file: str) -> Manifest:
    """The one definition in a file."""
    from validation_gen.kubernetes.crd.run import is_definition  # noqa: PLC0415 - late, so that --help stays fast

    found = [each for each in manifests(file) if is_definition(each.obj)]
    if len(found) != 1:
        raise typer.BadParameter(f"{Path(file).name} has {len(found)} definitions, not one", param_hint="'--crd'")
    return found[0]


def manifests(file: str) -> list[Manifest]:
    """The objects in a file. What is wrong with it ends the command."""
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415

    diagnostics = Diagnostics()
    found = read_manifests([file], diagnostics)
    if diagnostics.items:
        print_diagnostics(diagnostics, "concise")
        raise typer.Exit(ENVIRONMENT)
    return found
