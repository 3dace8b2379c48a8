"""A group of options is one parameter of a command, and declared once."""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import dataclass, field
from typing import Annotated

import typer
from typer.testing import CliRunner

from validation_gen.cli import compare_options, groups
from validation_gen.cli.app import app
from validation_gen.cli.groups import KeptRules, Sources, grouped


@dataclass(frozen=True)
class Colours:
    name: Annotated[str, typer.Option("--name")] = "red"
    more: Annotated[list[str], typer.Option("--more")] = field(default_factory=list)


def test_a_command_gets_what_its_options_say() -> None:
    seen: list[object] = []

    @grouped
    def paint(
        place: str, *, size: Annotated[int, typer.Option("--size")] = 1, colours: Colours, wet: bool = False
    ) -> None:
        """Paint it."""
        seen.append((place, size, colours, wet))

    assert list(inspect.signature(paint).parameters) == ["place", "size", "name", "more", "wet"]
    program = typer.Typer()
    program.command()(paint)
    assert CliRunner().invoke(program, ["wall"]).exit_code == 0
    assert CliRunner().invoke(program, ["wall", "--more", "a", "--more", "b", "--size", "2", "--wet"]).exit_code == 0
    assert seen == [("wall", 1, Colours(), False), ("wall", 2, Colours("red", ["a", "b"]), True)]
    assert "Paint it." in CliRunner().invoke(program, ["--help"]).output


def test_no_command_declares_an_option_of_a_group_beside_it() -> None:
    """Whoever has most options of a group takes the group."""
    found = [each for module in ((groups, compare_options)) for each in vars(module).values() if _is_group(each)]
    assert {Sources, KeptRules} < set(found)
    late = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for name in ("generate", "lint", "validate", "coverage", "compare", "explain"):
        parameters = {parameter.name for parameter in late[name].loaded().params}
        assert {each.name for each in dataclasses.fields(Sources)} <= parameters, name


def _is_group(each: object) -> bool:
    return isinstance(each, type) and dataclasses.is_dataclass(each)
