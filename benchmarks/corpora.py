"""What a cluster costs beside the pool of one machine: `compare --cluster local:N` and `--jobs N` on the same objects.

    python -m benchmarks.corpora [GB…] [--rounds N] [--jobs N] [--bytes N] [--folder DIR]

It draws corpora of so many gigabytes, one object a line, of `--bytes` each with the metadata that objects of clusters
have. The same number draws the same bytes. Both ways take turns on each, in files that stay cached if memory allows.

It tells the ratio of wall clocks and of processor times, with the least and the most, and the peak of every process
that takes part. The processor time is that of all of them; the peak is the resident set as the kernel keeps it,
shared libraries counted in each.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.compare_many import COMMAND
from benchmarks.jobs import positive

_GB = 10**9
_FILE = 256 * 10**6  # bytes of a file
_STATES = 997  # different objects, but for their names
_OFTEN = 0.1  # seconds between two looks at the processes
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Taken:
    """What a run has taken.

    Attributes:
        wall: seconds.
        processor: seconds of all processes.
        peaks: the largest resident set of each process in megabytes, by what it is.
        shares: the seconds of its processor that each had at the last look, by what it is.
        totals: what was found.
    """

    wall: float
    processor: float
    peaks: dict[str, list[float]] = field(default_factory=dict)
    shares: dict[str, list[float]] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)


# --- the corpus -------------------------------------------------------------------------------------------------------


def draw(folder: Path, size: int, length: int) -> int:
    """Writes a corpus, and returns the number of its objects."""
    states = [_state(index, length) for index in range(_STATES)]
    count = written = number = 0
    while written < size:
        number += 1
        with (folder / f"part-{number:04}.jsonl").open("wb") as file:
            inside = 0
            while inside < _FILE and written + inside < size:
                lines = b"".join(before % (count + index) + after for index, (before, after) in enumerate(states))
                count += len(states)
                inside += file.write(lines)
            written += inside
    return count


def _state(index: int, length: int) -> tuple[bytes, bytes]:
    """An object with a place for a number, in two parts. A hundredth breaks a rule, as the tags and the code say."""
    chance = random.Random(index)  # noqa: S311 - it has to be the same each time
    uid = hashlib.md5(str(index).encode(), usedforsecurity=False).hexdigest()
    spec = {"table": f"window-{index % 50}", "guests": 0 if index % 100 == 0 else index % 22 + 1}
    spec |= {"courses": [{"name": name, "dishes": chance.randrange(1, 4)} for name in ("soup", "fish", "cake")]}
    notes: dict[str, str] = {}
    metadata = {
        "name": "r%d",
        "namespace": f"team-{chance.randrange(40)}",
        "uid": f"{uid[:8]}-{uid[8:12]}-{uid[12:16]}-{uid[16:20]}-{uid[20:]}",
        "resourceVersion": str(chance.randrange(10**9)),
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "labels": {f"example.com/label-{n}": f"value-{chance.randrange(99)}" for n in range(4)},
        "annotations": notes,
        "managedFields": [
            {
                "manager": "controller",
                "operation": "Update",
                "apiVersion": "tables.example.com/v1",
                "time": "2026-01-01T00:00:00Z",
                "fieldsType": "FieldsV1",
                "fieldsV1": {"f:spec": {"f:table": {}, "f:guests": {}, "f:courses": {'k:{"name":"soup"}': {".": {}}}}},
            }
        ],
    }
    obj = {"apiVersion": "tables.example.com/v1", "kind": "Reservation", "metadata": metadata, "spec": spec}
    missing = length - len(json.dumps(obj)) - 20
    while missing > 40:  # as tools write them: some long annotations
        text = uid * 16
        notes[f"example.com/note-{len(notes)}"] = text[: min(len(text), missing - 40)]
        missing = length - len(json.dumps(obj)) - 20
    before, _, after = json.dumps(obj).encode().partition(b"r%d")
    return before + b"r%d", after + b"\n"


# --- a run ------------------------------------------------------------------------------------------------------------


def run(folder: Path, *options: str) -> Taken:
    """What a comparison takes."""
    begun = time.perf_counter()
    command = [*COMMAND, "-f", str(folder), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603 - ours
        watcher = Watcher(process.pid)
        watcher.start()
        assert process.stdout is not None
        assert process.stderr is not None
        told = process.stdout.read()
        errors = process.stderr.read()
        watcher.stop()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begun
    if process.returncode > 1:
        raise SystemExit(errors.decode(errors="replace"))
    # Processes that nobody has waited for are known from looking at them alone.
    processor = max(usage.ru_utime + usage.ru_stime, watcher.processor)
    return Taken(wall, processor, watcher.peaks(), watcher.shares(), json.loads(told)["totals"])


class Watcher(threading.Thread):
    """Looks at a process and all that it has started, some times a second."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._ended = threading.Event()
        self._seen: dict[int, tuple[str, float, float]] = {}

    @property
    def processor(self) -> float:
        return sum(seconds for _, _, seconds in self._seen.values())

    def peaks(self) -> dict[str, list[float]]:
        return _by_name((name, peak) for name, peak, _ in self._seen.values())

    def shares(self) -> dict[str, list[float]]:
        return _by_name((name, seconds) for name, _, seconds in self._seen.values())

    def stop(self) -> None:
        self._ended.set()
        self.join()

    def run(self) -> None:
        while not self._ended.wait(_OFTEN):
            self.look()

    def look(self) -> None:
        for pid in _tree(self._root):
            try:
                words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                status = Path(f"/proc/{pid}/status").read_text()
                command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
            if "VmHWM:" in status:
                peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
                self._seen[pid] = (_name(command, pid == self._root), peak, sum(map(int, words[11:13])) / _TICKS)


def _by_name(values: Iterable[tuple[str, float]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for name, value in values:
        found.setdefault(name, []).append(value)
    return {name: sorted(each, reverse=True) for name, each in found.items()}


def _tree(root: int) -> Iterator[int]:
    yield root
    try:
        for task in Path(f"/proc/{root}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _tree(int(child))
    except OSError:
        return


def _name(command: str, is_root: bool) -> str:
    if is_root:
        return "client"
    if "resource_tracker" in command or "forkserver" in command:
        return "helper"
    return "worker"


# --- what is told -----------------------------------------------------------------------------------------------------


def main() -> None:
    options = _options()
    ways = {"pool": ("--jobs", str(options.jobs)), "Dask": ("--cluster", f"local:{options.jobs}")}
    _tell("| GB | objects | way | wall s | processor s | client s | workers s | MB/s | client MB | workers MB |")
    _tell("|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|")
    ratios: list[str] = []
    for size in options.gb:
        with tempfile.TemporaryDirectory(dir=options.folder) as directory:
            count = draw(Path(directory), int(size * _GB), options.bytes)
            taken: dict[str, list[Taken]] = {way: [] for way in ways}
            for number in range(options.rounds):
                for way in list(ways)[:: -1 if number % 2 else 1]:
                    found = run(Path(directory), *ways[way])
                    taken[way].append(found)
                    _tell(_row(size, count, way, found))
            first, *others = (each.totals for runs in taken.values() for each in runs)
            if first["compared"] != count or any(each != first for each in others):
                raise SystemExit(f"the results differ: {first} of {count}, {others}")
            pairs = list(zip(taken["Dask"], taken["pool"], strict=True))
            wall = spread(one.wall / other.wall for one, other in pairs)
            processor = spread(one.processor / other.processor for one, other in pairs)
            ratios.append(f"{size:g} GB: Dask by pool, wall {wall}, processor {processor}")
    _tell("\n" + "\n".join(ratios))


def spread(ratios: Iterable[float]) -> str:
    """The median, with the least and the most."""
    found = sorted(ratios)
    return f"{statistics.median(found):.2f} ({found[0]:.2f} to {found[-1]:.2f})"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gb", nargs="*", type=float, default=[0.2, 1.0], help="sizes of corpora in gigabytes")
    parser.add_argument("--rounds", type=positive, default=1, help="how often both ways take turns")
    parser.add_argument("--jobs", type=int, default=2, help="processes of either way")
    parser.add_argument("--bytes", type=int, default=2000, help="bytes of an object")
    parser.add_argument("--folder", help="where corpora are drawn, and removed again")
    return parser.parse_args()


def _row(size: float, count: int, way: str, taken: Taken) -> str:
    peaks, shares = (
        {name: " + ".join(f"{each:.0f}" for each in values) for name, values in found.items()}
        for found in (taken.peaks, taken.shares)
    )
    cells = (
        f"{size:g}",
        f"{count:,}",
        way,
        f"{taken.wall:.1f}",
        f"{taken.processor:.1f}",
        shares.get("client", ""),
        shares.get("worker", ""),
        f"{size * 1000 / taken.wall:.0f}",
        peaks.get("client", ""),
        peaks.get("worker", ""),
    )
    return f"| {' | '.join(cells)} |"


def _tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
