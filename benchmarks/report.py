"""Results as tables: written between two marks of docs/performance.md. Nothing is measured here."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.goals import goals
from benchmarks.results import PURE, Results

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
_CASES = {
    "valid": "valid",
    "varied": "no text twice",
    "one": "1 error",
    "ten": "10 errors",
    "ten-typed": "10 typed",
    "unchanged": "unchanged",
    "changed": "1 changed",
}
_SUBJECTS = {"small": "Small custom resource", "deployment": "Deployment"}
_REPORTS = {"all": "all", "first": "the first", "verdict": "none"}


def page(results: Results) -> str:
    """The page with the tables of these results."""
    text = PAGE.read_text(encoding="utf-8")
    told = "\n".join(_told(results))
    found, count = re.subn(
        r"(?<=^<!-- results -->\n).*?(?=^<!-- /results -->$)", lambda _: told, text, count=1, flags=re.S | re.M
    )
    if not count:
        raise SystemExit(f"{PAGE.name} has no <!-- results --> and <!-- /results -->")
    return found


def _told(results: Results) -> Iterator[str]:
    about = results["about"]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    place = f"{about['machine']}, {about['cores']} cores, {about['system']}, {about['python']}"
    yield from textwrap.wrap(f"Measured {about['date']}: {place}; {versions}.", 120, break_on_hyphens=False)
    yield ""
    for subject, title in _SUBJECTS.items():
        yield f"### {title}"
        yield ""
        yield from _times(results, subject)
        yield ""
    yield "### Custom objects and rules"
    yield ""
    yield from _engine(results)
    yield ""
    yield "### Growth"
    yield ""
    yield from _growth(results)
    yield ""
    yield "### Agreement"
    yield ""
    yield from _agreement(results)
    yield ""
    yield "### Goals"
    yield ""
    yield "| Our time, by another | Found | At most | |"
    yield "|---|--:|--:|---|"
    for goal in goals(results):
        number, state = goal.state(results)
        yield f"| {goal.title} | {number} | {goal.limit:.3g}{goal.unit} | {state} |"
    yield ""


_ENGINE = {
    "prepared": "a rule that holds, beside cel-expr-python (C++) with values that are ready",
    "dicts": "the same, beside cel-expr-python that is given dicts",
    "plan": "the same, beside our exact plan of it",
    "create": "create of a valid object, beside our exact way alone",
    "native-create": "the same with native code",
    "update": "update of a valid object in which nothing has changed, beside our exact way alone",
    "native-update": "the same with native code",
    "change": "update of a valid object in which one value has changed, beside our exact way alone",
    "native-change": "the same with native code",
}


def _engine(results: Results) -> Iterator[str]:
    yield "| | ours, in µs | the other, in µs | times as long |"
    yield "|---|--:|--:|--:|"
    for key, title in _ENGINE.items():
        if key not in results["engine"]:  # without native code
            continue
        told = results["engine"][key]
        yield f"| {title} | {told['ours'] * 1e6:.2f} | {told['other'] * 1e6:.1f} | {told['ratio']:.1f} |"


def _times(results: Results, subject: str) -> Iterator[str]:
    cases = results["times"][subject]
    yield "| | " + " | ".join(_CASES[case] for case in cases) + " | errors |"
    yield "|---|" + "--:|" * len(cases) + "---|"
    absolute = [f"{_microseconds(times['ours']['seconds'])}" for times in cases.values()]
    yield "| ours, in µs | " + " | ".join(absolute) + " | |"
    # The quickest for a valid object first.
    for key in sorted(results["titles"], key=lambda key: cases["valid"][key]["ratio"]):
        told = results["titles"][key]
        numbers = [_ratio(results, key, case, times[key]) for case, times in cases.items()]
        yield f"| {told['title']} | " + " | ".join(numbers) + f" | {_REPORTS[told['reports']]} |"
    yield ""
    spreads = [
        (times[key]["high"] - times[key]["low"]) / times[key]["ratio"] for times in cases.values() for key in times
    ]
    middle, largest = sorted(spreads)[len(spreads) // 2], max(spreads)
    yield f"Quartiles of a ratio are apart by {middle:.0%} of it in the median, and by {largest:.0%} at worst."


def _ratio(results: Results, key: str, case: str, times: Any) -> str:
    mark = "*" if case in ("unchanged", "changed") and key not in results["updates"] else ""
    number = times["ratio"]
    return f"{number:.3g}{mark}" if number < 10 else f"{number:.0f}{mark}"


def _microseconds(seconds: float) -> str:
    number = seconds * 1e6
    return f"{number:.1f}" if number < 100 else f"{number:.0f}"


def _growth(results: Results) -> Iterator[str]:
    yield "| List-map | 1,000 items, ms | 10,000 items, ms | by each other |"
    yield "|---|--:|--:|--:|"
    titles = {"create": "create", "unchanged": "update, nothing changed", "changed": "update, one item changed"}
    for package, cases in results["growth"].items():
        name = "" if package == PURE else ", native"
        for case, told in cases.items():
            small, large = (f"{told[size] * 1_000:.2f}" for size in ("small", "large"))
            yield f"| {titles[case]}{name} | {small} | {large} | {told['ratio']:.1f} |"
    told = results["import"]
    yield ""
    milliseconds = told["seconds"] * 1_000
    yield f"A generated module of {told['lines']:,} lines takes {milliseconds:.1f} ms to import from its `.pyc`,"
    yield "beyond the runtime."


def _agreement(results: Results) -> Iterator[str]:
    yield "| | documents judged by all | invalid | invalid for a rule that a rival cannot have |"
    yield "|---|--:|--:|--:|"
    for subject, told in results["agreement"].items():
        yield f"| {_SUBJECTS[subject]} | {told['documents']:,} | {told['refused']:,} | {told['unseen']:,} |"
