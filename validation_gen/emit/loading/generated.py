"""Imports generated packages from their source text, beside the handwritten code of a project.

Debuggers and tracebacks show the text. A project's directories come after all of `sys.path`, and only while its code is
imported or called. So a file there never shadows a module of Python's library, of this program or of its dependencies.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import itertools
import linecache
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.runtime.registry import Registry

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


#: Prefix of modules with handwritten functions.
_CUSTOM = "custom_"
_numbers = itertools.count(1)
_NO_DATA: Mapping[str, Mapping[str, Any]] = MappingProxyType({})


class _MemoryFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of one package among texts by path. `data` has variables of modules, by path and name."""

    def __init__(self, package: str, files: Mapping[str, str], data: Mapping[str, Mapping[str, Any]]) -> None:
        self.package = package
        self.files = files
        self.data = data

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.package and not fullname.startswith(f"{self.package}."):
            return None
        below = fullname[len(self.package) + 1 :].replace(".", "/")
        for file, is_package in ((f"{below}/__init__.py".lstrip("/"), True), (f"{below}.py", False)):
            if file in self.files:
                return importlib.machinery.ModuleSpec(fullname, self, origin=file, is_package=is_package)
        return None

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        file = module.__spec__.origin or ""
        name, text = f"<{self.package}/{file}>", self.files[file]
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        source = text.encode(errors="replace")  # as on disk
        module.__dict__.update(self.data.get(file, {}))
        with reaching() if file.startswith(_CUSTOM) else contextlib.nullcontext():
            exec(compile(source, name, "exec"), module.__dict__)  # noqa: S102 - what we have just generated, or copied


def load_registry(files: Mapping[str, str], data: Mapping[str, Mapping[str, Any]] = _NO_DATA) -> Registry:
    """Returns the registry of a generated package whose files and data are given by path, as `emit_python` has them."""
    package = f"_validation_gen_memory_{next(_numbers)}"
    finder = _MemoryFinder(package, files, data)
    sys.meta_path.append(finder)  # it stays: modules are imported when an object first needs them
    try:
        registry: Registry = importlib.import_module(package).registry
    except BaseException:
        sys.meta_path.remove(finder)
        raise
    return registry


def customs_in(files: Iterable[str]) -> list[str]:
    """Returns the modules of a generated package that hold handwritten functions."""
    return [file.removesuffix(".py") for file in files if file.startswith(_CUSTOM)]


def import_customs(names: Collection[str], files: Sequence[str], registry: Registry, diagnostics: Diagnostics) -> None:
    """Imports the user's own functions now: a broken file is reported once, with the line of the error.

    Args:
        names: the modules that the package has of them.
        files: their sources. They may import modules beside them.
        registry: that of the package.
        diagnostics: takes the errors.
    """
    for file in files:
        name = _CUSTOM + "".join(c if c.isalnum() else "_" for c in Path(file).stem)  # as `read_customs` names it
        if name in names:
            admit(Path(file).absolute().parent)
            try:
                importlib.import_module(f".{name}", registry.package)
            except (Exception, SystemExit) as error:
                message = f"the file cannot be imported: {error.__class__.__name__}: {error}"
                help = "its imports must be installed, on PYTHONPATH, or beside it"
                diagnostics.error("VG206", message, Span(Path(file).as_posix()), help)
