"""What can be asked about files and the environment, and answers that can be compared: digests, and single words.

`recorded` notes the answers that readers of sources got. The same questions, asked again later, show whether the result
of a run still holds. This module knows no language and keeps nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from validation_gen.files import reading
from validation_gen.files.digests import digest
from validation_gen.files.paths import is_manifest
from validation_gen.sources.suffixes import SUFFIXES

#: What is asked, and of what: `("file", "/src/go.mod")`.
Question = tuple[str, str]

#: The questions about what a directory holds.
LISTINGS = ("entries", "manifests")

#: What a directory can hold that matters to a reader, besides directories and links.
LISTED = (*SUFFIXES, "pyvenv.cfg")
#: Written by Python itself; no reader looks into it.
CACHES = "__pycache__"


class Entry:
    """What a directory holds.

    `kind` is `d` for a directory, `f` for a file or a link to one, `l` for a link to nowhere, `o` for all else.
    """

    __slots__ = ("kind", "name", "path")

    def __init__(self, name: str, path: str, kind: str) -> None:
        self.name = name
        self.path = path
        self.kind = kind


def still_holds(answers: Mapping[Question, str]) -> bool:
    """Whether all questions would be answered as they were."""
    return all(ask(question) == answer for question, answer in answers.items())


def ask(question: Question) -> str:
    """The answer to a question as things are now, as a digest."""
    kind, argument = question
    try:
        return _QUESTIONS[kind](argument)
    except (OSError, ValueError) as problem:  # such as a path with a NUL
        return failure(problem)


def is_question(kind: object, argument: object) -> bool:
    """Whether this can be asked."""
    return isinstance(kind, str) and kind in _QUESTIONS and isinstance(argument, str)


def failure(problem: OSError | ValueError) -> str:
    """That nothing can be read, as an answer."""
    return f"failed: {getattr(problem, 'errno', None)}"


def listed(directory: str) -> list[Entry]:
    """What a directory holds that a reader of sources can want, by name.

    Raises:
        OSError: it cannot be listed.
        ValueError: the path cannot be one.
    """
    found = []
    with os.scandir(directory) as each:
        for entry in each:
            name = entry.name
            if name.startswith(".") or name == CACHES:
                continue
            if entry.is_dir(follow_symlinks=False):
                found.append(Entry(name, entry.path, "d"))
            elif entry.is_symlink() or name.endswith(LISTED):
                found.append(Entry(name, entry.path, _kind(entry)))
    return sorted(found, key=lambda entry: entry.name)


def _kind(entry: os.DirEntry[str]) -> str:
    if not entry.is_symlink():
        return "f" if entry.is_file() else "o"
    if os.path.isfile(entry):  # noqa: PTH113 - unlike the method of an entry, it never raises
        return "f"
    return "o" if os.path.exists(entry) else "l"  # noqa: PTH110 - as above


def names(found: list[Entry]) -> str:
    """The same as an answer."""
    text = "\0".join(f"{entry.kind}{entry.name}" for entry in found)
    return digest(text.encode(errors="surrogateescape"))


def _file_now(path: str) -> str:
    try:
        return digest(reading.read(path, reading.MOST_OF_DATA))  # manifests may be larger than sources
    except (OSError, ValueError) as problem:
        return failure(problem)


def _manifests_now(directory: str) -> str:
    """The manifests in a directory, the directories in it, and the sources: with these it would have types instead."""
    try:
        with os.scandir(directory) as listed:
            found = [
                ("d" if entry.is_dir(follow_symlinks=False) else "f", entry.name)
                for entry in listed
                if entry.is_dir(follow_symlinks=False) or is_manifest(entry.name) or entry.name.endswith(SUFFIXES)
            ]
    except (OSError, ValueError) as problem:
        return failure(problem)
    return digest("\0".join(f"{kind}{name}" for kind, name in sorted(found)).encode(errors="surrogateescape"))


def _entries_now(directory: str) -> str:
    try:
        return names(listed(directory))
    except (OSError, ValueError) as problem:
        return failure(problem)


_QUESTIONS: dict[str, Callable[[str], str]] = {
    "file": _file_now,
    "entries": _entries_now,
    "manifests": _manifests_now,
    "is_file": lambda path: str(os.path.isfile(path)),  # noqa: PTH113
    "is_directory": lambda path: str(os.path.isdir(path)),  # noqa: PTH112
    "exists": lambda path: str(os.path.lexists(path)),
    "real_path": os.path.realpath,
    "variable": lambda name: repr(os.environ.get(name)),
}
