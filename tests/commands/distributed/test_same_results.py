"""One process, two processes, partitions in any order, and Dask: the same results, byte for byte."""

from __future__ import annotations

import gzip
import itertools
import json
import random
from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks import dense
from tests.commands.compare.parts import API_VERSION, declarations, files
from tests.native.damage import damaged
from validation_gen.commands.compare import portions
from validation_gen.commands.compare.clustered import Corpus, compare_on, settle
from validation_gen.commands.compare.grouping import Declarations
from validation_gen.commands.compare.inputs import Inputs
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.meeting import work_on
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.run import Run
from validation_gen.commands.compare.sides import parse_spec
from validation_gen.commands.distributed.engines import Cluster, Done, Engine, EngineError, InProcess, Interruption
from validation_gen.commands.distributed.worker import Batch
from validation_gen.compiler.pipeline import Settings, build_files, build_program, load_validators
from validation_gen.diagnostics import Diagnostics

HAND = """
def check(obj):
    return [{"type": "FieldValueInvalid", "field": f"levels[{i}].height", "origin": "maximum"}
            for i, level in enumerate(obj["levels"]) if level["height"] > 7]
"""


class Shuffled:
    """Runs all in this process, the last first and the others in any order."""

    dashboard = ""

    def run(self, batch: Batch, partitions: Iterable[Any]) -> Generator[Done, None, None]:
        found = list(partitions)[::-1]
        random.shuffle(found)
        yield from InProcess().run(batch, found)

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of every sort: lines that are cut, a list, YAML, what is broken, and blank lines."""
    folder = tmp_path_factory.mktemp("corpus")
    draw = random.Random(7)
    lines = []
    for number in range(900):
        levels = [{"height": draw.randrange(10)} for _ in range(draw.randrange(4))]
        obj: dict[str, Any] = {"apiVersion": API_VERSION, "kind": "Shelf", "levels": levels, "n": "ü" * (number % 50)}
        lines.append(
            json.dumps(obj, ensure_ascii=number % 2 == 0)
            if number % 7 or not number
            else draw.choice(["", "{broken", "[]"])
        )
    (folder / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "b.yaml").write_text("\n---\n".join(line for line in lines[:40]))
    items = [json.loads(line) for line in lines[:60] if len(line) > 20]
    (folder / "c.json").write_text(json.dumps({"kind": "List", "items": items}, indent=1))
    (folder / "d.jsonl").write_text("\r\n".join(lines[::-1]) + "\n", encoding="utf-8")
    (folder / "hand.py").write_text(HAND)
    return folder


@pytest.fixture(scope="module")
def job(corpus: Path) -> Job:
    return Job(files(), declarations(), parse_spec(f"python:{corpus / 'hand.py'}:check"), ComparisonConfig())


def told(run: Run) -> str:
    run.results.seconds = run.results.handwritten_seconds = run.results.declarative_seconds = 0
    return json.dumps(run.results.as_json())


def here(job: Job, corpus: Path, jobs: int) -> str:
    with Run(job, jobs) as run, Inputs([str(corpus)], Diagnostics()) as inputs:
        run.add(inputs.read_items())
        return told(run)


def on(engine: Engine, job: Job, corpus: Path, size: int = 3000) -> str:
    cut = Corpus.from_arguments([str(corpus)], Diagnostics(), size)
    assert len(cut.partitions) > 5
    with Run(job) as run:
        run.take(compare_on(engine, work_on(job, cut, Interruption(), 0)))
        assert run.failure is None
        settle(run.results, cut)
        assert cut.done == cut.weight
        return told(run)


@pytest.fixture(scope="module")
def wanted(job: Job, corpus: Path) -> str:
    return here(job, corpus, 1)


def test_results_have_something_to_lose(wanted: str) -> None:
    found = json.loads(wanted)
    assert found["totals"]["mismatches"] > 100
    assert len(found["notes"]) == 100
    assert found["mismatches"][0]["example"]["place"].rpartition(":")[2].isdigit()


def test_two_processes(job: Job, corpus: Path, wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portions, "_WORTH_PROCESSES", 0.0)
    assert here(job, corpus, 2) == wanted


@pytest.mark.parametrize("size", [700, 3001, 65_536])
def test_partitions_in_any_order(job: Job, corpus: Path, wanted: str, size: int) -> None:
    with closing(Shuffled()) as engine:
        cut = Corpus.from_arguments([str(corpus)], Diagnostics(), size)
        with Run(job) as run:
            run.take(compare_on(engine, work_on(job, cut, Interruption(), 0)))
            settle(run.results, cut)
            assert told(run) == wanted


def test_dask(dask: Any, job: Job, corpus: Path, wanted: str) -> None:
    assert on(dask, job, corpus) == wanted
    with closing(type(dask)(Cluster(dask.address))) as again:  # as somebody else's, by its address
        assert on(again, job, corpus, 9000) == wanted
        assert again.dashboard.startswith("http://")


_DRAWN = 2_000


@pytest.mark.slow  # workers load a large package, and a few objects of a small one are compared above
@pytest.mark.parametrize("dask", [2], indirect=True)
def test_answers_of_workers_do_not_depend_on_earlier_requests(dask: Any, tmp_path: Path) -> None:
    """Each worker judges other requests before, in types in which nearly each field has rules."""
    program = build_program(Settings((str(dense.TYPES),))).program
    rng, head = random.Random(36), {"package": "plants/v1", "kind": dense.KIND, "options": dense.OPTIONS}
    plant = dense.plant()
    with (tmp_path / "requests.jsonl").open("w", encoding="utf-8") as lines:
        for number in range(_DRAWN):
            obj, old = damaged(plant, rng), rng.choice([plant, damaged(plant, rng)])
            change = {"op": "update", "oldObj": old} if number % 3 == 0 else {"op": "create"}
            lines.write(json.dumps({"id": number, **head, **change, "obj": obj}) + "\n")
    (tmp_path / "hand.py").write_text("def check(obj):\n    return []\n")
    side = parse_spec(f"python:{tmp_path / 'hand.py'}:check")
    job = Job(
        build_files(program), Declarations.from_program(program, load_validators(program)), side, ComparisonConfig()
    )
    want = here(job, tmp_path / "requests.jsonl", 1)
    assert json.loads(want)["totals"]["differing"] > _DRAWN // 20
    assert on(dask, job, tmp_path / "requests.jsonl", 100_000) == want


class Losing(InProcess):
    """Cannot read some partitions."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = numbers

    def run(self, batch: Batch, partitions: Iterable[Any]) -> Generator[Done, None, None]:
        for done in super().run(batch, partitions):
            is_lost = done.chunk.number in self._numbers
            yield Done(done.chunk, problem="cannot read: gone") if is_lost else done


def test_a_partition_that_cannot_be_read_is_told_and_does_not_stop_the_rest(job: Job, corpus: Path) -> None:
    cut = Corpus.from_arguments([str(corpus)], Diagnostics(), 3000)
    lost = next(each for each in cut.partitions if each.begin)
    diagnostics = Diagnostics()
    with closing(Losing(lost.number)) as engine, Run(job) as run:
        run.take(compare_on(engine, work_on(job, cut, Interruption(), 1)))
        settle(run.results, cut)
        cut.report(diagnostics)
        assert run.failure is None
    (finding,) = diagnostics.items
    assert finding.code == "VG901"
    assert str(finding.span) == f"{lost.url}[{lost.begin}:{lost.end}]"
    assert run.results.compared > 500
    assert any(f"{lost.url} from byte {lost.end} on:" in note for note in run.results.notes)


class Interrupted(InProcess):
    """Is interrupted after some partitions."""

    def run(self, batch: Batch, partitions: Iterable[Any]) -> Generator[Done, None, None]:
        yield from itertools.islice(super().run(batch, partitions), 4)
        raise KeyboardInterrupt


def test_an_interruption_keeps_what_is_done(job: Job, corpus: Path) -> None:
    cut = Corpus.from_arguments([str(corpus)], Diagnostics(), 3000)
    with closing(Interrupted()) as engine, Run(job) as run:
        run.take(compare_on(engine, work_on(job, cut, Interruption(), 0)))
        settle(run.results, cut)
        assert run.results.interrupted
        assert run.results.compared > 50
        assert cut.finished == 4


def test_too_many_of_them_end_the_comparison(job: Job, corpus: Path) -> None:
    cut = Corpus.from_arguments([str(corpus)], Diagnostics(), 3000)
    with closing(Losing(*range(0, 99, 2))) as engine, Run(job) as run:
        run.take(compare_on(engine, work_on(job, cut, Interruption(), 3)))
        assert isinstance(run.failure, EngineError)
        assert len(cut.problems) == 4
        assert run.results.interrupted


def test_what_is_not_there_or_damaged_is_told(job: Job, tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    assert Corpus.from_arguments([str(tmp_path / "no.jsonl"), str(tmp_path)], diagnostics, 3000).partitions == []
    assert [each.message for each in diagnostics.items] == [
        "cannot read: No such file or directory",
        "there are no objects here",
    ]
    text = json.dumps({"apiVersion": API_VERSION, "kind": "Shelf", "levels": [{"height": 6}]}) + "\n"
    packed = gzip.compress(text.encode() * 5000)
    (tmp_path / "a.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    wanted = here(job, tmp_path, 1)
    with closing(InProcess()) as engine, Run(job) as run:
        cut = Corpus.from_arguments([str(tmp_path)], diagnostics, 3000)
        run.take(compare_on(engine, work_on(job, cut, Interruption(), 0)))
        settle(run.results, cut)
        assert told(run) == wanted
    assert run.results.bad == 1
    assert "the gzip data end too early" in run.results.notes[0]
