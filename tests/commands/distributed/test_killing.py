"""Workers and the client end by `kill -9` in the middle: the results are those of one process that nobody kills."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.parts import declarations, files
from tests.commands.distributed.test_checkpoint import compared
from tests.commands.distributed.test_same_results import corpus, told, wanted  # noqa: F401 - fixtures
from tests.commands.distributed.test_same_results import job as job  # noqa: PLC0414 - a fixture
from tests.thorough import THOROUGH
from validation_gen.commands.compare.clustered import Corpus, compare_on, settle
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.meeting import work_on
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.run import Run
from validation_gen.commands.compare.sides import parse_spec
from validation_gen.commands.distributed import checkpoint
from validation_gen.commands.distributed.engines import Cluster, Done, InProcess, Interruption
from validation_gen.commands.distributed.worker import Batch
from validation_gen.diagnostics import Diagnostics

pytestmark = [
    pytest.mark.slow,  # clusters and clients; test_checkpoint and test_pairing_again have both in one process
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here"),
]
_SIZE = 700
#: So many workers are killed, one after the other. Each death costs the start of another one.
_KILLS = 10 if THOROUGH else 3


class Dying(InProcess):
    """Kills its process, which is the client, after some partitions."""

    def run(self, batch: Batch, partitions: Iterable[Any]) -> Generator[Done, None, None]:
        for count, done in enumerate(super().run(batch, partitions)):
            if count == 20:
                os.kill(os.getpid(), signal.SIGKILL)
            yield done


def client(folder: str, state: str) -> None:
    """What the process runs that is killed."""
    checkpoint._SELDOM = checkpoint._SHARE = 0  # each partition is kept at once
    job = Job(files(), declarations(), parse_spec(f"python:{folder}/hand.py:check"), ComparisonConfig())
    compared(job, Path(folder), state, Dying(), _SIZE)


def one_of(workers: Iterable[Any], number: int) -> int:
    """The process of a worker that works. There is none while all are started again.

    Dask gives up one that is killed while it starts.
    """
    end = time.monotonic() + 240
    while True:
        alive = [each.pid for each in workers if each.pid and each.status.name == "running"]
        if alive:
            return int(alive[number % len(alive)])
        assert time.monotonic() < end, "no worker comes back"
        time.sleep(0.02)


def test_workers_and_the_client_are_killed(job: Job, corpus: Path, wanted: str, tmp_path: Path) -> None:  # noqa: F811
    pytest.importorskip("distributed", reason="the extra [distributed] is not installed")
    import dask  # noqa: PLC0415
    import distributed  # noqa: F401, PLC0415 - its defaults come first: `set` would take them away

    from validation_gen.commands.distributed.dask_engine import DaskEngine  # noqa: PLC0415

    state = str(tmp_path / "state.json")
    call = f"from tests.commands.distributed.test_killing import client; client({str(corpus)!r}, {state!r})"
    ended = subprocess.run([sys.executable, "-c", call], check=False, cwd=Path(__file__).parents[3])
    assert ended.returncode == -signal.SIGKILL

    cut = Corpus.from_arguments([str(corpus)], Diagnostics(), _SIZE)
    work = work_on(job, cut, Interruption(), 0)
    work.resume(state)
    assert work.kept is not None
    assert len(work.kept.numbers) == 20
    assert len(cut.partitions) > 20 + _KILLS * 4
    killed = 0
    # Dask gives up a task at which some workers have ended. Here it would be the wrong one: none has to do with it.
    patient = dask.config.set({"distributed.scheduler.allowed-failures": 100})
    with patient, closing(DaskEngine(Cluster(processes=2))) as engine, Run(job) as run:

        def watched() -> Generator[Any, None, None]:
            nonlocal killed
            for count, portion in enumerate(compare_on(engine, work)):
                if count % 4 == 3 and killed < _KILLS:
                    os.kill(one_of(engine._cluster.workers.values(), killed), signal.SIGKILL)
                    killed += 1
                yield portion

        run.take(watched())
        assert run.failure is None
        settle(run.results, cut)
        assert killed == _KILLS
        assert told(run) == wanted
