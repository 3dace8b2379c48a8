"""How --help and findings fit into terminals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Program
from validation_gen.cli.app import COMMANDS
from validation_gen.cli.helping import first_sentence
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import render


@pytest.mark.parametrize("columns", [80, 120])
def test_first_sentences_are_whole(program: Program, columns: int) -> None:
    text = program("--help", COLUMNS=str(columns)).out
    words = " ".join(text.split())
    for summary in COMMANDS.values():
        assert first_sentence(summary) in words
    assert columns - 25 < max(map(len, text.splitlines())) <= columns


@pytest.mark.parametrize("columns", [80, 120])
def test_options_of_compare_stand_in_groups(program: Program, columns: int) -> None:
    text = program("compare", "--help", COLUMNS=str(columns)).out
    heads = [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads[0] == "Arguments:"
    assert heads[-1] == "Options:"
    assert {"What is compared:", "Both sides:", "Webhooks:", "Results:"} <= set(heads)
    assert "\n  Examples:\n    validation-gen compare apis --handwritten " in text


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_excerpts_are_as_wide_as_the_terminal(tmp_path: Path, columns: int) -> None:
    file = tmp_path / "a.go"
    file.write_text("x" * 300 + "\n")
    finding = Diagnostic("VG103", Severity.ERROR, "m", Span(str(file), 1, 150, 160))
    lines = render([finding], color=False, columns=columns).splitlines()
    assert max(len(line) for line in lines if line.startswith("1 |")) == columns
    assert "^" * 10 in lines[-2]
