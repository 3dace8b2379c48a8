"""A harness under load and abuse: counts add up, whatever threads, tasks, observers and handwritten functions do."""

from __future__ import annotations

import asyncio
import contextvars
import sys
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from tests.mismatch.widgets import logged, widget
from validation_gen.mismatch import metrics
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates
from validation_gen.mismatch.harness import Harness, all_declarative_enforced
from validation_gen.mismatch.outcome import Outcome
from validation_gen.mismatch.series import validation_identifier
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.operation import Operation

REGISTRY = widget('// +k8s:beta(since: "1.37")=+k8s:maxLength=2\nA string `json:"a"`')
THREADS, EACH = 16, 120
LABEL = {"validation_identifier": validation_identifier("Widget", "/", update=False)}


@pytest.fixture(autouse=True)
def _often_switched() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class Interrupting:
    """An observer that raises now and then, what is an error and what is none."""

    def __init__(self) -> None:
        self.count = 0
        self._lock = threading.Lock()

    def compared(self, outcome: Outcome) -> None:
        with self._lock:
            self.count += 1
            number = self.count
        if number % 3 == 0:
            raise RuntimeError("an observer")


def totals(registry: CollectorRegistry) -> tuple[float, float, float, float]:
    """Requests that each side was timed for, mismatches, and panics."""

    def of(name: str, **labels: str) -> float:
        value = registry.get_sample_value(f"apiserver_validation_{name}", labels)
        return 0.0 if value is None else value

    seconds = [of("duration_seconds_count", side=side, **LABEL) for side in ("handwritten", "declarative")]
    mismatches = of("declarative_validation_mismatch_total")
    return (*seconds, mismatches, of("declarative_validation_panic_total"))  # type: ignore[return-value]


def silent(obj: Any, old: Any, op: Operation) -> list[FieldError]:
    """Finds nothing, so that a long name is a mismatch; raises what it is told to."""
    if "raise" in obj:
        raise obj["raise"]
    return []


def test_all_requests_of_many_threads_are_counted() -> None:
    registry = CollectorRegistry()
    rude = Interrupting()
    gates = FeatureGates("1.37")
    observers = [rude, metrics.Metrics(registry), rude]
    harness = Harness.of(REGISTRY, "Widget", silent, gates=gates, observers=observers)
    begin = threading.Barrier(THREADS)
    raised = [KeyboardInterrupt(), GeneratorExit(), SystemExit(1), LookupError("x")]

    def ask(worker: int) -> int:
        begin.wait(60)
        wrong = 0
        for number in range(EACH):
            gates.set(BETA, number % 2 == 0)
            name = "xxx" if number % 4 == 0 else "x"
            found = harness.validate({"a": name})
            wrong += bool(found) and name == "x"
            with pytest.raises(type(raised[number % 4])):  # it comes out, and is no request that was answered
                harness.validate({"a": "xxx", "raise": raised[number % 4]})
        return wrong

    with logged(), ThreadPoolExecutor(THREADS) as pool:
        assert sum(pool.map(ask, range(THREADS))) == 0
    whole = THREADS * EACH
    assert rude.count == 2 * whole
    assert totals(registry) == (whole, whole, whole / 4, 0)


def test_gates_that_many_threads_set_are_not_lost() -> None:
    """Each thread has a gate of its own, beside which others are set all the time."""
    gates = FeatureGates("1.35")
    begin = threading.Barrier(THREADS)
    names = (VALIDATION, TAKEOVER, "AllAlpha", "AllBeta")

    def switch(worker: int) -> int:
        begin.wait(60)
        name, lost = names[worker % 4], 0
        for number in range(300):
            gates.set(name, (number + 1) % 2 == 0)
            lost += len(gates.states) != 2
        return lost

    with ThreadPoolExecutor(THREADS) as pool:
        assert sum(pool.map(switch, range(THREADS))) == 0
    assert [gates.enabled(name) for name in names[:2]] == [True, True]  # the last word of each
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda name: gates.set(name, False), names))
    assert [gates.enabled(name) for name in names[:2]] == [False, False]


def test_cancelled_tasks_leave_nothing_behind() -> None:
    """Each third task is cancelled while it waits; the others are counted, and enforce what they enforce."""
    registry = CollectorRegistry()
    asked = 0

    async def slow(obj: Any, old: Any, op: Operation) -> list[FieldError]:
        nonlocal asked
        asked += 1
        if obj["b"] == "wait":
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        return []

    gates = FeatureGates("1.37", {BETA: False})
    harness = Harness.of(REGISTRY, "Widget", slow, gates=gates, observers=[metrics.Metrics(registry)])

    async def request(number: int) -> list[FieldError]:
        obj = {"a": "xxx", "b": "wait" if number % 3 == 0 else ""}
        if number % 2:
            with all_declarative_enforced():
                return await harness.validate_async(obj)
        return await harness.validate_async(obj)

    async def run() -> list[Any]:
        tasks = [asyncio.create_task(request(number)) for number in range(300)]
        for _ in range(5):
            await asyncio.sleep(0)
        for task in tasks[::3]:
            task.cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    before = dict(contextvars.copy_context())
    with logged():
        found = asyncio.run(run())
        assert harness.kind == "Widget"
        assert asyncio.run(harness.validate_async({"a": "xxx", "b": ""})) == []  # nobody enforces everything any more
    assert asked == 301
    for number, result in enumerate(found):
        if number % 3 == 0:
            assert isinstance(result, asyncio.CancelledError)
        else:
            assert len(result) == number % 2
    assert totals(registry) == (201, 201, 201, 0)
    after = dict(contextvars.copy_context())
    assert {name.name: value for name, value in after.items() if name not in before} in (
        {},
        {"all_declarative_enforced": False},
    )


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, SystemExit, asyncio.CancelledError, LookupError])
def test_what_is_raised_within_leaves_no_variable_set(error: type[BaseException]) -> None:
    harness = Harness.of(REGISTRY, "Widget", silent, gates=FeatureGates("1.37", {BETA: False}))
    with logged():
        with pytest.raises(error), all_declarative_enforced():
            harness.validate({"a": "xxx", "raise": error()})
        assert harness.validate({"a": "xxx"}) == []

        def generator() -> Generator[int, None, None]:
            with all_declarative_enforced():
                yield len(harness.validate({"a": "xxx"}))

        assert list(generator()) == [1]
        stopped = generator()
        assert next(stopped) == 1
        stopped.close()
        assert harness.validate({"a": "xxx"}) == []


def test_an_observer_that_ends_the_request_does_so_after_the_counts() -> None:
    """What is no error is not swallowed: whoever interrupts wants an end."""
    registry = CollectorRegistry()

    class Ends:
        def compared(self, outcome: Outcome) -> None:
            raise KeyboardInterrupt

    counting = metrics.Metrics(registry)
    harness = Harness.of(REGISTRY, "Widget", silent, gates=FeatureGates("1.37"), observers=[counting, Ends()])
    with logged(), pytest.raises(KeyboardInterrupt):
        harness.validate({"a": "xxx"})
    assert totals(registry) == (1, 1, 1, 0)
