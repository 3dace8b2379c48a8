"""From where handwritten code imports: what is installed, then the directories of the project that is named.

A project's directories are looked at behind all on `sys.path`, and only while its code is imported or called. So a file
there is never taken for a module of Python's library, of this program or of what this program needs.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType

_directories: list[str] = []


def admit(directory: Path | str) -> None:
    """Lets handwritten code import from a directory, from now on, and rather than from those admitted before."""
    _directories[:] = [str(directory), *(each for each in _directories if each != str(directory))]


def admitted() -> tuple[str, ...]:
    """Lists what has been admitted, the last first."""
    return tuple(_directories)


@contextlib.contextmanager
def reaching() -> Iterator[None]:
    """While this lasts, what has been admitted can be imported."""
    finder = _Finder(list(_directories))
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def imported(name: str, directories: Sequence[Path]) -> ModuleType:
    """The module of a name. What a user names is meant as it stands in these directories, if it does."""
    for directory in reversed(directories):
        admit(directory)
    finder = _Finder([str(directory) for directory in directories], name.partition(".")[0])
    sys.meta_path.insert(0, finder)
    try:
        with reaching():
            return importlib.import_module(name)
    finally:
        sys.meta_path.remove(finder)


def is_reserved(name: str) -> bool:
    """Tells whether a module of this name is Python's or ours, whatever a project has under it."""
    first = name.partition(".")[0]
    return first in sys.stdlib_module_names or first in {"validation_gen", "sitecustomize", "usercustomize"}


class _Finder(MetaPathFinder):
    """Finds modules in directories of a project, or only the one that is named."""

    def __init__(self, directories: list[str], name: str = "") -> None:
        self._directories = directories
        self._name = name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if path is not None or is_reserved(fullname) or (self._name and fullname != self._name):
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, self._directories)
        if found and self._name and not found.origin:
            return None  # a directory without a module of its own may be anything; what is installed comes first then
        return found
