"""Wheels of users with validators, as docs/howto-wheel.md has them: built and installed without an index."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import program
from tests.docs.blocks import ROOT, blocks
from tests.packaging.builds import build_native
from tests.packaging.test_wheel import Environment

pytestmark = pytest.mark.slow  # builds wheels and environments

FILES = ("pyproject.toml", "src/fleet_rules/__init__.py")
PAGE = ROOT / "docs" / "howto-wheel.md"
TRY = """
import importlib.util, json, sys
before = set(sys.modules)  # an installation of Python may import a module of its own at the start
from fleet_rules import validate
pool = {"apiVersion": "robots.example.com/v1", "kind": "RobotPool", "metadata": {"name": "North"}}
errors = [str(error) for error in validate(pool | {"spec": {"replicas": -1}})]
foreign = {name.partition(".")[0] for name in set(sys.modules) - before} - sys.stdlib_module_names
print(json.dumps([errors, sorted(name for name in foreign if not name.startswith("_sysconfigdata"))]))
"""


def project_files(number: int) -> dict[str, str]:
    """Returns the files of the page, with one of its two projects."""
    found: dict[str, list[str]] = {}
    for block in blocks(PAGE):
        if "file" in block.marks:
            found.setdefault(block.marks["file"], []).append(block.text)
    return {name: found[name][min(number, len(found[name]) - 1)] for name in FILES}


def build_wheel(directory: Path, number: int) -> Path:
    for name, text in project_files(number).items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "testdata" / "apis", directory / "apis")
    assert program.run([], b"", directory, {}).returncode == 0
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--no-build-isolation", "--wheel-dir", "dist", "."], cwd=directory, check=True, timeout=300)
    (wheel,) = (directory / "dist").glob("*.whl")
    return wheel


@pytest.mark.parametrize("number", [0, 1], ids=["vendored", "package"])
def test_a_wheel_with_validators(number: int, tmp_path: Path) -> None:
    wheels = [build_wheel(tmp_path / "project", number)]
    if number:
        wheels.append(build_native(tmp_path / "ours", VALIDATION_GEN_BUILD="pure").wheel)
    environment = Environment(tmp_path / "venv")
    options = ["--no-deps"] if number else []  # without it, no index would have to be asked for the first one
    environment.install("--no-index", *options, *wheels, cwd=tmp_path)
    errors, foreign = json.loads(environment.run("python", "-c", TRY, cwd=tmp_path))
    assert errors[0].startswith('metadata.name: Invalid value: "North": a lowercase RFC 1123 subdomain must consist')
    assert "spec.replicas: Invalid value: -1: must be greater than or equal to 0" in errors
    assert foreign == ["fleet_rules", *["validation_gen"] * number]
