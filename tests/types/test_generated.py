"""Generated Python has sound types: for mypy as strict as it can be, and for pyright as editors run it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.case_folders import ROOT, all_cases, inside
from validation_gen.compiler.pipeline import Settings, build_files, build_program

#: Cases whose members, items and pointers checkers have misunderstood.
_CASES = ("enum-exclude", "if-mode", "list-type", "required", "shape-embedded", "shape-pointers", "subfield")


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of the sample API and of some cases."""
    directory = tmp_path_factory.mktemp("generated")
    with inside(ROOT / "testdata"):
        packages = {"sample": build_files(build_program(Settings(("apis",))).program)}
    cases = {case.name: case for case in all_cases()}
    packages |= {name.replace("-", "_"): cases[name].files() for name in _CASES}
    for package, files in packages.items():
        for name, text in files.items():
            path = directory / package / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return directory


def _run(*command: str, within: Path) -> None:
    done = subprocess.run(
        command, cwd=within, env=os.environ | {"MYPYPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_for_mypy(generated: Path) -> None:
    _run(sys.executable, "-m", "mypy", "--strict", *sorted(path.name for path in generated.iterdir()), within=generated)


@pytest.mark.skipif(not shutil.which("pyright"), reason="pyright has to be installed (npm install -g pyright)")
def test_for_pyright(generated: Path) -> None:
    settings = {"typeCheckingMode": "basic", "extraPaths": [str(ROOT)]}
    (generated / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    _run("pyright", "--pythonpath", sys.executable, within=generated)
