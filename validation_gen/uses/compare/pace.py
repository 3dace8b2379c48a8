"""Measures the rate of a comparison and estimates its remaining time. It prints nothing."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.uses.compare.results import Results

_WINDOW = 15.0  # seconds over which the rate is measured: it changes with the objects, and with the number of processes


@dataclass(frozen=True, slots=True)
class Told:
    """Progress of a comparison.

    Attributes:
        compared: the number of requests so far, and `mismatches` the number of mismatches in them.
        rate: items a second.
        share: the finished part, from 0 to 1; `None` if the end is not known.
        left: the remaining seconds, `None` if unknown.
        examples: the number of groups whose examples are shrunk, at the end.
        parts: the numbers of finished and of all partitions; 0 without a cluster.
        dashboard: URL of the cluster's dashboard, `""` if there is none.
    """

    compared: int = 0
    mismatches: int = 0
    rate: float = 0.0
    share: float | None = None
    left: float | None = None
    examples: int = 0
    parts: tuple[int, int] = (0, 0)
    dashboard: str = ""


#: Callback that receives the progress of a comparison, some times a second.
Tell = Callable[[Told], None]


class Pace:
    """Meters the items of a run. `clock` returns seconds since any moment."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def told(self, items: int, results: Results, whole: float | None) -> Told:
        """Returns the progress after so many items of a whole, if that is known."""
        now = self._clock()
        self._seen.append((now, items))
        while len(self._seen) > 2 and now - self._seen[0][0] > _WINDOW:
            self._seen.popleft()
        begun, before = self._seen[0]
        rate = (items - before) / (now - begun) if now > begun else 0.0
        if not whole:
            return Told(results.compared, results.mismatches, rate)
        left = max(0.0, whole - items) / rate if rate else None
        return Told(results.compared, results.mismatches, rate, min(1.0, items / whole), left)
