"""The sample API as Go types and as Python classes: two sources, one program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.case_folders import inside
from tests.commands.convert.models import bare
from validation_gen.compiler.definitions import build_definitions
from validation_gen.compiler.pipeline import Result, Settings, build_files, build_program, load_validators
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.emit.schema import SchemaMode, SchemaOptions

TESTDATA = Path(__file__).parents[1] / "testdata"
MODULE = "example.com/fleet"
MANIFESTS = sorted((TESTDATA / "manifests").glob("*.yaml"))


@pytest.fixture(scope="module")
def go() -> Result:
    with inside(TESTDATA):
        return build_program(Settings(("apis",), lint=True))


@pytest.fixture(scope="module")
def python() -> Result:
    with inside(TESTDATA):
        return build_program(Settings(("fleet",), modules={MODULE: "fleet"}, lint=True))


def _program(result: Result) -> Any:
    """A program as data, without the places of things. What follows is different on purpose."""
    found = bare(result.program)[1]
    for plan in found["packages"].values():
        del plan[1]["name"]  # what a Go package is called; a module has the end of its path for a name
        plan[1]["types"] = [id for id in plan[1]["types"] if found["types"][id][1]["has_checks"]]
    found["types"] = {id: plan for id, plan in found["types"].items() if plan[1]["has_checks"]}
    return found


def test_there_are_no_findings(python: Result) -> None:
    assert [d for d in python.diagnostics.sorted() if d.severity is Severity.ERROR] == []
    assert python.diagnostics.items == []


def test_the_programs_are_equal(go: Result, python: Result) -> None:
    wanted, found = _program(go), _program(python)
    assert found.keys() == wanted.keys()
    for part in wanted:
        if isinstance(wanted[part], dict):
            assert found[part].keys() == wanted[part].keys()
            for key in wanted[part]:
                assert found[part][key] == wanted[part][key], (part, key)
        assert found[part] == wanted[part]


def test_the_validators_are_equal_but_for_places(go: Result, python: Result) -> None:
    def text(result: Result) -> dict[str, list[str]]:
        return {name: sorted(_code(file)) for name, file in build_files(result.program).items()}

    wanted, found = text(go), text(python)
    assert found.keys() == wanted.keys()
    for name in wanted:
        if name != "__init__.py":
            assert len(found[name]) == len(wanted[name]), name


def _code(file: str) -> list[str]:
    """The functions of a file. Sources order them, and constants by them."""
    return re.findall(r"^def (\w+)", file, re.MULTILINE)


@pytest.mark.parametrize("path", MANIFESTS, ids=[path.stem for path in MANIFESTS])
def test_the_verdicts_are_equal(path: Path, go: Result, python: Result) -> None:
    first, second = load_validators(go.program), load_validators(python.program)
    for obj in filter(None, yaml.safe_load_all(path.read_text())):
        for old in (None, obj, obj | {"spec": {}}):
            for subresource in ("/", "/status", "/scale"):
                wanted = [e.as_dict() | {"source": ""} for e in first.validate(obj, old, subresource=subresource)]
                found = [e.as_dict() | {"source": ""} for e in second.validate(obj, old, subresource=subresource)]
                assert found == wanted


@pytest.mark.parametrize("manner", list(SchemaMode))
def test_the_schemas_are_equal_but_for_words(manner: SchemaMode) -> None:
    """The classes are documented in words of their own, as is usual in Python."""
    found = []
    for settings in (
        Settings(("apis",), every_kind=True),
        Settings(("fleet",), modules={MODULE: "fleet"}, every_kind=True),
    ):
        with inside(TESTDATA):
            options = SchemaOptions(manner, max_description=0)
            files = build_definitions(build_program(settings).program, options, Diagnostics())
        found.append({name: yaml.safe_load(text) for name, text in files.items()})
    assert found[0]
    assert found[1] == found[0]
