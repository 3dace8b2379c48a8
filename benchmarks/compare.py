"""Compares two results by their ratios. Absolute times are never compared: they belong to a machine and its day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.goals import GROWTH
from benchmarks.results import PURE, Results

#: How much a ratio may rise. Ratios of one run hold to about a tenth; two runs, one of them short, to twice as much. A
#: machine with another processor shifts them further, and then it is time for results of its own.
MARGIN = 0.25
#: Below this time (in seconds) a sample is mostly the loop around it.
_TOO_SHORT = 1e-6
_GROWS = "list-map"


@dataclass(frozen=True, slots=True)
class Move:
    """A ratio that was and is. More is worse: it is our time by that of another."""

    title: str
    was: float
    now: float

    @property
    def change(self) -> float:
        return self.now / self.was - 1


def moves(old: Results, new: Results) -> Iterator[Move]:
    """All ratios that both results have: ours by each rival, update by create, and growth."""
    for subject, cases in old["times"].items():
        for case, times in cases.items():
            now = new["times"].get(subject, {}).get(case, {})
            for mine in (key for key in ("ours", "ours-native") if key in times and key in now):
                for key in times:
                    rival = not key.startswith("ours") and key in now
                    if rival and min(times[key]["seconds"], now[key]["seconds"]) > _TOO_SHORT:
                        was, found = times[mine]["ratio"] / times[key]["ratio"], now[mine]["ratio"] / now[key]["ratio"]
                        yield Move(f"{subject}, {case}: {mine} by {key}", was, found)
        for case in ("unchanged", "changed"):
            was, found = (each["times"][subject][case]["ours"]["by_valid"] for each in (old, new))
            yield Move(f"{subject}: {case} update by create", was, found)
    for case, told in old["growth"][PURE].items():
        yield Move(f"{_GROWS}, {case}: 10,000 items by 1,000", told["ratio"], new["growth"][PURE][case]["ratio"])


def rises(old: Results, new: Results, margin: float) -> list[Move]:
    """What has become slower beyond the margin, the worst first.

    One rival that is quicker or slower for a moment says nothing of us. So a case counts when the median over its
    rivals has risen; ratios of our own times count by themselves. Growth varies with the memory that a process has been
    given, and counts beyond its goal only.
    """
    groups: dict[str, list[Move]] = {}
    for move in moves(old, new):
        groups.setdefault(move.title.partition(" by ")[0], []).append(move)
    found = []
    for group in groups.values():
        middle = sorted(group, key=lambda move: move.change)[len(group) // 2]
        if middle.change > margin and (middle.now > GROWTH or not middle.title.startswith(_GROWS)):
            found.append(middle)
    return sorted(found, key=lambda move: -move.change)
