"""Times contenders side by side. Knows neither the contenders nor what becomes of the numbers.

Absolute times drift from one second to the next, by more than contenders differ. So samples are short, every repeat
asks all contenders of a case, in another order each time as one spoils the caches for the next, and a ratio is taken of
two times of the same repeat. What is kept is the median of the ratios, with the quartiles as their spread. The clock is
that of the process, which stands still while others have the processor. Garbage is collected between repeats and not
during them, for everybody alike.
"""

from __future__ import annotations

import contextlib
import gc
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contenders.base import Contender
from benchmarks.draws import variants
from benchmarks.objects import JSON, Subject, copy_of, edited
from benchmarks.rules import Struct

_VARIANTS = 500


@dataclass(frozen=True, slots=True)
class Case:
    """A question that is put to all contenders: an object, or an update of an old object; or many in turn."""

    key: str
    title: str
    requests: Sequence[tuple[JSON, JSON | None]]


def cases(subject: Subject, kind: Struct) -> list[Case]:
    """The cases of a subject. No object shares a part with another."""
    valid = subject.build()
    changed = edited(valid, subject.change)
    return [
        Case("valid", "valid", [(subject.build(), None)]),
        Case("varied", "valid, no text twice", [(each, None) for each in variants(kind, valid, _VARIANTS)]),
        Case("one", "1 error", [(edited(valid, subject.one), None)]),
        Case("ten", "10 errors", [(edited(valid, *subject.ten), None)]),
        Case("ten-typed", "10 errors, no wrong type", [(edited(valid, *subject.ten_typed), None)]),
        Case("unchanged", "update, nothing changed", [(copy_of(valid), valid)]),
        Case("changed", "update, one value changed", [(changed, valid)]),
    ]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured: so many repeats, with samples of at least so many seconds, each the best of some tries."""

    repeats: int
    seconds: float
    tries: int = 2


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a contender takes for one request of a case.

    Attributes:
        seconds: the median over the repeats.
        ratio: the median of its time by that of the contender that is the measure.
        low: the lower quartile of that.
        high: the upper quartile of that.
        errors: how many errors it reports.
    """

    seconds: float
    ratio: float
    low: float
    high: float
    errors: int


def measure(case: Case, contenders: Sequence[Contender], plan: Plan, by: str | None = None) -> dict[str, Timing]:
    """The times of all contenders by key; ratios are to the contender `by`, by default the first one."""
    by = by or contenders[0].key
    samples = {each.key: _Sampler(each, case, plan) for each in contenders}
    times: dict[str, list[float]] = {key: [] for key in samples}
    order = list(samples)
    shuffle = random.Random(len(case.key)).shuffle  # noqa: S311 - any order will do, if it is the same next time
    with _collecting() as collect:
        for _ in range(plan.repeats):
            collect()
            shuffle(order)
            for key in order:
                times[key].append(samples[key].take())
    return {key: _timing(times[key], times[by], samples[key].errors) for key in times}


@contextlib.contextmanager
def _collecting() -> Iterator[Callable[[], None]]:
    """Gives the only way to collect garbage meanwhile. What is there already is no garbage and costs nothing."""

    def collect() -> None:
        gc.collect()

    collect()
    gc.freeze()
    gc.disable()
    try:
        yield collect
    finally:
        gc.enable()
        gc.unfreeze()


class _Sampler:
    """Takes samples of one contender in one case."""

    def __init__(self, contender: Contender, case: Case, plan: Plan) -> None:
        self._tries = plan.tries
        # Whoever knows no updates validates the new object.
        self._update = contender.update if case.requests[0][1] is not None else None
        self._check = contender.check
        obj, old = case.requests[0]
        self.errors = len(self._update(obj, old) if self._update else self._check(obj))
        self._requests = list(case.requests)
        self._position = 0
        self._number = 1
        self._number = self._enough(plan.seconds)

    def _enough(self, seconds: float) -> int:
        """How many requests take that long."""
        number = 1
        while True:
            self._number = number
            taken = self._once() * number
            if taken >= seconds:
                return number
            number = max(number + 1, min(number * 8, int(number * 1.2 * seconds / max(taken, 1e-7))))

    def take(self) -> float:
        """The seconds that a request takes, at best of some tries."""
        return min(self._once() for _ in range(self._tries))

    def _once(self) -> float:
        requests = self._next()
        clock = time.process_time
        if self._update is not None:
            update = self._update
            begun = clock()
            for obj, old in requests:
                update(obj, old)
        else:
            check = self._check
            objects = [obj for obj, _ in requests]
            begun = clock()
            for obj in objects:
                check(obj)
        return (clock() - begun) / len(requests)

    def _next(self) -> list[tuple[JSON, JSON | None]]:
        """The next requests in turn, so that a slow contender, too, sees all of them in time."""
        if len(self._requests) == 1:
            return self._requests * self._number
        begin, self._position = self._position, (self._position + self._number) % len(self._requests)
        rounds = (begin + self._number) // len(self._requests) + 1
        return (self._requests * rounds)[begin : begin + self._number]


def _timing(times: Sequence[float], of: Sequence[float], errors: int) -> Timing:
    ratios = [one / other for one, other in zip(times, of, strict=True)]
    low, ratio, high = quartiles(ratios)
    return Timing(statistics.median(times), ratio, low, high, errors)


def quartiles(numbers: Sequence[float]) -> tuple[float, float, float]:
    """The quartiles, of which the one in the middle is the median."""
    if len(numbers) < 2:
        return numbers[0], numbers[0], numbers[0]
    low, middle, high = statistics.quantiles(numbers, n=4, method="inclusive")
    return low, middle, high


def growth(
    calls: Mapping[str, tuple[Callable[[], Any], Callable[[], Any]]], factor: int, plan: Plan
) -> dict[str, tuple[float, float, float]]:
    """How many times as long the second call of each pair takes as the first: seconds of both, and the ratio.

    The first is asked `factor` times in a sample, so that both samples take about as long and are disturbed as often.
    """
    found = {}
    with _collecting() as collect:
        for name, (small, large) in calls.items():
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(plan.repeats):
                collect()
                times[0].append(min(_seconds(small, factor) for _ in range(plan.tries)))
                times[1].append(min(_seconds(large, 1) for _ in range(plan.tries)))
            ratios = [big / little for little, big in zip(*times, strict=True)]
            found[name] = (statistics.median(times[0]), statistics.median(times[1]), statistics.median(ratios))
    return found


def _seconds(call: Callable[[], Any], number: int) -> float:
    clock = time.process_time
    begun = clock()
    for _ in range(number):
        call()
    return (clock() - begun) / number
