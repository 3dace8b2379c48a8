"""Queries of the file system and the environment by readers of sources, which can be recorded.

All readers of sources use this module and nothing else, so that the dependencies of a result are known: files and their
content, directories and their listed sources, and also missing files. `questions` can repeat the queries. Only digests
of the answers are kept. This module knows no language and decides nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from validation_gen.files import reading
from validation_gen.files.reading import digest
from validation_gen.files.tree import File, Folder, Link, OutsideError, Tree
from validation_gen.sources.fs_queries import CACHES, LISTED, Entry, Question, ask, failure, list_directory, names


@dataclass(slots=True)
class Notes:
    """The queries of a run with digests of their answers. `consistent` is false if one had two answers."""

    answers: dict[Question, str] = field(default_factory=dict)
    consistent: bool = True

    def add(self, question: Question, answer: str) -> None:
        if self.answers.setdefault(question, answer) != answer:
            self.consistent = False


_notes: ContextVar[Notes | None] = ContextVar("_notes", default=None)
_changes: ContextVar[Mapping[str, bytes]] = ContextVar("_changes", default={})  # noqa: B039 - never changed
_state: ContextVar[Tree | None] = ContextVar("_state", default=None)


@contextmanager
def record() -> Iterator[Notes]:
    """Records queries within the block. An outer recording receives them at the end."""
    notes = Notes()
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)
        replay_queries(notes.answers)


def replay_queries(answers: Mapping[Question, str]) -> None:
    """Adds the queries of an earlier run to the current recording, when its result is reused."""
    notes = _notes.get()
    if notes is not None:
        for question, answer in answers.items():
            notes.add(question, answer)


@contextmanager
def override_files(contents: Mapping[str, bytes]) -> Iterator[None]:
    """Gives readers within the block other contents of files, by their real paths, than the disk has."""
    token = _changes.set(contents)
    try:
        yield
    finally:
        _changes.reset(token)


@contextmanager
def answering(tree: Tree) -> Iterator[None]:
    """Lets readers within the block see a tree at its path. The disk is not read there, and nothing is recorded."""
    token = _state.set(tree)
    try:
        yield
    finally:
        _state.reset(token)


def is_recording() -> bool:
    """Returns whether queries are being recorded."""
    return _notes.get() is not None


def note(question: Question) -> None:
    """Records the answer to a query before its caller reads the disk directly."""
    if is_recording():
        _note(*question, ask(question))


# --- queries of readers ----------------------------------------------------------------------------------------------


def read(path: Path) -> bytes:
    """Returns the content of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: the path is invalid.
    """
    if (tree := _find_tree(path)) is not None:
        return tree.read(path)
    changes = _changes.get()
    try:
        instead = changes.get(os.path.realpath(path)) if changes else None
        content = reading.read(path) if instead is None else instead
    except (OSError, ValueError) as problem:
        _note("file", path, failure(problem))
        raise
    if _notes.get() is not None:
        _note("file", path, digest(content))
    return content


def entries(directory: Path) -> list[Entry]:
    """Returns the entries of a directory for readers of sources, by name: directories, links, Go and Python files.

    Names that begin with a dot are left out.

    Raises:
        OSError: it cannot be listed.
        ValueError: the path is invalid.
    """
    if (tree := _find_tree(directory)) is not None:
        return _list_tree(tree, os.fspath(directory))
    try:
        found = list_directory(os.fspath(directory))
    except (OSError, ValueError) as problem:
        _note("entries", directory, failure(problem))
        raise
    if _notes.get() is not None:
        _note("entries", directory, names(found))
    return found


def is_file(path: Path) -> bool:
    """Returns whether this is a file, or a link to one. Never raises."""
    if (tree := _find_tree(path)) is not None:
        return isinstance(tree.find(path), File)
    answer = os.path.isfile(path)  # noqa: PTH113 - unlike Path.is_file, it never raises
    _note("is_file", path, str(answer))
    return answer


def is_directory(path: Path) -> bool:
    """Returns whether this is a directory, or a link to one. Never raises."""
    if (tree := _find_tree(path)) is not None:
        return isinstance(tree.find(path), Folder)
    answer = os.path.isdir(path)  # noqa: PTH112 - as above
    _note("is_directory", path, str(answer))
    return answer


def exists(path: Path) -> bool:
    """Returns whether anything of this name exists, even a dangling link. Never raises."""
    if (tree := _find_tree(path)) is not None:
        return tree.find(path, follow=False) is not None
    answer = os.path.lexists(path)
    _note("exists", path, str(answer))
    return answer


def real_path(path: Path) -> str:
    """Returns the path without links."""
    if (tree := _find_tree(path)) is not None:
        return tree.real_path(path)
    answer = os.path.realpath(path)
    _note("real_path", path, answer)
    return answer


def variables(*names: str) -> dict[str, str]:
    """Returns those environment variables that are set."""
    for name in names:
        _note("variable", name, repr(os.environ.get(name)))
    return {name: os.environ[name] for name in names if name in os.environ}


def _find_tree(path: Path) -> Tree | None:
    """Returns the tree that contains a path, if there is one."""
    tree = _state.get()
    return tree if tree is not None and tree.has(path) else None


def _list_tree(tree: Tree, directory: str) -> list[Entry]:
    """Returns the entries of a directory of a tree, in the same form as those on disk."""
    found = []
    for name, node in tree.entries(directory).items():
        if name.startswith(".") or name == CACHES:
            continue
        path = f"{directory}/{name}"
        if isinstance(node, Folder):
            found.append(Entry(name, path, "d"))
        elif name.endswith(LISTED):
            kind = _kind_of_link(tree, path) if isinstance(node, Link) else "f"
            if kind:
                found.append(Entry(name, path, kind))
    return sorted(found, key=lambda entry: entry.name)


def _kind_of_link(tree: Tree, path: str) -> str:
    """Returns the kind of a link, `""` if it leads outside of the tree, which reports it."""
    try:
        return "f" if isinstance(tree.reached(path), File) else "o"
    except OutsideError:
        return ""
    except OSError:
        return "l"


def _note(kind: str, argument: str | Path, answer: str) -> None:
    notes = _notes.get()
    if notes is not None:
        notes.add((kind, os.fspath(argument)), answer)
