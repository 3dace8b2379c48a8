"""The examples of docs/howto-testing.md and of README.md."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import README, ROOT, Block, blocks

pytest_plugins = "pytester"
HOWTO = ROOT / "docs" / "howto-testing.md"
OPERATOR = """\
import json

import test_kites


def reconcile(kubeconfig):
    config = json.loads(kubeconfig.read_text())
    test_kites.reconcile(config["clusters"][0]["cluster"]["server"])
"""
FILES = ("crds/kites.yaml", "test_kites.py", "without.py", "kite_operator.py", "test_clients.py")


def _write(document: Path, directory: Path) -> dict[str, Block]:
    found = {block.marks["file"]: block for block in blocks(document) if "tried-by" in block.marks}
    for name, block in found.items():
        path = directory / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(block.text, encoding="utf-8")
    return found


def _run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, *args: str) -> pytest.RunResult:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return pytester.runpytest_inprocess("-p", "validation_gen.testing.plugin", "-p", "no:cacheprovider", *args)


def test_the_examples_of_the_page(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tuple(_write(HOWTO, pytester.path)) == FILES
    _run(pytester, monkeypatch, "test_kites.py").assert_outcomes(passed=2)


def _run_apart(directory: Path, *args: str) -> str:
    """Runs pytest in a process of its own: clients leave sockets behind, which warn in the test that runs then."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "validation_gen.testing.plugin", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *args], cwd=directory, env=environ, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    return done.stdout


@pytest.mark.process
@pytest.mark.slow
def test_the_clients_of_the_page(tmp_path: Path) -> None:
    _write(HOWTO, tmp_path)
    assert "6 passed" in _run_apart(tmp_path, "test_clients.py")


@pytest.mark.process
@pytest.mark.slow
def test_the_sample_operator(tmp_path: Path) -> None:
    directory = tmp_path / "operator"
    shutil.copytree(ROOT / "testdata" / "operator", directory, ignore=shutil.ignore_patterns("__pycache__"))
    assert "8 passed" in _run_apart(directory, "--rootdir=.")


@pytest.mark.process
def test_the_example_without_pytest(tmp_path: Path) -> None:
    _write(HOWTO, tmp_path)
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-W", "error", "without.py"], cwd=tmp_path, env=environ, check=True, timeout=60)


def test_the_example_of_the_first_page(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(HOWTO, pytester.path)
    assert [*_write(README, pytester.path)] == ["tests/test_operator.py"]
    monkeypatch.syspath_prepend(pytester.path)
    pytester.makepyfile(kite_operator=OPERATOR)
    _run(pytester, monkeypatch, "tests/test_operator.py").assert_outcomes(passed=1)


def test_the_page_is_short() -> None:
    assert len(HOWTO.read_text(encoding="utf-8").split()) <= 900  # 700 of them are no code
