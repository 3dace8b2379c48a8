"""Layout of --help: full width of the terminal, whole first sentences, and grouped options."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

#: Wider lines are hard to read. A narrower terminal uses its own width.
WIDEST = 120
_ARGUMENTS, _OPTIONS = "Arguments", "Options"


class Commands(TyperGroup):
    """A group whose help has the whole first sentence of each command."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        names = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, first_sentence(found.help or "")) for name, found in names if found and not found.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


def command_group(name: str, help: str) -> typer.Typer:
    """Returns a command that only has commands below it."""
    return typer.Typer(
        cls=Commands,
        name=name,
        help=help,
        no_args_is_help=True,
        add_completion=False,  # the program itself has completion
        rich_markup_mode=None,
    )


class Grouped(TyperCommand):
    """A command whose help has its options below the names of their panels; those without one come last."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {_ARGUMENTS: []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                own = _ARGUMENTS if param.param_type_name == "argument" else _OPTIONS
                panels.setdefault(getattr(param, "rich_help_panel", None) or own, []).append(record)
        others = panels.pop(_OPTIONS, [])
        for title, rows in (*panels.items(), (_OPTIONS, others)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def first_sentence(help: str) -> str:
    """Returns the first sentence of a help text, on one line."""
    text = " ".join(help.partition("\n\n")[0].split())
    head, stop, _ = text.partition(". ")
    return f"{head}." if stop else text
