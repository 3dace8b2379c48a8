"""Writes the table of what shells offer, `offers.tsv`, from the commands themselves.

`python -m validation_gen.cli.offering` prints it; `make docs` puts it into its place. What the table has no words for,
such as a value that is a file, is an error here, so that nothing is offered that typer would not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import typer.main

from validation_gen.cli import completing
from validation_gen.cli.app import Late, app
from validation_gen.diagnostics import CODES
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue


def table() -> str:
    """The table: a block for each command, and the lists of `explain`."""
    lists = ((completing.NAMES, [*catalogue(), *DIRECTIVES]), (completing.CODES, [*CODES]))
    blocks = [*_commands("", typer.main.get_command(app)), *("\n".join([name, *known]) for name, known in lists)]
    return "\n\n".join(blocks) + "\n"


def _commands(name: str, command: Any, above: Any = None) -> Iterator[str]:
    """The block of a command, and of those below it."""
    context = command.context_class(command, above, resilient_parsing=True, **command.context_settings)
    shown = [_parameter(each) for each in command.get_params(context) if not getattr(each, "hidden", False)]
    below = getattr(command, "commands", None)
    usual = below is not None or (context.allow_interspersed_args and not context.ignore_unknown_options)
    help = command.get_short_help_str() if name else ""
    yield "\n".join([_joined(completing.COMMAND if usual else completing.ODD, name, help), *shown])
    for each in command.list_commands(context) if below is not None else ():
        found = command.get_command(context, each)
        if not found.hidden:
            loaded = found.loaded() if isinstance(found, Late) else found
            yield from _commands(f"{name} {each}".strip(), loaded, context)


def _parameter(param: Any) -> str:
    if param.nargs != 1 and not (param.param_type_name == "argument" and param.nargs == -1):
        raise NotImplementedError(f"{param.name} takes {param.nargs} values")
    if param.param_type_name == "argument":
        kind = completing.ARGUMENT if param.nargs == 1 else completing.ARGUMENTS
        return _joined(kind, "", " ".join(_values(param)), "")
    if param.count or (param.is_flag and param.multiple):
        raise NotImplementedError(f"{param.name} may be there several times without a value")
    kind = completing.FLAG if param.is_flag else completing.OPTIONS if param.multiple else completing.OPTION
    names = [*param.opts, *param.secondary_opts]
    if param.name == "help":
        names.sort()  # typer has them in a set
    return _joined(kind, " ".join(names), " ".join(_values(param)), param.help or "")


def _values(param: Any) -> list[str]:
    """What may stand for a value, in the order in which it is offered."""
    if param.param_type_name != "argument" and param.is_flag:
        return []
    if param.name == "name" and param.shell_complete(None, "schema-"):
        return [completing.EXPLAINED]
    found = [str(item.value) for item in param.shell_complete(None, "")]
    if found != " ".join(found).split():
        raise NotImplementedError(f"{param.name} has values with spaces, or is a file")
    return found


def _joined(*fields: str) -> str:
    if any("\t" in field or "\n" in field for field in fields):
        raise NotImplementedError(f"a text with several lines: {fields!r}")
    return "\t".join(fields)


if __name__ == "__main__":
    sys.stdout.write(table())
