"""An error that stops a run is all that is said: totals of nothing would look like a result."""

from __future__ import annotations

import re

import pytest

from tests.cli.conftest import Program

_TOTAL = re.compile(r"\b0 (?!errors)\w+|\bno findings\b|\bheld back\b")


@pytest.mark.parametrize(
    "args",
    [
        ["nowhere"],
        ["nowhere", "--diff"],
        ["check", "nowhere"],
        ["lint", "nowhere"],
        ["lint", "nowhere", "--fix"],
        ["lint", "nowhere", "--fix", "--diff"],
        ["crd", "nowhere"],
        ["crd", "nowhere", "-o", "-"],
        ["crd", "apis", "--patch-schemas", "nowhere"],
        ["openapi", "nowhere"],
        ["jsonschema", "nowhere", "-o", "-"],
        ["crd", "lint", "nowhere"],
        ["crd", "lint", "go.mod"],
        ["crd", "lint", "x/**"],
        ["validate", "nowhere", "-f", "a.yaml"],
        ["validate", "apis", "-f", "a.yaml"],
        ["validate", "apis", "-f", "empty"],
        ["coverage", "nowhere", "--tests", "a"],
        ["convert", "nowhere", "--to", "python", "-o", "out"],
        ["convert", "markers", "nowhere"],
    ],
)
@pytest.mark.parametrize("format", ["full", "github"])
def test_no_totals(project: Program, args: list[str], format: str) -> None:
    (project.directory / "empty").mkdir()
    text = (project.directory / "apis/things/v1/types.go").read_text(encoding="utf-8")
    text = text.replace("// Thing is", "// +kubebuilder:object:root=true\n// Thing is")
    project.write({"apis/things/v1/types.go": text})
    more = [] if args[0] == "coverage" and format == "full" else ["--format", format]
    done = project(*args, *more)
    assert done.code == 2
    assert re.search(r"VG90\d", done.out + done.err)
    assert not _TOTAL.search(done.out + done.err)
    assert "no manifest in this directory" not in done.err


def test_totals_of_what_was_done_all_the_same(project: Program) -> None:
    project.write({"a.yaml": "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {name: a}\n"})
    done = project("validate", "apis", "-f", "a.yaml", "-f", "b.yaml", "--option", "Glitter")
    assert (done.code, done.out) == (2, "1 object: 1 valid, 0 invalid\n")
