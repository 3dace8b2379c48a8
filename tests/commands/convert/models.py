"""Models without the places of things, so that two sources that say the same are equal."""

from __future__ import annotations

import dataclasses
import functools
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.case_folders import inside
from validation_gen.commands.convert.comments import Layout
from validation_gen.commands.convert.go import go_files
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.ir import Program
from validation_gen.sources.model import Package, TypeDecl, Universe
from validation_gen.sources.reader import read_universe
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.model import CommentLine

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "testdata" / "apis"
#: The real packages of Kubernetes, as `tests/test_upstream.py` has them.
API = Path(os.environ["VALIDATION_GEN_API"]).resolve() if os.environ.get("VALIDATION_GEN_API") else None

#: `tests/test_cases.py` converts the case folders. A checkout of Kubernetes' types is a source where one is named.
SOURCES = [pytest.param(SAMPLE, id="sample"), *([pytest.param(API, id="k8s.io/api")] if API else [])]


#: Where things are, in the file system and in classes of Python.
_PLACES = ("apart", "attribute", "directory", "inherited", "literal", "loose", "stray")


def bare(value: Any) -> Any:
    """A value without spans, and comments without the blanks around them."""
    if isinstance(value, Span):
        return None
    if isinstance(value, CommentLine):
        return value.text.strip()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {
            f.name: bare(getattr(value, f.name))
            for f in dataclasses.fields(value)
            if f.compare and f.name not in _PLACES
        }
        return (type(value).__name__, {name: found for name, found in fields.items() if found is not None})
    if isinstance(value, Mapping):
        return {key: bare(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [bare(item) for item in value]
    return sorted(value) if isinstance(value, set | frozenset) else value


def facts(package: Package) -> dict[str, Any]:
    """What a package says: all of the model but places and empty comment lines."""
    found: dict[str, Any] = bare(package)[1]
    found["comments"] = [line for line in found["comments"] if line]
    # neither methods nor what cannot be evaluated are in the model
    found["constants"] = [constant for constant in found["constants"] if "value" in constant[1]]
    for declaration in found["types"].values():
        declaration[1].pop("custom_json", None)
    del found["input"], found["notes"]
    return found


def read(directory: Path) -> tuple[Universe, Diagnostics]:
    diagnostics = Diagnostics()
    with inside(directory):
        return read_universe(["."], diagnostics), diagnostics


def program(directory: Path) -> Program:
    with inside(directory):
        return build_program(Settings((".",))).program


def types_of(universe: Universe) -> TypeSystem:
    def plain(declaration: TypeDecl) -> None:
        return None

    return TypeSystem(universe, plain)


def write(directory: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def write_go(universe: Universe, origin: Path, directory: Path) -> None:
    """Writes the input packages as Go files, in a module of the same name."""
    layout = Layout(universe.inputs, {package.module for package in universe.inputs})
    for package in universe.inputs:
        files = go_files(package, types_of(universe), Diagnostics())
        write(directory, {"/".join([*layout.place(package), name]): text for name, text in files.items()})
    directory.mkdir(exist_ok=True)
    for name in ("go.mod", "go.work"):
        if (origin / name).exists():
            shutil.copy(origin / name, directory)


@functools.cache
def formatter() -> str | None:
    """Finds `gofmt`: on the PATH or where the `go` command has it."""
    go = shutil.which("go")
    if found := shutil.which("gofmt"):
        return found
    root = subprocess.run([go, "env", "GOROOT"], capture_output=True, text=True, check=True).stdout if go else ""
    return shutil.which("gofmt", path=f"{root.strip()}/bin") if root.strip() else None


def gofmt(*directories: Path) -> str:
    """Returns what gofmt would change in directories. A test that needs this is skipped where there is no gofmt."""
    command = formatter()
    if command is None:
        pytest.skip("gofmt must be on the PATH")
    done = subprocess.run([command, "-d", *map(str, directories)], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
