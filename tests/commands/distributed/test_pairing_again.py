# ruff: noqa: F811 - fixtures of another module
"""A comparison in two passes goes on where it was interrupted, and tells of buckets that cannot be judged."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands.distributed.test_pairing import corpus, cut_of, job, paired, wanted  # noqa: F401 - fixtures
from tests.commands.distributed.test_same_results import Interrupted, Losing, told
from validation_gen.commands.compare.clustered import settle
from validation_gen.commands.compare.inputs import sentences
from validation_gen.commands.compare.meeting import PairedWork, compare_paired_on, spilling
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.run import Run
from validation_gen.commands.distributed import checkpoint
from validation_gen.commands.distributed.checkpoint import CheckpointError
from validation_gen.commands.distributed.engines import Done, Engine, EngineError, InProcess
from validation_gen.commands.distributed.worker import Batch
from validation_gen.diagnostics import Diagnostics

BUCKETS = 9


class Counting(InProcess):
    """Notes how much it has done in each pass."""

    def __init__(self) -> None:
        self.runs: list[int] = []

    def run(self, batch: Batch, partitions: Iterable[Any]) -> Generator[Done, None, None]:
        self.runs.append(0)
        for done in super().run(batch, partitions):
            self.runs[-1] += 1
            yield done


def compared(
    job: Job, corpus: Path, folder: Path, engine: Engine, *, old: bool = True, most: int = 9
) -> tuple[str, PairedWork]:
    cut = cut_of(corpus, 20_000, old=old)
    work = paired(job, cut, most, BUCKETS)
    work.resume(str(folder / "state.json"))
    with closing(engine), Run(job) as run:
        with spilling(str(folder), work) as directory:
            run.take(compare_paired_on(engine, work, directory))
        if run.failure is not None:
            raise run.failure
        settle(run.results, cut)
        run.results.notes += sentences(cut.passed)
        run.results.interrupted = False
        return told(run) + str(run.items), work


def spills(folder: Path) -> list[Path]:
    return list(folder.glob("validation-gen-*"))


def test_both_passes_go_on(job: Job, corpus: Path, wanted: tuple[bool, str], tmp_path: Path) -> None:
    old, text = wanted
    count = len(cut_of(corpus, 20_000, old=old).partitions)
    tries = 0
    for tries in itertools.count(1):
        found, work = compared(job, corpus, tmp_path, Interrupted(), old=old)
        assert len(work.passes.first) == min(4 * tries, count)
        if work.is_complete:
            break
        assert spills(tmp_path)
    assert tries == -(-count // 4) + -(-BUCKETS // 4)
    assert found == text
    assert spills(tmp_path) == []
    again = Counting()
    assert compared(job, corpus, tmp_path, again, old=old)[0] == text
    assert again.runs == []


def test_what_is_gone_between_the_passes_is_made_again(job: Job, corpus: Path, tmp_path: Path) -> None:
    compared(job, corpus, tmp_path, Interrupted())
    (directory,) = spills(tmp_path)
    (directory / "2.jsonl").write_bytes(b"")
    counting = Counting()
    text, _ = compared(job, corpus, tmp_path, counting)
    count = len(cut_of(corpus, 20_000, old=True).partitions)
    assert counting.runs == [count - 3, BUCKETS]
    other = tmp_path / "other"
    other.mkdir()
    compared(job, corpus, other, Interrupted())
    shutil.rmtree(spills(other)[0])
    assert compared(job, corpus, other, InProcess())[0] == text


def test_what_was_judged_without_a_partition_is_judged_again(
    job: Job, corpus: Path, wanted: tuple[bool, str], tmp_path: Path
) -> None:
    old, text = wanted
    partial, work = compared(job, corpus, tmp_path, Losing(3), old=old)
    assert partial != text
    assert set(work.corpus.problems) == {3}
    assert list(work.corpus.buckets) == ["bucket 4 of 9"]  # it loses a number in each pass
    assert not work.is_complete
    counting = Counting()
    assert compared(job, corpus, tmp_path, counting, old=old)[0] == text
    assert counting.runs == [1, BUCKETS]


def test_a_bucket_that_cannot_be_judged_is_told_and_does_not_stop_the_rest(
    job: Job, corpus: Path, tmp_path: Path
) -> None:
    cut = cut_of(corpus, 20_000, old=True)
    work = paired(job, cut, 1, BUCKETS)
    with closing(Losing(0)) as engine, Run(job) as run, spilling(str(tmp_path), work) as directory:
        run.take(compare_paired_on(engine, work, directory))
        assert run.failure is None
        assert run.results.compared > 50
    diagnostics = Diagnostics()
    cut.report(diagnostics)
    (finding,) = diagnostics.items
    assert (finding.code, str(finding.span)) == ("VG901", "bucket 1 of 9")
    assert finding.message == "objects could not be compared with others: cannot read: gone"
    with pytest.raises(EngineError, match="2 partitions could not be compared"):
        compared(job, corpus, tmp_path, Losing(0, 8), most=1, old=False)


def test_a_state_of_two_passes_is_not_trusted(job: Job, corpus: Path, tmp_path: Path) -> None:
    compared(job, corpus, tmp_path, Interrupted())
    state = tmp_path / "state.json"
    outer = json.loads(state.read_text())
    body = json.loads(outer["body"])
    beside = body["beside"]
    first = dict(beside["first"])[1]
    ends = first["ends"]
    changes: list[Any] = [
        {"name": "validation-gen-" + "0" * 31},
        {"name": "../" + beside["name"]},
        {"name": None},
        {"lost": [None]},
        {"first": 1},
        {"first": [[99, first]]},
        {"first": [[1, {**first, "ends": ends[1:]}]]},
        {"first": [[1, {**first, "ends": ends[::-1]}]]},
        {"first": [[1, {**first, "lines": [[1, "x"]]}]]},
        {"first": [[1, {**first, "passed": {"x": "y"}}]]},
    ]
    for change in changes:
        text = json.dumps({**body, "beside": {**beside, **change}})
        state.write_text(json.dumps({**outer, "body": text, "sha256": checkpoint._digest(text)}))
        with pytest.raises(CheckpointError, match="damaged"):
            compared(job, corpus, tmp_path, InProcess())


def test_a_directory_of_somebody_else_is_not_taken(job: Job, corpus: Path, tmp_path: Path) -> None:
    work = paired(job, cut_of(corpus, 20_000, old=True), 0, BUCKETS)
    work.resume(str(tmp_path / "state.json"))
    (tmp_path / "other").mkdir()
    (tmp_path / work.passes.name).symlink_to(tmp_path / "other")
    with pytest.raises(EngineError, match="another user"), spilling(str(tmp_path), work):
        pass
    assert (tmp_path / "other").is_dir()


def test_a_state_of_other_inputs_is_refused(job: Job, corpus: Path, tmp_path: Path) -> None:
    work = paired(job, cut_of(corpus, 20_000, old=True), 0, BUCKETS)
    state = str(tmp_path / "state.json")
    work.resume(state)
    work.resume(state)
    work.corpus.olds -= 1
    with pytest.raises(CheckpointError, match="other work: inputs differ"):
        work.resume(state)


def test_a_lost_partition_of_a_log_leaves_no_wrong_partners(job: Job, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / "new").mkdir(parents=True)
    for number, verb in enumerate(("create", "patch", "patch"), 1):
        meta = {"name": "x", "namespace": "a", "uid": "1", "resourceVersion": str(number)}
        obj = {"apiVersion": "x/v1", "kind": "Shelf", "metadata": meta, "levels": number}
        event = {
            "kind": "Event",
            "apiVersion": "audit.k8s.io/v1",
            "level": "RequestResponse",
            "stage": "ResponseComplete",
            "verb": verb,
            "objectRef": {"apiGroup": "x", "apiVersion": "v1", "resource": "shelves", "namespace": "a", "name": "x"},
            "responseStatus": {"code": 201 if verb == "create" else 200},
            "requestObject": obj,
            "responseObject": obj,
        }
        (folder / "new" / f"l{number}.log").write_text(json.dumps(event, separators=(",", ":")) + "\n")
    whole, work = compared(job, folder, tmp_path, InProcess(), old=False)
    assert "not known" not in whole
    assert whole.endswith("3")
    assert work.kept is not None
    work.kept.remove()
    partial, work = compared(job, folder, tmp_path, Losing(2), old=False)
    assert set(work.corpus.problems) == {2}
    assert "1 event of updates of which the old object is not known" in partial
    assert partial.endswith("1")
    assert compared(job, folder, tmp_path, InProcess(), old=False)[0] == whole
