"""Processes that work: in order, in bounds, and gone in the end."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.uses.compare.jobs import Preparation
from validation_gen.uses.compare.interruption import Interruption
from validation_gen.uses.compare.workers import WorkerDiedError, in_processes


@pytest.fixture(autouse=True)
def _nobody_stays() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def test_results_come_in_order_and_processes_close_what_they_hold(tmp_path: Path) -> None:
    done = in_processes(Preparation("double", str(tmp_path)), iter(range(30)), 3, Interruption())
    assert list(done) == [(n, 2 * n) for n in range(30)]
    assert len(list(tmp_path.iterdir())) == 3


def test_no_more_processes_than_there_is_work() -> None:
    found = {pid for _, pid in in_processes(Preparation("pid"), iter(range(2)), 5, Interruption())}
    assert 1 <= len(found) <= 2
    assert list(in_processes(Preparation("pid"), iter(()), 5, Interruption())) == []


def test_work_is_taken_only_as_it_is_needed() -> None:
    tasks = iter(range(1000))
    with closing(in_processes(Preparation("double"), tasks, 2, Interruption())) as done:
        for _ in range(10):
            next(done)
    assert 10 <= next(tasks) < 30


def test_large_results_do_not_block() -> None:
    sizes = [3_000_000, 1, 3_000_000, 5_000_000, 2]
    assert [len(found) for _, found in in_processes(Preparation("large"), iter(sizes), 2, Interruption())] == sizes


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_process_that_ends_is_told_after_all_results_before(count: int) -> None:
    found: list[int] = []
    done = in_processes(Preparation("ends_at_5"), iter(range(50)), count, Interruption())
    with pytest.raises(WorkerDiedError, match="exit code 7") as told:
        found.extend(task for task, _ in done)
    assert found == [0, 1, 2, 3, 4]
    assert told.value.task == 5


def test_what_is_raised_there_is_raised_here() -> None:
    with pytest.raises(RuntimeError, match="UnknownError: 3"):
        list(in_processes(Preparation("fails_at_5"), iter(range(50)), 2, Interruption()))


def test_who_goes_away_does_not_wait(tmp_path: Path) -> None:
    begun = time.monotonic()

    def tasks() -> Iterator[int]:
        yield from range(2)
        time.sleep(1)  # until both are at work
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(in_processes(Preparation("sleeps", str(tmp_path)), tasks(), 3, Interruption()))
    assert time.monotonic() - begun < 6


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no masks of signals")
def test_the_first_process_hears_no_interruption_either() -> None:
    """It starts another one before, and the library lets signals through after that."""
    code = (
        "import signal; from multiprocessing import resource_tracker\n"
        "from validation_gen.uses.corpora.deafness import deaf\n"
        "with deaf():\n"
        "    resource_tracker.getfd()\n"
        "    print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
