"""Which packages the arguments of a command mean: directories, their Go files, and import paths.

Follows `go list` where it can: a directory holds one package, and test files, `vendor`, `testdata` and names beginning
with `_` or `.` are skipped. `./apis` and `./apis/...` both mean the whole tree below.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.runtime.words import nearest
from validation_gen.sources import recorded
from validation_gen.sources.display import display_path
from validation_gen.sources.go.constraints import Platform, left_out, malformed, platform
from validation_gen.sources.go.files import GoFile, head_of, is_source_name, read_go_file
from validation_gen.sources.go.modfiles import ModFile, nearest_mod_file
from validation_gen.sources.go.package import PackageSource
from validation_gen.sources.python.finder import Finder

_SKIPPED_DIRECTORIES = ("vendor", "testdata")
# `go build` skips files with this package clause; they hold documentation only.
_NO_PACKAGE = "documentation"


def find_packages(
    paths: Sequence[str],
    diagnostics: Diagnostics,
    *,
    modules: Mapping[str, Path] | None = None,
    cwd: Path | None = None,
    python: Finder | None = None,
) -> list[PackageSource]:
    """All Go packages that the arguments name, each once, in the order of their import paths.

    `modules` (module path to absolute directory) tells import paths where no go.mod does. `python` takes what the
    arguments name of Python. An argument with nothing to read gives a VG902.
    """
    cwd = cwd or Path.cwd()
    finder = _Finder(diagnostics, modules or {}, cwd, python or Finder(diagnostics, modules or {}, cwd))
    for path in paths:
        finder.take(path)
    return sorted(finder.sources.values(), key=lambda source: source.path)


def read_directory(
    directory: Path,
    path: str,
    module: str,
    diagnostics: Diagnostics,
    *,
    cwd: Path,
    preferred: str = "",
    passed: list[str] | None = None,
) -> PackageSource | None:
    """Read the files of the one package in a directory; `None` when it has no Go files that count.

    `preferred` is the base name of the file whose package is meant. Otherwise doc.go decides, then the majority.
    `passed` takes the files that do not count, each with the reason.
    """
    files: list[GoFile] = []
    passed = [] if passed is None else passed
    broken, wanted = False, platform()
    for entry in _entries(directory, diagnostics, cwd):
        # reading a link to nowhere reports it, where skipping it would hide a missing file
        if not is_source_name(entry.name) or entry.kind not in ("f", "l"):
            continue
        display = display_path(Path(entry.path), cwd)
        file = read_go_file(Path(entry.path), display, diagnostics)
        if file is None:
            broken = True
        elif file.package == _NO_PACKAGE or file.package.endswith("_test"):
            continue
        elif why := left_out(file.name, head_of(file.text), wanted):
            passed.append(f"{display}: {why}")
            _report_ignored(file, why, diagnostics, named=file.name == preferred)
        elif _report_malformed(file, wanted, diagnostics):
            broken = True
            files.append(file)
        elif not (file.is_by_name and file.declares_nothing):
            files.append(file)
    if not files and not broken:
        return None
    shown = display_path(directory, cwd)
    name = _package_name(files, preferred)
    others = sorted({file.package for file in files} - {name, ""})
    if others:
        diagnostics.warning(
            "VG902",
            f"this directory holds package `{name}`; files of package {', '.join(f'`{other}`' for other in others)} "
            "are not read",
            Span(shown),
            help="a directory can hold one package only; move the other files to a directory of their own",
        )
    for file in files:
        if not file.package:
            broken = True
            diagnostics.error(
                "VG101",
                "syntax error: the package clause is missing",
                Span(file.display, 1, 1, 2),
                help="begin the file with `package` and the name of the package",
            )
    own = tuple(file for file in files if file.package in (name, ""))
    return PackageSource(path, name or directory.name, shown, module, own, broken, tuple(passed))


def _report_malformed(file: GoFile, wanted: Platform, diagnostics: Diagnostics) -> bool:
    """Reports a constraint that `go build` refuses. The file is read, for what else is wrong with it."""
    found = malformed(file.name, head_of(file.text), wanted)
    if found is not None:
        span = Span(file.display, found.line, found.column, found.end)
        diagnostics.error("VG101", f"syntax error: this `//go:build` line is malformed: {found.why}", span, found.help)
    return found is not None


def _report_ignored(file: GoFile, why: str, diagnostics: Diagnostics, *, named: bool) -> None:
    """Warns of a file that somebody has named, and of generated types that no generator sees."""
    if named:
        message = f"this file is not read, as {why}"
        diagnostics.warning("VG902", message, Span(file.display), "set GOOS and GOARCH, or change the file")
    elif file.is_by_name and file.declares_types:
        diagnostics.warning(
            "VG902",
            f"the types of this file are not read, as {why} (generators set ignore_autogenerated)",
            Span(file.display),
            help="change the constraint, if the types are meant to count",
        )


def _package_name(files: Sequence[GoFile], preferred: str) -> str:
    for wanted in (preferred, "doc.go"):
        for file in files:
            if file.name == wanted and file.package:
                return file.package
    counts = Counter(file.package for file in files if file.package)
    # of equally many the one that can be imported, then the first by name
    return min(counts, key=lambda name: (-counts[name], name == "main", name), default="")


def _entries(directory: Path, diagnostics: Diagnostics, cwd: Path) -> list[recorded.Entry]:
    try:
        return recorded.entries(directory)
    except OSError as problem:
        diagnostics.error(
            "VG901", f"cannot read the directory: {problem.strerror or problem}", Span(display_path(directory, cwd))
        )
        return []


@dataclass(slots=True)
class _Finder:
    """Collects packages over several arguments. `sources` is keyed by import path."""

    diagnostics: Diagnostics
    modules: Mapping[str, Path]
    cwd: Path
    python: Finder
    sources: dict[str, PackageSource] = field(default_factory=dict)
    #: Files that do not count in directories where none does, each with the reason.
    passed: list[str] = field(default_factory=list)
    _seen: dict[str, bool] = field(default_factory=dict)
    _mod_files: dict[Path, ModFile | None] = field(default_factory=dict)

    def take(self, argument: str) -> None:
        """Take up one argument of the command line."""
        text = argument
        if text == "..." or text.endswith(("/...", os.sep + "...")):
            text = text[:-3].rstrip("/" + os.sep) or ("/" if text.startswith("/") else ".")
        path = Path(os.path.normpath(self.cwd / text))
        if recorded.is_directory(path):
            self._take_tree(path, argument)
        elif not recorded.exists(path):
            self._nothing(argument, f"there is no file or directory `{argument}`", _beside(path, argument))
        elif path.suffix == ".py":
            self.python.take_file(path)
        elif path.suffix != ".go":
            message = f"`{argument}` is neither a directory nor a Go or Python file"
            self._nothing(argument, message, "name a directory, a .go file or a .py file")
        else:
            self._take_directory(path.parent, path.parent, path.name)

    def _take_tree(self, root: Path, argument: str) -> None:
        problems = len(self.diagnostics.items)
        self.passed.clear()
        found = [self._take_directory(directory, root) for directory in self._walk(root)]
        found.append(self.python.take_tree(root))
        if not any(found) and len(self.diagnostics.items) == problems and self.passed:
            message = f"no Go file in or below `{argument}` counts, such as {self.passed[0]}"
            self._nothing(argument, message, "set GOOS and GOARCH, or name another directory")
        elif not any(found) and len(self.diagnostics.items) == problems:
            message = f"no Go files are in or below `{argument}`, nor Python files with tags"
            self._nothing(argument, message, "name a directory with the types of an API")

    def _walk(self, root: Path) -> Iterator[Path]:
        """The tree without what `go list` skips. Only names *below* the argument are looked at."""
        pending = [root]
        while pending:
            directory = pending.pop()
            yield directory
            names = [
                entry.name
                for entry in _entries(directory, Diagnostics(), self.cwd)  # _take_directory reports what fails
                if entry.kind == "d"
            ]
            pending.extend(
                directory / name
                for name in reversed(names)
                if name not in _SKIPPED_DIRECTORIES and not name.startswith(("_", "."))
            )

    def _take_directory(self, directory: Path, argument: Path, preferred: str = "") -> bool:
        """Read a directory unless an earlier argument did. Whether it holds a package."""
        identity = recorded.real_path(directory)
        if identity in self._seen:
            return self._seen[identity]
        path, module = self._import_path(directory, argument)
        passed: list[str] = []
        source = read_directory(
            directory, path, module, self.diagnostics, cwd=self.cwd, preferred=preferred, passed=passed
        )
        self._seen[identity] = source is not None
        self.passed += passed if source is None else []
        if source is None:
            return False
        if path in self.sources and not module:  # two arguments with one last element; the path must be unique
            path = source.directory.strip("/")
            source = replace(source, path=path, module=path)
        if path in self.sources:
            self.diagnostics.warning(
                "VG902",
                f"package `{path}` has been read from `{self.sources[path].directory}` already; this one is left out",
                Span(source.directory),
                help="name only one of the two directories",
            )
            return True
        self.sources[path] = source
        return True

    def _import_path(self, directory: Path, argument: Path) -> tuple[str, str]:
        """Import path and module: by the user's map, else the nearest go.mod, else the path from the argument down."""
        above = (directory, *directory.parents)
        mapped = [(module, Path(os.path.normpath(root))) for module, root in self.modules.items()]
        mapped = [(module, root) for module, root in mapped if root in above]
        if mapped:
            module, root = max(mapped, key=lambda pair: (len(pair[1].parts), pair[0]))
        else:
            file = self._mod_file(directory)
            if file is None or not file.module:
                relative = directory.relative_to(argument).parts
                return "/".join(filter(None, [argument.name, *relative])) or ".", ""
            module, root = file.module, file.directory
        relative = directory.relative_to(root).parts
        if "vendor" in relative:  # a vendored package keeps its own import path
            last = len(relative) - relative[::-1].index("vendor")
            return "/".join(relative[last:]), "/".join(relative[last:])
        return "/".join([module, *relative]), module

    def _mod_file(self, directory: Path) -> ModFile | None:
        if directory not in self._mod_files:
            self._mod_files[directory] = nearest_mod_file(directory)
        return self._mod_files[directory]

    def _nothing(self, argument: str, message: str, help: str) -> None:
        self.diagnostics.error("VG902", message, Span(argument), help=help)


def _beside(path: Path, argument: str) -> str:
    """Which path may be meant by one that does not exist."""
    try:
        entries = recorded.entries(path.parent) if recorded.is_directory(path.parent) else []
    except (OSError, ValueError):
        entries = []
    names = [each.name for each in entries if each.kind == "d" or each.name.endswith((".go", ".py"))]
    near = nearest(path.name, names)
    start = argument.rstrip("/.")
    if not near or not start.endswith(path.name):
        return "check the path"
    return f"did you mean `{start[: -len(path.name)]}{near[0]}`?"
