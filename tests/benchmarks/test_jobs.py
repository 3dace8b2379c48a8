"""Commands in turns: what a run takes, and how it is told."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from benchmarks import generator, report, start
from benchmarks.jobs import Job, kept, ratio, take_turns

APIS = Path(__file__).parents[2] / "benchmarks" / "apis"
WORK = "import os; bytearray(60_000_000); [None for _ in range(3_000_000)]"


def job(name: str, code: str, **more: object) -> Job:
    return Job(name, [sys.executable, "-c", code], **more)  # type: ignore[arg-type]


def test_what_runs_take_is_told_beside_another() -> None:
    jobs = [job("nothing", "pass"), job("much", WORK)]
    take_turns(jobs, 2, warm=False)
    assert [len(each.runs) for each in jobs] == [2, 2]
    middle, least, most = ratio(jobs[1], jobs[0], "processor")
    assert 1 < least <= middle <= most
    found = kept(jobs, jobs[0])
    nothing, much = found["jobs"]
    assert much["megabytes"] > nothing["megabytes"] + 50
    assert nothing["wall by"] == [1, 1, 1]
    *_, first, second = report.jobs(found)
    assert re.fullmatch(r"\| nothing \| \S+ \| 1 \| \S+ \| 1 \| \d+ \|", first)
    assert re.fullmatch(r"\| much \| \S+ \| \S+ \(\S+ to \S+\) \| \S+ \| \S+ \(\S+ to \S+\) \| \d+ \|", second)


def test_a_job_that_fails_says_why() -> None:
    with pytest.raises(SystemExit, match=r"ended with 3: no such thing"):
        job("bad", "import sys; sys.stderr.write('no such thing'); sys.exit(3)").run()
    assert job("bad", "raise SystemExit(3)", codes=(3,)).run().wall > 0


@pytest.mark.slow  # a dozen processes
def test_starts_and_runs_of_the_generator_end_well(tmp_path: Path) -> None:
    for each in (*start.jobs(), *generator.ours(APIS / "brews", tmp_path)):
        assert each.run().megabytes > 1, each.name
    assert list((tmp_path / "output").rglob("*.py"))
