"""What a shell offers behind a line, from a table of all commands: typer takes ten times as long to be imported.

The table, `offers.tsv`, is written by `offering` from the commands themselves. What is answered here is what typer
answers; lines that are unusual, such as those with quotes, `--` or an unknown option, are left to it. Nothing but the
names of commands is imported: somebody waits at a prompt, and has pressed one key.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping

from validation_gen.cli.commands import COMMANDS, GROUPS
from validation_gen.cli.shorthand import arguments

#: Set by the scripts for shells, which typer names after the program.
VARIABLE = "_VALIDATION_GEN_COMPLETE"
TABLE = os.path.join(os.path.dirname(__file__), "offers.tsv")  # noqa: PTH118, PTH120 - pathlib is slow to import
#: Kinds of parameters. Those in the plural may be there again.
FLAG, OPTION, OPTIONS, ARGUMENT, ARGUMENTS = "flag", "option", "options", "argument", "arguments"
#: Kinds of commands: one whose options may stand anywhere, and one of which nothing is known behind its name.
COMMAND, ODD = "command", "odd"
#: In the place of values: those of `explain`, whose names and codes are lists of the table.
EXPLAINED, NAMES, CODES = "<explained>", "names", "codes"

_PROGRAMS = ("validation-gen", "validation_gen")
_SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
_PREFIX = "k8s:"

#: What is offered, and its help, which may be empty.
Offer = tuple[str, str]


class _Parameter:
    """What a command takes: a line of the table."""

    def __init__(self, line: str) -> None:
        self.kind, names, values, self.help = line.split("\t")
        self.names, self.values = names.split(), values.split()


class _Command:
    """A command, or a group of them: a block of the table."""

    def __init__(self, block: str) -> None:
        head, *lines = block.splitlines()
        self.kind, self.name, self.help = head.split("\t")
        self.parameters = [_Parameter(line) for line in lines]

    def given(self, words: list[str]) -> list[_Parameter] | None:
        """The parameters that words behind the command have values for; `None` if that is not certain."""
        options = {name: each for each in self.parameters for name in each.names}
        found: list[_Parameter] = []
        plain = 0
        rest = iter(words)
        for word in rest:
            if word[:1] != "-" or word == "-":
                plain += 1
                continue
            name, equals, _ = word.partition("=")
            option = options.get(name)
            if option is None or (equals and (option.kind == FLAG or name[:2] != "--")):
                return None
            if option.kind != FLAG and not equals and next(rest, None) is None:
                return found  # typer reads no further than to an option without its value
            found.append(option)
        return found + [each for each in self.parameters if each.kind == ARGUMENT][:plain]


def answer(environ: Mapping[str, str], program: str) -> int | None:
    """Answers what a script asks, and returns the exit code; `None` if that is left to typer."""
    asked, _, shell = environ[VARIABLE].partition("_")
    if asked != "complete" or shell not in _SHELLS or os.path.basename(program) not in _PROGRAMS:  # noqa: PTH119
        return None
    line = _line(shell, environ)
    try:
        offers = None if line is None else offered(*line)
    except (OSError, ValueError):  # the table is not there as a file, or is none
        return None
    if offers is None:
        return None
    if shell == "fish":
        action = environ.get("_TYPER_COMPLETE_FISH_ACTION")
        if action == "is-args":
            return 0 if offers else 1
        offers = offers if action == "get-args" else []
    sys.stdout.write(f"{_written(shell, offers)}\n")
    sys.stdout.flush()
    return 0


def offered(words: list[str], incomplete: str) -> list[Offer] | None:
    """What may stand for an incomplete word behind the others of a line; `None` if the line is unusual."""
    found = _found(words)
    if found is None:
        return None
    command, given = found
    last = words[-1] if words else ""
    if incomplete == "=":
        incomplete = ""
    elif incomplete[:1] == "-" and "=" in incomplete:
        last, _, incomplete = incomplete.partition("=")
    if "--" in (*words, last):
        return None
    if incomplete[:1] == "-":
        return [
            (name, each.help)
            for each in command.parameters
            if each not in given or each.kind == OPTIONS
            for name in each.names
            if name.startswith(incomplete)
        ]
    for each in command.parameters:
        if each.kind in (OPTION, OPTIONS) and last in each.names:
            return _values(each, incomplete)
    for each in command.parameters:
        if each.kind == ARGUMENTS or (each.kind == ARGUMENT and each not in given):
            return _values(each, incomplete)
    return [(name, help) for name, help in _below(command.name) if name.startswith(incomplete)]


def explained(incomplete: str) -> list[str]:
    """The tags, directives, codes and tables that `explain` knows; markers are too many to choose from."""
    names, codes = _list(NAMES), _list(CODES)
    written = len(incomplete)  # in whatever case
    meant = [incomplete + code[written:] for code in codes if code.startswith(incomplete.upper())]
    if incomplete and meant:
        return meant
    prefix = next((each for each in (f"+{_PREFIX}", _PREFIX, "+") if incomplete.startswith(each)), "")
    known = [prefix + name.removeprefix(_PREFIX) for name in names] + ([] if prefix else [*codes, "schema-mapping"])
    return [name for name in known if name.startswith(incomplete)]


def _found(words: list[str]) -> tuple[_Command, list[_Parameter]] | None:
    """The command that words name, or leave out, and what they give it; `None` if either is not certain."""
    named = arguments(list(words)) if words and words[0][:1] != "-" else []
    if words and (not named or named[0] not in COMMANDS):
        return None
    depth = min(len(named), 2 if named and named[0] in GROUPS else 1)
    block = _block(" ".join(named[:depth]))
    if block is None:
        return None
    command, rest = _Command(block), named[depth:]
    given = command.given(rest) if command.kind == COMMAND or not rest else None
    return None if given is None else (command, given)


def _values(parameter: _Parameter, incomplete: str) -> list[Offer]:
    values = explained(incomplete) if parameter.values == [EXPLAINED] else parameter.values
    return [(value, "") for value in values if value.startswith(incomplete)]


# --- the table -------------------------------------------------------------------------------------------------------


def _blocks() -> list[str]:
    with open(TABLE, encoding="utf-8") as file:  # noqa: PTH123 - pathlib is slow to import
        return file.read().rstrip("\n").split("\n\n")


def _block(name: str) -> str | None:
    beginnings = tuple(f"{kind}\t{name}\t" for kind in (COMMAND, ODD))
    return next((block for block in _blocks() if block.startswith(beginnings)), None)


def _list(name: str) -> list[str]:
    return next((block.splitlines()[1:] for block in _blocks() if block.startswith(f"{name}\n")), [])


def _below(name: str) -> Iterator[Offer]:
    """The commands of a group, or of the program, in their order."""
    group = f"{name} " if name else ""
    for block in _blocks():
        kind, _, rest = block.partition("\n")[0].partition("\t")
        command, _, help = rest.partition("\t")
        if kind in (COMMAND, ODD) and command.startswith(group) and command != name:
            below = command[len(group) :]
            if " " not in below:
                yield below, help


# --- shells ----------------------------------------------------------------------------------------------------------


def _line(shell: str, environ: Mapping[str, str]) -> tuple[list[str], str] | None:
    """The words of a line behind the program and the one that is being written, as a shell tells them."""
    if shell == "bash":
        words, place = _split(environ.get("COMP_WORDS", "'")), environ.get("COMP_CWORD", "")
        if words is None or not (place.isascii() and place.isdigit()):
            return None
        at = int(place)
        return words[1:at], words[at] if at < len(words) else ""
    text = environ.get("_TYPER_COMPLETE_ARGS", "")
    words = _split(text)
    if words is None:
        return None
    words = words[1:]
    if shell in ("powershell", "pwsh"):
        incomplete = environ.get("_TYPER_COMPLETE_WORD_TO_COMPLETE", "")
        return words[:-1] if incomplete else words, incomplete
    return (words[:-1], words[-1]) if words and not text.endswith(" ") else (words, "")


def _split(text: str) -> list[str] | None:
    """The words of a text; `None` where they are not told apart by spaces alone."""
    if not text.isascii() or any(each in text for each in "'\"\\"):
        return None
    return text.split() if text.replace("\n", " ").replace("\t", " ").isprintable() else None


def _written(shell: str, offers: list[Offer]) -> str:
    if shell == "bash":
        return "\n".join(value for value, _ in offers)
    if shell == "zsh":
        told = [f'"{_escaped(value)}":"{_escaped(help)}"' if help else f'"{_escaped(value)}"' for value, help in offers]
        return "_arguments '*: :(({}))'".format("\n".join(told)) if told else "_files"
    if shell == "fish":
        return "\n".join(f"{value}\t{help}" if help else value for value, help in offers)
    return "\n".join(f"{value}:::{help or ' '}" for value, help in offers)


def _escaped(text: str) -> str:
    """As a word of the list that `_arguments` of zsh reads."""
    for given, meant in (('"', '""'), ("'", "''"), ("$", "\\$"), ("`", "\\`"), (":", "\\\\:")):
        text = text.replace(given, meant)
    return text
