"""How the program ends, whatever Python was at."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import HOME

#: An interruption that meets Python while it makes a class of a text, as it does for dataclasses.
_INTERRUPTED = """
from validation_gen.cli import app, main

def interrupted(words):
    exec("raise KeyboardInterrupt")

app.app = interrupted
main.run()
"""


@pytest.mark.process
def test_an_interruption_of_a_text_ends_with_130(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(_INTERRUPTED, encoding="utf-8")
    environ = os.environ | {"PYTHONPATH": os.pathsep.join([str(HOME), str(tmp_path)])}
    command = [sys.executable, "-m", "interrupted", "validate"]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
