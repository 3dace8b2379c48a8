"""Finds the command of arguments without one: a path alone is `generate`, after `crd` it is `crd generate`.

It imports nothing before it must, so that the help and completion stay fast.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from validation_gen.cli.commands import COMMANDS, GROUPS, REMOVED

#: Options of the main command that look like those of the program.
_LIKE_OWN = ("--verbose", "--select")


def arguments(given: list[str]) -> list[str]:
    """Inserts the main command into the arguments, unless they begin with a command or an option of the program."""
    own = {"-h", "--help", "--version", "--install-completion", "--show-completion"}
    if not given:
        return ["generate"] if _has_inputs() else given
    about = _about_configuration(given)
    if about:
        rest = arguments(given[about:]) or ["generate"]
        words = 2 if rest[0] in GROUPS else 1
        return [*rest[:words], *given[:about], *rest[words:]]
    if given[0] in GROUPS and GROUPS[given[0]][0]:
        names = GROUPS[given[0]]
        if len(given) == 1:
            return [*given, names[0]] if _has_inputs() else given
        known = given[1] in {*names, "-h", "--help"} or _is_slip(given[1], names)
        return given if known else [given[0], names[0], *given[1:]]
    if given[0] == "help" and not os.path.lexists("help"):
        return [*arguments(given[1:])[: len(given) - 1], "--help"]
    if given[0] in own or given[0] in COMMANDS or (given[0] in REMOVED and not os.path.lexists(given[0])):
        return given
    if _is_slip(given[0], (*COMMANDS, "help")) or _is_own_slip(given[0], own):
        return given
    return ["generate", *given]


def _about_configuration(given: list[str]) -> int:
    """Counts the leading arguments that are `--config FILE` and `--no-config`: each command has these options."""
    count = 0
    while count < len(given):
        if given[count] == "--config" and count + 1 < len(given):
            count += 2
        elif given[count] == "--no-config" or given[count].startswith("--config="):
            count += 1
        else:
            break
    return count


def _has_inputs() -> bool:
    """Returns whether a run without arguments has inputs."""
    from validation_gen.cli.inputs import has_inputs  # noqa: PLC0415 - only if nothing is given

    return has_inputs()


def _is_own_slip(word: str, own: Iterable[str]) -> bool:
    """Returns whether an option is a misspelt one of the program: it is refused with a suggestion."""
    near = nearest(word, [*own, *_LIKE_OWN], cutoff=0.8) if word.startswith("--") else []
    return bool(near) and near[0] not in _LIKE_OWN


def _is_slip(word: str, commands: Iterable[str]) -> bool:
    """Returns whether a word is a misspelt command: it is refused with a suggestion."""
    return word.isalpha() and not os.path.lexists(word) and bool(nearest(word, commands))


def nearest(word: str, known: Iterable[str], *, most: int = 1, cutoff: float = 0.6) -> list[str]:
    from validation_gen.runtime.words import nearest  # noqa: PLC0415 (the help does without)

    return nearest(word, known, most=most, cutoff=cutoff)
