"""By which power of its size the time of some work grows: 1 for linear work, 2 for quadratic work.

Time is that of the processor, which other processes hardly change, and the least of several runs. Work is measured at
a size and at a quarter of it. Who wants to be sure that something is too slow asks again, for twice the size: noise and
the step where data no longer fits into the processor's cache do not come back, growth does.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable
from time import process_time

#: Makes the work of a size ready; what it returns is measured.
Work = Callable[[int], Callable[[], object]]

LIMIT = 1.3
_REPEATS = 3
_TRIES = 3


def seconds(run: Callable[[], object], least: float = 0.0, repeats: int = _REPEATS) -> float:
    """The least time of one run, taken over as many runs in a row as take at least `least` seconds."""
    times = 1
    best = math.inf
    enabled = gc.isenabled()
    gc.disable()  # the collector looks at all objects of the process
    try:
        count = 0
        while count < repeats:
            begun = process_time()
            for _ in range(times):
                run()
            taken = process_time() - begun
            if taken < least and count == 0:
                times = times * 2 if taken * 4 > least else times * 4
                continue
            best = min(best, taken / times)
            count += 1
    finally:
        if enabled:
            gc.enable()
    return best


def exponent(
    work: Work, most: int, amount: Callable[[int], float] = float, *, least: float = 0.003, repeats: int = _REPEATS
) -> float:
    """The exponent between a quarter of a size and the size. `least` is what a measurement takes at least."""
    few = most // 4
    taken = [seconds(work(size), least, repeats) for size in (few, most)]
    return math.log(taken[1] / taken[0]) / math.log(amount(most) / amount(few))


def assert_linear(work: Work, most: int, amount: Callable[[int], float] = float, *, limit: float = LIMIT) -> None:
    """Fails if the time of some work grows too fast, each time that it is measured, and for more of it each time.

    `amount` is how much there is of a size, where an answer has to be longer than linear.

    Raises:
        AssertionError: with what was measured.
    """
    found: list[float] = []
    for number in range(_TRIES):
        found.append(exponent(work, most << number, amount, least=0.003 * 2**number, repeats=_REPEATS + 2 * number))
        if found[-1] <= limit:
            return
    shown = ", ".join(f"{each:.2f}" for each in found)
    raise AssertionError(f"the time grows with the power {min(found):.2f} of the size (measured: {shown})")
