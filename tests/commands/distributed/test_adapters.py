"""What somebody with another engine calls, in this process and in others that were spawned."""

from __future__ import annotations

import json
import multiprocessing
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands.distributed.engines import BEFORE, draw, of_command, of_program
from tests.docs.blocks import ROOT
from validation_gen.commands.compare.adapters import (
    Comparison,
    ComparisonConfig,
    ComparisonError,
    RefusedError,
    Results,
    SpecError,
    compare_partition,
)
from validation_gen.commands.compare.inputs import Inputs
from validation_gen.commands.compare.run import Run
from validation_gen.commands.distributed import worker
from validation_gen.diagnostics import Diagnostics


@dataclass(frozen=True, slots=True)
class Drawn:
    """A corpus on disk, what is compared, and what one process finds."""

    files: list[Path]
    comparison: Comparison
    wanted: str

    def found(self, parts: list[Results]) -> str:
        """What parts come to, in this order."""
        total = Results()
        for part in parts:
            total.merge(part)
        return told(self.comparison.finished(total))


def told(results: Results) -> str:
    results.seconds = results.handwritten_seconds = results.declarative_seconds = 0
    return json.dumps(results.as_json())


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    files = draw(tmp_path_factory.mktemp("corpus"))
    side = f"python:{ROOT / BEFORE / 'handwritten' / 'validation.py'}:validate"
    comparison = Comparison.of([str(ROOT / BEFORE / "apis")], side, manner=ComparisonConfig(options={"Terrace": False}))
    with Run(comparison._job) as run, Inputs(files, Diagnostics()) as inputs:
        run.add(inputs.read_items())
        return Drawn([Path(each) for each in files], comparison, told(run.finish()))


@pytest.fixture(autouse=True)
def _released() -> Iterator[None]:
    yield
    worker.release(worker._Ready.key)


def lines_of(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines(keepends=True)


def test_parts_in_any_order_come_to_what_one_process_finds(drawn: Drawn) -> None:
    def part(number: int) -> Results:
        file = drawn.files[number]
        return compare_partition(lines_of(file), drawn.comparison.packed, name=str(file), number=number)

    assert json.loads(drawn.wanted)["totals"]["mismatches"] > 50
    assert drawn.found([part(number) for number in (2, 0, 1)]) == drawn.wanted
    last = part(2)
    last.merge(part(1))
    assert drawn.found([last, part(0)]) == drawn.wanted


def test_processes_that_share_nothing(drawn: Drawn) -> None:
    """As any engine does that starts its processes anew: arguments and results are pickled."""
    packed = drawn.comparison.packed
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        parts = [
            pool.submit(compare_partition, lines_of(file), packed, name=str(file), number=number)
            for number, file in enumerate(drawn.files)
        ]
        assert drawn.found([part.result() for part in reversed(parts)]) == drawn.wanted


@pytest.mark.process
def test_the_program_of_the_page(tmp_path: Path) -> None:
    files = draw(tmp_path)
    assert of_program("with_processes.py", files) == of_command(files)


def test_lines_are_texts_or_bytes_with_their_ends_or_without(drawn: Drawn) -> None:
    file = drawn.files[1]
    text = file.read_text(encoding="utf-8")
    ways = [lines_of(file), text.splitlines(), text.encode().splitlines(), iter(text.splitlines(keepends=True))]
    found = {
        drawn.found([compare_partition(lines, drawn.comparison.packed, name="a")])  # type: ignore[arg-type]
        for lines in ways
    }
    assert len(found) == 1


def test_lines_are_counted_with_the_blank_ones(drawn: Drawn) -> None:
    part = compare_partition(["", "\n", "{broken", " \t", "[\ud800"], drawn.comparison.packed, name="logs/a")
    assert [note[:9] for note in part.notes] == ["logs/a:3:", "logs/a:5:"]
    assert part.bad == 2


def test_no_lines_come_to_nothing(drawn: Drawn) -> None:
    assert compare_partition([], drawn.comparison.packed, name="a") == Results()


def test_what_lines_raise_is_raised_and_the_next_lines_are_compared(drawn: Drawn) -> None:
    def broken() -> Iterator[bytes]:
        yield from lines_of(drawn.files[1])[:3]
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        compare_partition(broken(), drawn.comparison.packed, name="a")
    assert compare_partition(lines_of(drawn.files[1])[:3], drawn.comparison.packed, name="a").compared == 3


def test_another_version_is_refused_by_what_can_be_pickled(drawn: Drawn) -> None:
    other = json.dumps({**json.loads(drawn.comparison.packed), "version": "9.9"}).encode()
    with pytest.raises(RefusedError, match=r"and this is 9\.9") as caught:
        compare_partition([], other, name="a")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.help) == (str(caught.value), "install validation-gen 9.9 on all workers")


def test_what_cannot_be_compared_is_told_where_it_is_made(drawn: Drawn, tmp_path: Path) -> None:
    apis = ROOT / BEFORE / "apis"
    with pytest.raises(SpecError, match="no module nowhere"):
        Comparison.of([str(apis)], "python:nowhere:check")
    with pytest.raises(ComparisonError, match=r"nothing\.yaml"):
        Comparison.of([str(apis)], "exec:true", expected=[str(tmp_path / "nothing.yaml")])
    (tmp_path / "types.go").write_text('package v1\n\ntype A struct {\n\t// +k8s:minimum=x\n\tB int `json:"b"`\n}\n')
    with pytest.raises(ComparisonError, match=r"types\.go:4"):
        Comparison.of([str(tmp_path)], "exec:true")
