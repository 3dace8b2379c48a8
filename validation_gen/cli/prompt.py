"""What a shell is offered while somebody waits at a prompt, without the library of commands.

To import that library, and the command, takes ten times as long as Python takes to start. So what it would offer stands
in a table (`completions.tsv`), which `wordlist` writes from the commands themselves. This module knows lines as people
write them; of any other it says `None`, and the library is asked.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

_TABLE = "completions.tsv"
#: Kinds of rows.
COMMAND, FLAG, VALUE, ARGUMENT, ARGUMENTS = "command", "flag", "value", "argument", "arguments"
#: Offered values that are no list of words: any file, and what has to be asked.
FILES, ASK = "*", "?"
#: Commands that understand their arguments in a way of their own, if there are options among them.
_OWN_WAYS = ("apply", "validate")
_UNUSUAL = frozenset("\"'\\=")


class Row:
    """A line of the table: a command, an option or an argument that can stand behind `command`.

    `names` of an option are all that it has. `is_repeated` says that it may be given again, `values` what is offered
    for its value.
    """

    __slots__ = ("command", "help", "is_repeated", "kind", "names", "values")

    def __init__(self, line: str) -> None:
        self.command, names, self.kind, repeated, values, self.help = line.rstrip("\n").split("\t")
        self.names, self.values = names.split(" "), values.split()
        self.is_repeated = repeated == "yes"


Offer = list[tuple[str, str]]


def answer(instruction: str, environ: Mapping[str, str]) -> tuple[str, int] | None:
    """What to print for a shell's question, and the exit code; `None` where the library has to be asked."""
    asked = _WAYS.get(instruction)
    if asked is None:
        return None
    line = environ.get("COMP_WORDS" if instruction == "complete_bash" else "_TYPER_COMPLETE_ARGS", "")
    if _UNUSUAL.intersection(line):
        return None
    words = line.split()
    if instruction == "complete_bash":
        at = environ.get("COMP_CWORD", "")
        if not at.isdecimal() or not at.isascii():
            return None
        args, begun = words[1 : int(at)], "".join(words[int(at) : int(at) + 1])
    elif words[1:] and not line.endswith(" "):
        args, begun = words[1:-1], words[-1]
    else:
        args, begun = words[1:], ""
    try:
        found = offer(args, begun)
    except (OSError, ValueError):
        return None
    return None if found is None else asked(found, environ)


def offer(args: list[str], begun: str) -> Offer | None:
    """What continues the word that is begun, with the help of each."""
    rows = read_rows()
    known = {word for row in rows if row.kind == COMMAND and not row.command for word in row.names}
    if not args:
        return _named(rows, "", set(), begun) if _is_usual(begun) else None
    command, args = args[0], args[1:]
    if command not in known:
        if command.startswith("-") or command == "help" or not os.path.lexists(command):
            return None  # it may be a slip
        command = "generate"
    if any(row.command == command and row.kind == COMMAND for row in rows):
        if not args or not any(row.command == command and args[0] in row.names for row in rows):
            return None
        command, args = f"{command} {args[0]}", args[1:]
    if command in _OWN_WAYS and any(arg.startswith("-") for arg in args):
        return None
    return _behind([row for row in rows if row.command == command], args, begun)


def _behind(rows: list[Row], args: list[str], begun: str) -> Offer | None:
    """What continues a word behind a command and its arguments."""
    options = {name: row for row in rows if row.kind in (FLAG, VALUE) for name in row.names}
    given: set[Row] = set()
    places, waiting = 0, None
    for arg in args:
        if waiting is not None:
            if arg.startswith("-"):
                return None
            waiting = None
        elif arg.startswith("-"):
            if arg not in options:
                return None
            given.add(row := options[arg])
            waiting = row if row.kind == VALUE else None
        else:
            places += 1
    if begun.startswith("-"):
        return _named(rows, rows[0].command, given, begun)
    if waiting is None:
        of_places = [row for row in rows if row.kind in (ARGUMENT, ARGUMENTS)]
        waiting = next((row for n, row in enumerate(of_places) if row.kind == ARGUMENTS or n >= places), None)
    if waiting is None or not waiting.values:
        return []
    if waiting.values[0] == ASK:
        return None
    if waiting.values[0] == FILES:
        return [(begun, "")]
    return [(value, "") for value in waiting.values if value.startswith(begun)]


def _named(rows: list[Row], command: str, given: set[Row], begun: str) -> Offer:
    """Options, or commands, whose names begin so; an option that is given is offered again if it may be repeated."""
    kinds = (FLAG, VALUE) if begun.startswith("-") else (COMMAND,)
    return [
        (name, row.help)
        for row in rows
        if row.command == command and row.kind in kinds and (row.is_repeated or row not in given)
        for name in row.names
        if name.startswith(begun)
    ]


def _is_usual(begun: str) -> bool:
    return not begun or begun[0] == "-" or begun[0].isalnum()


def read_rows() -> list[Row]:
    """The table.

    Raises:
        OSError: it is not there as a file.
        ValueError: it is none.
    """
    with open(f"{os.path.dirname(__file__)}/{_TABLE}", encoding="utf-8") as file:  # noqa: PTH120, PTH123 - see `main`
        return [Row(line) for line in file]


# --- how each shell wants it -----------------------------------------------------------------------------------------


def _bash(found: Offer, _: Mapping[str, str]) -> tuple[str, int]:
    return "\n".join(each[0] for each in found), 0


def _zsh(found: Offer, _: Mapping[str, str]) -> tuple[str, int]:
    offered = [f'"{_escaped(word)}":"{_escaped(help)}"' if help else f'"{_escaped(word)}"' for word, help in found]
    lines = "\n".join(offered)
    return f"_arguments '*: :(({lines}))'" if offered else "_files", 0


def _escaped(text: str) -> str:
    for character, written in (('"', '""'), ("'", "''"), ("$", "\\$"), ("`", "\\`"), (":", "\\\\:")):
        text = text.replace(character, written)
    return text


def _fish(found: Offer, environ: Mapping[str, str]) -> tuple[str, int]:
    action = environ.get("_TYPER_COMPLETE_FISH_ACTION", "")
    if action == "is-args":  # no files then
        return "", 0 if found else 1
    offered = [f"{word}\t{help}" if help else word for word, help in found]
    return "\n".join(offered) if action == "get-args" else "", 0


_WAYS = {"complete_bash": _bash, "complete_zsh": _zsh, "complete_fish": _fish}
