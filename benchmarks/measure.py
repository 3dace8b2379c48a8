"""Times contenders side by side. Knows neither the contenders nor what becomes of the numbers.

Absolute times drift from one second to the next, by more than contenders differ. So samples are short, every repeat
asks all contenders in all cases, in another order each time as one spoils the caches for the next, and a ratio is taken
of two times of the same repeat. What is kept is the median of the ratios, with the quartiles as their spread. The clock
is that of the process, which stands still while others have the processor. Garbage is collected between repeats and not
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
from typing import Any, TypeAlias

from benchmarks.contenders.base import Contender
from benchmarks.draws import variants
from benchmarks.objects import JSON, Subject, copy_of, edited
from benchmarks.rules import Struct, Text, places

#: So many texts in the variants of an object are more than anybody should remember.
_TEXTS = 50_000


@dataclass(frozen=True, slots=True)
class Case:
    """A question that is put to all contenders: an object, or an update of an old object; or many in turn."""

    key: str
    title: str
    requests: Sequence[tuple[JSON, JSON | None]]


def cases(subject: Subject, kind: Struct) -> list[Case]:
    """The cases of a subject. No object shares a part with another."""
    valid = subject.build()
    number = _TEXTS // sum(isinstance(rule, Text) for _, rule in places(kind, valid))
    varied = [(each, None) for each in variants(kind, valid, number)] if subject.is_drawn else []
    changed = edited(valid, subject.change)
    return [
        Case("valid", "valid", [(subject.build(), None)]),
        *([Case("varied", "valid, no text twice", varied)] if varied else ()),
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
        by_valid: the median of its time by its own time in the first case, which is that of a valid object.
        errors: how many errors it reports.
    """

    seconds: float
    ratio: float
    low: float
    high: float
    by_valid: float
    errors: int


def measure(cases: Sequence[Case], contenders: Sequence[Contender], plan: Plan) -> dict[str, dict[str, Timing]]:
    """The times by case and contender. Ratios are to the first contender, and to the first case."""
    first, by = cases[0].key, contenders[0].key
    samples = {(case.key, each.key): _Sampler(each, case, plan) for case in cases for each in contenders}
    times: dict[tuple[str, str], list[float]] = {place: [] for place in samples}
    order = [each.key for each in contenders]
    shuffle = random.Random(0).shuffle  # noqa: S311 - any order will do, if it is the same next time
    with _collecting() as collect:
        for _ in range(plan.repeats):
            collect()
            for case in cases:
                shuffle(order)
                for key in order:
                    times[case.key, key].append(samples[case.key, key].take())
    found: dict[str, dict[str, Timing]] = {case.key: {} for case in cases}
    for (case_key, key), taken in times.items():
        low, ratio, high = quartiles(_ratios(taken, times[case_key, by]))
        by_valid = statistics.median(_ratios(taken, times[first, key]))
        errors = samples[case_key, key].errors
        found[case_key][key] = Timing(statistics.median(taken), ratio, low, high, by_valid, errors)
    return found


def _ratios(times: Sequence[float], of: Sequence[float]) -> list[float]:
    return [one / other for one, other in zip(times, of, strict=True)]


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


def quartiles(numbers: Sequence[float]) -> tuple[float, float, float]:
    """The quartiles, of which the one in the middle is the median."""
    if len(numbers) < 2:
        return numbers[0], numbers[0], numbers[0]
    low, middle, high = statistics.quantiles(numbers, n=4, method="inclusive")
    return low, middle, high


#: Calls that are made one after the other, and are of one kind.
Calls: TypeAlias = Sequence[Callable[[], Any]]


def growth(pairs: Mapping[str, tuple[Calls, Calls]], plan: Plan) -> dict[str, tuple[float, float, float]]:
    """How many times as long a call of the second kind takes as one of the first: seconds of both, and the ratio.

    Where there are more calls of the quicker kind, samples of both take about as long and are disturbed as often.
    """
    found = {}
    with _collecting() as collect:
        for name, (small, large) in pairs.items():
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(plan.repeats):
                collect()
                for calls, taken in zip((small, large), times, strict=True):
                    taken.append(min(_seconds(calls) for _ in range(plan.tries)))
            ratio = statistics.median(_ratios(times[1], times[0]))
            found[name] = (statistics.median(times[0]), statistics.median(times[1]), ratio)
    return found


def _seconds(calls: Calls) -> float:
    clock = time.process_time
    begun = clock()
    for call in calls:
        call()
    return (clock() - begun) / len(calls)
