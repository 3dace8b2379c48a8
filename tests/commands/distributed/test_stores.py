"""A store of S3 with a listing of several pages, errors that pass, and answers that break off: as of local files."""

from __future__ import annotations

import gzip
import http.client
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.parts import declarations, drop_times, files
from tests.commands.distributed.engines import BEFORE, draw
from tests.commands.distributed.test_same_results import told
from tests.docs.blocks import ROOT
from validation_gen.commands.compare.clustered import Corpus, compare_on, settle
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.meeting import work_on
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.run import Run
from validation_gen.commands.compare.sides import parse_spec
from validation_gen.commands.distributed.engines import InProcess, Interruption
from validation_gen.diagnostics import Diagnostics

pytestmark = [
    pytest.mark.slow,  # a store and clients; test_opening and test_pairing have failing stores in memory
    pytest.mark.process,
    pytest.mark.skipif(
        not all(map(importlib.util.find_spec, ("moto", "s3fs", "flask", "distributed"))),
        reason="the extra [test], with moto and s3fs, is not installed",
    ),
]
_PATIENCE = 240


class Store:
    """A running store, and commands that use it."""

    def __init__(self, port: int, files: Path) -> None:
        self._port = port
        self.files = files

    def faults(self, **said: Any) -> Mapping[str, int]:
        """Says what goes wrong from now on, and returns what has gone wrong before."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request("POST", "/-/faults", json.dumps(said))
        found: dict[str, int] = json.loads(connection.getresponse().read())
        connection.close()
        return found

    def compare(self, where: str, *more: str) -> tuple[int, dict[str, Any], str]:
        """The exit code, the results in the words of local files, and what is said beside them."""
        side = f"python:{ROOT}/{BEFORE}/handwritten/validation.py:validate"
        command = [
            sys.executable,
            "-m",
            "validation_gen",
            "compare",
            str(ROOT / BEFORE / "apis"),
            "--handwritten",
            side,
        ]
        command += ["-f", where, "--option", "Terrace=false", "--format", "json", "--jobs", "1", *more]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environ, capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
        assert done.stdout, done.stderr[-4000:]
        found = json.loads(done.stdout.replace("s3://fleet/objects", str(self.files)))
        assert "Traceback" not in done.stderr
        return done.returncode, found, done.stderr

    @property
    def environ(self) -> dict[str, str]:
        """Of a program that asks this store."""
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self._port}",
            "AWS_ACCESS_KEY_ID": "nobody",
            "AWS_SECRET_ACCESS_KEY": "nothing",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    files = tmp_path_factory.mktemp("objects")
    drawn = draw(files)
    (files / "d.jsonl.gz").write_bytes(gzip.compress(Path(drawn[0]).read_bytes()))
    (files / "x.txt").write_text("no object")
    program = Path(__file__).with_name("store.py")
    command = [sys.executable, str(program), str(files)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as process:
        try:
            assert process.stdout
            line = process.stdout.readline()  # the program ends at its deadline, and the line with it
            assert line.strip().isdigit(), "the store has not started"
            yield Store(int(line), files)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def wanted(store: Store) -> dict[str, Any]:
    code, found, _ = store.compare(str(store.files))
    assert code == 1
    assert found["totals"]["mismatches"] > 50
    return drop_times(found, "diagnostics")


@pytest.mark.parametrize("more", [(), ("--cluster", "local:2", "--partition-size", "1")], ids=["here", "cluster"])
def test_a_store_that_fails_now_and_then_changes_nothing(
    store: Store, wanted: dict[str, Any], more: tuple[str, ...]
) -> None:
    once = {"objects/1.jsonl": "gone", "objects/0.jsonl": "cut", "objects/2.jsonl": "reset", "continuation": "slow"}
    store.faults(share=0.3, once=once)
    code, found, told = store.compare("s3://fleet/objects", *more)
    seen = store.faults()
    assert drop_times(found, "diagnostics") == wanted, told
    assert code == 1
    assert min(seen[kind] for kind in once.values()) >= 1


def client(where: str, state: str, hand: str) -> None:
    """What a process runs that reads the store, without another one: tells what it has found."""
    diagnostics = Diagnostics()
    job = Job(files(), declarations(), parse_spec(f"python:{hand}:check"), ComparisonConfig())
    cut = Corpus.from_arguments([where], diagnostics, 1 << 20)
    with closing(InProcess()) as engine, Run(job) as run:
        work = work_on(job, cut, Interruption(), 9)
        if state:
            work.resume(state)
        run.take(compare_on(engine, work))
        settle(run.results, cut)
        cut.report(diagnostics)
        problems = [f"{each.span}: {each.message}" for each in diagnostics.items]
        done = work.is_complete if state else None
        print(json.dumps({"found": told(run), "problems": problems, "done": done}))  # noqa: T201 - to another process


def found_by(where: str, state: str, hand: Path, environ: Mapping[str, str]) -> dict[str, Any]:
    call = f"from tests.commands.distributed.test_stores import client; client({where!r}, {state!r}, {str(hand)!r})"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", call],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=_PATIENCE,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_what_cannot_be_read_is_kept_for_the_next_time(store: Store, tmp_path: Path) -> None:
    """A state in the store: the object that was lost is all that is read again."""
    (tmp_path / "hand.py").write_text("def check(obj):\n    return []\n")

    def found(where: str, state: str) -> dict[str, Any]:
        return found_by(where, state, tmp_path / "hand.py", store.environ)

    wanted = found(str(store.files), "")
    pattern, state = "s3://fleet/objects/*.jsonl*", "s3://fleet/state.json"
    # It can be looked at, and not be read: the look is the first request for its content.
    store.faults(after={"objects/2.jsonl": [1, "gone"]})
    first = found(pattern, state)
    assert [each.partition(":/")[2].partition(": cannot read")[0] for each in first["problems"]] == [
        "/fleet/objects/2.jsonl"
    ]
    assert first["done"] is False
    assert store.faults(once={"state.json": "reset"})["gone"] >= 3  # it was tried
    second = found(pattern, state)
    assert second["problems"] == []
    assert second["done"] is True
    assert second["found"].replace("s3://fleet/objects", str(store.files)) == wanted["found"]
    seen = store.faults()
    assert seen["reset"] == 1
    assert seen["objects/0.jsonl"] == 1  # the look
    assert seen["objects/2.jsonl"] > 1


def test_an_object_that_changes_after_it_was_listed_is_told(store: Store, tmp_path: Path) -> None:
    (tmp_path / "hand.py").write_text("def check(obj):\n    return []\n")
    store.faults(after={"objects/2.jsonl": [1, "swap"]})
    found = found_by("s3://fleet/objects/[0-2].jsonl", "", tmp_path / "hand.py", store.environ)
    (problem,) = found["problems"]
    assert problem.startswith("s3://fleet/objects/2.jsonl: it has changed since it was listed: it had ")
    assert store.faults()["objects/2.jsonl"] < 8  # and not tried for ever
    assert json.loads(found["found"])["totals"]["bad"] > 200
