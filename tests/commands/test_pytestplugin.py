"""Tests of rules as pytest collects and runs them, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import validation_gen
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import root
from validation_gen.commands import pytestplugin
from validation_gen.commands.cel.suites.files import SUFFIXES

HOME = Path(validation_gen.__file__).parents[1]
SPEC = {
    "type": "object",
    "properties": {"most": {"type": "integer"}},
    "x-kubernetes-validations": [{"rule": "self.most > 0", "message": "there is some"}],
}
CASES = """\
crd: ../crd.yaml
cases:
  - name: some
    object: {spec: {most: 1}}
    valid: true
  - name: none
    object: {spec: {most: 0}}
    valid: true
  - name: no file
    file: gone.yaml
    valid: true
"""


def run(directory: Path, *args: str) -> tuple[int, list[str]]:
    environ = {**os.environ, "PYTHONPATH": str(HOME), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environ.pop("PYTEST_ADDOPTS", None)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "validation_gen.commands.pytestplugin",
        "-p",
        "no:cacheprovider",
        *args,
    ]
    done = subprocess.run(command, cwd=directory, env=environ, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


@pytest.mark.process
def test_cases_are_tests(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump(definition(root(SPEC))), encoding="utf-8")
    (tmp_path / "tests" / "a.celtest.yaml").write_text(CASES, encoding="utf-8")
    (tmp_path / "tests" / "b.celtest.yaml").write_text("crd: gone.yaml\ncases: [{object: {}, valid: true}]\n")
    (tmp_path / "tests" / "c.celtest.yaml").write_text("cases: [{vaild: true}]\n", encoding="utf-8")
    (tmp_path / "tests" / "test_other.py").write_text("def test_other():\n    pass\n", encoding="utf-8")
    code, lines = run(tmp_path, "-v", "--continue-on-collection-errors")
    text = "\n".join(lines)
    assert code == 1
    assert "tests/a.celtest.yaml::some PASSED" in text
    assert "tests/test_other.py::test_other PASSED" in text
    at = lines.index("tests/a.celtest.yaml:6:11: none: failed")
    assert lines[at + 1] == "    there and not expected: spec: Invalid value: there is some"
    assert "error[VG912]: gone.yaml cannot be read: No such file or directory" in lines
    assert "--> tests/a.celtest.yaml:10:11" in text
    assert "--> tests/b.celtest.yaml:1:6" in text
    assert "error[VG912]: a case has no key vaild" in lines
    assert "Traceback" not in text
    assert "3 failed, 2 passed, 1 error" in lines[-1]


@pytest.mark.process
def test_nothing_is_imported_before_there_is_a_file() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import validation_gen.commands.pytestplugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["validation_gen", "validation_gen.commands", "validation_gen.commands.pytestplugin"]


def test_the_names_of_files_are_those_of_the_command() -> None:
    assert pytestplugin.SUFFIXES == SUFFIXES
