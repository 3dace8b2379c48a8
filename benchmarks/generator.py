"""How fast `validation-gen` is, and how much memory it takes: help, version, a first run, a second one, `--check`.

    python benchmarks/generator.py [DIR] [--repeat N] [--upstream BINARY] [--json FILE]

DIR holds Go packages, by default those that VALIDATION_GEN_API names (a clone of k8s.io/api). Every run is a process of
its own. The jobs take turns with each other and with Python that does nothing, so that a busy moment of the machine
meets all of them. `--upstream` names Kubernetes' own validation-gen; it runs on a copy, as it writes beside sources.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

GENERATOR = [sys.executable, "-m", "validation_gen"]


@dataclass(slots=True)
class Job:
    """A command, what is done before each run of it, and what its runs have taken: seconds, and peaks in megabytes."""

    name: str
    command: list[str]
    prepare: Callable[[], object] = lambda: None
    directory: str | None = None
    seconds: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)

    def run(self) -> None:
        self.prepare()
        begun = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603 - ours, or named by the user
            self.command, cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds.append(time.perf_counter() - begun)
        self.peaks.append(usage.ru_maxrss / 1024)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(self.command)} ended with {process.returncode}")


def jobs(sources: Path, place: Path, upstream: str) -> list[Job]:
    cache, output = place / "cache", place / "output"
    generate = [*GENERATOR, "generate", str(sources), "--output-dir", str(output), "--cache-dir", str(cache)]
    found = [
        Job("python -c pass", [sys.executable, "-c", "pass"]),
        Job("--help", [*GENERATOR, "--help"]),
        Job("--version", [*GENERATOR, "--version"]),
        Job("first run", generate, lambda: shutil.rmtree(cache, ignore_errors=True)),
        Job("nothing changed", generate),  # a first run stands before it
        Job("--check", [*generate, "--check"]),
        Job("--no-cache", [*generate, "--no-cache"]),
    ]
    if upstream:
        copy = place / "copy"
        shutil.copytree(sources, copy)
        command = [str(Path(upstream).resolve()), "--output-file", "zz_generated.validations.go", "./..."]
        found.append(Job("upstream", command, directory=str(copy)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directory", nargs="?", default=os.environ.get("VALIDATION_GEN_API", ""))
    parser.add_argument("--repeat", type=int, default=7, metavar="N")
    parser.add_argument("--upstream", default="", metavar="BINARY")
    parser.add_argument("--json", default="", metavar="FILE")
    given = parser.parse_args()
    if not given.directory:
        parser.error("name a directory, or set VALIDATION_GEN_API")
    with tempfile.TemporaryDirectory() as place:
        found = jobs(Path(given.directory).resolve(), Path(place), given.upstream)
        for _ in range(given.repeat + 1):
            for job in found:
                job.run()
    sys.stdout.write("| job | median s | fastest | slowest | over Python | peak MB |\n|---|--:|--:|--:|--:|--:|\n")
    report = []
    nothing = 0.0
    for job in found:
        seconds = job.seconds[1:]  # the first ones compile modules and fill the system's own caches
        median = statistics.median(seconds)
        nothing = nothing or median
        cells = [
            *(f"{each:.2f}" for each in (median, min(seconds), max(seconds), median - nothing)),
            f"{max(job.peaks):.0f}",
        ]
        sys.stdout.write(f"| {' | '.join([job.name, *cells])} |\n")
        report.append({"job": job.name, "seconds": seconds, "median": median, "peak_mb": max(job.peaks)})
    if given.json:
        Path(given.json).write_text(json.dumps({"directory": given.directory, "jobs": report}, indent=2) + "\n")


if __name__ == "__main__":
    main()
