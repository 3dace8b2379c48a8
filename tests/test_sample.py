"""The sample API in testdata: no findings, the same files always, and exactly the verdicts that its manifests want."""

from __future__ import annotations

import ast
import re
import time
from dataclasses import dataclass
from pathlib import Path

import black
import pytest

from tests.tables import each
from validation_gen.compiler.pipeline import Result, Settings, build_files, build_program, load_validators
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.output import MARKER, write_files
from validation_gen.kubernetes.manifests import read_manifests
from validation_gen.runtime.registry import Registry

TESTDATA = Path(__file__).parents[1] / "testdata"
MANIFESTS = sorted((TESTDATA / "manifests").glob("*.yaml"))


@pytest.fixture(scope="module")
def result() -> Result:
    begun = time.process_time()
    result = build_program(Settings((str(TESTDATA / "apis"),)))
    # No benchmark: it takes a tenth of a second, and something is very wrong when it takes a hundred times as long.
    assert time.process_time() - begun < 10
    return result


@pytest.fixture(scope="module")
def files(result: Result) -> dict[str, str]:
    return build_files(result.program)


@pytest.fixture(scope="module")
def registry(result: Result) -> Registry:
    return load_validators(result.program)


def test_there_are_no_findings(result: Result) -> None:
    assert result.diagnostics.items == []
    assert result.program.broken == set()


def test_files_are_generated_code_in_blacks_style(files: dict[str, str]) -> None:
    assert {"__init__.py", "robots/v1.py", "robots/v1beta1.py", "missions/v1alpha1.py"} <= files.keys()
    for name, text in files.items():
        assert text.startswith(f"{MARKER}\n"), name
        ast.parse(text)
        assert black.format_str(text, mode=black.Mode()) == text, name
        assert str(TESTDATA) not in text, name


def test_every_run_gives_the_same_files(files: dict[str, str], tmp_path: Path) -> None:
    paths = [str(TESTDATA / "apis" / name) for name in ("robots/v1beta1", "missions", "robots", "geo")]
    assert build_files(build_program(Settings(tuple(paths))).program) == files
    assert list(files) == sorted(files)
    diagnostics = Diagnostics()
    assert write_files(str(tmp_path), files, diagnostics, prune=True).written == list(files)
    assert write_files(str(tmp_path), files, diagnostics, prune=True).unchanged == list(files)
    assert diagnostics.items == []


def test_kinds(registry: Registry) -> None:
    named = {(kind.api_version, kind.name) for kind in registry.kinds if kind.api_version}
    assert named == {
        ("missions.example.com/v1alpha1", "Mission"),
        ("missions.example.com/v1alpha1", "Route"),
        ("robots.example.com/v1", "Robot"),
        ("robots.example.com/v1", "RobotPool"),
        ("robots.example.com/v1", "Scale"),
        ("robots.example.com/v1beta1", "Robot"),
    }


# --- manifests -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wants:
    """What the comments of a manifest say (testdata/manifests/README.md)."""

    errors: tuple[str, ...]
    options: dict[str, bool]
    subresource: str


def wants(path: Path) -> Wants:
    text = path.read_text(encoding="utf-8")
    found = re.search(r"^# options: (.*)$", text, re.MULTILINE)
    pairs = [pair.partition("=") for pair in found[1].split(", ")] if found else []
    subresource = re.search(r"^# subresource: (.*)$", text, re.MULTILINE)
    return Wants(
        tuple(re.findall(r"^ *# want: (.*)$", text, re.MULTILINE)),
        {name: value == "true" for name, _, value in pairs},
        subresource[1] if subresource else "/",
    )


def is_wanted(error: str, want: str) -> bool:
    return error.startswith(want[:-1]) if want.endswith("…") else error == want


def test_there_are_manifests() -> None:
    assert len(MANIFESTS) >= 8
    assert sum(len(wants(path).errors) for path in MANIFESTS) >= 50


@each("path", MANIFESTS, ids=lambda path: path.stem)
def test_verdicts(path: Path, registry: Registry) -> None:
    wanted = wants(path)
    diagnostics = Diagnostics()
    found = [
        str(error)
        for manifest in read_manifests([str(path)], diagnostics)
        for error in registry.validate(manifest.obj, options=wanted.options, subresource=wanted.subresource, raw=True)
    ]
    assert diagnostics.items == []
    missing = list(wanted.errors)
    unwanted = []
    for error in found:
        match = next((want for want in missing if is_wanted(error, want)), None)
        missing.remove(match) if match else unwanted.append(error)
    assert (missing, unwanted) == ([], [])
    assert path.stem.startswith("valid") is not bool(wanted.errors)


@each("path", MANIFESTS, ids=lambda path: path.stem)
def test_an_update_that_changes_nothing_has_no_errors(path: Path, registry: Registry) -> None:
    """What was stored under older rules may stay."""
    wanted = wants(path)
    for manifest in read_manifests([str(path)], Diagnostics()):
        errors = registry.validate(manifest.obj, manifest.obj, options=wanted.options, subresource=wanted.subresource)
        assert errors == []
