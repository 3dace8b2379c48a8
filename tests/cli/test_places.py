"""Where commands write to: standard output, and directories that Python can import."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import TYPES, Program
from tests.cli.test_second_api import run


def test_definitions_on_standard_output(project: Program) -> None:
    project.write({"apis/things/v1/other.go": TYPES.replace("ThingSpec", "OtherSpec").replace("Thing", "Other")})
    before = project.files()
    code, out, err = run("crd", "generate", "apis", "-o", "-")
    assert code == 0
    assert [each["spec"]["names"]["kind"] for each in yaml.safe_load_all(out)] == ["Other", "Thing"]
    assert err.splitlines()[-1] == "2 definitions printed"
    assert project.files() == before
    run("crd", "generate", "apis", "-o", "crds")
    assert out == "".join(content.decode() for content in project.files("crds").values())


@pytest.mark.parametrize("command", ["openapi", "jsonschema"])
def test_documents_on_standard_output(project: Program, command: str) -> None:
    before = project.files()
    code, out, _ = run(command, "apis", "-o", "-", "--quiet")
    assert code == 0
    assert json.loads(out)
    assert project.files() == before


def test_nothing_is_printed_of_definitions_with_errors(project: Program) -> None:
    project.write({"apis/things/v1/types.go": TYPES.replace("minimum=1", "minimum=x")})
    code, out, err = run("crd", "generate", "apis", "-o", "-")
    assert (code, out) == (1, "")
    assert "held back because of errors" in err


@pytest.mark.parametrize("more", [["--check"], ["--diff"], ["--format", "json"], ["--patch-schemas", "x"]])
def test_what_standard_output_cannot_hold(project: Program, more: list[str]) -> None:
    code, out, err = run("crd", "generate", "apis", "-o", "-", *more)
    assert code == 2
    assert "standard output" in out + err or "writes none" in out + err
    assert not Path("-").exists()


@pytest.mark.parametrize(
    ("name", "other"),
    [("my-validators", "my_validators"), ("out/1st", "_1st"), ("class", "class_"), ("a.b/", "a_b"), ("-", "directory")],
)
def test_directories_that_python_cannot_import(project: Program, name: str, other: str) -> None:
    before = project.files()
    code, out, err = run("generate", "apis", "-o", name)
    assert (code, out) == (2, "")
    assert other in err
    assert project.files() == before
