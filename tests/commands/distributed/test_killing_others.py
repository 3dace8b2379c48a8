# ruff: noqa: F811 - fixtures of another module
"""Clients, schedulers and workers that end by `kill -9`, or are made to end by what they work on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.parts import API_VERSION, declarations, files
from tests.commands.distributed.test_pairing import corpus, job, wanted  # noqa: F401 - fixtures
from tests.commands.distributed.test_pairing_again import compared, spills
from validation_gen.commands.compare.clustered import Corpus, compare_on
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.meeting import work_on
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.run import Run
from validation_gen.commands.compare.sides import parse_spec
from validation_gen.commands.distributed import checkpoint, dask_engine
from validation_gen.commands.distributed.engines import Cluster, Done, EngineError, Interruption
from validation_gen.commands.distributed.worker import Batch
from validation_gen.diagnostics import Diagnostics

pytestmark = [
    pytest.mark.slow,  # clusters and clients; test_checkpoint and test_pairing_again have both in one process
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here"),
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra [distributed] is not installed"),
]
ROOT = Path(__file__).parents[3]


def until(is_so: Callable[[], bool], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


def environ() -> dict[str, str]:
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": paths}


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask that is killed in the end."""
    call = [sys.executable, "-m", "dask", *arguments]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(call, env=environ(), stdout=quiet, stderr=quiet) as process:
        try:
            yield process
        finally:
            process.kill()


class Outside:
    """A scheduler and two workers, each of them a process of its own that outlives clients."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        where = ["--scheduler-file", str(folder / "scheduler.json")]
        common = ["--no-dashboard", "--host", "127.0.0.1"]
        self.scheduler = stack.enter_context(started("scheduler", "--port", "0", *common, *where))
        until((folder / "scheduler.json").exists)
        self.workers = [
            stack.enter_context(started("worker", "--nthreads", "1", "--no-nanny", *common, *where)) for _ in range(2)
        ]
        self.address = json.loads((folder / "scheduler.json").read_text())["address"]


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    monkeypatch.setattr(dask_engine, "_PATIENCE", 180)
    with ExitStack() as stack:
        yield Outside(tmp_path, stack)


class Dying(dask_engine.DaskEngine):
    """Kills its process, which is the client, after so many answers."""

    left = 0

    def run(self, batch: Batch, partitions: Iterable[Any]) -> Generator[Done, None, None]:
        for done in super().run(batch, partitions):
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            self.left -= 1
            yield done


def client(address: str, corpus: str, folder: str, hand: str, answers: int) -> None:
    """Runs a comparison until this process is killed."""
    checkpoint._SELDOM = checkpoint._SHARE = 0  # all is kept at once
    dask_engine._PATIENCE = 180
    own = Job(files(), declarations(), parse_spec(f"python:{hand}:check"), ComparisonConfig())
    engine = Dying(Cluster(address))
    engine.left = answers
    compared(own, Path(corpus), Path(folder), engine)


@pytest.mark.parametrize("wanted", [True], indirect=True, ids=["events and olds"])
def test_clients_are_killed_in_both_passes(
    outside: Outside, job: Job, corpus: Path, wanted: tuple[bool, str], tmp_path: Path
) -> None:
    _, text = wanted
    for answers in (2, 7):  # the first pass has six partitions, or a few more
        arguments = (outside.address, str(corpus), str(tmp_path), str(corpus / "hand.py"), answers)
        call = f"from tests.commands.distributed.test_killing_others import client; client(*{arguments!r})"
        ended = subprocess.run([sys.executable, "-c", call], check=False, cwd=ROOT, env=environ(), timeout=300)
        assert ended.returncode == -signal.SIGKILL
        assert spills(tmp_path)
    found, progress = compared(job, corpus, tmp_path, dask_engine.DaskEngine(Cluster(outside.address)))
    assert found == text
    assert progress.is_complete
    assert spills(tmp_path) == []


@pytest.mark.parametrize("victims", ["workers", "scheduler"])
def test_a_cluster_that_goes_ends_the_comparison_with_what_is_done(
    outside: Outside, job: Job, corpus: Path, monkeypatch: pytest.MonkeyPatch, victims: str
) -> None:
    monkeypatch.setattr(dask_engine, "WITHOUT_WORKERS", 1.0)
    monkeypatch.setattr(dask_engine, "_LOOKED_AFTER", 0.3)
    monkeypatch.setattr(dask_engine, "_ANSWERED", 3.0)
    cut = Corpus.from_arguments([str(corpus / "new" / "c.jsonl")], Diagnostics(), 700)
    with closing(dask_engine.DaskEngine(Cluster(outside.address))) as engine, Run(job) as run:

        def watched() -> Generator[Any, None, None]:
            for count, portion in enumerate(compare_on(engine, work_on(job, cut, Interruption(), 99))):
                if count == 3:
                    for victim in outside.workers if victims == "workers" else [outside.scheduler]:
                        victim.kill()
                        victim.wait(timeout=60)
                yield portion

        begun = time.monotonic()
        run.take(watched())
        assert time.monotonic() - begun < 120
        assert isinstance(run.failure, EngineError), run.failure
        assert run.results.compared
        assert run.results.interrupted


POISON = """
import os, signal


def check(obj):
    if "poison" in obj:
        os.kill(os.getpid(), signal.SIGKILL)
    return []
"""


def test_a_partition_that_kills_its_workers_is_given_up_and_the_rest_goes_on(tmp_path: Path) -> None:
    shelves = [{"apiVersion": API_VERSION, "kind": "Shelf", "levels": [{"height": n}]} for n in range(60)]
    lines = [json.dumps({**each, "poison": 1} if n == 20 else each) + "\n" for n, each in enumerate(shelves)]
    (tmp_path / "a.jsonl").write_text("".join(lines))
    (tmp_path / "hand.py").write_text(POISON)
    own = Job(files(), declarations(), parse_spec(f"python:{tmp_path / 'hand.py'}:check"), ComparisonConfig())
    cut = Corpus.from_arguments([str(tmp_path / "a.jsonl")], Diagnostics(), 300)
    # Each death takes seconds here, and does not tell more than the one before.
    import dask  # noqa: PLC0415
    import distributed  # noqa: F401, PLC0415 - its defaults come first: `set` would take them away

    soon = dask.config.set({"distributed.scheduler.allowed-failures": 1})
    with soon, closing(dask_engine.DaskEngine(Cluster(processes=2))) as engine, Run(own) as run:
        run.take(compare_on(engine, work_on(own, cut, Interruption(), 1)))
        assert run.failure is None
        (bad,) = cut.problems.values()
        assert bad == "the workers that tried it have ended, one after the other"
        assert len(cut.partitions) > 15
        assert 50 < run.results.compared < 60
    (number,) = cut.problems
    partition = next(each for each in cut.partitions if each.number == number)
    assert partition.begin <= len("".join(lines[:20])) < partition.begin + 300
