"""Where findings about settings point to, when names are parts of other names."""

from __future__ import annotations

from pathlib import Path

import pytest

from validation_gen.cli.option_schema import sections
from validation_gen.compiler.config import read_config
from validation_gen.diagnostics import Diagnostics

SETTINGS = """[project]
name = "Bed and others"
[tool.validation-gen.handwritten]
"garden/v1.Bed" = "checks:bed"
"Bed" = "{}"
[tool.validation-gen.handwriten]
Bed = 1
"""


@pytest.mark.parametrize("function", ["checks..parts:bed", "checks.:bed", ".checks:bed", "checks:bed.", "1:bed", "bed"])
def test_a_finding_points_to_the_key_itself(tmp_path: Path, function: str) -> None:
    (tmp_path / "pyproject.toml").write_text(SETTINGS.format(function), encoding="utf-8")
    diagnostics = Diagnostics()
    config = read_config(tmp_path, diagnostics, sections())
    assert dict(config.handwritten) == {"garden/v1.Bed": "checks:bed"}
    found = [(each.span.line, each.span.column, each.code) for each in diagnostics.sorted() if each.span]
    assert found == [(5, 1, "VG906"), (6, 22, "VG906")]
    assert config.spans["garden/v1.Bed"].line == 4
