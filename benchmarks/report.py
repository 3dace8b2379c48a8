"""Results as tables: written between two marks of docs/performance.md and of README.md here. Nothing is measured."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.goals import CASES, Goal
from benchmarks.goals import goals as all_goals
from benchmarks.results import PURE, Results

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
#: The page with further tables.
FURTHER = Path(__file__).parent / "README.md"
_CASES = {
    "valid": "valid",
    "varied": "no text twice",
    "one": "1 error",
    "ten": "10 errors",
    "ten-typed": "10 typed",
    "unchanged": "unchanged",
    "changed": "1 changed",
}
_SUBJECTS = {"small": "Small custom resource", "deployment": "Deployment", "dense": "Dense kind"}
_REPORTS = {"all": "all", "first": "the first", "verdict": "none"}


def pages(results: Results) -> dict[Path, str]:
    """Returns the pages with the tables of these results."""
    return {PAGE: _filled(PAGE, _told(results)), FURTHER: _filled(FURTHER, _further(results))}


def write(results: Results) -> None:
    """Writes the pages with the tables of these results."""
    for path, text in pages(results).items():
        path.write_text(text, encoding="utf-8")


def _filled(path: Path, lines: Iterator[str]) -> str:
    told = "\n".join(lines)
    found, count = re.subn(
        r"(?<=^<!-- results -->\n).*?(?=^<!-- /results -->$)",
        lambda _: told,
        path.read_text(encoding="utf-8"),
        count=1,
        flags=re.S | re.M,
    )
    if not count:
        raise SystemExit(f"{path.name} has no <!-- results --> and <!-- /results -->")
    return found


def _told(results: Results) -> Iterator[str]:
    about = results["about"]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    place = f"{about['machine']}, {about['cores']} cores, {about['system']}, {about['python']}"
    yield from textwrap.wrap(f"Measured {about['date']}: {place}; {versions}.", 120, break_on_hyphens=False)
    yield ""
    for subject in results["times"]:
        yield f"### {_SUBJECTS[subject]}"
        yield ""
        yield from _times(results, subject)
        yield ""
        if subject == "dense":
            yield from dense(results["dense"])
            yield ""
    if results.get("cold"):
        yield "### First verdict"
        yield ""
        yield from cold(results)
        yield ""
    yield "### Custom objects and rules"
    yield ""
    yield from _engine(results)
    yield ""


def _further(results: Results) -> Iterator[str]:
    yield "### Updates"
    yield ""
    yield from _changes(results)
    yield ""
    yield "### Line protocol"
    yield ""
    yield from stdio(results.get("stdio", {}))
    yield ""
    yield "### Growth"
    yield ""
    yield from _growth(results)
    yield ""
    yield "### Agreement"
    yield ""
    yield from _agreement(results)
    yield ""
    yield "### Commands"
    yield ""
    for name, found in sorted(results.get("commands", {}).items()):
        yield f"`{_SCRIPTS[name]}`, {found['date']}:"
        yield ""
        yield from jobs(found)
        yield ""
    yield "### Goals"
    yield ""
    yield from _open_goals(list(all_goals(results)), results)
    yield ""


def _open_goals(found: Sequence[Goal], results: Results) -> Iterator[str]:
    """Yields the number of goals, and those that are not met; `python -m benchmarks goals` prints all of them."""
    unmet = [goal for goal in found if not goal.state(results)[1].startswith("met")]
    yield f"`python -m benchmarks goals` lists all {len(found)} goals, of which {len(found) - len(unmet)} are met."
    if unmet:
        yield f"These {len(unmet)} are not, or not measured:"
        yield ""
        yield from goals(unmet, results)


def goals(found: Sequence[Goal], results: Results) -> Iterator[str]:
    yield "| Our time, by another | Found | At most | |"
    yield "|---|--:|--:|---|"
    for goal in found:
        number, state = goal.state(results)
        yield f"| {goal.title} | {number} | {goal.limit:.3g}{goal.unit} | {state} |"


#: What measures the commands of a table.
_SCRIPTS = {
    "start": "make bench",
    "generator": "python -m benchmarks.generator",
    "manifests": "python -m benchmarks.manifests",
    "definitions": "python -m benchmarks.definitions",
}


def jobs(found: Results) -> Iterator[str]:
    """What commands have taken, beside one of them, as a table."""
    yield f"| | s | by {found['with']} | processor s | by {found['with']} | peak MB |"
    yield "|---|--:|--:|--:|--:|--:|"
    for row in found["jobs"]:
        cells = [row["job"]]
        for what in ("wall", "processor"):
            middle, least, most = row[f"{what} by"]
            cells += [f"{row[what]:.3g}", "1" if least == most == 1 else f"{middle:.3g} ({least:.3g} to {most:.3g})"]
        cells.append(f"{row['megabytes']:.0f}")
        yield f"| {' | '.join(cells)} |"


_ENGINE = {
    "prepared": "a rule that holds, beside cel-expr-python (C++) with values that are ready",
    "dicts": "the same, beside cel-expr-python that is given dicts",
    "plan": "the same, beside our exact plan of it",
    "native-create": "create of a valid object with native code, beside our exact path alone",
    "native-update": "update of a valid object in which nothing has changed, beside our exact path alone",
    "native-change": "update of a valid object in which one value has changed, beside our exact path alone",
}


def _engine(results: Results) -> Iterator[str]:
    yield "| | ours, in µs | the other, in µs | times as long |"
    yield "|---|--:|--:|--:|"
    for key, title in _ENGINE.items():
        if key not in results["engine"]:  # without native code
            continue
        told = results["engine"][key]
        yield f"| {title} | {told['ours'] * 1e6:.2f} | {told['other'] * 1e6:.1f} | {told['ratio']:.1f} |"


def _changes(results: Results) -> Iterator[str]:
    yield "| With native code | ours, in µs | `==` and an accept, in µs | by each other |"
    yield "|---|--:|--:|--:|"
    for subject, cases in results.get("changes", {}).items():
        for case, told in cases.items():
            ours, other = (_microseconds(told[key]) for key in ("ours", "other"))
            yield f"| {_SUBJECTS[subject]}, {CASES[case]} | {ours} | {other} | {told['ratio']:.2f} |"


def dense(times: Results) -> Iterator[str]:
    """The table of the dense kind beside reading an object of it."""
    yield "| Native, and `json.loads` | µs | by `json.loads` | by a valid create |"
    yield "|---|--:|--:|--:|"
    for name, seconds in times.items():
        title = "`json.loads` of its text" if name == "json.loads" else name
        ratios = [f"{seconds / times[other]:.2f}" for other in ("json.loads", "valid create")]
        yield f"| {title} | {_microseconds(seconds)} | {' | '.join(ratios)} |"


def cold(results: Results) -> Iterator[str]:
    """The table of first verdicts in new processes."""
    times = results["cold"]
    yield "| In ms | " + " | ".join(_SUBJECTS[subject] for subject in times) + " |"
    yield "|---|" + "--:|" * len(times)
    for key in next(iter(times.values()), {}):
        cells = [f"{each[key] * 1_000:.0f}" for each in times.values()]
        yield f"| {results['titles'][key]['title']} | {' | '.join(cells)} |"


def stdio(found: Results) -> Iterator[str]:
    """The table of the line protocol."""
    yield "| Request | a bare loop, in µs | `webhook stdio`, times as long |"
    yield "|---|--:|--:|"
    for request, told in found.items():
        yield f"| {request} | {_microseconds(told['seconds'])} | {told['ratio']:.2f} |"


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
