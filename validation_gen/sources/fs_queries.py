"""Queries about files and the environment, and answers that can be compared: digests, and single words.

`recorded` records the answers that readers of sources got. Repeating the queries later shows whether the result of a
run is still valid. Of languages this module knows the suffixes of their files alone, and it keeps no state.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from validation_gen.files import reading
from validation_gen.files.reading import digest, is_manifest

GO_SUFFIX, PYTHON_SUFFIX = ".go", ".py"
SUFFIXES = (GO_SUFFIX, PYTHON_SUFFIX)


#: Kind of the query and its argument: `("file", "/src/go.mod")`.
Question = tuple[str, str]

#: Queries about the contents of a directory.
LISTINGS = ("entries", "manifests")

#: Relevant files of a directory, besides directories and links.
LISTED = (*SUFFIXES, "pyvenv.cfg")
#: Python's caches, which no reader reads.
CACHES = "__pycache__"


class Entry:
    """An entry of a directory.

    `kind` is `d` for a directory, `f` for a file or a link to one, `l` for a dangling link, `o` for others.
    """

    __slots__ = ("kind", "name", "path")

    def __init__(self, name: str, path: str, kind: str) -> None:
        self.name = name
        self.path = path
        self.kind = kind


def still_holds(answers: Mapping[Question, str]) -> bool:
    """Returns whether all queries still have the same answers."""
    return all(ask(question) == answer for question, answer in answers.items())


def ask(question: Question) -> str:
    """Returns the current answer to a query, as a digest."""
    kind, argument = question
    try:
        return _QUESTIONS[kind](argument)
    except (OSError, ValueError) as problem:  # such as a path with a NUL
        return failure(problem)


def is_question(kind: object, argument: object) -> bool:
    """Returns whether this is a query."""
    return isinstance(kind, str) and kind in _QUESTIONS and isinstance(argument, str)


def failure(problem: OSError | ValueError) -> str:
    """Returns the answer for a read error."""
    return f"failed: {getattr(problem, 'errno', None)}"


def list_directory(directory: str) -> list[Entry]:
    """Returns the entries of a directory that a reader of sources may need, by name.

    Raises:
        OSError: it cannot be listed.
        ValueError: the path is invalid.
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
    """Returns the digest of entries."""
    text = "\0".join(f"{entry.kind}{entry.name}" for entry in found)
    return digest(text.encode(errors="surrogateescape"))


def _file_now(path: str) -> str:
    return digest(reading.read(path, reading.MOST_OF_DATA))  # manifests may be larger than sources


def _manifests_now(directory: str) -> str:
    """Returns the digest of the manifests, directories and sources in a directory.

    Sources count, as they would make it a directory of types.
    """
    with os.scandir(directory) as listed:
        found = [
            ("d" if entry.is_dir(follow_symlinks=False) else "f", entry.name)
            for entry in listed
            if entry.is_dir(follow_symlinks=False) or is_manifest(entry.name) or entry.name.endswith(SUFFIXES)
        ]
    return digest("\0".join(f"{kind}{name}" for kind, name in sorted(found)).encode(errors="surrogateescape"))


_QUESTIONS: dict[str, Callable[[str], str]] = {
    "file": _file_now,
    "entries": lambda directory: names(list_directory(directory)),
    "manifests": _manifests_now,
    "is_file": lambda path: str(os.path.isfile(path)),  # noqa: PTH113
    "is_directory": lambda path: str(os.path.isdir(path)),  # noqa: PTH112
    "exists": lambda path: str(os.path.lexists(path)),
    "real_path": os.path.realpath,
    "variable": lambda name: repr(os.environ.get(name)),
}
