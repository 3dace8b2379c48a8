# ruff: noqa: F811 - fixtures of another module
"""What is kept of a comparison on a cluster: gone on with, refused with a reason, and never replaced by mistake."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.commands.distributed.test_same_results import Interrupted, Losing, corpus, job, told, wanted  # noqa: F401 - fixtures
from validation_gen.commands.compare.clustered import Corpus, compare_on, settle
from validation_gen.commands.compare.meeting import work_on
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.run import Run
from validation_gen.commands.distributed.checkpoint import CheckpointError
from validation_gen.commands.distributed.engines import Engine, InProcess, Interruption
from validation_gen.commands.distributed.running import Work
from validation_gen.diagnostics import Diagnostics


def compared(job: Job, corpus: Path, state: str, engine: Engine, size: int = 3000) -> tuple[str, Work[Results]]:
    cut = Corpus.from_arguments([str(corpus)], Diagnostics(), size)
    work = work_on(job, cut, Interruption(), 9)
    work.resume(state)
    with closing(engine), Run(job) as run:
        run.take(compare_on(engine, work))
        settle(run.results, cut)
        run.results.interrupted = False
        return told(run), work


@pytest.mark.parametrize("scheme", ["", "file://", "memory:/"])
def test_a_comparison_goes_on_where_it_was_interrupted(
    job: Job,
    corpus: Path,
    wanted: str,
    tmp_path: Path,
    scheme: str,
) -> None:
    if scheme:
        pytest.importorskip("fsspec", reason="the extra [distributed] is not installed")
    state = f"{scheme}{tmp_path / 'state.json'}"
    done = 0
    for _ in range(3):
        partial, work = compared(job, corpus, state, Interrupted())
        done += 4
        assert work.kept is not None
        assert len(work.kept.numbers) == done
        assert partial != wanted
    found, work = compared(job, corpus, state, InProcess())
    assert found == wanted
    assert work.is_complete
    again, _ = compared(job, corpus, state, Losing(*range(99)))  # nothing is left to be lost
    assert again == wanted


def test_partitions_that_failed_are_tried_again(job: Job, corpus: Path, wanted: str, tmp_path: Path) -> None:
    state = str(tmp_path / "state.json")
    _, work = compared(job, corpus, state, Losing(2, 5))
    assert not work.is_complete
    assert compared(job, corpus, state, InProcess())[0] == wanted


def damage(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_what_is_not_ours_is_refused_and_stays(job: Job, corpus: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    compared(job, corpus, str(state), Interrupted())
    good = state.read_text()
    data = json.loads(good)
    for bad, reason in (
        ("", "does not hold the state"),
        ("{}", "does not hold the state"),
        ("[" * 100_000, "does not hold the state"),
        (good[:-40], "does not hold the state"),
        (damage(good, "done", "dune"), "checksum"),
        (json.dumps({**data, "sha256": 1}), "checksum"),
    ):
        state.write_text(bad)
        with pytest.raises(CheckpointError, match=reason):
            compared(job, corpus, str(state), InProcess())
        assert state.read_text() == bad


def test_a_state_with_a_checksum_is_not_trusted_either(job: Job, corpus: Path, tmp_path: Path) -> None:
    from validation_gen.commands.distributed import checkpoint  # noqa: PLC0415

    state = tmp_path / "state.json"
    compared(job, corpus, str(state), Interrupted())
    outer = json.loads(state.read_text())
    body = json.loads(outer["body"])
    changes: list[dict[str, object]] = [
        {"done": [1, 1, 2]},
        {"done": [99_999]},
        {"done": []},
        {"done": "all"},
        {"part": None},
        {"part": {}},
        {"part": {**body["part"], "items": "7"}},
        {"part": {**body["part"], "results": {}}},
        {"identity": 5},
        {"sources": 5},
        {"partitions": "x", "sources": [7]},
    ]
    for change in changes:
        text = json.dumps({**body, **change})
        state.write_text(json.dumps({**outer, "body": text, "sha256": checkpoint._digest(text)}))
        with pytest.raises(CheckpointError):
            compared(job, corpus, str(state), InProcess())


def test_a_state_of_other_work_is_refused(job: Job, corpus: Path, tmp_path: Path) -> None:
    state = str(tmp_path / "state.json")
    compared(job, corpus, state, Interrupted())
    with pytest.raises(CheckpointError, match="rules differ"):
        compared(replace(job, files={**job.files, "x.py": ""}), corpus, state, InProcess())
    with pytest.raises(CheckpointError, match="settings differ"):
        compared(replace(job, manner=replace(job.manner, short_circuit=True)), corpus, state, InProcess())
    with pytest.raises(CheckpointError, match="of another size"):
        compared(job, corpus, state, InProcess(), 2999)
    (corpus / "e.jsonl").write_text("{}\n")
    try:
        with pytest.raises(CheckpointError, match=r"e\.jsonl is another one"):
            compared(job, corpus, state, InProcess())
    finally:
        (corpus / "e.jsonl").unlink()


def test_a_place_that_cannot_be_written_is_told(job: Job, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "no").write_text("")
    with pytest.raises(OSError, match="directory"):
        compared(job, corpus, str(tmp_path / "no" / "state.json"), InProcess())
