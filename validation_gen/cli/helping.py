"""Layout of --help: full width of the terminal, whole first sentences, and grouped options."""

from __future__ import annotations

import functools
import textwrap
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

#: Wider lines are hard to read. A narrower terminal uses its own width.
WIDEST = 120
_ARGUMENTS, _OPTIONS = "Arguments", "Options"
#: Options of all commands that have a configuration. A configuration cannot set them.
FOR_ALL = ("config", "no-config", "trust", "select", "ignore")
TRUST = "Run code that only the configuration names, and write to its places, also outside."


class Commands(TyperGroup):
    """A group whose help has the whole first sentence of each command."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        names = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, first_sentence(found.help or "")) for name, found in names if found and not found.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


class Grouped(TyperCommand):
    """A command whose help groups options under the names of their panels; options without a panel come last."""

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
        unlisted = [max(param.opts, key=len) for param in self.get_params(ctx) if getattr(param, "hidden", False)]
        if unlisted:
            text = f"Rarely used: {', '.join(unlisted)}; the reference of commands explains them."
            formatter.write("\n" + textwrap.fill(text, formatter.width, break_on_hyphens=False) + "\n")


@functools.cache
def common_options() -> list[Any]:
    """Returns the options of all commands."""

    def declared(
        config: Annotated[
            str,
            typer.Option(
                "--config",
                metavar="FILE",
                help="The configuration, instead of the nearest validation-gen.toml or pyproject.toml.",
            ),
        ] = "",
        no_config: Annotated[bool, typer.Option("--no-config", help="Read no configuration.")] = False,
        trust: Annotated[bool, typer.Option("--trust", help=TRUST)] = False,
        select: Annotated[
            list[str],
            typer.Option(
                "--select",
                metavar="CODE",
                help="Report only findings whose code begins so, such as VG1,VG403; errors that stop the output stay. "
                "Repeatable.",
            ),
        ] = [],  # noqa: B006 - typer wants a plain default and never changes it
        ignore: Annotated[
            list[str],
            typer.Option(
                "--ignore",
                metavar="CODE",
                help="Hide findings whose code begins so; of two beginnings the longer one counts. Repeatable.",
            ),
        ] = [],  # noqa: B006
    ) -> None:
        """Declares the options."""

    app = typer.Typer(add_completion=False)
    app.command()(declared)
    return [param for param in typer.main.get_command(app).params if param.name != "help"]


def long_name(param: Any) -> str:
    """Returns the long option of a parameter without its dashes. Arguments have the name that files use."""
    long = [each for each in param.opts if each.startswith("--")]
    return str(long[0]).removeprefix("--") if long else "inputs"


def first_sentence(help: str) -> str:
    """Returns the first sentence of a help text, on one line."""
    text = " ".join(help.partition("\n\n")[0].split())
    head, stop, _ = text.partition(". ")
    return f"{head}." if stop else text
