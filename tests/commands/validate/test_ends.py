"""Processes that end before their work does: what was found until then is told, and why there is no more."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import API, HOME
from tests.commands.validate.inputs import plain, write

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="this system forks no processes safely")

#: Runs the program by several processes, one of which does something else at an object.
_PROGRAM = """
import os, signal, sys, time
from validation_gen.cli.main import run
from validation_gen.commands.distributed import chunking, processes
from validation_gen.commands.validate import pieces

processes.WORTH_PROCESSES, chunking.SIZE = -1, 300
parent, usual = os.getpid(), pieces.Judge.run

def run_or_end(judge, task):
    if os.getpid() != parent and any("y16" in each.piece.text for each in task):
        END
    return usual(judge, task)

pieces.Judge.run = run_or_end
run()
"""
_KILLED = "os.kill(os.getpid(), signal.SIGKILL)"
_INTERRUPTS = "os.kill(parent, signal.SIGINT); time.sleep(100)"
_FAILS = "raise ValueError('a defect')"


def ended(directory: Path, end: str) -> subprocess.CompletedProcess[str]:
    write({**API, **plain()}, directory)
    words = ["validate", "apis", "--option", "Glitter", "-f", "in/a.yaml", "--jobs", "2"]
    command = [sys.executable, "-c", _PROGRAM.replace("END", end), *words]
    environ = {**os.environ, "PYTHONPATH": str(HOME)}
    return subprocess.run(command, cwd=directory, env=environ, capture_output=True, text=True, check=False, timeout=100)


@pytest.mark.process
def test_a_process_that_is_killed(tmp_path: Path) -> None:
    done = ended(tmp_path, _KILLED)
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == ["in/a.yaml"] * 3
    assert 4 <= int(lines[-1].partition(" ")[0]) <= 16
    assert "error[VG904]: a process that checks objects has ended (signal SIGKILL); it was at in/a.yaml:" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.process
def test_ctrl_c_tells_what_was_found_and_leaves_nobody(tmp_path: Path) -> None:
    begun = time.monotonic()
    done = ended(tmp_path, _INTERRUPTS)
    assert time.monotonic() - begun < 60
    assert done.returncode == 130
    lines = done.stdout.splitlines()
    assert lines[0].startswith("in/a.yaml:1: The Thing")
    assert 4 <= int(lines[-1].partition(" ")[0]) <= 16
    assert "interrupted: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.process
def test_a_defect_is_one_here_and_there(tmp_path: Path) -> None:
    done = ended(tmp_path, _FAILS)
    assert done.returncode == 1
    assert "ValueError: a defect" in done.stderr
