"""How the time of a piece of work grows with its size: the exponent `e` of `size ** e`."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Collection, Mapping

#: Less than this, in seconds, says more of the clock than of the work.
_TOO_SHORT = 0.02


def growths(small: int, large: int, before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """The exponent of each stage between two sizes, given the seconds it took for them. Short ones are left out."""
    return {
        stage: math.log(seconds / max(before[stage], 1e-9)) / math.log(large / small)
        for stage, seconds in after.items()
        if seconds >= _TOO_SHORT
    }


class Clock:
    """Takes the processor time of stages, in seconds: of all, or of some, with those that others need."""

    def __init__(self, wanted: Collection[str] = (), needed: Collection[str] = ()) -> None:
        self.times: dict[str, float] = {}
        self._wanted = wanted
        self._needed = needed

    def __call__(self, stage: str, work: Callable[[], object]) -> None:
        if self._wanted and stage not in self._wanted:
            if stage in self._needed:
                work()
            return
        gc.collect()
        gc.disable()
        try:
            begun = time.process_time()
            work()
            self.times[stage] = time.process_time() - begun
        finally:
            gc.enable()
