"""Measures `validation-gen validate` with many manifests, and `crd check` with many definitions, and their memory.

    python -m benchmarks.manifests [--objects N] [--definitions DIR] [--repeat N]

Manifests are the Deployment of the other benchmarks and small objects of another kind, as YAML in one file. DIR holds
definitions in YAML, by default those that VALIDATION_GEN_CRDS names. Beside each job runs a process that only reads the
same files with PyYAML's loader in C. Jobs take turns; times are those of the processor, peaks those of the process.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from benchmarks.objects import brew, deployment

APIS = Path(__file__).parent / "apis"
PROGRAM = [sys.executable, "-m", "validation_gen"]
_READ = """
import pathlib, sys, yaml
for name in sys.argv[1:]:
    place = pathlib.Path(name)
    for file in sorted(place.rglob("*.yaml")) if place.is_dir() else [place]:
        for document in yaml.load_all(file.read_bytes(), yaml.CSafeLoader):
            pass
"""


@dataclass(slots=True)
class Job:
    """A command, and what its runs have taken: seconds of the processor, and peaks in megabytes."""

    name: str
    command: list[str]
    seconds: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)

    def run(self) -> None:
        process = subprocess.Popen(  # noqa: S603 - ours
            self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):  # 1: something is wrong with a definition
            raise SystemExit(f"{' '.join(self.command)} ended with {process.returncode}")
        self.seconds.append(usage.ru_utime + usage.ru_stime)
        self.peaks.append(usage.ru_maxrss / 1024)


def write(file: Path, count: int) -> None:
    with file.open("w", encoding="utf-8") as out:
        for number in range(count):
            obj = deployment() if number % 4 == 0 else brew()
            obj["metadata"]["name"] += f"-{number}"
            out.write("---\n")
            yaml.dump(obj, out, Dumper=yaml.CSafeDumper, sort_keys=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--objects", type=int, default=20_000, metavar="N")
    parser.add_argument("--definitions", default=os.environ.get("VALIDATION_GEN_CRDS", ""), metavar="DIR")
    parser.add_argument("--repeat", type=int, default=3, metavar="N")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "manifests.yaml")
        write(file, given.objects)
        pairs = [
            (
                Job(f"validate, {given.objects:,} objects", [*PROGRAM, "validate", str(APIS), "-f", str(file)]),
                Job("reading them", [sys.executable, "-c", _READ, str(file)]),
            )
        ]
        if given.definitions:
            check = Job("crd check", [*PROGRAM, "crd", "check", given.definitions])
            pairs.append((check, Job("reading them", [sys.executable, "-c", _READ, given.definitions])))
        for _ in range(given.repeat):
            for pair in pairs:
                for job in pair:
                    job.run()
    sys.stdout.write("| job | s | peak MB | reading alone, s | times as long |\n|---|--:|--:|--:|--:|\n")
    for ours, alone in pairs:
        ratio = statistics.median(a / b for a, b in zip(ours.seconds, alone.seconds, strict=True))
        cells = [ours.name, *(f"{min(each):.2f}" for each in (ours.seconds,)), f"{max(ours.peaks):.0f}"]
        cells += [f"{min(alone.seconds):.2f}", f"{ratio:.2f}"]
        sys.stdout.write(f"| {' | '.join(cells)} |\n")


if __name__ == "__main__":
    main()
