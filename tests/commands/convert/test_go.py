"""Go files from the model: the same model when they are read again, and gofmt has nothing to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.convert.models import SOURCES, bare, facts, gofmt, program, read, write_go
from validation_gen.commands.convert.go import align, identifier, quote
from validation_gen.ir import Program
from validation_gen.sources.model import Universe

each_source = pytest.mark.parametrize("origin", SOURCES)


def check_go_files(universe: Universe, origin: Path, directory: Path, before: Program) -> None:
    """Checks that Go files from a model have the same model, and the same program."""
    write_go(universe, origin, directory)
    again, _ = read(directory)
    assert [package.path for package in again.inputs] == [package.path for package in universe.inputs]
    for old, new in zip(universe.inputs, again.inputs, strict=True):
        wanted, found = facts(old), facts(new)
        assert list(found["types"]) == [identifier(name) for name in wanted["types"]], old.path
        for name in wanted["types"]:
            assert found["types"][name] == wanted["types"][name]
        assert found == wanted
    assert bare(program(directory)) == bare(before)


@each_source
def test_the_model_and_the_program_survive(origin: Path, tmp_path: Path) -> None:
    check_go_files(read(origin)[0], origin, tmp_path / "go", program(origin))


@each_source
def test_gofmt_agrees(origin: Path, tmp_path: Path) -> None:
    write_go(read(origin)[0], origin, tmp_path)
    assert gofmt(tmp_path) == ""


def test_columns() -> None:
    rows: list[list[str] | str] = [
        ["A", "int", "x"],
        ["Long", "string", "y"],
        ["Embedded", "z"],
        "//",
        ["B", "int", "x"],
    ]
    assert align(rows) == ["A        int    x", "Long     string y", "Embedded z", "//", "B int x"]


def test_literals() -> None:
    assert [quote(v) for v in (True, 5, 1.5, 'a"\n', "é\u2028\U000e0001")] == [
        "true",
        "5",
        "1.5",
        '"a\\"\\n"',
        '"é\\u2028\\U000e0001"',
    ]


def test_identifiers() -> None:
    assert [identifier(n) for n in ("Spec", "x-y", "2nd", "func", "$ref", "")] == [
        "Spec",
        "xY",
        "X2nd",
        "func_",
        "Ref",
        "X",
    ]
