"""What tests have seen: the same from one file as from parts of it in any order, and on Dask."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.distributed.test_same_results import Interrupted, Losing, Shuffled
from validation_gen.commands.coverage import Declared
from validation_gen.commands.coverage.read_results import (
    MOST_TOLD,
    Observations,
    Observer,
    ReadSettings,
    find_triggered,
)
from validation_gen.commands.distributed.checkpoint import CheckpointError
from validation_gen.commands.distributed.codec import decode, encode
from validation_gen.commands.distributed.engines import Done, Engine, EngineError, InProcess, Interruption
from validation_gen.commands.distributed.worker import Batch
from validation_gen.diagnostics import Diagnostics, Span

RULES = [
    Declared("a/v1", "a/v1", "Shelf", f"levels[*].f{n}", type, origin, "+k8s:x", Span("a.go", n + 1))
    for n in range(40)
    for type, origin in (("FieldValueInvalid", "minimum"), ("FieldValueTooLong", "maxLength"))
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with results, with lines that are none, blank ones, and lines in other codes than UTF-8."""
    folder = tmp_path_factory.mktemp("results")
    chance = random.Random(3)
    lines = [_line(chance, number) for number in range(600)]
    (folder / "a.jsonl").write_bytes(b"\n".join(lines))
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(b"\r\n".join(lines[:50]) + b"\n"))
    (folder / "c.jsonl").write_bytes(b"\n".join(lines[::-1]) + b"\n")
    return folder


def _line(chance: random.Random, number: int) -> bytes:
    if number % 37 == 5:
        return chance.choice([b"", b"{broken", b"[]", b'{"kind": "Shelf", "errors": [1]}', b"\xff"])
    rule = chance.choice(RULES[: len(RULES) // 2])
    error = {"type": rule.type, "field": rule.path.replace("*", str(number)), "origin": rule.origin}
    record = {"apiVersion": "a/v1", "kind": "Shelf", "errors": [error], "note": "ü" * (number % 60)}
    return json.dumps(record, ensure_ascii=number % 2 == 0).encode()


def told(corpus: Path, engine: Engine, size: int = 1 << 40, resume: str = "", most_bad: int = 0) -> str:
    diagnostics = Diagnostics()
    way = ReadSettings(engine, size, most_bad, resume)
    found = find_triggered(RULES, [str(corpus)], way, diagnostics, Interruption())
    return "\n".join([*map(str, sorted(found)), *(str(each) for each in diagnostics.items)])


@pytest.fixture(scope="module")
def wanted(corpus: Path) -> str:
    return told(corpus, InProcess())


def test_there_is_something_to_lose(wanted: str) -> None:
    lines = wanted.splitlines()
    assert sum(line.startswith("Declared(") for line in lines) == len(RULES) // 2
    assert sum("no test result" in line for line in lines) > 20
    assert "c.jsonl', line=595" in wanted


@pytest.mark.parametrize("size", [300, 5001, 65_536])
def test_partitions_in_any_order(corpus: Path, wanted: str, size: int) -> None:
    assert told(corpus, Shuffled(), size) == wanted


def test_dask(dask: Engine, corpus: Path, wanted: str) -> None:
    assert told(corpus, dask, 7000) == wanted


def test_a_part_that_cannot_be_read_is_told_with_its_range(corpus: Path) -> None:
    text = told(corpus, Losing(2), 7000, most_bad=1)
    assert "a.jsonl[7000:14000]" in text
    assert "cannot read: gone" in text
    assert "a.jsonl from byte 28000 on" in text, "lines behind it cannot be counted"
    with pytest.raises(EngineError, match="2 partitions could not be read"):
        told(corpus, Losing(2, 3), 7000, most_bad=1)


class Counting(InProcess):
    """Remembers the partitions that it was sent."""

    def __init__(self) -> None:
        self.numbers: set[int] = set()

    def run(self, batch: Batch, partitions: Iterable[Any]) -> Generator[Done, None, None]:
        for done in super().run(batch, partitions):
            self.numbers.add(done.chunk.number)
            yield done


def test_work_that_was_ended_goes_on(corpus: Path, wanted: str, tmp_path: Path) -> None:
    state = str(tmp_path / "state.json")
    with pytest.raises(KeyboardInterrupt):
        told(corpus, Interrupted(), 7000, state)
    assert Path(state).is_file()
    with pytest.raises(CheckpointError, match="partitions are of another size"):
        told(corpus, InProcess(), 9000, state)

    engine = Counting()
    assert told(corpus, engine, 7000, state) == wanted
    assert engine.numbers == set(range(5, max(engine.numbers) + 1)), "four were done before"
    assert not Path(state).exists()


def test_damaged_files_are_no_results(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 5000)[:-20])
    assert "the gzip data end too early" in told(tmp_path, InProcess(), most_bad=1)


def test_so_many_lines_are_told_and_the_rest_is_counted() -> None:
    observer = Observer(RULES[:1])
    one = observer.see([b"["] * (MOST_TOLD + 5), 2)
    other = observer.see([b"["] * 10, 1)
    one.merge(other)
    assert len(one.unusable) == MOST_TOLD
    assert one.untold == 15
    assert min(one.unusable) == (1, 1)
    assert decode(Observations, json.loads(json.dumps(encode(one)))) == one


def test_nothing_is_kept_while_something_is_missing(corpus: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    way = ReadSettings(InProcess(), 7000, 0, str(state))
    with pytest.raises(EngineError, match="so nothing can be kept"):
        find_triggered(RULES, [str(corpus), str(corpus / "gone.jsonl")], way, Diagnostics(), Interruption())
    assert not state.exists()
