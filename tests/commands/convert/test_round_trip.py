"""From Go to Python and back: the readers of both find what the first one found."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.case_folders import inside
from tests.commands.convert.models import SOURCES, bare, facts, gofmt, read, types_of, write
from validation_gen.commands.convert import convert
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.ir import Program
from validation_gen.sources.languages import GO, PYTHON
from validation_gen.sources.model import Package, Struct, TypeDecl, Universe
from validation_gen.sources.reader import read_universe
from validation_gen.sources.typesystem import TypeSystem

each_source = pytest.mark.parametrize("origin", SOURCES)


class Trip:
    """Go sources, the Python modules that are made of them, and the Go files that are made of those."""

    def __init__(self, origin: Path, directory: Path) -> None:
        self.directory = directory
        self.start, _ = read(origin)
        self.module = self.start.inputs[0].module
        assert self.module
        self.lost = Diagnostics()
        with inside(origin):
            self.modules = convert(self.start, PYTHON, self.lost)
        write(directory / "py", self.modules)
        self.python = self._read(directory / "py")
        write(directory / "go", convert(self.python, GO, Diagnostics()))
        write(directory / "go", {"go.mod": f"module {self.module}\n"})
        self.end = self._read(directory / "go")

    def _read(self, directory: Path) -> Universe:
        with inside(directory):
            universe = read_universe(["."], Diagnostics(), modules={self.module: "."})
            for package in self.start.inputs:
                universe.package(package.path)  # those without tags are read when they are asked for
        return universe

    def program(self, directory: Path) -> Program:
        with inside(directory):
            return build_program(Settings((".",), modules={self.module: "."})).program


@pytest.fixture(scope="module")
def trips(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Trip]:
    """The trip of each source, made once."""
    return functools.cache(lambda origin: Trip(origin, tmp_path_factory.mktemp("trip")))


def check_model(trip: Trip) -> None:
    """Checks that both languages have the model of the start, but for what Python cannot say."""
    lost = {(d.span.file, d.span.line) for d in trip.lost.items}
    for package in trip.start.inputs:
        for universe in (trip.python, trip.end):
            after = universe.package(package.path)
            if after is None:
                assert not package.types
                continue
            _compare(package, trip.start, after, universe, lost)


def check_program(trip: Trip, start: Program) -> None:
    """Checks that both languages have the program of the start, if nothing was lost."""
    if trip.lost.items:
        return
    before = _planned(start)
    for name in ("py", "go"):
        after = _planned(trip.program(trip.directory / name))
        for key in before:
            for part in before[key]:
                assert part in after[key], (name, key, part)
                assert not isinstance(before[key], dict) or after[key][part] == before[key][part], (name, key, part)
        assert after == before


@each_source
def test_the_model_survives(origin: Path, trips: Callable[[Path], Trip]) -> None:
    check_model(trips(origin))


@each_source
def test_the_program_survives(origin: Path, trips: Callable[[Path], Trip]) -> None:
    trip = trips(origin)
    check_program(trip, trip.program(origin))


@each_source
def test_gofmt_agrees(origin: Path, trips: Callable[[Path], Trip]) -> None:
    assert gofmt(trips(origin).directory / "go") == ""


def _planned(program: Program) -> dict[str, Any]:
    found: dict[str, Any] = _widened(bare(program)[1])
    found["causes"] = sorted(found["causes"])  # the findings have places
    for plan in found["packages"].values():
        del plan[1]["name"]  # in Python it is the end of the path
        del plan[1]["input"]  # a module without tags is read when it is needed
        plan[1]["types"] = [id for id in plan[1]["types"] if found["types"][id][1]["has_checks"]]
    found["types"] = {id: plan for id, plan in found["types"].items() if plan[1]["has_checks"]}
    used = {plan[1]["package"] for plan in found["types"].values()}
    found["packages"] = {path: plan for path, plan in found["packages"].items() if path in used or plan[1]["roots"]}
    return found


def _compare(before: Package, universe: Universe, after: Package, other: Universe, lost: set[tuple[str, int]]) -> None:
    wanted, found = _said(before, types_of(universe)), _said(after, types_of(other))
    damaged = {t.name for t in before.types.values() if _places(t) & lost}
    assert found["types"].keys() == wanted["types"].keys()
    for name in sorted(wanted["types"].keys() - damaged):
        assert found["types"][name] == wanted["types"][name], (before.path, name)
    for key in wanted.keys() - {"types"}:
        assert found[key] == wanted[key], (before.path, key)


def _places(declaration: TypeDecl) -> set[tuple[str, int]]:
    fields = declaration.type.fields if isinstance(declaration.type, Struct) else ()
    spans: list[Span] = [declaration.span, *(f.span for f in fields)]
    return {(span.file, span.line) for span in spans}


def _said(package: Package, types: TypeSystem) -> dict[str, Any]:
    """The facts that both languages can state, in one form."""
    found = facts(package)
    found["comments"] = sorted(line for line in found["comments"] if not line.startswith("+groupName="))
    enums = set()
    for name, declaration in package.types.items():
        said = found["types"][name][1]
        if declaration.alias:
            del found["types"][name]
            continue
        if any(line.text.strip().endswith("+k8s:enum") for line in declaration.closest):
            enums.add(name)
        said["closest"] = [line for line in said["closest"] if line != "+k8s:enum"]
        if isinstance(declaration.type, Struct):
            for field, model in zip(said["type"][1]["fields"], declaration.type.fields, strict=True):
                field[1]["type"] = _widened(bare(types.resolve(model.type)))
                if not model.inline:
                    del field[1]["embedded"]  # it makes no difference to what has a name
        else:
            said["type"] = _widened(bare(types.resolve(declaration.type)))
    found["constants"] = [
        (c.type.name, c.value, bare(c.comments)) for c in package.constants if c.type and c.type.name in enums
    ]
    del found["name"], found["broken"]
    return found


def _widened(type: Any) -> Any:
    """A type in which `int` says how wide it is."""
    if isinstance(type, tuple):
        return (type[0], _widened(type[1]))
    if isinstance(type, dict):
        return {key: _widened(item) for key, item in type.items()}
    if isinstance(type, list):
        return [_widened(item) for item in type]
    return {"int": "int64", "uint": "uint64"}.get(type, type) if isinstance(type, str) else type
