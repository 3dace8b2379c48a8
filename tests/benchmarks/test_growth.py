"""Ten times the items take about ten times the work: a list-map must not compare every item with every other.

What is counted are calls, which no other program on the machine can change. A search inside one call does not show
there, so time is looked at, too, with so much patience that only a square of the length can exhaust it.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.objects import copy_of, edited, keyed_list
from tests.benchmarks.conftest import Validate

pytestmark = pytest.mark.usefixtures("small_heap")  # garbage is collected before each measurement

SMALL, LARGE = 200, 2_000


def requests(size: int) -> dict[str, tuple[Any, Any]]:
    """An object and its old state, by what happens to the list-map."""
    obj = keyed_list(size)
    variables = ("spec", "template", "spec", "containers", 0, "env")
    items = obj["spec"]["template"]["spec"]["containers"][0]["env"]
    return {
        "create": (obj, None),
        "unchanged": (copy_of(obj), obj),
        "one changed": (edited(obj, ((*variables, size // 2, "value"), "another")), obj),
        "all changed": (edited(obj, (variables, [{**each, "value": "another"} for each in items])), obj),
        "turned round": (edited(obj, (variables, items[::-1])), obj),
        "one added in front": (edited(obj, (variables, [{"name": "FIRST"}, *items])), obj),
        "a duplicate": (edited(obj, ((*variables, size - 1, "name"), "NAME_0")), None),
        "no key": (edited(obj, (variables, [{"value": "x"}] * size)), None),
    }


def calls(function: Callable[[], object]) -> int:
    """How many calls a call makes, of Python and of C."""
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def seconds(function: Callable[[], object], tries: int = 3) -> float:
    best = float("inf")
    gc.collect()
    gc.disable()
    try:
        for _ in range(tries):
            begun = time.process_time()
            function()
            best = min(best, time.process_time() - begun)
    finally:
        gc.enable()
    return best


each_request = pytest.mark.parametrize("name", requests(1))


@each_request
def test_calls_grow_like_the_list(validate: Validate, name: str) -> None:
    counts = []
    for size in (SMALL, LARGE):
        obj, old = requests(size)[name]
        validate(obj, old)  # whatever is made once is made now
        counts.append(calls(lambda obj=obj, old=old: validate(obj, old)))  # type: ignore[misc]
    assert counts[1] <= 12 * counts[0], counts


@pytest.mark.slow  # the calls are counted above
@each_request
def test_time_does_not_grow_like_the_square_of_the_list(validate: Validate, name: str) -> None:
    # A hundred times the length takes ten thousand times as long by the square. Other programs, and the caches of a
    # processor, into which long lists do not fit, make it some hundred times.
    small, large = (requests(size)[name] for size in (SMALL, LARGE * 10))
    for _ in range(5):
        taken = seconds(lambda: validate(*small)), seconds(lambda: validate(*large))
        if taken[1] <= 1_500 * taken[0]:
            return
    raise AssertionError(f"{name}: {taken[0] * 1_000:.2f} ms became {taken[1] * 1_000:.2f} ms")


def test_errors_are_found_in_a_long_list(validate: Validate) -> None:
    assert not validate(*requests(SMALL)["create"])
    (error,) = validate(*requests(SMALL)["a duplicate"])
    assert error.field == f"spec.template.spec.containers[0].env[{SMALL - 1}]"
