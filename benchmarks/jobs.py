"""Runs commands in turns, and tells what each takes beside another: wall clock, processor and memory.

Scripts that need more than Python measure with this. What they find is kept in results.json if they are told to, each
under a name of its own, and the page has it beside what `make bench` measures.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.goals import commands
from benchmarks.results import Results, keep, known, short, today

#: Starts a command and says how it has ended. As a process begins with the peak of who has started it, that is a small
#: one, and the same for all.
_LAUNCH = """
import os, sys, time
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
begun = time.perf_counter()
process = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
_, status, usage = os.wait4(process, 0)
wall = time.perf_counter() - begun
print(os.waitstatus_to_exitcode(status), wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
#: So much of what a failed command has said last is shown.
_TOLD = 2_000
PROGRAM = (sys.executable, "-m", "validation_gen")


@dataclass(frozen=True, slots=True)
class Run:
    """What a run has taken.

    Attributes:
        wall: seconds that have passed.
        processor: seconds of all processes that it has waited for.
        megabytes: the largest resident set of one of them.
    """

    wall: float
    processor: float
    megabytes: float


@dataclass(slots=True)
class Job:
    """A command, and what its runs have taken.

    Attributes:
        name: what it is called in tables.
        command: what is run.
        prepare: is called before each run, outside of what is measured.
        directory: where it is run; empty for here.
        environment: variables beside those of this process.
        codes: with what it may end.
    """

    name: str
    command: Sequence[str]
    prepare: Callable[[], object] = lambda: None
    directory: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    codes: tuple[int, ...] = (0,)
    runs: list[Run] = field(default_factory=list)

    def run(self) -> Run:
        self.prepare()
        command = [sys.executable, "-ISc", _LAUNCH, *self.command]
        done = subprocess.run(  # noqa: S603 - ours, or named by the user
            command,
            cwd=self.directory or None,
            env=os.environ | self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        code, wall, processor, kilobytes = map(float, done.stdout.split() or (-1, 0, 0, 0))
        if code not in self.codes:
            told = done.stderr.decode(errors="replace")[-_TOLD:]
            raise SystemExit(f"{' '.join(self.command)} ended with {code:.0f}: {told}")
        return Run(wall, processor, kilobytes / 1024)


def take_turns(jobs: Sequence[Job], rounds: int, *, warm: bool = True) -> None:
    """Runs all jobs so often, one after the other.

    Before that each runs once if they are to be warm: first runs compile modules, and fill the caches of the system.
    """
    if warm:
        for job in jobs:
            job.run()
    for number in range(rounds):
        for job in jobs:
            job.runs.append(job.run())
        sys.stderr.write(f"round {number + 1} of {rounds}: {', '.join(f'{job.runs[-1].wall:.2f}' for job in jobs)} s\n")


def ratio(job: Job, other: Job, what: str = "wall") -> tuple[float, float, float]:
    """How many times as much a job takes as another of the same round: the median, the least and the most."""
    found = [getattr(one, what) / getattr(two, what) for one, two in zip(job.runs, other.runs, strict=True)]
    return statistics.median(found), min(found), max(found)


def kept(jobs: Sequence[Job], by: Job) -> Results:
    """What results keep of jobs, beside one of them."""
    rows = []
    for job in jobs:
        row: dict[str, Any] = {"job": job.name}
        for what in ("wall", "processor"):
            row[what] = short(statistics.median(getattr(run, what) for run in job.runs))
            row[f"{what} by"] = [short(number) for number in ratio(job, by, what)]
        rows.append({**row, "megabytes": short(max(run.megabytes for run in job.runs))})
    return {"date": today(), "with": by.name, "jobs": rows}


# --- what all scripts have in common ----------------------------------------------------------------------------------


def positive(text: str) -> int:
    """A number of an option, of which there is at least one.

    Raises:
        ValueError: it is none.
    """
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def parser(text: str | None, rounds: int) -> argparse.ArgumentParser:
    """The options of a script."""
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--rounds", type=positive, default=rounds, metavar="N", help="how often all take turns")
    made.add_argument("--write", action="store_true", help="keep the results, and write their tables")
    return made


def tell(name: str, found: Results, *, write: bool) -> None:
    """Shows what a script has found and the goals that are about it, and keeps it if that is wanted."""
    told = {"commands": {name: found}}
    goals = [goal for goal in commands() if goal.found(told) is not None]
    lines = [*report.jobs(found), *(["", *report.goals(goals, told)] if goals else [])]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    if write:
        results = known()
        results.setdefault("commands", {})[name] = found
        keep(results)
        report.write(results)


def directory(text: str) -> Path:
    """An existing directory that a user names."""
    found = Path(text).resolve()
    if not found.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no directory")
    return found
