"""Portions of work: of a size that suits, in this process or in others, with the same results."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.compare.parts import declarations, files, judge, shelf
from validation_gen.commands.compare.inputs import Item
from validation_gen.commands.compare.inputs.decoding import Form, Piece
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.portions import Job, compare, describe_location
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides import Answer, parse_spec
from validation_gen.commands.distributed.engines import Interruption, WorkerDiedError


def job(tmp_path: Path, body: str) -> Job:
    (tmp_path / "hand.py").write_text(f"import os\nimport time\n\n\ndef check(obj):\n{body}    return []\n")
    return Job(files(), declarations(), parse_spec(f"python:{tmp_path / 'hand.py'}:check"), ComparisonConfig())


def portions(count: int, seconds: float) -> list[int]:
    def slow(request: Request) -> Answer:
        time.sleep(seconds)
        return []

    one, _ = judge(slow)
    unused = Job({}, declarations(), parse_spec("python:os:getcwd", check=False), ComparisonConfig())
    return [each.items for each in compare(unused, [shelf(1)] * count, 1, one, Interruption())]


def test_portions_grow_while_they_are_fast() -> None:
    found = portions(5000, 0)
    assert sum(found) == 5000
    assert found[0] <= 20
    assert max(found) == 500


def test_portions_of_slow_sides_are_small() -> None:
    found = portions(14, 0.1)
    assert sum(found) == 14
    assert max(found[1:]) <= 4


def test_a_slow_source_is_not_waited_for() -> None:
    def source() -> Iterator[Request]:
        for _ in range(6):
            time.sleep(0.1)
            yield shelf(1)

    one, _ = judge(lambda request: [])
    unused = Job({}, declarations(), parse_spec("python:os:getcwd", check=False), ComparisonConfig())
    assert max(each.items for each in compare(unused, source(), 1, one, Interruption())) <= 3


def test_large_objects_go_out_by_few() -> None:
    text = b'{"apiVersion": "shop.example.com/v1", "kind": "Shelf", "levels": []}'
    items = [Item(n, Piece(Form.JSON, text + b" " * 2_000_000, n + 1), "file", 0) for n in range(20)]
    one, _ = judge(lambda request: [])
    unused = Job({}, declarations(), parse_spec("python:os:getcwd", check=False), ComparisonConfig())
    found = list(compare(unused, items, 1, one, Interruption()))
    assert max(each.items for each in found) == 3
    assert sum(each.results.compared for each in found) == 20


def test_other_processes_begin_when_it_is_worth_it(tmp_path: Path) -> None:
    work = job(tmp_path, f"    open(f'{tmp_path}/pid-{{os.getpid()}}', 'w').close()\n    time.sleep(0.005)\n")
    for count, processes in ((20, 1), (500, 3)):
        for file in tmp_path.glob("pid-*"):
            file.unlink()
        with work.handwritten.side() as side:
            one, _ = judge(lambda request, side=side: side.ask([request])[0])  # type: ignore[misc]
            found = list(compare(work, (shelf(1) for _ in range(count)), 2, one, Interruption()))
        assert sum(each.items for each in found) == count
        assert len(list(tmp_path.glob("pid-*"))) == processes


def test_an_object_that_ends_a_process_is_found(tmp_path: Path) -> None:
    work = job(tmp_path, "    time.sleep(0.005)\n    if obj['levels'][0]['height'] == 4:\n        os._exit(9)\n")

    def slow(request: Request) -> Answer:
        time.sleep(0.005)
        return []

    one, _ = judge(slow)
    requests = [shelf(4 if n == 333 else 1, place=f"item {n}") for n in range(600)]
    done: list[int] = []
    found = compare(work, requests, 2, one, Interruption())
    with pytest.raises(WorkerDiedError) as told:
        done.extend(each.items for each in found)
    assert sum(done) == 333
    assert describe_location(told.value.task) == "it was at item 333"


def test_an_interruption_that_was_swallowed_ends_it_all_the_same() -> None:
    interruption = Interruption()

    def swallowing(request: Request) -> Answer:
        interruption.asked += 1
        return []

    one, _ = judge(swallowing)
    unused = Job({}, declarations(), parse_spec("python:os:getcwd", check=False), ComparisonConfig())
    with pytest.raises(KeyboardInterrupt):
        list(compare(unused, [shelf(1)] * 1000, 1, one, interruption))
    assert interruption.asked <= 20
