"""How fast it goes, and how long it takes still."""

from __future__ import annotations

from itertools import count

import pytest

from validation_gen.commands.compare.results import Results, Tally
from validation_gen.commands.compare.run import ProgressMeter


def test_the_rate_is_that_of_the_last_seconds() -> None:
    now = 0.0
    pace = ProgressMeter(lambda: now)
    items = 0
    for step in range(60):
        items += 10 if step < 30 else 100  # it becomes faster, as other processes begin
        told = pace.measure(items, Results(), 10_000)
        now += 1
    assert told.rate == pytest.approx(100)
    assert told.share == pytest.approx(items / 10_000)
    assert told.left == pytest.approx((10_000 - items) / 100)


def test_a_resumed_run_is_not_faster_than_it_is() -> None:
    clock = count(0.0, 1.0)
    pace = ProgressMeter(lambda: next(clock))
    pace.measure(1_000_000, Results(), 2_000_000)
    told = pace.measure(1_000_100, Results(), 2_000_000)
    assert told.rate == pytest.approx(100)
    assert told.left == pytest.approx(9_999)


def test_nothing_is_said_of_an_end_that_nobody_knows() -> None:
    clock = count(0.0, 1.0)
    pace = ProgressMeter(lambda: next(clock))
    results = Results({("Box", "create"): Tally(agreeing=3, differing=4)})
    assert pace.measure(7, results, None).share is None
    told = pace.measure(9, results, None)
    assert (told.compared, told.rate, told.left) == (7, 2.0, None)


def test_estimates_that_are_too_low_do_no_harm() -> None:
    clock = count(0.0, 1.0)
    pace = ProgressMeter(lambda: next(clock))
    pace.measure(1, Results(), 1)
    told = pace.measure(20, Results(), 10)
    assert (told.share, told.left) == (1.0, 0.0)
