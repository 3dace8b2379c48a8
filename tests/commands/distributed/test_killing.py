"""Workers and clients of each command end by `kill -9`: the answer is that of one process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import pytest

from tests.commands import test_coverage_seeing as coverage
from tests.commands.compare.parts import declarations, files
from tests.commands.distributed import test_same_results as compare
from tests.commands.distributed.test_same_results import corpus as objects  # noqa: F401 - a fixture
from tests.commands.test_coverage_seeing import corpus  # noqa: F401 - a fixture
from tests.commands.validate import test_same_results as validate
from tests.commands.validate.test_same_results import directory  # noqa: F401 - a fixture
from tests.thorough import THOROUGH
from validation_gen.commands.compare import meeting
from validation_gen.commands.compare.clustered import Corpus, compare_on, settle
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.run import Run
from validation_gen.commands.compare.sides import parse_spec
from validation_gen.commands.distributed import checkpoint
from validation_gen.commands.distributed.engines import Cluster, Done, Engine, InProcess, Interruption
from validation_gen.commands.distributed.worker import Batch
from validation_gen.commands.validate.clustered import build_corpus, check_on, work_on
from validation_gen.diagnostics import Diagnostics

pytestmark = [
    pytest.mark.slow,  # clusters and clients; test_checkpoint and test_pairing_again have both in one process
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here"),
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra [distributed] is not installed"),
]
#: So many partitions a client has kept when it is killed, and so many workers are killed, one after the other.
_KEPT = {"compared": 20, "validated": 4, "covered": 4}
_KILLS = {"compared": 10 if THOROUGH else 3, "validated": 2, "covered": 2}


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


class Dying(InProcess):
    """Kills its process, which is the client, after some partitions."""

    def __init__(self, kept: int) -> None:
        super().__init__()
        self._kept = kept

    def run(self, batch: Batch, partitions: Iterable[Any]) -> Generator[Done, None, None]:
        for count, done in enumerate(super().run(batch, partitions)):
            if count == self._kept:
                os.kill(os.getpid(), signal.SIGKILL)
            yield done


class Killing:
    """Kills workers of a cluster of this machine, one after the other, while others go on."""

    dashboard = ""

    def __init__(self, engine: Any, kills: int) -> None:
        self._engine, self._kills = engine, kills
        self.killed = self.done = 0

    def run(self, batch: Batch, partitions: Iterable[Any]) -> Generator[Done, None, None]:
        with closing(self._engine.run(batch, partitions)) as found:
            for self.done, done in enumerate(found, 1):
                if self.done % 2 == 0 and self.killed < self._kills:
                    os.kill(one_of(self._engine._cluster.workers.values(), self.killed), signal.SIGKILL)
                    self.killed += 1
                yield done

    def close(self) -> None:
        """The cluster goes on."""


def validated(folder: str, state: str, engine: Engine) -> Any:
    os.chdir(folder)
    judge = validate.judge_here()
    cut = build_corpus([f"{folder}/in", f"{folder}/in/b.jsonl"], Diagnostics(), 700, recursive=True)
    work = work_on(judge, cut, Interruption(), 0)
    if state:
        work.resume(state)
    checked = check_on(engine, judge, work)
    assert checked.refused is None
    return validate.told(checked)


def covered(folder: str, state: str, engine: Engine) -> Any:
    return coverage.told(Path(folder), engine, 5001, state)


def compared(folder: str, state: str, engine: Engine) -> Any:
    job = Job(files(), declarations(), parse_spec(f"python:{folder}/hand.py:check"), ComparisonConfig())
    work = meeting.work_on(job, Corpus.from_arguments([folder], Diagnostics(), 700), Interruption(), 0)
    if state:
        work.resume(state)
    with Run(job) as run:
        run.take(compare_on(engine, work))
        assert run.failure is None
        settle(run.results, cast("Corpus", work.corpus))
        return compare.told(run)


def client(command: str, folder: str, state: str) -> None:
    """Runs a command until it kills this process."""
    checkpoint._SELDOM = checkpoint._SHARE = 0  # each partition is kept at once
    globals()[command](folder, state, Dying(_KEPT[command]))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    import dask  # noqa: PLC0415
    import distributed  # noqa: F401, PLC0415 - its defaults come first: `set` would take them away

    from validation_gen.commands.distributed.dask_engine import DaskEngine  # noqa: PLC0415

    # Dask gives up a task at which some workers have ended. Here it would be the wrong one: none has to do with it.
    patient = dask.config.set({"distributed.scheduler.allowed-failures": 100})
    with patient, closing(DaskEngine(Cluster(processes=2))) as engine:
        yield engine


@pytest.mark.parametrize(
    ("command", "fixture"),
    [
        (compared, "objects"),
        pytest.param(validated, "directory", marks=pytest.mark.thorough),
        pytest.param(covered, "corpus", marks=pytest.mark.thorough),
    ],
)
def test_workers_and_the_client_are_killed(
    command: Callable[[str, str, Engine], Any],
    fixture: str,
    cluster: Any,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = str(request.getfixturevalue(fixture))
    monkeypatch.chdir(folder)  # which is left in the end
    wanted = command(folder, "", InProcess())
    state = str(tmp_path / "state.json")
    call = f"from {__name__} import client; client({command.__name__!r}, {folder!r}, {state!r})"
    root = Path(__file__).parents[3]
    ended = subprocess.run([sys.executable, "-c", call], check=False, cwd=root, timeout=120)
    assert ended.returncode == -signal.SIGKILL
    killing = Killing(cluster, _KILLS[command.__name__])
    assert command(folder, state, killing) == wanted
    assert killing.killed == _KILLS[command.__name__]
    whole = Killing(InProcess(), 0)
    command(folder, "", whole)
    assert killing.done == whole.done - _KEPT[command.__name__]
