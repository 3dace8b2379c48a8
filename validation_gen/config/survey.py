"""What a repository has that could be validated: packages with tags, and types that could have some.

Files are looked through for what stands in their lines, not parsed: this has to be quick, and to get along with
repositories that do not build. Nothing is written here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from validation_gen.outside import reading

_NOT_OURS = {"vendor", "node_modules", "testdata", "third_party", "__pycache__", "tests", "test", "build", "dist"}
_LARGEST = 2**21  # bytes: nobody writes types into larger files

#: Tags of other generators begin like those of validation, and end in `-gen`.
_TAG = re.compile(rb"^\s*(?://|#)\s*\+k8s:(?!(?!validation-gen\b)[\w-]*-gen\b)\w", re.MULTILINE)
_MARKER = re.compile(rb"^\s*(?://|#)\s*\+kubebuilder:", re.MULTILINE)
_GO_KIND = re.compile(rb"^\s*(?:metav1\.|v1\.)?TypeMeta\s+`json:", re.MULTILINE)
_GO_TYPES = re.compile(rb"^type \w+ struct \{", re.MULTILINE)
_PYTHON_TAGS = re.compile(rb"^\s*from validation_gen\.(?:tags|types)\b", re.MULTILINE)
_PYTHON_TYPES = re.compile(
    rb"^@(?:dataclasses\.)?dataclass\b|^@(?:attrs?\.)?(?:define|frozen)\b|^class .*\b(?:BaseModel|Struct)\b",
    re.MULTILINE,
)
_GENERATED = re.compile(rb"^// Code generated .* DO NOT EDIT\.$", re.MULTILINE)
_VERSION = re.compile(r"v\d+((alpha|beta)\d+)?(\.py)?")


@dataclass(slots=True)
class Survey:
    """What is there: files by what they hold, as paths below the directory.

    `tagged` have tags, `marked` have markers of controller-gen, `kinds` have kinds, `typed` have types at least.
    """

    go: bool = False
    python: bool = False
    tagged: list[str] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)

    @property
    def files(self) -> list[str]:
        """The files worth reading: those that other tools read as well, or else Python classes."""
        found = sorted({*self.tagged, *self.marked, *self.kinds})
        return found or [name for name in self.typed if name.endswith(".py")]

    @property
    def inputs(self) -> list[str]:
        """The directories, or single Python files, to name as inputs."""
        found = self.files
        python = [name for name in found if name.endswith(".py")]
        directories = {os.path.dirname(name) for name in found if name.endswith(".go")}  # noqa: PTH120
        if len(python) > 3:
            directories |= {os.path.dirname(name) for name in python}  # noqa: PTH120
            python = []
        return [*_tops(directories), *python]


def survey(directory: Path) -> Survey:
    """Looks through a directory. What cannot be read is passed over."""
    found = Survey()
    for name, content in _sources(directory):
        if name == "go.mod":
            found.go = True
        elif name == "pyproject.toml":
            found.python = True
        else:
            _look(name, content, found)
    return found


def _look(name: str, content: bytes, found: Survey) -> None:
    go = name.endswith(".go")
    if go and _GENERATED.search(content[:4096]):
        return
    tags, markers = _TAG.search(content), _MARKER.search(content)
    if tags or (not go and _PYTHON_TAGS.search(content)):
        found.tagged.append(name)
    if markers and (_GO_TYPES if go else _PYTHON_TYPES).search(content):
        found.marked.append(name)
    if go and _GO_KIND.search(content):
        found.kinds.append(name)
    if (_GO_TYPES if go else _PYTHON_TYPES).search(content):
        found.typed.append(name)


def _sources(directory: Path) -> Iterator[tuple[str, bytes]]:
    """Go and Python files and what says of what language a repository is, in order of their paths."""
    for root, directories, names in os.walk(directory):
        if "pyvenv.cfg" in names:
            directories.clear()
            continue
        directories[:] = sorted(name for name in directories if name[0] not in "._" and name not in _NOT_OURS)
        for name in sorted(names):
            top = root == str(directory) and name in {"go.mod", "pyproject.toml"}
            if top or (_is_source(name) and not name.startswith(".")):
                path = Path(root, name)
                try:
                    if path.is_file() and path.stat().st_size <= _LARGEST:
                        yield path.relative_to(directory).as_posix(), reading.read(path, _LARGEST)
                except (OSError, ValueError):
                    continue


def _is_source(name: str) -> bool:
    if name.endswith(".go"):
        return not name.endswith("_test.go")
    return name.endswith(".py") and not name.startswith("test_") and name not in {"conftest.py", "setup.py"}


def _tops(directories: set[str]) -> list[str]:
    """Few directories that have all of these below, and not much else: one for each beginning."""
    if "" in directories:
        return ["."]
    groups: dict[str, list[list[str]]] = {}
    for each in sorted(directories):
        parts = each.split("/")
        groups.setdefault(parts[0], []).append(parts)
    return ["/".join(_common(group)) for group in groups.values()]


def _common(paths: list[list[str]]) -> list[str]:
    """The beginning that paths share, without a version at its end: the next one is to be found as well."""
    shared = []
    for parts in zip(*paths, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    if len(shared) > 1 and _VERSION.fullmatch(shared[-1]):
        shared.pop()
    return shared
