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
from pathlib import Path
from typing import Any

import pytest

from tests.docs.blocks import ROOT
from tests.uses.corpora.engines import BEFORE, draw

pytestmark = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("moto", "s3fs", "flask", "distributed"))),
    reason="the extra [test], with moto and s3fs, is not installed",
)
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
        command += ["--objects", where, "--option", "Terrace=false", "--format", "json", "--jobs", "1", *more]
        environ = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self._port}",
            "AWS_ACCESS_KEY_ID": "nobody",
            "AWS_SECRET_ACCESS_KEY": "nothing",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }
        done = subprocess.run(
            command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
        assert done.stdout, done.stderr[-4000:]
        found = json.loads(done.stdout.replace("s3://fleet/objects", str(self.files)))
        assert "Traceback" not in done.stderr
        return done.returncode, found, done.stderr


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
    return _without_times(found)


def _without_times(found: dict[str, Any]) -> dict[str, Any]:
    """What a comparison has found, but for its seconds and the words of its command."""
    return {
        name: _without_times(value) if isinstance(value, dict) else value
        for name, value in found.items()
        if name not in ("about", "diagnostics") and "seconds" not in name.lower()
    }


@pytest.mark.parametrize("more", [(), ("--cluster", "local:2", "--partition-size", "1")], ids=["here", "cluster"])
def test_a_store_that_fails_now_and_then_changes_nothing(
    store: Store, wanted: dict[str, Any], more: tuple[str, ...]
) -> None:
    store.faults(share=0.3, once=["objects/1.jsonl"])
    code, found, told = store.compare("s3://fleet/objects", *more)
    seen = store.faults()
    assert _without_times(found) == wanted, told
    assert code == 1
    assert sum(seen.get(kind, 0) for kind in ("slow", "reset", "cut")) >= 3
    assert seen["gone"] == 1


def test_what_cannot_be_read_is_kept_for_the_next_time(store: Store, wanted: dict[str, Any]) -> None:
    """`--resume` with a state in the store: the object that was lost is all that is read again."""
    more = ("--cluster", "local:1", "--resume", "s3://fleet/state.json")
    # It can be looked at, and not be read: the look is the first request for its content.
    store.faults(share=0.2, after={"objects/2.jsonl": [1, "gone"]})
    code, found, told = store.compare("s3://fleet/objects/*.jsonl*", *more)
    assert code == 2
    assert f"{store.files}/2.jsonl" in json.dumps(found["diagnostics"]), told
    assert store.faults(share=0.2)["gone"] >= 3  # it was tried
    code, found, told = store.compare("s3://fleet/objects/*.jsonl*", *more)
    assert _without_times(found) == wanted, told
    seen = store.faults()
    assert seen["objects/0.jsonl"] == 1  # the look
    assert seen["objects/2.jsonl"] > 1


def test_an_object_that_changes_after_it_was_listed_is_told(store: Store) -> None:
    store.faults(after={"objects/2.jsonl": [1, "swap"]})
    code, found, told = store.compare("s3://fleet/objects/[0-2].jsonl", "--cluster", "local:1")
    assert code == 2
    (finding,) = found["diagnostics"]
    assert "it has changed since it was listed: it had" in finding["message"], told
    assert store.faults()["objects/2.jsonl"] < 8  # and not tried for ever
    assert found["totals"]["compared"] > 200
