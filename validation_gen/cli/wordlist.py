"""Writes the table of what shells are offered (`prompt`) from the commands themselves.

`python -m validation_gen.cli.wordlist` prints it; `make docs` puts it into its place.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import typer.main

from validation_gen.cli.app import COMMANDS, Late, app
from validation_gen.cli.prompt import ARGUMENT, ARGUMENTS, ASK, COMMAND, FILES, FLAG, VALUE


def main() -> None:
    sys.stdout.write(table())


def table() -> str:
    """A line for each command, option and argument: see `prompt.Row`."""
    return "".join("\t".join(row) + "\n" for row in _rows())


def _rows() -> Iterator[tuple[str, ...]]:
    program: Any = typer.main.get_command(app)
    with program.make_context(program.name, [], resilient_parsing=True) as context:
        yield from _of_group("", program)
        yield from _params("", program, context)
        for name in COMMANDS:
            command = Late(name=name).loaded()
            yield from _of_group(name, command)
            for own, inner in getattr(command, "commands", {name: command}).items():
                with inner.make_context(own, [], parent=context, resilient_parsing=True) as inside:
                    yield from _params(name if inner is command else f"{name} {own}", inner, inside)


def _of_group(name: str, group: Any) -> Iterator[tuple[str, ...]]:
    for own, command in getattr(group, "commands", {}).items():
        if not command.hidden:
            yield name, own, COMMAND, "no", "", _line(command.get_short_help_str())


def _params(name: str, command: Any, context: Any) -> Iterator[tuple[str, ...]]:
    for param in command.get_params(context):
        if getattr(param, "hidden", False):
            continue
        values = _values(param, context)
        if param.param_type_name == "argument":
            yield name, str(param.name), ARGUMENTS if param.nargs == -1 else ARGUMENT, "no", values, ""
            continue
        kind = FLAG if param.is_flag or param.count else VALUE
        names = [*param.opts, *param.secondary_opts]
        if names[0] in context.help_option_names:  # which the library keeps in no order
            names = list(context.help_option_names)
        yield name, " ".join(names), kind, "yes" if param.multiple else "no", values, _line(param.help or "")


def _values(param: Any, context: Any) -> str:
    """What is offered for a value: words, `FILES`, or nothing; `ASK` where it depends on more than its beginning."""

    def offered(begun: str) -> list[str]:
        return [item.value for item in param.shell_complete(context, begun)]

    words = offered("")
    if words == [""]:
        return FILES
    probes = {probe for word in words for probe in (word[:2], word[:2].swapcase())} | {"+", "?"}
    simple = all(offered(probe) == [word for word in words if word.startswith(probe)] for probe in probes)
    return " ".join(words) if simple else ASK


def _line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    main()
