"""Finds the sources of an import path: by `go.mod`, `go.work`, `vendor` and the module cache.

Follows https://go.dev/ref/mod, without the network and without the `go` command. Module graphs are not solved: the
versions that the main module requires decide, as they do for any module since Go 1.17.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from validation_gen.sources import recording_fs
from validation_gen.sources.go.files import is_source_name
from validation_gen.sources.go.literals import string_value

_TOKEN = re.compile(r"""//.*|"(?:[^"\\]|\\.)*"|`[^`]*`|[()]|(?:(?!//)[^\s()])+""")
_VARIABLES = ("GOWORK", "GOMODCACHE", "GOPATH", "HOME", "USERPROFILE")
#: Hosts whose modules have the names of an owner and a repository.
_HOSTS = ("bitbucket.org", "codeberg.org", "github.com", "gitlab.com")
#: Modules whose minor versions are those of Kubernetes, the one with most types first.
_OF_RELEASES = ("k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "k8s.io/apiextensions-apiserver")
_MAJOR = re.compile(r"v([2-9]|[1-9][0-9]+)")
_VERSION = re.compile(r"v(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?")


@dataclass(frozen=True, slots=True)
class Replacement:
    """A `replace` directive. `old_version` is `""` for all versions, `new_version` for a directory (then `new`)."""

    old: str
    old_version: str
    new: str
    new_version: str


@dataclass(slots=True)
class ModFile:
    """The parts of a go.mod or go.work that help to find sources. `directory` is that of the file."""

    directory: Path
    module: str = ""
    requires: dict[str, str] = field(default_factory=dict)
    replaces: list[Replacement] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Location:
    """The directory of a package and the import path of its module."""

    directory: Path
    module: str


@lru_cache(maxsize=256)
def parse_mod_file(text: str, directory: Path) -> ModFile:
    """Parses a go.mod or go.work. Unknown lines are skipped, as the `go` command reports them.

    Each directory of a module needs the same file, so the results are cached and never changed.
    """
    file = ModFile(directory)
    block = ""
    for line in text.splitlines():
        words = [string_value(word) or "" if word[0] in '"`' else word for word in _words(line)]
        if not words:
            continue
        if block and words == [")"]:
            block = ""
        elif len(words) >= 2 and words[1] == "(":
            block = "" if words[-1] == ")" else words[0]
        elif block:
            _take(file, block, words)
        else:
            _take(file, words[0], words[1:])
    return file


def _words(line: str) -> Iterator[str]:
    return (word for word in _TOKEN.findall(line) if not word.startswith("//"))


def _take(file: ModFile, verb: str, words: Sequence[str]) -> None:
    if verb == "module" and words:
        file.module = words[0]
    elif verb == "require" and len(words) >= 2:
        file.requires[words[0]] = words[1]
    elif verb == "use" and words:
        file.uses.append(words[0])
    elif verb == "replace" and "=>" in words:
        arrow = words.index("=>")
        old, new = words[:arrow], words[arrow + 1 :]
        if old and new:
            file.replaces.append(
                Replacement(old[0], old[1] if len(old) > 1 else "", new[0], new[1] if len(new) > 1 else "")
            )


def nearest_mod_file(directory: Path, name: str = "go.mod", stop: Path | None = None) -> ModFile | None:
    """Returns the go.mod (or go.work) of this directory or the nearest one above, not above `stop`."""
    for candidate in (directory, *directory.parents):
        file = read_mod_file(candidate / name)
        if file is not None or candidate == stop:
            return file
    return None


def read_mod_file(path: Path) -> ModFile | None:
    try:
        return parse_mod_file(recording_fs.read(path).decode(errors="replace"), path.parent)
    except (OSError, ValueError):  # ValueError: a path with a NUL byte, which a file can contain
        return None


class SourceLocator:
    """Finds the directories of packages outside the input, for all main modules of a run together.

    `directories` are those of the input packages, `modules` the user's own map from module paths to directories, which
    takes precedence. Files are only read when they are needed.
    """

    def __init__(
        self, directories: Sequence[Path], modules: Mapping[str, Path], environ: Mapping[str, str] | None = None
    ) -> None:
        self._modules = modules
        self._environ = recording_fs.variables(*_VARIABLES) if environ is None else environ
        self._works, self._mains = self._main_modules(directories)
        self._found: dict[str, Location | None] = {}

    def locate(self, path: str) -> Location | None:
        """Returns the place of the package with this import path; `None` when no directory with Go files is found."""
        if path not in self._found:
            self._found[path] = next((place for place in self._candidates(path) if _has_sources(place.directory)), None)
        return self._found[path]

    def release(self, known: Sequence[str]) -> str:
        """Returns the release of Kubernetes that the main modules require, the nearest of the known ones.

        It is the newest one if none requires a module of Kubernetes, or only as `v0.0.0`, which a `replace` or the
        staging area of Kubernetes' own repository substitutes.
        """
        for module in _OF_RELEASES:
            for file in (*self._works, *self._mains):
                pinned = (each.new_version for each in file.replaces if each.old == module and each.new_version)
                version = _VERSION.fullmatch(next(pinned, file.requires.get(module, "")))
                if version is not None and version[1] == "0" and version[2] != "0":
                    minors = [int(each.partition(".")[2]) for each in known]
                    return f"1.{max(min(int(version[2]), minors[-1]), minors[0])}"
        return known[-1]

    def advise(self, path: str) -> str:
        """Returns a help for a package that is not found: the module that has it, and a command."""
        if _is_standard(path):
            return f'name its source with --module {path}="$(go env GOROOT)/src/{path}"'
        main = next((main for main in self._mains for prefix in _prefixes(path) if main.module == prefix), None)
        if main is not None:
            return f"there are no Go files in {path[len(main.module) + 1 :] or '.'}: generate or add them"
        for prefix in _prefixes(path):
            version = next((main.requires[prefix] for main in self._mains if prefix in main.requires), None)
            if version is None:
                continue
            if any(
                recording_fs.is_directory(cache / f"{_escape(prefix)}@{_escape(version)}") for cache in self._caches()
            ):
                return f"{prefix} {version} has no such package: require another version, or use --module {prefix}=DIR"
            return f"run `go mod download {prefix}`, or name its source with --module {prefix}=DIR"
        module = _likely_module(path)
        if self._mains:
            return f"run `go get {path}`, or name the source of its module with --module {module}=DIR"
        return f"name the source of its module with --module {module}=DIR (there is no go.mod that requires it)"

    def _main_modules(self, directories: Sequence[Path]) -> tuple[list[ModFile], list[ModFile]]:
        works: dict[Path, ModFile] = {}
        mains: dict[Path, ModFile] = {}
        for directory in directories:
            main = nearest_mod_file(directory)
            if main is not None:
                mains.setdefault(main.directory, main)
            setting = self._environ.get("GOWORK", "")
            if setting == "off":
                continue
            work = read_mod_file(Path(setting)) if setting else nearest_mod_file(directory, "go.work")
            if work is not None:
                works.setdefault(work.directory, work)
        for work in works.values():
            for use in work.uses:
                used = read_mod_file(Path(os.path.normpath(work.directory / use)) / "go.mod")
                if used is not None:
                    mains.setdefault(used.directory, used)
        return list(works.values()), list(mains.values())

    def _candidates(self, path: str) -> Iterator[Location]:
        yield from self._in_modules(self._modules, path)
        yield from self._in_modules({main.module: main.directory for main in self._mains if main.module}, path)
        files = [*self._works, *self._mains]
        for file in files:
            yield from self._find_replaced(file, path)
        for file in files:
            yield Location(file.directory / "vendor" / path, path)
        if _is_standard(path):
            return
        for file in self._mains:
            for prefix in _prefixes(path):
                if prefix in file.requires:
                    yield from self._find_cached(prefix, file.requires[prefix], prefix, path)
        for prefix in _prefixes(path):
            for version in self._versions(prefix):
                yield from self._find_cached(prefix, version, prefix, path)

    def _in_modules(self, modules: Mapping[str, Path], path: str) -> Iterator[Location]:
        for prefix in _prefixes(path):
            if prefix in modules:
                yield from _inside(modules[prefix], prefix, path)

    def _find_replaced(self, file: ModFile, path: str) -> Iterator[Location]:
        for prefix in _prefixes(path):
            wanted = next((main.requires[prefix] for main in (file, *self._mains) if prefix in main.requires), "")
            for replace in file.replaces:
                if replace.old != prefix or replace.old_version not in ("", wanted):
                    continue
                if replace.new_version:
                    yield from self._find_cached(replace.new, replace.new_version, prefix, path)
                else:
                    yield from _inside(Path(os.path.normpath(file.directory / replace.new)), prefix, path)

    def _caches(self) -> list[Path]:
        if self._environ.get("GOMODCACHE"):
            return [Path(self._environ["GOMODCACHE"])]
        roots = [root for root in self._environ.get("GOPATH", "").split(os.pathsep) if root]
        if not roots:
            home = self._environ.get("HOME") or self._environ.get("USERPROFILE")
            roots = [str(Path(home) / "go")] if home else []
        return [Path(root) / "pkg" / "mod" for root in roots]

    def _find_cached(self, module: str, version: str, prefix: str, path: str) -> Iterator[Location]:
        for cache in self._caches():
            yield from _inside(cache / f"{_escape(module)}@{_escape(version)}", prefix, path)

    def _versions(self, module: str) -> list[str]:
        """Returns the versions of a module in the cache, the newest first."""
        escaped = _escape(module)
        versions: set[str] = set()
        for cache in self._caches():
            parent, _, last = (cache / escaped).as_posix().rpartition("/")
            try:
                names = [entry.name for entry in recording_fs.entries(Path(parent))]
            except OSError:
                continue
            versions.update(name[len(last) + 1 :] for name in names if name.startswith(f"{last}@"))
        return [_unescape(version) for version in sorted(versions, key=_version_key, reverse=True)]


def _is_standard(path: str) -> bool:
    """Returns whether a path is one of the standard library, which is in no module."""
    return "." not in path.partition("/")[0]


def _likely_module(path: str) -> str:
    """Returns the likely module of a package, by the conventions of hosts: `github.com/owner/name`."""
    elements = path.split("/")
    count = 3 if elements[0] in _HOSTS else 2
    if _MAJOR.fullmatch("".join(elements[count : count + 1])):
        count += 1
    return "/".join(elements[:count])


def _prefixes(path: str) -> Iterator[str]:
    """Yields the module paths that can contain a package, the longest first."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _inside(root: Path, module: str, path: str) -> Iterator[Location]:
    """Yields the directory of `path` in a module, unless a go.mod in between makes it part of another module."""
    directory = root / path[len(module) :].lstrip("/")
    nearest = nearest_mod_file(directory, stop=root) if directory != root else None
    if nearest is None or nearest.directory == root:
        yield Location(directory, module)
    elif nearest.module and path == "/".join([nearest.module, *directory.relative_to(nearest.directory).parts]):
        yield Location(directory, nearest.module)


def _has_sources(directory: Path) -> bool:
    try:
        return any(is_source_name(entry.name) for entry in recording_fs.entries(directory))
    except (OSError, ValueError):
        return False


def _escape(path: str) -> str:
    """Returns the form of a path in the module cache, for file systems that ignore case."""
    return re.sub("[A-Z]", lambda match: "!" + match[0].lower(), path)


def _unescape(path: str) -> str:
    return re.sub("!([a-z])", lambda match: match[1].upper(), path)


def _version_key(version: str) -> tuple[int, int, int, bool, list[tuple[bool, int, str]]]:
    """Sort key of semantic versions: numbers by value, a release after its pre-releases."""
    match = _VERSION.fullmatch(version)
    if match is None:
        return (-1, 0, 0, False, [])
    identifiers = match[4].split(".") if match[4] else []
    parts = [(not word.isdigit(), int(word) if word.isdigit() else 0, word) for word in identifiers]
    return (int(match[1]), int(match[2]), int(match[3]), not identifiers, parts)
