"""The history: what is kept of runs, by whom the file may be written, and what is said of lines that are no runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.commands.compare.sample_results import clean, hostile, ordinary
from validation_gen.commands.compare.report import Run, append_run, read_history, to_run
from validation_gen.commands.compare.results import Results

APPEND = """
import sys
from pathlib import Path
from validation_gen.commands.compare.report import append_run, to_run
from validation_gen.commands.compare.results import Results, Tally
results = Results(tallies={(f"kind {i}" * 50, "create"): Tally(i) for i in range(200)})
for i in range(20):
    append_run(Path(sys.argv[1]), to_run(results, f"{sys.argv[2]}-{i}"))
"""


def test_runs_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    runs = [
        to_run(results, f"2025-01-0{i}") for i, results in enumerate((ordinary(), clean(), hostile(), Results()), 1)
    ]
    for run in runs:
        append_run(path, run)
    history = read_history(path)
    assert history.runs == runs
    assert not history.problems
    assert path.read_bytes().count(b"\n") == len(runs)


def test_what_is_kept_of_a_run() -> None:
    run = to_run(ordinary(), "now")
    assert run.causes == {"path differs": 5, "rule differs": 1204, "rule extra": 87, "rule missing": 1}
    assert run.totals == ordinary().as_json()["totals"]
    assert not run.interrupted
    assert to_run(hostile(), "now").interrupted


def test_there_are_no_runs_without_a_file(tmp_path: Path) -> None:
    assert read_history(tmp_path / "none").runs == []
    with pytest.raises(OSError, match="directory"):
        read_history(tmp_path)


def test_torn_and_foreign_lines_are_reported_and_stay(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    append_run(path, to_run(ordinary(), "1"))
    good = json.loads(path.read_bytes())
    foreign = [
        b"\xff\xfe",
        b"[1]",
        b'{"format": 99}',
        json.dumps(good | {"totals": {}}).encode(),
        json.dumps(good | {"totals": good["totals"] | {"bad": -1}}).encode(),
        json.dumps(good | {"time": None}).encode(),
        json.dumps(good | {"causes": {"rule missing": "many"}}).encode(),
        b"[" * 100_000,
        b"",
    ]
    torn = json.dumps(good).encode()[:50]
    with path.open("ab") as file:
        file.write(b"\n".join([*foreign, torn]))
    assert read_history(path).problems[-1].reason == "not JSON, the line is not complete"
    before = path.read_bytes()
    append_run(path, to_run(clean(), "2"))
    assert path.read_bytes().startswith(before)
    history = read_history(path)
    assert [run.time for run in history.runs] == ["1", "2"]
    assert [problem.line for problem in history.problems] == [2, 3, 4, 5, 6, 7, 8, 9, 11]
    reasons = [problem.reason for problem in history.problems]
    assert reasons[:6] == [
        "not UTF-8",
        "not a run of format 1",
        "not a run of format 1",
        "`totals` is not as this program writes it",
        "`totals` is not as this program writes it",
        "`time` is not as this program writes it",
    ]
    assert reasons[-1] == "not JSON"


@pytest.mark.process
def test_runs_at_the_same_time_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    command = [sys.executable, "-c", APPEND, str(path)]
    processes = [subprocess.Popen([*command, str(i)]) for i in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    history = read_history(path)
    assert not history.problems
    assert sorted(run.time for run in history.runs) == sorted(f"{i}-{j}" for i in range(3) for j in range(20))


@given(st.binary(max_size=200), st.dictionaries(st.sampled_from(list(Run.__dataclass_fields__)), st.none() | st.text()))
def test_no_line_raises(tmp_path_factory: pytest.TempPathFactory, line: bytes, fields: dict[str, object]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(line + b"\n" + json.dumps({"format": 1, **fields}).encode())
    history = read_history(path)
    assert not history.runs
    assert history.problems
