"""How the time of a piece of work grows with its size: the exponent `e` of `size ** e`, fitted to a few doublings."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence

#: Less than this says more of the clock than of the work.
_TOO_SHORT = 0.02


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The slope of the line through the points in logarithms that has the least squares."""
    xs, ys = [math.log(size) for size in sizes], [math.log(max(each, 1e-9)) for each in seconds]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def growths(times: Mapping[int, Mapping[str, float]]) -> dict[str, float]:
    """The exponents of the stages of a piece of work, given the time of each by size. Short ones are left out."""
    sizes = sorted(times)
    longest = times[sizes[-1]]
    return {
        stage: exponent(sizes, [times[size][stage] for size in sizes])
        for stage in longest
        if longest[stage] >= _TOO_SHORT
    }


class Clock:
    """Takes the processor time of stages. Of several runs, the quickest counts: nothing makes work too quick."""

    def __init__(self) -> None:
        self.best: dict[str, float] = {}

    def __call__(self, stage: str, work: Callable[[], object]) -> None:
        gc.collect()
        gc.disable()
        try:
            begun = time.process_time()
            work()
            taken = time.process_time() - begun
        finally:
            gc.enable()
        self.best[stage] = min(taken, self.best.get(stage, math.inf))
