"""Processes that work: in order, in bounds, and gone in the end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands.compare.jobs import Preparation
from validation_gen.commands.distributed.engines import EngineError, Interruption, WorkerDiedError
from validation_gen.commands.distributed.processes import in_processes, run_in_turn
from validation_gen.commands.distributed.worker import Batch

#: As of the tests, which may run beside threads of their runner: what is inherited does not depend on those.
INHERITED = [False, *([True] if hasattr(os, "fork") else [])]


@pytest.fixture(autouse=True)
def _nobody_stays() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("inherited", INHERITED)
def test_results_come_in_order_and_processes_close_what_they_hold(tmp_path: Path, inherited: bool) -> None:
    prepare = Preparation("double", str(tmp_path))
    done = in_processes(prepare, iter(range(30)), 3, Interruption(), inherited=inherited)
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


@pytest.mark.parametrize("inherited", INHERITED)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_process_that_ends_is_told_after_all_results_before(count: int, inherited: bool) -> None:
    found: list[int] = []
    done = in_processes(Preparation("ends_at_5"), iter(range(50)), count, Interruption(), inherited=inherited)
    with pytest.raises(WorkerDiedError, match="exit code 7") as told:
        found.extend(task for task, _ in done)
    assert found == [0, 1, 2, 3, 4]
    assert told.value.task == 5


def test_what_is_raised_there_is_raised_here() -> None:
    with pytest.raises(RuntimeError, match="UnknownError: 3"):
        list(in_processes(Preparation("fails_at_5"), iter(range(50)), 2, Interruption()))


@pytest.mark.parametrize("inherited", INHERITED)
def test_who_goes_away_does_not_wait(tmp_path: Path, inherited: bool) -> None:
    begun, files = time.monotonic(), [tmp_path / "a", tmp_path / "b"]

    def tasks() -> Iterator[Path]:
        yield from files
        while not all(file.exists() for file in files):
            time.sleep(0.02)  # until both are at work
        raise KeyboardInterrupt

    prepare = Preparation("sleeps", str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        list(in_processes(prepare, tasks(), 3, Interruption(), inherited=inherited))
    assert time.monotonic() - begun < 60


@pytest.mark.process
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no masks of signals")
def test_the_first_process_hears_no_interruption_either() -> None:
    """It starts another one before, and the library lets signals through after that."""
    code = (
        "import signal; from multiprocessing import resource_tracker\n"
        "from validation_gen.commands.distributed.engines import block_sigint\n"
        "with block_sigint():\n"
        "    resource_tracker.getfd()\n"
        "    print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


#: A program of its own: whoever runs the tests may have threads, beside which nothing is forked.
_ENGINE = """
import os, sys, time
from validation_gen.commands.distributed.engines import Interruption
from validation_gen.commands.distributed.processes import run_in_turn

def ready(partition):
    time.sleep(partition["seconds"])
    return partition["number"], os.getpid()

def common():
    raise AssertionError("nothing needs it")

seconds = float(sys.argv[1])
chunks = ({"number": n, "seconds": seconds} for n in range(12))
found = list(run_in_turn(ready, common, chunks, int(sys.argv[2]), Interruption()))
assert [number for number, _ in found] == list(range(12))
print(len({process for _, process in found}), found[0][1] == os.getpid())
"""


@pytest.mark.process
@pytest.mark.skipif(not INHERITED[-1] or sys.platform == "darwin", reason="this system forks no processes safely")
@pytest.mark.parametrize(("seconds", "count", "told"), [(0.2, 2, "3 True"), (0.2, 1, "1 True"), (0.01, 2, "1 True")])
def test_an_engine_starts_processes_when_that_is_worth_it(seconds: float, count: int, told: str) -> None:
    words = [sys.executable, "-c", _ENGINE, str(seconds), str(count)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{told}\n", "")


@dataclass(frozen=True, slots=True)
class Foreign(Batch):
    """A batch of a module that is not ours."""


def test_an_engine_sends_a_batch_where_nothing_is_inherited() -> None:
    def ready(_: dict[str, int]) -> dict[str, int]:
        time.sleep(0.2)
        return {}

    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    try:
        done = run_in_turn(ready, Foreign, ({"n": n} for n in range(8)), 2, Interruption())
        with pytest.raises(EngineError, match="Foreign is no batch"):
            list(done)
    finally:
        ended.set()
        other.join()


_ENDED_EARLY = """
import multiprocessing, os, signal
from validation_gen.commands.distributed.processes import _work

def begin(pipe):
    os.kill(os.getpid(), signal.SIGTERM)  # it waits: the process is forked with the signal blocked
    _work(lambda stack: str, pipe)

context = multiprocessing.get_context("fork")
ours, theirs = context.Pipe()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
process = context.Process(target=begin, args=(theirs,))
process.start()
process.join(60)
print(process.exitcode)
"""


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_process_that_is_ended_before_it_works_reports_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", _ENDED_EARLY], capture_output=True, text=True, check=False, timeout=90)
    assert (done.stdout, done.stderr) == ("0\n", "")
