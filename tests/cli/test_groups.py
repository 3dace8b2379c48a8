"""A group of options is one parameter of a command, and declared once."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from typer.testing import CliRunner

from validation_gen.cli.app import COMMANDS, GROUPS, Late
from validation_gen.cli.helping import common_options
from validation_gen.cli.options import Options, expand_groups, option


@dataclass(frozen=True)
class Colours(Options):
    unlisted = ("secret",)
    name: str = option("red", "Its name.")
    more_of: list[str] = option([], "More.", "COLOUR", names=("--more", "-m"))  # noqa: RUF009
    secret: bool = option(False, "Rare.")


def test_a_command_gets_what_its_options_say() -> None:
    seen: list[object] = []

    @expand_groups
    def paint(
        place: str, *, size: Annotated[int, typer.Option("--size")] = 1, colours: Colours, wet: bool = False
    ) -> None:
        """Paint it."""
        seen.append((place, size, colours, wet))

    assert list(inspect.signature(paint).parameters) == ["place", "size", "name", "more_of", "secret", "wet"]
    program = typer.Typer()
    program.command()(paint)
    assert CliRunner().invoke(program, ["wall"]).exit_code == 0
    assert CliRunner().invoke(program, ["wall", "--more", "a", "-m", "b", "--size", "2", "--wet"]).exit_code == 0
    assert seen == [("wall", 1, Colours(), False), ("wall", 2, Colours("red", ["a", "b"]), True)]
    text = CliRunner().invoke(program, ["--help"]).output
    assert "Paint it." in text
    assert "--name" in text
    assert "--secret" not in text


def commands() -> Iterator[tuple[str, Any]]:
    """All commands by the words that call them."""
    for name in COMMANDS:
        found: Any = Late(name=name).loaded()
        below = [word for word in GROUPS.get(name, ()) if word]
        yield from ((f"{name} {word}", found.commands[word]) for word in below) if below else [(name, found)]


def test_the_surface_stays_small() -> None:
    """The options that the help of a command lists; those of all commands are counted once."""
    listed = [param for _, command in commands() for param in command.params if param.param_type_name == "option"]
    shown = [param for param in listed if not param.hidden and param.name != "help"]
    assert len(COMMANDS) <= 17
    assert len(shown) + len(common_options()) <= 290


def test_an_option_has_one_word_everywhere() -> None:
    """Objects are `-f`; older objects are `--old`, older sources and definitions `--against`."""
    for name, command in commands():
        for param in command.params:
            assert ("-f" in param.opts) == (param.name == "filename"), name
            if param.param_type_name == "option":
                assert not set(param.opts) & {"--object", "--objects", "--before", "--previous"}, name


def test_a_command_takes_few_parameters() -> None:
    for name, command in commands():
        function = inspect.unwrap(command.callback)
        closure = inspect.getclosurevars(function).nonlocals
        plain = closure.get("command", function)
        assert len(inspect.signature(plain).parameters) <= 8, name
