"""Reads sources into a universe: the entry point of this stage.

Each argument of a command is a file of some language, or a tree in which each language looks. `./apis` and
`./apis/...` both mean the whole tree below.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.runtime.words import nearest
from validation_gen.sources import recording_fs
from validation_gen.sources.fs_queries import SUFFIXES
from validation_gen.sources.go.finder import GoFinder, read_directory
from validation_gen.sources.go.modfiles import SourceLocator
from validation_gen.sources.go.package import PackageSource, read_package
from validation_gen.sources.languages import GO, LANGUAGES, PYTHON, Language
from validation_gen.sources.model import Package, Universe
from validation_gen.sources.python.finder import PythonFinder
from validation_gen.sources.wellknown import RELEASES, wellknown_source

if TYPE_CHECKING:
    from validation_gen.sources.python.reader import PythonReader


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
        if recording_fs.is_directory(path):
            _take_tree(path, argument, finders, diagnostics)
        elif not recording_fs.exists(path):
            message, help = f"there is no file or directory `{argument}`", _suggest_path(path, argument)
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


def _suggest_path(path: Path, argument: str) -> str:
    """Suggests a similar path for one that does not exist."""
    try:
        entries = recording_fs.entries(path.parent) if recording_fs.is_directory(path.parent) else []
    except (OSError, ValueError):
        entries = []
    names = [each.name for each in entries if each.kind == "d" or each.name.endswith(SUFFIXES)]
    near = nearest(path.name, names)
    start = argument.rstrip("/.")
    if not near or not start.endswith(path.name):
        return "check the path"
    return f"did you mean `{start[: -len(path.name)]}{near[0]}`?"


_MAX_NESTED = 30  # packages read for one another's constants; no real chain is as long
_KUBERNETES = "k8s.io/"
_NAMED_INPUT = re.compile(r"^//[ \t]*\+k8s:validation-gen-input=(\S+)", re.MULTILINE)
# Of packages that the user did not name, only findings that make our knowledge of them incomplete are reported.
_TOLD_OF_OTHERS = ("VG101", "VG901")


def read_universe(
    paths: Sequence[str],
    diagnostics: Diagnostics,
    *,
    modules: Mapping[str, str] | None = None,
    readonly: Sequence[str] = (),
    known_tags: bool = False,
) -> Universe:
    """Reads all packages that `paths` name; others are read when they are needed.

    Args:
        paths: Directories, each with everything below, single Go files, which stand for their package, or single Python
            files.
        diagnostics: Takes all findings; reading goes on in spite of them.
        modules: Directories of modules by import path, for sources that no go.mod leads to. These take precedence.
        readonly: Import paths or patterns (`k8s.io/x/...`) of packages that get no code of their own although they are
            below `paths`; their packages have `input` false.
        known_tags: Read the `+k8s:` tags of all packages of Kubernetes; else only those of the modules that `paths`,
            `readonly` and `+k8s:validation-gen-input` name, and others are borrowed.

    Returns:
        The universe; its `load` finds further packages by their import paths, and falls back to the well-known ones.
    """
    cwd = Path.cwd()
    directories: dict[str, Path] = {}
    for module, directory in (modules or {}).items():
        if recording_fs.is_directory(cwd / directory):
            directories[module] = cwd / directory
        else:
            diagnostics.error("VG904", f"`{directory}`, given for module `{module}`, is no directory", Span(directory))
    go, modules_of_python = GoFinder(diagnostics, directories, cwd), PythonFinder(diagnostics, directories, cwd)
    take_arguments(paths, {GO: go, PYTHON: modules_of_python}, diagnostics, cwd)
    sources = go.packages()
    python = _python_reader(modules_of_python, diagnostics) if modules_of_python.inputs else None
    reader = _Reader(sources, python, directories, _matcher(readonly), diagnostics, cwd)
    if not known_tags:
        reader.tagged = {_find_module(path) for path in _choose_packages(sources)}
        if "k8s.io/api" in reader.tagged:
            reader.tagged.add("k8s.io/apimachinery")  # the API server applies its tags to these kinds
    for path in (*(source.path for source in sources), *modules_of_python.inputs):
        reader.package(path)
    _refuse_nothing(paths, sources, reader.universe, diagnostics)
    return reader.universe


def _refuse_nothing(
    paths: Sequence[str], sources: Sequence[PackageSource], universe: Universe, diagnostics: Diagnostics
) -> None:
    """Reports arguments in which no type is declared, unless their packages name others or a finding has the reason."""
    read = [package for package in universe.packages.values() if package.types or package.broken]
    others = any(_NAMED_INPUT.search(file.text) for source in sources for file in source.files)
    if paths and not (read or others or diagnostics.items):
        message = f"no types are declared in or below {', '.join(f'`{path}`' for path in paths)}"
        diagnostics.error("VG902", message, Span(paths[0]), "name a directory with the types of an API, or definitions")


def _python_reader(finder: PythonFinder, diagnostics: Diagnostics) -> PythonReader:
    from validation_gen.sources.python.reader import PythonReader  # noqa: PLC0415 - most APIs are in Go alone

    return PythonReader(finder, diagnostics)


def _matcher(patterns: Sequence[str]) -> re.Pattern[str]:
    """Returns the pattern for import paths.

    `...` matches anything, and `x/...` matches x as well (`go help packages`).
    """
    parts = [re.escape(pattern).replace(re.escape("..."), ".*") for pattern in patterns]
    return re.compile("|".join(re.sub(r"/\.\*$", "(?:/.*)?", part) for part in parts) or "(?!)")


def _choose_packages(sources: Sequence[PackageSource]) -> Iterator[str]:
    """Yields the import paths of packages that are generated for: the inputs, and those that their doc.go names."""
    for source in sources:
        yield source.path
        for file in source.files:
            if file.name == "doc.go":
                yield from _NAMED_INPUT.findall(file.text)


def _find_module(path: str) -> str:
    """Returns the module of a package of Kubernetes: `k8s.io/api` of `k8s.io/api/core/v1`."""
    return "/".join(path.split("/", 2)[:2])


def _is_import_path(path: str) -> bool:
    """Returns whether a path is an absolute import path, for which there can be a directory."""
    return path.isprintable() and "\\" not in path and not {"", ".", ".."} & set(path.split("/"))


@cache
def _read_bundled(path: str, release: str, tags: bool) -> Package | None:
    """Reads a package that comes with the program, once in a process: no run changes it, and it has no findings."""
    source = wellknown_source(path, release)
    return read_package(source, BundledImporter(release), Diagnostics(), user=False, tags=tags) if source else None


@dataclass(frozen=True)
class BundledImporter:
    """The importer of packages that come with the program, which import only each other."""

    release: str

    def package_name(self, path: str) -> str | None:
        source = wellknown_source(path, self.release)
        return source.name if source else None

    def package(self, path: str) -> Package | None:
        return _read_bundled(path, self.release, tags=True)


class _Reader:
    """Reads each package once, when it is needed. It is the `Importer` of all of them."""

    def __init__(
        self,
        sources: Sequence[PackageSource],
        python: PythonReader | None,
        modules: Mapping[str, Path],
        readonly: re.Pattern[str],
        diagnostics: Diagnostics,
        cwd: Path,
    ) -> None:
        self._inputs = {source.path: source for source in sources}
        self._python = python
        self._locator = SourceLocator([cwd / source.directory for source in sources], modules)
        self.universe = Universe(load=self.load, locate=self._advise, release=self._locator.release(RELEASES))
        self._readonly = readonly
        self._diagnostics = diagnostics
        self._cwd = cwd
        self._reading: set[str] = set()
        self._outside: dict[str, PackageSource | None] = {}
        #: Modules of Kubernetes whose tags count, `None` for all.
        self.tagged: set[str] | None = None

    def package_name(self, path: str) -> str | None:
        source = self._inputs.get(path) or self._outside_source(path)
        return source.name if source else None

    def package(self, path: str) -> Package | None:
        return self.universe.package(path)

    def load(self, path: str) -> Package | None:
        """Reads a package that the universe does not have yet; `None` while it is being read (an import cycle)."""
        if path in self._reading or len(self._reading) >= _MAX_NESTED:
            return None
        self._reading.add(path)
        try:
            source = self._inputs.get(path)
            if source is not None:
                user = self._readonly.fullmatch(path) is None
                return read_package(source, self, self._diagnostics, user=user)
            if self._python is not None:
                module = self._python.package(path, user=self._readonly.fullmatch(path) is None)
                if module is not None:
                    return module
            source = self._outside_source(path)
            if source is None:
                return None
            if source is wellknown_source(path, self.universe.release):
                return _read_bundled(path, self.universe.release, self._has_tags(path))
            found = Diagnostics()
            package = read_package(source, self, found, user=False, tags=self._has_tags(path))
            self._tell(found)
            return package
        finally:
            self._reading.discard(path)

    def _advise(self, path: str) -> str:
        """Returns a help for a package that cannot be found."""
        return self._locator.advise(path) if _is_import_path(path) else "import a package by its path"

    def _has_tags(self, path: str) -> bool:
        """Returns whether tags of a package outside the input apply. Those of Kubernetes apply only on request."""
        if self.tagged is None or not path.startswith(_KUBERNETES) or _find_module(path) in self.tagged:
            return True
        return self._readonly.fullmatch(path) is not None

    def _outside_source(self, path: str) -> PackageSource | None:
        if path not in self._outside:
            self._outside[path] = self._find_outside(path) if _is_import_path(path) else None
        return self._outside[path]

    def _find_outside(self, path: str) -> PackageSource | None:
        place = self._locator.locate(path)
        if place is None:
            return wellknown_source(path, self.universe.release)
        found = Diagnostics()
        source = read_directory(place.directory, path, place.module, found, cwd=self._cwd)
        self._tell(found)
        return source or wellknown_source(path, self.universe.release)

    def _tell(self, found: Diagnostics) -> None:
        """Adds findings of packages outside the input as warnings: the user did not write them."""
        for item in found.items:
            if item.code in _TOLD_OF_OTHERS:
                self._diagnostics.add(replace(item, severity=Severity.WARNING))
