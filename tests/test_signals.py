"""The tests do not depend on how they were started: not on signals that whoever runs them ignores."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

_INNER = """
import signal, subprocess, sys

def test_children_hear_signals():
    shown = "from signal import *; print([getsignal(each) is SIG_IGN for each in (SIGINT, SIGHUP)])"
    done = subprocess.run([sys.executable, "-c", shown], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == "[False, False]\\n"
"""


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="Windows has neither of the signals")
def test_children_hear_signals_that_whoever_runs_the_tests_ignores(tmp_path: Path) -> None:
    (tmp_path / "test_inner.py").write_text(_INNER, encoding="utf-8")
    code = (
        "import signal, sys, pytest\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "options = ['-p', 'tests.conftest', '-p', 'no:cacheprovider', '-n0', '--basetemp', sys.argv[2]]\n"
        "sys.exit(pytest.main([*options, sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "test_inner.py"), str(tmp_path / "temporary")],
        cwd=Path(__file__).parents[1],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
