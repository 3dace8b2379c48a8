"""Import paths of handwritten code: installed packages, then the directories of the named project.

A project's directories come after all of `sys.path`, and only while its code is imported or called. So a file there
never shadows a module of Python's library, of this program or of its dependencies.
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
    """Lists the admitted directories, the last first."""
    return tuple(_directories)


@contextlib.contextmanager
def reaching() -> Iterator[None]:
    """Makes the admitted directories importable inside the block."""
    finder = _Finder(list(_directories))
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def imported(name: str, directories: Sequence[Path]) -> ModuleType:
    """Imports a module by name. A module in these directories takes precedence, as the user has named it."""
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
    """Returns whether a module name belongs to Python or to us, even if a project uses it."""
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
            return None  # a directory without an `__init__.py` is ambiguous, so installed packages come first
        return found
