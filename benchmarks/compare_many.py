"""How fast `validation-gen compare` is and how much memory it takes, with growing numbers of objects.

    python benchmarks/compare_many.py [NUMBER…]

The objects are small, and come from a pipe. Both sides are Python: the example in testdata/migration. The peak is that
of the largest process; with several processes there are as many of about that size.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

EXAMPLE = Path(__file__).parents[1] / "testdata" / "migration" / "after"
COMMAND = [
    sys.executable,
    "-m",
    "validation_gen",
    "compare",
    str(EXAMPLE / "apis"),
    "--handwritten",
    f"python:{EXAMPLE / 'handwritten' / 'validation.py'}:validate",
    "--objects",
    "-",
    "--format",
    "json",
]


def feed(pipe: IO[bytes], number: int) -> None:
    """Writes objects, one a line, of which a tenth is invalid."""
    with pipe:
        for index in range(number):
            spec = {"table": f"window-{index % 50}", "guests": index % 22 + 1}
            spec |= {"courses": [{"name": "soup", "dishes": 2}, {"name": "fish", "dishes": 1}]}
            obj = {"apiVersion": "tables.example.com/v1", "kind": "Reservation", "metadata": {"name": f"r{index}"}}
            pipe.write(json.dumps({**obj, "spec": spec}).encode() + b"\n")


def run(number: int, jobs: int) -> tuple[float, float]:
    """The seconds that a comparison takes, and the peak of its largest process in megabytes."""
    begun = time.perf_counter()
    command = [*COMMAND, "--jobs", str(jobs)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603 - ours
        assert process.stdin is not None
        assert process.stdout is not None
        thread = threading.Thread(target=feed, args=(process.stdin, number))
        thread.start()
        totals = json.loads(process.stdout.read())["totals"]
        thread.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if (process.returncode, totals["compared"], totals["mismatches"]) != (0, number, 0):
        raise SystemExit(f"the comparison failed: {totals}")
    return time.perf_counter() - begun, usage.ru_maxrss / 1024


def main() -> None:
    numbers = [int(each) for each in sys.argv[1:]] or [1_000, 10_000, 100_000, 1_000_000]
    cores = os.cpu_count() or 1
    sys.stdout.write("| objects | processes | seconds | objects/s | objects/s and process | peak MB |\n")
    sys.stdout.write("|--:|--:|--:|--:|--:|--:|\n")
    for number in numbers:
        for jobs in sorted({1, cores}):
            seconds, peak = run(number, jobs)
            rate = number / seconds
            row = (f"{number:,}", jobs, f"{seconds:.1f}", f"{rate:,.0f}", f"{rate / jobs:,.0f}", f"{peak:.0f}")
            sys.stdout.write(f"| {' | '.join(map(str, row))} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
