"""Processes that end before their work does: what was found until then is told, and why there is no more."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.cli.conftest import API
from tests.commands.several import FAILS, FORKS, INTERRUPTS, KILLED, ended
from tests.commands.validate.inputs import plain, write
from validation_gen.commands.validate.pieces import Judge

pytestmark = FORKS
_WORDS = ["validate", "apis", "--option", "Glitter", "-f", "in/a.yaml"]


@pytest.mark.process
def test_a_process_that_is_killed(tmp_path: Path) -> None:
    write({**API, **plain()}, tmp_path)
    done = ended(tmp_path, Judge, "y16", KILLED, _WORDS)
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == ["in/a.yaml"] * 3
    assert 4 <= int(lines[-1].partition(" ")[0]) <= 16
    assert "error[VG904]: a process that checks objects has ended (signal SIGKILL); it was at in/a.yaml:" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.process
def test_ctrl_c_tells_what_was_found_and_leaves_nobody(tmp_path: Path) -> None:
    begun = time.monotonic()
    write({**API, **plain()}, tmp_path)
    done = ended(tmp_path, Judge, "y16", INTERRUPTS, _WORDS)
    assert time.monotonic() - begun < 60
    assert done.returncode == 130
    lines = done.stdout.splitlines()
    assert lines[0].startswith("in/a.yaml:1: The Thing")
    assert 4 <= int(lines[-1].partition(" ")[0]) <= 16
    assert "interrupted: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.process
def test_a_defect_is_one_here_and_there(tmp_path: Path) -> None:
    write({**API, **plain()}, tmp_path)
    done = ended(tmp_path, Judge, "y16", FAILS, _WORDS)
    assert done.returncode == 1
    assert "ValueError: a defect" in done.stderr
