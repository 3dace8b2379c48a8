"""By which power of its size the time of some work grows: 1 for linear work, 2 for quadratic work.

Time is that of the processor. Where others work on the same core, it grows for all, so that a size and a quarter of it
are measured in turn, and each time is held against the one beside it. Who wants to be sure that something is too slow
asks again, for four times as much: noise and the step where data no longer fits into the processor's cache do not come
back, growth does.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from time import process_time

#: Makes the work of a size ready; what it returns is measured.
Work = Callable[[int], Callable[[], object]]

LIMIT = 1.3
_PAIRS = 5
_TRIES = 6
#: Up to this try each is for four times as much; the work of later ones would take too long.
_LARGEST = 2
#: Seconds between tries, so that a neighbour who fills the processor's cache may be done.
_PAUSE = 0.5


def _times_for(run: Callable[[], object], least: float) -> int:
    """How often some work has to be done for it to take so many seconds. It is warm afterwards."""
    times = 1
    while _seconds(run, times) * times < least:
        times *= 2
    return times


def _seconds(run: Callable[[], object], times: int) -> float:
    begun = process_time()
    for _ in range(times):
        run()
    return (process_time() - begun) / times


def exponent(work: Work, few: int, most: int, amount: Callable[[int], float], *, least: float, limit: float) -> float:
    """The exponent between two sizes. `least` is how many seconds a measurement takes at least.

    Two pairs below the limit decide: others can make it no larger.
    """
    small, large = work(few), work(most)
    steps = math.log(amount(most) / amount(few))
    found: list[float] = []
    enabled = gc.isenabled()
    gc.disable()  # the collector looks at all objects of the process
    try:
        times = [_times_for(run, least) for run in (small, large)]
        while len(found) < _PAIRS and sum(each <= limit for each in found) < 2:
            found.append(math.log(_seconds(large, times[1]) / _seconds(small, times[0])) / steps)
    finally:
        if enabled:
            gc.enable()
    # One of the lowest: nothing but growth makes all of them large. The lowest may be due to a slow small one.
    return sorted(found)[1]


def assert_linear(
    work: Work, most: int, amount: Callable[[int], float] = float, *, limit: float = LIMIT, tries: int = _TRIES
) -> None:
    """Fails if the time of some work grows too fast, each time that it is measured, and for more of it each time.

    `amount` is how much there is of a size, where an answer has to be longer than linear.

    Raises:
        AssertionError: with what was measured.
    """
    found: list[float] = []
    for number in range(tries):
        times = 2 * min(number, _LARGEST)
        found.append(exponent(work, most // 4 << times, most << times, amount, least=0.003 * 2**number, limit=limit))
        if found[-1] <= limit:
            return
        time.sleep(_PAUSE)
    shown = ", ".join(f"{each:.2f}" for each in found)
    raise AssertionError(f"the time grows with the power {min(found):.2f} of the size (measured: {shown})")
