"""The project's settings: where they are found, what they say, and what is wrong with them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from validation_gen.cli.option_schema import sections
from validation_gen.compiler.config import Config, read_config
from validation_gen.diagnostics import Diagnostics

HEAD = "[tool.validation-gen.handwritten]\n"


def read(directory: Path, text: str | bytes) -> tuple[Config, Diagnostics]:
    (directory / "pyproject.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    diagnostics = Diagnostics()
    return read_config(directory, diagnostics, sections()), diagnostics


def test_functions_by_type_with_their_places(tmp_path: Path) -> None:
    text = f'[project]\nname = "shop"\n\n{HEAD}"shop/v1.Box" = "shop.checks:box"\nCrate = "checks:Checks.crate"\n'
    config, diagnostics = read(tmp_path, text)
    assert diagnostics.items == []
    assert dict(config.handwritten) == {"shop/v1.Box": "shop.checks:box", "Crate": "checks:Checks.crate"}
    assert {name: span.line for name, span in config.spans.items()} == {"shop/v1.Box": 5, "Crate": 6}


def test_the_nearest_file_with_our_table_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    read(tmp_path, f'{HEAD}Box = "checks:box"\n')
    assert read_config(inner, Diagnostics(), sections()).handwritten == {"Box": "checks:box"}
    read(tmp_path / "a", "[project]\ndependencies = ['validation-gen']\n")
    assert read_config(inner, Diagnostics(), sections()).handwritten == {"Box": "checks:box"}
    read(tmp_path / "a", "[tool.validation-gen]\n")
    assert read_config(inner, Diagnostics(), sections()).handwritten == {}


def test_there_may_be_no_settings(tmp_path: Path) -> None:
    for text in ("", "[tool]\n", "[tool.other]\nx = 1\n", "[tool.validation-gen]\n", HEAD):
        config, diagnostics = read(tmp_path, text)
        assert (config.handwritten, diagnostics.items) == ({}, [])


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ("# validation-gen\n[tool", "not TOML", 2),
        ("tool = 1 # validation-gen", "is not a table", 1),
        ("# validation-gen\n[[tool]]", "is not a table", 2),
        ("[tool]\nvalidation-gen = 1", "takes a table", 2),
        ("[tool.validation-gen]\nhandwritten = []", "handwritten is not a table", 2),
        ("[tool.validation-gen]\nhandwriten = {}", "no key handwriten", 2),
        (f'{HEAD}Box = "checks"', "no MODULE:FUNCTION", 2),
        (f'{HEAD}Box = ":box"', "no MODULE:FUNCTION", 2),
        (f'{HEAD}Box = "checks.py:box"\nCrate = "a/b.py:box"', "Crate is no MODULE:FUNCTION", 3),
        (f"{HEAD}Box = 1", "no MODULE:FUNCTION", 2),
        (f'{HEAD}Box.Crate = "a:b"', "no MODULE:FUNCTION", 2),
        (f'{HEAD}Box = "checks:import os"', "no MODULE:FUNCTION", 2),
        (f'{HEAD}Box = "a:b\\u0000"', "no MODULE:FUNCTION", 2),
        (f'{HEAD}Box = "a:b\\n"', "no MODULE:FUNCTION", 2),
        (b"# validation-gen\n\xff", "not UTF-8", 2),
    ],
)
def test_mistakes_are_told_with_their_places(tmp_path: Path, text: str | bytes, said: str, line: int) -> None:
    config, diagnostics = read(tmp_path, text)
    (found,) = diagnostics.items
    assert found.code == "VG906"
    assert said in found.message
    assert found.help
    assert found.span is not None
    assert found.span.line == line
    assert set(config.handwritten) <= {"Box"}


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may read everything")
    read(tmp_path, "")
    (tmp_path / "pyproject.toml").chmod(0)
    diagnostics = Diagnostics()
    read_config(tmp_path, diagnostics, sections())
    assert [found.code for found in diagnostics.items] == ["VG901"]


def test_a_folder_of_that_name_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").mkdir()
    read_config(tmp_path, Diagnostics(), sections())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(), st.text(alphabet='[]tool.validation-gen="x\n:{},').map(str.encode)))
def test_nothing_raises(tmp_path: Path, text: bytes) -> None:
    read(tmp_path, text)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])), st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_names_have_a_place_or_a_finding(tmp_path: Path, name: str, function: str) -> None:
    def quoted(text: str) -> str:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'

    config, diagnostics = read(tmp_path, f"{HEAD}{quoted(name)} = {quoted(function)}\n")
    assert (name in config.handwritten) != bool(diagnostics.items)
    assert config.handwritten.keys() == config.spans.keys()
