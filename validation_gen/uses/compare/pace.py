"""How fast a comparison goes, and when it will be done. It knows numbers only, and prints nothing."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.uses.compare.results import Results

_WINDOW = 15.0  # seconds by which the rate is told: it changes with the objects, and with the number of processes


@dataclass(frozen=True, slots=True)
class Told:
    """How far a comparison has come.

    Attributes:
        compared: the number of requests so far, and `mismatches` what was found in them.
        rate: items a second.
        share: how much is done, from 0 to 1; `None` if the end is not known.
        left: the seconds that are left, `None` if nobody can say.
        examples: how many groups are there whose examples are made small, at the end.
        parts: how many partitions are done, and how many there are; none of either without a cluster.
        dashboard: where a cluster shows what it does, `""` if nowhere.
    """

    compared: int = 0
    mismatches: int = 0
    rate: float = 0.0
    share: float | None = None
    left: float | None = None
    examples: int = 0
    parts: tuple[int, int] = (0, 0)
    dashboard: str = ""


#: Told how far a comparison has come, some times a second.
Tell = Callable[[Told], None]


class Pace:
    """Watches the items of a run. `clock` tells seconds from any moment on."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def told(self, items: int, results: Results, whole: float | None) -> Told:
        """Tells what can be said after so many items of a whole, if that is known."""
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
