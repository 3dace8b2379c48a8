"""What is said of results: the tables, the goals, and what has become slower."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import changes, report
from benchmarks.compare import MARGIN, moves, rises
from benchmarks.goals import GROWTH, goals
from benchmarks.measure import Plan, quartiles
from benchmarks.objects import SUBJECTS
from validation_gen.runtime.registry import Registry

ROOT = Path(__file__).parents[2]
RESULTS: dict[str, Any] = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))


@pytest.fixture
def results() -> dict[str, Any]:
    return copy.deepcopy(RESULTS)


def test_the_page_is_made_of_the_results(results: dict[str, Any]) -> None:
    assert report.page(results) == report.PAGE.read_text(encoding="utf-8"), "run `python -m benchmarks report`"


def test_the_page_has_every_contender(results: dict[str, Any]) -> None:
    page = report.page(results)
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


def test_quartiles() -> None:
    assert quartiles([4.0]) == (4, 4, 4)
    assert quartiles([5.0, 1.0, 2.0, 3.0, 4.0]) == (2, 3, 4)
