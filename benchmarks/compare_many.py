"""How fast `validation-gen compare` is and how much memory it takes, with growing numbers of objects.

    python benchmarks/compare_many.py [NUMBER…]

The objects are small, one a line of a file. Both sides are Python: the example in testdata/migration. The
peak is that of the largest process; with several processes there is one more of about that size for each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "testdata" / "migration" / "after"
COMMAND = [
    sys.executable,
    "-m",
    "validation_gen",
    "compare",
    str(EXAMPLE / "apis"),
    "--handwritten",
    f"python:{EXAMPLE / 'handwritten' / 'validation.py'}:validate",
    "--format",
    "json",
]


def write(file: Path, number: int) -> None:
    """Writes objects, of which a tenth is invalid."""
    with file.open("w") as lines:
        for index in range(number):
            spec = {"table": f"window-{index % 50}", "guests": index % 22 + 1}
            spec |= {"courses": [{"name": "soup", "dishes": 2}, {"name": "fish", "dishes": 1}]}
            obj = {"apiVersion": "tables.example.com/v1", "kind": "Reservation", "metadata": {"name": f"r{index}"}}
            lines.write(json.dumps({**obj, "spec": spec}) + "\n")


def run(file: Path, number: int, jobs: int) -> tuple[float, float]:
    """The seconds that a comparison takes, and the peak of its largest process in megabytes."""
    begun = time.perf_counter()
    command = [*COMMAND, "-f", str(file), "--jobs", str(jobs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603 - ours
        assert process.stdout is not None
        totals = json.loads(process.stdout.read())["totals"]
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
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory, "objects.jsonl")
        for number in numbers:
            write(file, number)
            for jobs in sorted({1, cores}):
                seconds, peak = run(file, number, jobs)
                rate = number / seconds
                row = (f"{number:,}", jobs, f"{seconds:.1f}", f"{rate:,.0f}", f"{rate / jobs:,.0f}", f"{peak:.0f}")
                sys.stdout.write(f"| {' | '.join(map(str, row))} |\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
