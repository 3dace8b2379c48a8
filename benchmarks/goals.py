"""What the project wants to be as fast as, said of results. Nothing is measured here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.results import NATIVE, PURE, Results

#: They report all errors with their paths and are no form of ours.
PEERS = ("jsonschema-rs", "jsonschema", "pydantic-typeddict", "pydantic-model", "cattrs")

#: How many times as many valid custom objects native code takes as the API server's own code, on one processor; and how
#: many times as long as that code our exact way takes, which was measured once: the server's code is not at hand here.
SERVER_RATE = 40
EXACT_TIMES = {"create": 1.6, "update": 2.0, "change": 2.0}

#: How many times as long a list with ten times the items may take.
GROWTH = 12


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


def _update(subject: str, case: str) -> Callable[[Results], float | None]:
    """Our time for an update by that for a create."""

    def found(results: Results) -> float | None:
        return float(results["times"][subject][case]["ours"]["by_valid"])

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


def _import(results: Results) -> float | None:
    """Milliseconds for a module of 6,000 lines."""
    told = results["import"]
    return float(told["seconds"] * 1_000 / told["lines"] * 6_000)


def _beyond_python(command: str) -> Callable[[Results], float | None]:
    def found(results: Results) -> float | None:
        told = results.get("generator", {})
        if command not in told or "python" not in told:
            return None
        return float(told[command]["seconds"]) - float(told["python"]["seconds"])

    return found


def goals(results: Results) -> Iterator[Goal]:
    """All goals; which rivals there are depends on the results."""
    titles = {key: each["title"] for key, each in results["titles"].items()}
    for rival, limit in (("pydantic-typeddict", 0.8), ("msgspec", 0.9), ("fastjsonschema", 0.15)):
        yield Goal(f"valid Deployment, by {titles[rival]}", limit, _against("deployment", "valid", rival))
    for case, title in (("ten", "10 errors"), ("ten-typed", "10 typed errors")):
        against = _against("deployment", case, "jsonschema-rs")
        yield Goal(f"Deployment with {title}, by {titles['jsonschema-rs']}", 0.8, against)
    for rival in PEERS:
        yield Goal(f"valid small resource, by {titles[rival]}", 1.0, _against("small", "valid", rival))
    for subject, case, rival, limit, title in (
        ("small", "valid", "jsonschema-rs-bool", 0.6, "valid small resource"),
        ("deployment", "valid", "jsonschema-rs-bool", 0.7, "valid Deployment"),
        ("deployment", "valid", "msgspec", 0.3, "valid Deployment"),
        ("deployment", "valid", "pydantic-typeddict", 0.3, "valid Deployment"),
        ("small", "varied", "jsonschema-rs", 0.8, "small, no text twice"),
        ("deployment", "varied", "jsonschema-rs", 0.8, "Deployment, no text twice"),
        ("small", "one", "jsonschema-rs", 0.5, "small, 1 error"),
        ("deployment", "one", "jsonschema-rs", 0.5, "Deployment, 1 error"),
        ("small", "ten", "jsonschema-rs", 1.0, "small, 10 errors"),
        ("deployment", "ten", "jsonschema-rs", 1.0, "Deployment, 10 errors"),
        ("small", "ten-typed", "jsonschema-rs", 1.0, "small, 10 typed errors"),
        ("deployment", "ten-typed", "jsonschema-rs", 1.0, "Deployment, 10 typed errors"),
    ):
        # Who only says yes or no puts nothing into words.
        key = "ours-native-untold" if rival == "jsonschema-rs-bool" else "ours-native"
        yield Goal(f"native: {title}, by {titles[rival]}", limit, _against(subject, case, rival, key))
    for subject, title in (("small", "small resource"), ("deployment", "Deployment")):
        yield Goal(f"{title}, update with nothing changed, by create", 0.2, _update(subject, "unchanged"))
        yield Goal(f"{title}, update with one value changed, by create", 0.5, _update(subject, "changed"))
    for name, package in (("", PURE), ("native: ", NATIVE)):
        for case, title in (
            ("create", "create"),
            ("unchanged", "update with nothing changed"),
            ("changed", "update of one item"),
        ):
            if not name or package in results["growth"]:
                found = _at("growth", package, case, "ratio")
                yield Goal(f"{name}list-map of 10,000 items, {title}, by 1,000 items", GROWTH, found)
    for rival, limit, title in (
        ("prepared", 1 / 8, "with values that are ready"),
        ("dicts", 1 / 30, "that is given dicts"),
    ):
        yield Goal(f"rules that hold, by a runtime in C++ {title}", limit, _by_other("engine", rival))
    for request in ("create", "update"):
        yield Goal(f"{request} of a valid custom object, by the exact way", 1 / 20, _by_other("engine", request))
    for request, title in (("create", "create"), ("update", "unchanged update"), ("change", "update")):
        limit = 1 / (SERVER_RATE * EXACT_TIMES[request])
        yield Goal(
            f"native: {title} of a valid custom object, by the exact way",
            limit,
            _by_other("engine", f"native-{request}"),
        )
    yield Goal("import of 6,000 generated lines, beyond the runtime", 10, _import, " ms")
    yield Goal("generating for the first time", 1.5, _at("generator", "cold", "seconds"), " s")
    yield Goal("its memory", 250, _at("generator", "cold", "megabytes"), " MB")
    yield Goal("generating again", 0.4, _at("generator", "again", "seconds"), " s")
    yield Goal("generating with a check only", 0.4, _at("generator", "check", "seconds"), " s")
    for command in ("help", "version"):
        yield Goal(f"asking for the {command}, beyond bare Python", 0.15, _beyond_python(command), " s")
