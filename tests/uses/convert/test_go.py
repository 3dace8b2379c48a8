"""Go files from the model: the same model when they are read again, and gofmt has nothing to change."""

from __future__ import annotations

from pathlib import Path

from tests.tables import each
from tests.uses.convert.models import SOURCES, bare, facts, gofmt, program, read, write_go
from validation_gen.uses.convert.gotext import aligned, identifier, quoted

each_source = each("origin", SOURCES)


@each_source
def test_the_model_survives(origin: Path, tmp_path: Path) -> None:
    universe, _ = read(origin)
    write_go(universe, origin, tmp_path / "go")
    again, _ = read(tmp_path / "go")
    assert [package.path for package in again.inputs] == [package.path for package in universe.inputs]
    for before, after in zip(universe.inputs, again.inputs, strict=True):
        wanted, found = facts(before), facts(after)
        assert list(found["types"]) == [identifier(name) for name in wanted["types"]], before.path
        for name in wanted["types"]:
            assert found["types"][name] == wanted["types"][name]
        assert found == wanted


@each_source
def test_the_program_survives(origin: Path, tmp_path: Path) -> None:
    universe, _ = read(origin)
    write_go(universe, origin, tmp_path / "go")
    before, after = program(origin), program(tmp_path / "go")
    assert bare(after) == bare(before)


@each_source
def test_gofmt_agrees(origin: Path, tmp_path: Path) -> None:
    universe, _ = read(origin)
    write_go(universe, origin, tmp_path)
    assert gofmt(tmp_path) == ""


def test_columns() -> None:
    rows: list[list[str] | str] = [
        ["A", "int", "x"],
        ["Long", "string", "y"],
        ["Embedded", "z"],
        "//",
        ["B", "int", "x"],
    ]
    assert aligned(rows) == ["A        int    x", "Long     string y", "Embedded z", "//", "B int x"]


def test_literals() -> None:
    assert [quoted(v) for v in (True, 5, 1.5, 'a"\n', "é\u2028\U000e0001")] == [
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
