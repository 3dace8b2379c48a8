"""`promtool`, the checker that comes with Prometheus, where the machine has it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_PROGRAM = shutil.which("promtool")

needs_promtool = pytest.mark.skipif(_PROGRAM is None, reason="promtool, which comes with Prometheus, is not installed")


def check_metrics(text: bytes) -> None:
    """Fails unless an exposition is faultless, and as Prometheus wants names to be."""
    _run(["check", "metrics"], text)


def check_rules(file: Path) -> None:
    """Fails unless rules can be loaded, expressions included."""
    _run(["check", "rules", file.name], cwd=file.parent)


def run_tests(file: Path) -> None:
    """Fails unless rules do on given samples what their test file says."""
    _run(["test", "rules", file.name], cwd=file.parent)


def _run(args: list[str], given: bytes | None = None, cwd: Path | None = None) -> None:
    done = subprocess.run(
        [_PROGRAM or "promtool", *args],
        input=given,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode()
