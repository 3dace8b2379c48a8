"""Commands that work in several processes: the same findings as by one, and one of them that ends early."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import HOME

FORKS = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="this system forks no processes safely")

#: Runs a command with one process and with several, in one that may fork.
_ALIKE = """
import sys, threading, time
from typer.testing import CliRunner
from validation_gen.cli.app import app
from validation_gen.commands.distributed import chunking, processes

way, formats, words = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
if way == "_start":
    threading.Thread(target=time.sleep, args=(300,), daemon=True).start()
processes.WORTH_PROCESSES, chunking.SIZE = -1, 700
started = []
usual = getattr(processes, way)
setattr(processes, way, lambda *given: started.append(1) or usual(*given))
for format in formats:
    told = []
    for jobs in ("1", "3"):
        done = CliRunner().invoke(app, [*words, "--format", format, "--jobs", jobs])
        assert isinstance(done.exception, SystemExit), done.exception
        told.append((done.exit_code, done.stdout, done.stderr))
        assert len(done.stdout + done.stderr) > 300
        assert bool(started) == (jobs == "3")
    assert told[0] == told[1], told
    started.clear()
print("done")
"""

#: Runs a command by several processes, one of which does something else at a piece with a mark.
_ENDS = """
import os, signal, sys, time
from validation_gen.cli.main import run
from validation_gen.commands.distributed import chunking, processes
from MODULE import NAME as Worker

processes.WORTH_PROCESSES, chunking.SIZE = -1, 300
parent, usual = os.getpid(), Worker.run

def run_or_end(worker, task):
    if os.getpid() != parent and any("MARK" in each.file + each.piece.text for each in task):
        END
    return usual(worker, task)

Worker.run = run_or_end
run()
"""
KILLED = "os.kill(os.getpid(), signal.SIGKILL)"
INTERRUPTS = "os.kill(parent, signal.SIGINT); time.sleep(100)"
FAILS = "raise ValueError('a defect')"


def told_alike(directory: Path, way: str, formats: str, *words: str) -> None:
    command = [sys.executable, "-c", _ALIKE, way, formats, *words]
    done = subprocess.run(command, cwd=directory, env={"PYTHONPATH": str(HOME)}, capture_output=True, check=False)
    assert done.stdout == b"done\n", done.stderr.decode()


def ended(directory: Path, worker: type, mark: str, end: str, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs a command in which a process of this sort ends at a piece."""
    program = _ENDS
    for name, text in (("MODULE", worker.__module__), ("NAME", worker.__name__), ("MARK", mark), ("END", end)):
        program = program.replace(name, text)
    command = [sys.executable, "-c", program, *words, "--jobs", "2"]
    environ = {**os.environ, "PYTHONPATH": str(HOME)}
    return subprocess.run(command, cwd=directory, env=environ, capture_output=True, text=True, check=False, timeout=100)
