"""Measures the parts of a comparison on a cluster, and says what they come to for corpora that are not here.

    python -m benchmarks.scaling [--bytes N] [--picture FILE.svg]

What is measured is processor time, of one process each, the median of some tries:

- how fast a worker reads and judges lines,
- what a partition costs the client and the scheduler, which share a process here, with the results of few sorts of
  mismatch, and with those of as many as are kept,
- the memory that the client needs for each partition.

The rest is assumed, and told: see `Assumed`. docs/scale.md has the table.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.compare_many import EXAMPLE
from benchmarks.corpora import draw
from validation_gen.commands.compare.adapters import Comparison
from validation_gen.commands.compare.groups import Example, Sort
from validation_gen.commands.compare.partitioned import PartitionJudging, compare_part
from validation_gen.commands.compare.results import Results
from validation_gen.commands.distributed.codec import decode, encode
from validation_gen.commands.distributed.dask_engine import DaskEngine
from validation_gen.commands.distributed.engines import Cluster
from validation_gen.commands.distributed.partitions import USUAL, Content, Part, Partition

_MB, _TB = 10**6, 10**12
_TRIES = 5
_TASKS = 400
_SORTS = 1000
_WORKERS = (1, 2, 5, 10, 20, 50, 100)
_CORPORA = {"10 GB": 1e10, "100 GB": 1e11, "1 TB": 1e12, "10 TB": 1e13}


@dataclass(frozen=True, slots=True)
class Assumed:
    """What depends on a cluster and a store.

    Attributes:
        store: megabytes that a worker gets of the store in a second, by one connection.
        total: megabytes that all of them get.
        begin: seconds until the client, the scheduler and a worker have found each other and the judge is made.
        look: seconds to look at the beginning of a file, and `looks` how many are made at once.
        file: bytes of a file.
    """

    store: float = 60.0
    total: float = 12_500.0  # a network of 100 Gbit/s
    begin: float = 10.0
    look: float = 0.03
    looks: int = 16
    file: float = 1e9


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds and bytes, as `main` measures them.

    Attributes:
        rate: megabytes that a worker reads and judges in a second.
        few: seconds of a partition in the client and the scheduler, with few sorts of mismatches.
        many: the same, with as many as are kept.
        memory: bytes of the client for each partition.
    """

    rate: float
    few: float
    many: float
    memory: float


def seconds(size: float, workers: int, measured: Measured, assumed: Assumed, *, is_many: bool = False) -> float:
    """How long a comparison of so many bytes takes: what is slowest, and what comes before and after."""
    count = size / USUAL
    each = 1 / (1 / measured.rate + 1 / assumed.store)  # it reads and judges in turn
    reading = size / _MB / min(workers * each, assumed.total)
    taking = count * (measured.many if is_many else measured.few)
    last = USUAL / _MB / each  # others have nothing left to do
    return assumed.begin + size / assumed.file * assumed.look / assumed.looks + max(reading, taking) + last


# --- measuring ------------------------------------------------------------------------------------------------------


def _rate(comparison: Comparison, file: Path) -> float:
    with ExitStack() as stack:
        judge = _judging(comparison).judge_there(stack)
        size = file.stat().st_size
        partition = Partition(1, str(file), 0, size, Content.LINES, size)
        return size / _MB / _median(lambda: compare_part(judge, partition))


def _judging(comparison: Comparison) -> PartitionJudging:
    return decode(PartitionJudging, json.loads(json.loads(comparison.packed)["body"]))


def _few(comparison: Comparison, file: Path) -> float:
    """By partitions that hold one object: what they cost in this process, where the scheduler is as well."""
    size = file.read_bytes().index(b"\n") + 1
    batch = _judging(comparison)
    with closing(DaskEngine(Cluster(processes=1))) as engine:

        def run(count: int = _TASKS) -> None:
            total = Results()
            parts = (Partition(n, str(file), 0, size, Content.LINES, size) for n in range(count))
            for done in engine.run(batch, parts):
                assert not done.problem, done.problem
                total.merge(done.outcome.results)

        run(10)
        return _median(run) / _TASKS


def _many() -> float:
    """What is more with many sorts: to read and to merge them. The scheduler passes bytes on."""
    packed = json.dumps({"outcome": encode(Part(_results(1)), Part[Results])}).encode()
    total = _results(0)

    def take() -> None:
        part: Part[Results] = decode(Part[Results], json.loads(packed)["outcome"])
        total.merge(part.results)

    return _median(take)


def _results(number: int) -> Results:
    made = Results()
    for index in range(_SORTS):
        sort = Sort(
            "Reservation", "create", "both", "rule extra", f"spec.field{index}", "FieldValueInvalid", "", "", ""
        )
        error = {"field": sort.path, "type": sort.type, "detail": "d" * 60, "message": "m" * 60, "badValue": 1}
        example = Example({"spec": {"a": "x" * 300}}, None, {}, f"file:{index}", [error], [], "m" * 100, "t" * 100)
        made.add_mismatch(sort, "", example.rank, lambda example=example: example, (number, index))  # type: ignore[misc]
    return made


def _memory() -> float:
    tracemalloc.start()
    count = 10_000
    kept = [Partition(n, f"s3://fleet-dumps/2026-11/part-{n // 15:05}.jsonl", n, n + 1) for n in range(count)]
    by_number = {each.number: each for each in kept}
    lines = {each.number: 10**5 + each.number for each in kept}
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(by_number) == len(lines)
    return taken / count


def _median(call: Callable[[], object]) -> float:
    found = []
    for _ in range(_TRIES):
        begun = time.process_time()
        call()
        found.append(time.process_time() - begun)
    return statistics.median(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=int, default=2000, help="bytes of an object")
    parser.add_argument("--picture", type=Path, help="where the figure goes")
    options = parser.parse_args()
    side = f"python:{EXAMPLE / 'handwritten' / 'validation.py'}:validate"
    comparison = Comparison.of([str(EXAMPLE / "apis")], side)
    with tempfile.TemporaryDirectory() as directory:
        draw(Path(directory), USUAL, options.bytes)
        (file,) = Path(directory).iterdir()
        few = _few(comparison, file)
        measured = Measured(_rate(comparison, file), few, few + _many(), _memory())
    _tell(f"a worker: {measured.rate:.0f} MB/s")
    _tell(f"a partition, few sorts: {measured.few * 1000:.2f} ms; many: {measured.many * 1000:.1f} ms")
    _tell(f"the client: {measured.memory:.0f} bytes a partition\n")
    assumed = Assumed()
    _tell("| corpus | partitions | " + " | ".join(f"{each}" for each in _WORKERS) + " |")
    _tell("|---|--:|" + "--:|" * len(_WORKERS))
    for name, size in _CORPORA.items():
        cells = [_time(seconds(size, each, measured, assumed)) for each in _WORKERS]
        _tell(f"| {name} | {size / USUAL:,.0f} | {' | '.join(cells)} |")
    for is_many in (False, True):
        most = [seconds(1e13, each, measured, assumed, is_many=is_many) for each in range(1, 2001)]
        best = next(n for n, each in enumerate(most, 1) if each <= 1.05 * most[-1])
        _tell(f"10 TB, {'many' if is_many else 'few'} sorts: {_time(most[99])} with 100; no use beyond {best} workers")
    if options.picture:
        options.picture.write_text(_picture(measured, assumed))


# --- the figure -------------------------------------------------------------------------------------------------------

_LEFT, _TOP, _WIDE, _HIGH = 60, 20, 480, 280
_TIMES = {"10 s": 10, "1 min": 60, "10 min": 600, "1 h": 3600, "10 h": 36_000, "100 h": 360_000}


def _picture(measured: Measured, assumed: Assumed) -> str:
    """Lines of the time by workers, one for each size; both axes are logarithmic."""

    def x(workers: float) -> float:
        return _LEFT + _WIDE * math.log(workers) / math.log(100)

    def y(time: float) -> float:
        return _TOP + _HIGH * (1 - math.log(time / 10) / math.log(100 * 3600 / 10))

    text = 'font-family="sans-serif" font-size="12" fill="#808080"'
    shapes = [
        f'<line x1="{_LEFT}" y1="{y(at):.1f}" x2="{_LEFT + _WIDE}" y2="{y(at):.1f}" stroke="#808080" '
        f'stroke-width="0.5"/><text x="{_LEFT - 6}" y="{y(at) + 4:.1f}" text-anchor="end" {text}>{name}</text>'
        for name, at in _TIMES.items()
    ]
    below = _TOP + _HIGH + 18
    shapes += [f'<text x="{x(n):.1f}" y="{below}" text-anchor="middle" {text}>{n}</text>' for n in _WORKERS]
    shapes.append(f'<text x="{_LEFT + _WIDE / 2}" y="{below + 18}" text-anchor="middle" {text}>workers</text>')
    for name, size in _CORPORA.items():
        found = {each: seconds(size, each, measured, assumed) for each in range(1, 101)}
        points = " ".join(f"{x(each):.1f},{y(time):.1f}" for each, time in found.items())
        shapes.append(f'<polyline points="{points}" fill="none" stroke="#4051b5" stroke-width="2"/>')
        shapes.append(f'<text x="{x(100) + 8:.1f}" y="{y(found[100]) + 4:.1f}" {text}>{name}</text>')
    title = "<title>How long a comparison takes, by the number of workers and the size of the corpus</title>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDE + 70} {below + 28}" role="img">'
    return "\n".join([head, title, *shapes, "</svg>", ""])


def _time(number: float) -> str:
    if number < 90:
        return f"{number:.0f} s"
    return f"{number / 60:.0f} min" if number < 5400 else f"{number / 3600:.1f} h"


def _tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
