"""The case folders in `testdata/cases`: what they hold, what they want, and how their wants are rewritten.

`testdata/cases/README.md` describes the layout. This module builds a case at most once a process.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from validation_gen.compiler.pipeline import Result, Settings, build_files, build_program
from validation_gen.diagnostics import Diagnostic
from validation_gen.diagnostics.formats import render
from validation_gen.emit.loading.generated import load_registry
from validation_gen.ir import Program
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

ROOT = Path(__file__).parents[1]
CASES = ROOT / "testdata" / "cases"
UPDATE = "python -m pytest tests/test_cases.py --update"

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class WantedError:
    """An error as `objects.yaml` has it. `origin` and `level` are left out where there is none."""

    message: str
    type: str
    origin: str = ""
    level: str = ""

    @classmethod
    def of(cls, error: FieldError) -> WantedError:
        return cls(str(error), error.type.value, error.origin, error.level)

    def __str__(self) -> str:
        return f"{self.type} {self.origin or '-'} {self.level or '-'}  {self.message}"


@dataclass(frozen=True, slots=True)
class Request:
    """One create or update of a case.

    Without a `type` the object names its kind itself. Of a type without validators it is the front door that speaks.
    `broken` says why we do not give these errors yet although Kubernetes does. The test then demands that we do not, so
    that the word goes away together with the fault.
    """

    name: str
    type: str = ""
    op: str = "create"
    obj: Any = None
    old: Any = None
    options: dict[str, bool] = field(default_factory=dict)
    subresource: str = "/"
    errors: tuple[WantedError, ...] = ()
    broken: str = ""

    def run(self, registry: Registry) -> list[FieldError]:
        package, _, name = self.type.rpartition(".")
        kinds = registry.of_type(name, package)
        if len(kinds) == 1:
            update = self.op == "update"
            return registry.run(
                kinds[0],
                self.obj,
                self.old,
                update=update,
                options=self.options,
                subresource=self.subresource,
                level="alpha",
            )
        assert self.op == "create" or self.old is not None, "the front door knows an update by its old object"
        return registry.validate(
            self.obj,
            self.old,
            options=self.options,
            subresource=self.subresource,
            type=self.type or None,
            level="alpha",
            raw=True,
        )


@dataclass(frozen=True, slots=True)
class WantedDiagnostic:
    """An annotation in a source: on `line` of `file` there must be a diagnostic with this code and text."""

    file: str
    line: int
    code: str
    text: str

    def matches(self, found: Diagnostic) -> bool:
        said = f"{found.message} ({found.help})"
        return (found.span.file, found.span.line, found.code) == (self.file, self.line, self.code) and self.text in said

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.code} {self.text}"


@dataclass(frozen=True, slots=True)
class Case:
    """A case folder."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def objects(self) -> Path:
        return self.path / "objects.yaml"

    @property
    def stderr(self) -> Path:
        return self.path / "stderr.txt"

    @property
    def settings(self) -> Path:
        return self.path / "settings.yaml"

    @property
    def golden(self) -> Path:
        return self.path / "want"

    def requests(self) -> tuple[Request, ...]:
        return _requests(self.path)

    def wanted_diagnostics(self) -> list[WantedDiagnostic]:
        return [w for file in sorted(self.path.rglob("*.go")) for w in _annotations(file, self.path)]

    def build(self) -> Result:
        """The case's program, and what is said of its sources as seen from its folder."""
        return _build(self.path)

    def files(self) -> dict[str, str]:
        return _files(self.path)

    def registry(self) -> Registry:
        """The validators, imported from memory."""
        return _registry(self.path)

    def said(self) -> str:
        """The diagnostics as a user of the command line reads them in the folder."""
        return render(self.build().diagnostics.sorted(), color=False, format="concise")


def all_cases() -> list[Case]:
    return [Case(path) for path in sorted(CASES.iterdir()) if path.is_dir()]


# --- building -------------------------------------------------------------------------------------------------------


@contextmanager
def inside(directory: Path) -> Iterator[None]:
    """Makes a directory the current one. No source outside of it and of the package can be found."""
    before, environ = Path.cwd(), dict(os.environ)
    os.chdir(directory)
    for name in ("GOPATH", "GOWORK"):
        os.environ.pop(name, None)
    os.environ["GOMODCACHE"] = str(directory / "no cache")
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environ)


@functools.cache
def _build(path: Path, *, every_kind: bool = False) -> Result:
    file = Case(path).settings
    given = yaml.load(file.read_text(encoding="utf-8"), _Loader) if file.exists() else {}
    settings: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    with inside(path):
        return build_program(Settings((".",), **settings, every_kind=every_kind))


@functools.cache
def build_every_kind(path: Path) -> Program:
    """Returns the program of a folder for schemas. Types that lack a handwritten function are broken there, too."""
    program = _build(path, every_kind=True).program
    program.broken_types |= _build(path).program.broken_types
    return program


@functools.cache
def load_every_kind(path: Path) -> Registry:
    """Returns the validators of that program."""
    return load_registry(build_files(build_every_kind(path)))


@functools.cache
def _files(path: Path) -> dict[str, str]:
    return build_files(_build(path).program)


@functools.cache
def _registry(path: Path) -> Registry:
    return load_registry(_files(path))


# --- objects.yaml ---------------------------------------------------------------------------------------------------

_KEYS = {"name", "type", "op", "obj", "old", "options", "subresource", "errors", "broken"}


@functools.cache
def _requests(path: Path) -> tuple[Request, ...]:
    file = path / "objects.yaml"
    if not file.exists():
        return ()
    found = []
    for item in yaml.load(file.read_text(encoding="utf-8"), _Loader) or ():
        unknown = item.keys() - _KEYS
        assert not unknown, f"{file}: {item.get('name')} has unknown keys {sorted(unknown)}"
        assert item.get("op", "create") in ("create", "update"), f"{file}: {item['name']} has an unknown op"
        assert "old" not in item or item.get("op") == "update", f"{file}: {item['name']} is no update but has an old"
        errors = tuple(WantedError(**error) for error in item.pop("errors", None) or ())
        found.append(Request(**item, errors=errors))
    names = [request.name for request in found]
    assert len(names) == len(set(names)), f"{file}: names are used twice"
    return tuple(found)


def rewrite_errors(file: Path, name: str, errors: Iterable[WantedError]) -> None:
    """Puts other errors to one object and leaves all else in the file as it is, comments included."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    document = yaml.compose(text, yaml.SafeLoader)
    assert document is not None
    for item in document.value:
        members = {key.value: (key, value) for key, value in item.value}
        if members["name"][1].value != name:
            continue
        if "errors" in members:
            key, value = members["errors"]
            start, end = key.start_mark.line, _last_line(lines, value.end_mark)
            assert end > start, f"{file}: the errors of {name} are an alias; write them out"
        else:
            start = end = _last_line(lines, item.end_mark)
        lines[start:end] = _error_lines(" " * item.start_mark.column, errors)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _last_line(lines: list[str], end: yaml.Mark) -> int:
    """The line after the last one of a node. A block's mark stands behind comments and empty lines that follow it."""
    line = end.line + 1 if end.column else end.line
    while not (lines[line - 1].strip() and not lines[line - 1].strip().startswith("#")):
        line -= 1
    return line


def _error_lines(indent: str, errors: Iterable[WantedError]) -> list[str]:
    found = []
    for error in errors:
        found += [f"{indent}  - message: {_scalar(error.message)}", f"{indent}    type: {error.type}"]
        found += [f"{indent}    origin: {error.origin}"] if error.origin else []
        found += [f"{indent}    level: {error.level}"] if error.level else []
    return [f"{indent}errors:", *found] if found else []


def _scalar(text: str) -> str:
    if text.isprintable():
        doubled = text.replace("'", "''")
        return f"'{doubled}'"
    dumped: str = yaml.safe_dump(text, default_style='"', width=10**9)
    return dumped.removesuffix("\n")


# --- annotations ----------------------------------------------------------------------------------------------------

_WANT = re.compile(
    r"""//[ ]want(?P<above>-above)?(?P<items>(?:[ ]VG\d{3}[ ](?:"[^"]*"|`[^`]*`))+)[ \t]*$""", re.VERBOSE
)
_ITEM = re.compile(r"""(VG\d{3}) ["`]([^"`]*)["`]""")


def _annotations(file: Path, root: Path) -> Iterator[WantedDiagnostic]:
    above = 0  # the last line that is no `want-above` itself
    for number, line in enumerate(file.read_bytes().decode(errors="replace").split("\n"), 1):
        match = _WANT.search(line)
        assert match or "// want" not in line, f"{file}:{number}: this is no annotation: {line.strip()}"
        if match is None or not match["above"]:
            above = number
        if match is not None:
            for code, text in _ITEM.findall(match["items"]):
                yield WantedDiagnostic(file.relative_to(root).as_posix(), above, code, text)
