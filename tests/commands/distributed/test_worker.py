"""What a worker refuses, and what it answers when something goes wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import date

import pytest

from tests.commands.compare.parts import declarations, files
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.partitioned import PartitionJudging
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.sides import RoutedSpec, SideOptions, parse_spec
from validation_gen.commands.distributed import worker
from validation_gen.commands.distributed.codec import decode, encode
from validation_gen.commands.distributed.engines import Cluster
from validation_gen.commands.distributed.opening import PAUSES
from validation_gen.commands.distributed.partitions import Partition
from validation_gen.mismatch.expected import Expectation

TODAY = date(2026, 3, 1)


@pytest.fixture(autouse=True)
def _released() -> Iterator[None]:
    yield
    worker.release(worker._Ready.key)


def a_job(spec: str) -> Job:
    return Job(files(), declarations(), parse_spec(spec, check=False), ComparisonConfig())


def ask(packed: bytes, url: str = "nowhere/at/all.jsonl") -> worker.Answer:
    return decode(worker.Answer, json.loads(worker.work(packed, encode(Partition(1, url)))))


def common(spec: str = "python:json:dumps") -> bytes:
    return worker.pack(PartitionJudging.from_job(a_job(spec), TODAY))


def test_another_version_is_refused() -> None:
    other = {**json.loads(common()), "version": "9.9"}
    answer = ask(json.dumps(other).encode())
    assert "and this is 9.9" in answer.refused
    assert answer.help == "install validation-gen 9.9 on all workers"


def test_another_python_is_refused() -> None:
    assert "and this is 2.7" in ask(json.dumps({**json.loads(common()), "python": [2, 7]}).encode()).refused


def test_rules_that_have_changed_on_the_way_are_refused() -> None:
    sent = json.loads(common())
    assert "as they were sent" in ask(json.dumps({**sent, "body": sent["body"] + " "}).encode()).refused


@pytest.mark.parametrize(
    "name", [["os.path", "join"], ["validation_gen.files.git", "GitError"], ["validation_gen.files.git", "nothing"]]
)
def test_only_our_own_batches_are_unpacked(name: list[str]) -> None:
    answer = ask(json.dumps({**json.loads(common()), "batch": name}).encode())
    assert answer.refused == f"{'.'.join(name)} is no batch"


def test_a_function_that_is_not_there_is_named() -> None:
    answer = ask(common("python:nowhere_at_all:check"))
    assert answer.refused == "a worker has no such handwritten side: there is no module nowhere_at_all"
    assert "install it" in answer.help


def test_what_cannot_be_opened_may_go_well_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    assert ask(common()).problem == "cannot read: No such file or directory"
    assert tuple(pauses) == PAUSES


def test_jobs_are_the_same_on_the_other_side() -> None:
    side = parse_spec("webhook:https://a/b", SideOptions(headers=(("a", "b"),), plurals=(("A", "as"),)), check=False)
    routed = RoutedSpec(((("v1", "Shelf"), side), (("v1", "Robot"), parse_spec("exec:./x -y", check=False))))
    expected = (Expectation("why", path="a", expires=TODAY), Expectation("why", type="*"))
    manner = ComparisonConfig({"A": True}, "1.36", (("a", "b"),), True, {"X": False}, frozenset({"X"}))
    job = Job(files(), declarations(), routed, manner, expected)
    again = worker.unpack(worker.pack(PartitionJudging.from_job(job, TODAY)))
    assert isinstance(again, PartitionJudging)
    assert (again.handwritten, again.manner, again.expected, again.today) == (routed, manner, expected, TODAY)
    assert (again.files, again.declarations.rules) == (job.files, job.declarations.rules)
    assert (again.declarations.places, again.declarations.options) == (
        job.declarations.places,
        job.declarations.options,
    )


@pytest.mark.parametrize("text", ["", "here", "local:0", "local:x", "tcp://", "http://a:1", "local:2 "])
def test_what_names_no_cluster(text: str) -> None:
    with pytest.raises(ValueError, match="is no cluster"):
        Cluster.parse(text)


def test_clusters() -> None:
    assert Cluster.parse("local") == Cluster()
    assert Cluster.parse("local:3") == Cluster(processes=3)
    assert Cluster.parse("tls://a:8786") == Cluster("tls://a:8786")
