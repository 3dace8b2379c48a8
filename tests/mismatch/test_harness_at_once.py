"""Many requests at once: threads with gates that change under them, and tasks of an event loop."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any

import pytest

from tests.mismatch.widgets import GATES, widget
from validation_gen.mismatch.expected import Expectation, Expectations
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates
from validation_gen.mismatch.harness import Harness, all_declarative_enforced
from validation_gen.mismatch.outcome import Outcome
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.operation import Operation

REGISTRY = widget('// +k8s:beta(since: "1.37")=+k8s:maxLength=2\nA string `json:"a"`')
DECLARATIVE = "a: Too long: may not be more than 2 characters"


def handwritten(obj: Any, old: Any, op: Operation) -> list[FieldError]:
    """Tells whose request it is."""
    if len(obj["a"]) <= 2:
        return []
    error = FieldError.too_long("a", 2).with_origin("maxLength").covered_by_declarative().beta()
    return [error, FieldError.invalid("b", obj["b"], "is mine")]


class Judge:
    """An observer that finds requests in which things do not fit together."""

    def __init__(self) -> None:
        self.count = 0
        self.wrong: list[Outcome] = []
        self._lock = threading.Lock()

    def compared(self, outcome: Outcome) -> None:
        texts = [str(error) for error in outcome.result]
        by_hand = [str(error) for error in outcome.handwritten]
        fits = texts in ([*by_hand], [*by_hand[1:], DECLARATIVE])
        with self._lock:
            self.count += 1
            if not fits or outcome.mismatches or outcome.panic:
                self.wrong.append(outcome)


@pytest.mark.parametrize("target", ["1.35", "1.37"])
def test_gates_change_while_threads_ask(target: str) -> None:
    gates = FeatureGates(target)
    judge = Judge()
    harness = Harness.of(REGISTRY, "Widget", handwritten, gates=gates, observers=[judge])
    states = [{BETA: True}, {BETA: False}] if target == "1.37" else [{TAKEOVER: True}, {TAKEOVER: False}]
    done = threading.Event()

    def switch() -> int:
        number = 0
        while not done.is_set():
            gates.update(states[number % 2])
            number += 1
            time.sleep(0.0005)  # so that requests meet either state
        return number

    def ask(worker: int) -> set[str]:
        answers = set()
        for number in range(300):
            obj = {"a": "xxx", "b": f"{worker}-{number}"}
            first, second = sorted(str(error) for error in harness.validate(obj))
            assert second == f'b: Invalid value: "{worker}-{number}": is mine'
            answers.add(first)
            assert harness.validate({"a": "x"}) == []
        return answers

    with ThreadPoolExecutor(12) as pool:
        switching = pool.submit(switch)
        asking = [pool.submit(ask, worker) for worker in range(10)]
        answers = set().union(*(future.result() for future in asking))
        done.set()
        assert switching.result() > 1
    assert answers == {DECLARATIVE, "a: Too long: may not be more than 2 bytes"}
    assert judge.wrong == []
    assert judge.count == 2 * 10 * 300


def test_a_request_sees_the_gates_of_one_moment() -> None:
    """The handwritten side, the declarative side and an observer all switch; the request does not notice."""
    gates = FeatureGates("1.35", {TAKEOVER: False})

    def declarative(*request: Any) -> Sequence[FieldError]:
        gates.update({TAKEOVER: True, VALIDATION: False})
        error = FieldError.required("a")
        error.tag = "+k8s:required"
        return [error]

    harness = Harness("Widget", lambda *request: [], declarative, gates=gates)
    assert harness.validate({}) == []
    gates.update({TAKEOVER: True, VALIDATION: True})
    assert len(harness.validate({})) == 1
    assert harness.validate({}) == []


def test_an_expectation_expires_while_threads_ask() -> None:
    days = [date(2027, 1, 1)]
    expectations = Expectations([Expectation("r", path="a", expires=date(2027, 1, 1))], today=lambda: days[-1])
    harness = Harness.of(REGISTRY, "Widget", lambda *request: [], gates=GATES, expected=expectations)

    def ask(worker: int) -> None:
        for _ in range(100):
            assert len(harness.validate({"a": "xxx"})) == 1
            days.append(days[0] + timedelta(days=worker % 2))

    with ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(ask, worker) for worker in range(8)]:
            future.result()


# --- tasks ------------------------------------------------------------------------------------------------------------


async def slow(obj: Any, old: Any, op: Operation) -> list[FieldError]:
    """Gives other tasks the turn in the middle of a request."""
    await asyncio.sleep(0)
    found = handwritten(obj, old, op)
    await asyncio.sleep(0)
    return found


def test_many_tasks_each_get_their_own_answer() -> None:
    judge = Judge()
    harness = Harness.of(REGISTRY, "Widget", slow, gates=GATES, observers=[judge])

    async def all_of_them() -> list[list[FieldError]]:
        objs = [{"a": "xxx", "b": f"{number}"} for number in range(500)]
        return await asyncio.gather(*(harness.validate_async(obj) for obj in objs))

    for number, result in enumerate(asyncio.run(all_of_them())):
        assert [str(error) for error in result] == [f'b: Invalid value: "{number}": is mine', DECLARATIVE]
    assert judge.wrong == []


def test_an_asynchronous_request_may_have_a_synchronous_validator() -> None:
    harness = Harness.of(REGISTRY, "Widget", handwritten, gates=GATES)
    assert len(asyncio.run(harness.validate_async({"a": "xxx", "b": ""}))) == 2
    assert asyncio.run(harness.validate_async({"a": "x"}, {"a": "xxx"})) == []


def test_what_an_asynchronous_validator_raises_comes_out() -> None:
    async def failing(obj: Any, old: Any, op: Operation) -> list[FieldError]:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        asyncio.run(Harness.of(REGISTRY, "Widget", failing, gates=GATES).validate_async({}))


def test_a_cancelled_request_is_cancelled() -> None:
    async def forever(obj: Any, old: Any, op: Operation) -> list[FieldError]:
        await asyncio.Event().wait()
        return []

    async def cancel() -> bool:
        task = asyncio.create_task(Harness.of(REGISTRY, "Widget", forever, gates=GATES).validate_async({}))
        await asyncio.sleep(0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return True
        return False

    assert asyncio.run(cancel())


def test_only_the_task_that_enforces_everything_does() -> None:
    gates = FeatureGates("1.37", {BETA: False})
    harness = Harness.of(REGISTRY, "Widget", slow, gates=gates)
    obj: Mapping[str, Any] = {"a": "xxx", "b": "y"}

    async def plain() -> list[str]:
        return [str(error) for error in await harness.validate_async(obj)]

    async def enforcing() -> list[str]:
        with all_declarative_enforced():
            return await plain()

    async def both() -> list[list[str]]:
        return await asyncio.gather(*(enforcing() if number % 2 else plain() for number in range(50)))

    for number, texts in enumerate(asyncio.run(both())):
        assert (DECLARATIVE in texts) == bool(number % 2)


def test_only_the_thread_that_enforces_everything_does() -> None:
    harness = Harness.of(REGISTRY, "Widget", handwritten, gates=FeatureGates("1.37", {BETA: False}))
    found = []
    with all_declarative_enforced():
        thread = threading.Thread(target=lambda: found.extend(harness.validate({"a": "xxx", "b": ""})))
        thread.start()
        thread.join()
        assert DECLARATIVE in [str(error) for error in harness.validate({"a": "xxx", "b": ""})]
    assert DECLARATIVE not in [str(error) for error in found]
