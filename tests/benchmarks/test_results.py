"""What is said of results: the tables, the goals, and what has become slower."""

from __future__ import annotations

import copy
import json
import pickle
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as program
from benchmarks import changes, cold, dense, line_protocol, report
from benchmarks.compare import MARGIN, moves, rises
from benchmarks.goals import GROWTH, goals
from benchmarks.measure import Plan, quartiles
from benchmarks.objects import SUBJECTS, edited
from validation_gen.runtime.registry import Registry

ROOT = Path(__file__).parents[2]
RESULTS: dict[str, Any] = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))


@pytest.fixture
def results() -> dict[str, Any]:
    return copy.deepcopy(RESULTS)


def test_the_page_is_made_of_the_results(results: dict[str, Any]) -> None:
    for path, text in report.pages(results).items():
        assert text == path.read_text(encoding="utf-8"), "run `python -m benchmarks report`"


def test_the_page_has_every_contender(results: dict[str, Any]) -> None:
    page = report.pages(results)[report.PAGE]
    assert all(f"| {each['title']} |" in page for each in results["titles"].values())
    assert not [line for line in page.splitlines() if len(line) > 120]


def test_pinned_versions_are_those_of_the_results(results: dict[str, Any]) -> None:
    lines = (ROOT / "benchmarks" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if "==" in line)
    versions = results["about"]["versions"]
    assert {name: pinned[name.replace("pydantic-core", "pydantic_core")] for name in versions} == versions


def test_equal_results_have_not_moved(results: dict[str, Any]) -> None:
    assert {move.change for move in moves(results, results)} == {0}
    assert not rises(results, results, 0.0)


def slower(results: dict[str, Any], subject: str, case: str, factor: float) -> None:
    """Makes our time in a case longer: ratios of all others to it shrink."""
    for key, timing in results["times"][subject][case].items():
        if key == "ours":
            timing["seconds"] *= factor
            timing["by_valid"] *= factor
        else:
            timing["ratio"] /= factor


def test_a_slower_case_is_told(results: dict[str, Any]) -> None:
    slower(results, "small", "ten", 1 + 2 * MARGIN)
    (move,) = rises(RESULTS, results, MARGIN)
    assert move.title.startswith("small, ten: ours by ")
    assert move.change == pytest.approx(2 * MARGIN)


def test_a_faster_case_is_no_offence(results: dict[str, Any]) -> None:
    slower(results, "small", "ten", 0.3)
    assert not rises(RESULTS, results, MARGIN)


def test_another_machine_is_no_offence(results: dict[str, Any]) -> None:
    for cases in results["times"].values():
        for times in cases.values():
            for timing in times.values():
                timing["seconds"] *= 7
    assert not rises(RESULTS, results, MARGIN)


def test_one_faster_rival_is_no_offence(results: dict[str, Any]) -> None:
    for cases in results["times"].values():
        for times in cases.values():
            times["msgspec"]["ratio"] /= 3
    assert not rises(RESULTS, results, MARGIN)


def test_slower_updates_are_told_beside_creates(results: dict[str, Any]) -> None:
    slower(results, "deployment", "changed", 1.5)
    titles = {move.title.partition(" by ")[0] for move in rises(RESULTS, results, MARGIN)}
    assert titles == {"deployment, changed: ours", "deployment: changed update"}


def test_steeper_growth_is_told(results: dict[str, Any]) -> None:
    growth = results["growth"]["bench_validators"]["changed"]
    growth["ratio"] = 2 * GROWTH
    (move,) = rises(RESULTS, results, MARGIN)
    assert move.title == "list-map, changed: 10,000 items by 1,000"
    growth["ratio"] = GROWTH
    assert not rises(RESULTS, results, MARGIN)


def test_goals_are_met_or_missed_or_not_measured(results: dict[str, Any]) -> None:
    first = {"job": "first run", "wall by": [0.3, 0.2, 0.4], "megabytes": 100}
    results["commands"] = {"generator": {"date": "2026-11-26", "with": "upstream", "jobs": [first]}}
    told = {goal.title: goal.state(results) for goal in goals(results)}
    assert told["first run of the generator, by upstream's"] == ("0.3", "missed: 1.50 × the limit")
    assert told["memory of a first run"] == ("100 MB", "met: 0.91 of the limit")
    assert told["`--check` with nothing changed, by upstream's"] == ("", "not measured")


def test_pure_python_is_compared_with_what_it_was(results: dict[str, Any]) -> None:
    title = "pure Python, now by then: small, 10 errors"
    (was,) = (goal.found(results) for goal in goals(results) if goal.title == title)
    slower(results, "small", "ten", 1.3)
    (now,) = (goal.found(results) for goal in goals(results) if goal.title == title)
    assert was is not None
    assert now == pytest.approx(1.3 * was)


def test_updates_are_timed_both_ways(registry: Registry) -> None:
    found = changes.measured(registry.validator("apps/v1", "Deployment"), SUBJECTS[-1], Plan(1, 0, tries=1), 2)
    assert SUBJECTS[-1].kind == "Deployment"
    assert set(found) == {"unchanged", "changed"}
    assert all(min(each.values()) > 0 for each in found.values())


def test_the_line_protocol_is_timed_beside_a_bare_loop(registry: Registry) -> None:
    for subject in SUBJECTS:
        loops = line_protocol.bare(registry, subject), line_protocol.ours(registry)
        for case in line_protocol.CASES:
            data = line_protocol.requests(registry, subject, case, 2)
            assert loops[0](data) == loops[1](data)
            assert all(line_protocol.spent(loop, data) > 0 for loop in loops)


@pytest.mark.slow  # the types are made into validators for no other test here
def test_dense_types_are_timed_beside_reading(results: dict[str, Any]) -> None:
    results["dense"] = dense.measure(1, 1)
    assert min(results["dense"].values()) > 0
    assert len(list(report.dense(results["dense"]))) == 2 + len(results["dense"])
    (goal,) = (goal for goal in goals(results) if goal.title == "native: dense kind, one error, by valid create")
    assert goal.found(results) == results["dense"]["one error"] / results["dense"]["valid create"]
    valid, validate = dense.plant(), dense.registry().validate
    for number, edits in ((1, [dense.SUBJECT.one]), (10, dense.SUBJECT.ten), (10, dense.SUBJECT.ten_typed)):
        assert len(validate(edited(valid, *edits), options=dense.OPTIONS, raw=True)) == number


@pytest.mark.process
def test_a_first_verdict_is_timed_in_a_new_process(tmp_path: Path) -> None:
    (tmp_path / "obj.pickle").write_bytes(pickle.dumps(({"name": "a"}, None, None)))
    assert cold.first_verdict("assert obj and 'benchmarks' not in sys.modules", tmp_path, tmp_path / "obj.pickle") > 0


def test_missing_packages_are_named_with_the_command_that_installs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def version(name: str) -> str:
        if name in ("msgspec", "jsonschema-rs"):
            raise PackageNotFoundError(name)
        return "1"

    monkeypatch.setattr("importlib.metadata.version", version)
    monkeypatch.setattr(report, "PAGE", tmp_path / "performance.md")
    monkeypatch.setattr(report, "FURTHER", tmp_path / "README.md")
    for page in (report.PAGE, report.FURTHER):
        page.write_text("<!-- results -->\n<!-- /results -->\n", encoding="utf-8")
    want = f"not installed: jsonschema-rs, msgspec; to measure, run: pip install -r {program.REQUIREMENTS}\n"
    for command, code in (("run", 1), ("check", 1), ("engine", 1), ("report", 0)):
        monkeypatch.setattr("sys.argv", ["benchmarks", command])
        assert program.main() == code
        assert capsys.readouterr() == ("", want)
    assert "### Dense kind" in report.PAGE.read_text(encoding="utf-8")
    assert "### Goals" in report.FURTHER.read_text(encoding="utf-8")


def test_quartiles() -> None:
    assert quartiles([4.0]) == (4, 4, 4)
    assert quartiles([5.0, 1.0, 2.0, 3.0, 4.0]) == (2, 3, 4)
