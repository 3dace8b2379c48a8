"""Meaning of a command's arguments: each is a file of some language, or a tree in which each language looks.

`./apis` and `./apis/...` both mean the whole tree below.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.runtime.words import nearest
from validation_gen.sources import recorded
from validation_gen.sources.languages import LANGUAGES, Language
from validation_gen.sources.suffixes import SUFFIXES


class LanguageFinder(Protocol):
    """Finds the sources of one language, and keeps them for its reader."""

    #: Ignored files of the last tree, each with the reason.
    passed: list[str]
    #: Help for the user about these files.
    advice: str

    def take_file(self, file: Path) -> bool:
        """Adds a single file that the user named. Returns whether it is a source."""

    def take_tree(self, root: Path) -> bool:
        """Adds all sources below a directory. Returns whether there is one."""


def take_arguments(
    paths: Sequence[str], finders: Mapping[Language, LanguageFinder], diagnostics: Diagnostics, cwd: Path
) -> None:
    """Passes each argument to the finders of its language. Reports a VG902 for an argument without sources."""
    for argument in paths:
        text = argument
        if text == "..." or text.endswith(("/...", os.sep + "...")):
            text = text[:-3].rstrip("/" + os.sep) or ("/" if text.startswith("/") else ".")
        path = Path(os.path.normpath(cwd / text))
        if recorded.is_directory(path):
            _take_tree(path, argument, finders, diagnostics)
        elif not recorded.exists(path):
            message, help = f"there is no file or directory `{argument}`", _beside(path, argument)
            diagnostics.error("VG902", message, Span(argument), help=help)
        elif (language := next((each for each in finders if each.suffix == path.suffix), None)) is not None:
            finders[language].take_file(path)
        else:
            titles = " or ".join(each.title for each in LANGUAGES)
            kinds = " or ".join(f"a {suffix} file" for suffix in SUFFIXES)
            message = f"`{argument}` is neither a directory nor a {titles} file"
            diagnostics.error("VG902", message, Span(argument), help=f"name a directory, {kinds}")


def _take_tree(root: Path, argument: str, finders: Mapping[Language, LanguageFinder], diagnostics: Diagnostics) -> None:
    problems = len(diagnostics.items)
    found = [finder.take_tree(root) for finder in finders.values()]
    if any(found) or len(diagnostics.items) > problems:
        return
    passed = next(((language, finder) for language, finder in finders.items() if finder.passed), None)
    if passed:
        language, finder = passed
        message = f"no {language.title} file in or below `{argument}` counts, such as {finder.passed[0]}"
        help = finder.advice
    else:
        first, *others = (language.counted for language in finders)
        message = ", nor ".join([f"no {first} are in or below `{argument}`", *others])
        help = "name a directory with the types of an API"
    diagnostics.error("VG902", message, Span(argument), help=help)


def _beside(path: Path, argument: str) -> str:
    """Suggests a similar path for one that does not exist."""
    try:
        entries = recorded.entries(path.parent) if recorded.is_directory(path.parent) else []
    except (OSError, ValueError):
        entries = []
    names = [each.name for each in entries if each.kind == "d" or each.name.endswith(SUFFIXES)]
    near = nearest(path.name, names)
    start = argument.rstrip("/.")
    if not near or not start.endswith(path.name):
        return "check the path"
    return f"did you mean `{start[: -len(path.name)]}{near[0]}`?"
