"""What the project wants to be as fast as, said of results. Nothing is measured here."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.results import NATIVE, PURE, Results

#: Our time in pure Python by the others', the geometric mean over all of them, before there was native code
#: (2026-11-21). That code may cost the other way nothing; ratios of two runs hold to about a tenth.
BEFORE = {
    "small": {
        "valid": 0.334,
        "varied": 1.06,
        "one": 0.733,
        "ten": 7.75,
        "ten-typed": 4.09,
        "unchanged": 0.270,
        "changed": 0.468,
    },
    "deployment": {
        "valid": 0.439,
        "varied": 0.612,
        "one": 0.700,
        "ten": 6.26,
        "ten-typed": 3.27,
        "unchanged": 0.297,
        "changed": 0.458,
    },
}
NOISE = 1.1
CASES = {
    "valid": "valid",
    "varied": "no text twice",
    "one": "1 error",
    "ten": "10 errors",
    "ten-typed": "10 typed errors",
    "unchanged": "update with nothing changed",
    "changed": "update of one value",
}

#: How many times as many valid custom objects native code takes as the API server's own code, on one processor; and how
#: many times as long as that code our exact path takes, which was measured once: the server's code is not at hand here.
SERVER_RATE = 40
EXACT_TIMES = {"create": 1.6, "update": 2.0, "change": 2.0}

#: How many times as long a list with ten times the items may take.
GROWTH = 12

#: How many times as long as a loop that reads, validates and writes the line protocol may take.
LINE_PROTOCOL = 1.5


@dataclass(frozen=True, slots=True)
class Goal:
    """A number that must not be above a limit.

    Attributes:
        title: what is measured.
        limit: the largest number that will do.
        found: takes the number from results; `None` if it has not been measured.
        unit: what stands behind the number.
    """

    title: str
    limit: float
    found: Callable[[Results], float | None]
    unit: str = ""

    def state(self, results: Results) -> tuple[str, str]:
        """The number and whether it will do, with how near the limit is."""
        number = self.found(results)
        if number is None:
            return "", "not measured"
        share = number / self.limit
        told = f"{number:.3g}{self.unit}"
        return told, f"met: {share:.2f} of the limit" if share <= 1 else f"missed: {share:.2f} × the limit"


def _against(subject: str, case: str, rival: str, key: str = "ours") -> Callable[[Results], float | None]:
    """Our time by that of a rival in a case."""

    def found(results: Results) -> float | None:
        times = results["times"][subject][case]
        return float(times[key]["ratio"] / times[rival]["ratio"]) if key in times else None

    return found


def _than_before(subject: str, case: str) -> Callable[[Results], float | None]:
    """Our time in pure Python by that of all others, by what it was."""

    def found(results: Results) -> float | None:
        times = results["times"][subject][case]
        others = [told["ratio"] for key, told in times.items() if not key.startswith("ours")]
        return float(1 / statistics.geometric_mean(others) / BEFORE[subject][case])

    return found


def _at(*path: str) -> Callable[[Results], float | None]:
    def found(results: Results) -> float | None:
        place: Any = results
        for step in path:
            if step not in place:
                return None
            place = place[step]
        return float(place)

    return found


def _by_other(*path: str) -> Callable[[Results], float | None]:
    """Our time by that of another, of which the ratio is the other way round."""
    ratio = _at(*path, "ratio")

    def found(results: Results) -> float | None:
        times = ratio(results)
        return None if times is None else 1 / times

    return found


def _dense(request: str, by: str) -> Callable[[Results], float | None]:
    """The time of a request to the dense kind by another one."""

    def found(results: Results) -> float | None:
        times = results.get("dense")
        return times[request] / times[by] if times else None

    return found


def _import(results: Results) -> float | None:
    """Milliseconds for a module of 6,000 lines."""
    told = results["import"]
    return float(told["seconds"] * 1_000 / told["lines"] * 6_000)


def _job(script: str, name: str, what: str) -> Callable[[Results], float | None]:
    """A number of a job; what is said beside another job is a median with the least and the most."""

    def found(results: Results) -> float | None:
        for row in results.get("commands", {}).get(script, {}).get("jobs", ()):
            if row["job"] == name and what in row:
                number = row[what]
                return float(number[0] if isinstance(number, list) else number)
        return None

    return found


def goals(results: Results) -> Iterator[Goal]:
    """All goals; which rivals there are depends on the results."""
    titles = {key: each["title"] for key, each in results["titles"].items()}
    for subject, case, rival, limit, title in (
        ("deployment", "valid", "jsonschema-rs-bool", 0.6, "valid Deployment"),
        ("deployment", "valid", "msgspec", 0.3, "valid Deployment"),
        ("deployment", "valid", "pydantic-typeddict", 0.3, "valid Deployment"),
        ("small", "valid", "jsonschema-rs-bool", 0.55, "valid small resource"),
        ("small", "varied", "jsonschema-rs", 0.8, "small, no text twice"),
        ("deployment", "varied", "jsonschema-rs", 0.8, "Deployment, no text twice"),
        ("small", "one", "jsonschema-rs", 0.6, "small, 1 error"),
        ("deployment", "one", "jsonschema-rs", 0.6, "Deployment, 1 error"),
        ("small", "ten", "jsonschema-rs", 0.6, "small, 10 errors"),
        ("deployment", "ten", "jsonschema-rs", 0.6, "Deployment, 10 errors"),
        ("small", "ten-typed", "jsonschema-rs", 0.6, "small, 10 typed errors"),
        ("deployment", "ten-typed", "jsonschema-rs", 0.6, "Deployment, 10 typed errors"),
    ):
        # Who only says yes or no puts nothing into words.
        key = "ours-native-untold" if rival == "jsonschema-rs-bool" else "ours-native"
        yield Goal(f"native: {title}, by {titles[rival]}", limit, _against(subject, case, rival, key))
    for request, by, limit in (
        ("valid create", "json.loads", 0.5),
        ("unchanged update", "json.loads", 0.5),
        ("one error", "valid create", 1.5),
    ):
        title = f"native: dense kind, {request}, by {'`json.loads` of its text' if by == 'json.loads' else by}"
        yield Goal(title, limit, _dense(request, by))
    subjects = (("small", "small"), ("deployment", "Deployment"))
    for subject, title in subjects:
        for case, limit in (("unchanged", 1.1), ("changed", 1.5)):
            found = _at("changes", subject, case, "ratio")
            yield Goal(f"native: {title}, {CASES[case]}, by `==` and an accept", limit, found)
    for subject, title in subjects:
        for case in BEFORE[subject]:
            found = _than_before(subject, case)
            yield Goal(f"pure Python, now by then: {title}, {CASES[case]}", NOISE, found)
    yield from _growth(results)
    yield from _engine()
    yield Goal("import of 6,000 generated lines, beyond the runtime", 10, _import, " ms")
    for request in results.get("stdio", {"any request": None}):
        found = _at("stdio", request, "ratio")
        yield Goal(f"`webhook stdio`: {request}, by a bare loop", LINE_PROTOCOL, found)
    yield from commands()


def _growth(results: Results) -> Iterator[Goal]:
    for name, package in (("", PURE), ("native: ", NATIVE)):
        for case, title in (
            ("create", "create"),
            ("unchanged", "update with nothing changed"),
            ("changed", "update of one item"),
        ):
            if not name or package in results["growth"]:
                found = _at("growth", package, case, "ratio")
                yield Goal(f"{name}list-map of 10,000 items, {title}, by 1,000 items", GROWTH, found)


def _engine() -> Iterator[Goal]:
    for rival, limit, title in (
        ("prepared", 1 / 8, "with values that are ready"),
        ("dicts", 1 / 30, "that is given dicts"),
    ):
        yield Goal(f"rules that hold, by a runtime in C++ {title}", limit, _by_other("engine", rival))
    for request, title in (("create", "create"), ("update", "unchanged update"), ("change", "update")):
        limit = 1 / (SERVER_RATE * EXACT_TIMES[request])
        yield Goal(
            f"native: {title} of a valid custom object, by the exact path",
            limit,
            _by_other("engine", f"native-{request}"),
        )


def commands() -> Iterator[Goal]:
    """The goals of commands, which scripts of their own measure."""
    yield Goal("`--version`, by Python that does nothing", 2.5, _job("start", "`--version`", "wall by"))
    yield Goal("first run of the generator, by upstream's", 1 / 5, _job("generator", "first run", "wall by"))
    found = _job("generator", "first run, upstream's packages", "wall by")
    yield Goal("the same for no more packages than upstream takes", 1 / 5, found)
    yield Goal("memory of a first run", 110, _job("generator", "first run", "megabytes"), " MB")
    yield Goal("`--check` with nothing changed, by upstream's", 1 / 8, _job("generator", "`--check`", "wall by"))
    found = _job("definitions", "`crd lint`, one process", "processor by")
    yield Goal("`crd lint`, processor time, by the API server's code", 0.7, found)
