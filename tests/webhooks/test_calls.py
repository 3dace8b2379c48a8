"""Calls of functions of users: results, failures, time, and how many run at once."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from functools import partial
from typing import Any

import pytest

from tests.webhooks.asking import in_loop
from validation_gen.webhooks.calls import Calls, LateError

_where = contextvars.ContextVar("_where", default="nowhere")


def test_results_and_failures() -> None:
    async def later(value: Any) -> Any:
        await asyncio.sleep(0)
        if isinstance(value, BaseException):
            raise value
        return value

    def now(value: Any) -> Any:
        if isinstance(value, BaseException):
            raise value
        return value

    async def main() -> None:
        calls = Calls()
        assert await calls.call(lambda: later(1), 9) == 1
        assert await calls.in_thread(lambda: now(2), 9) == 2
        for problem in (ValueError("x"), KeyError("y")):
            with pytest.raises(type(problem)):
                await calls.call(partial(later, problem), 9)
            with pytest.raises(type(problem)):
                await calls.in_thread(partial(now, problem), 9)
        for end in (SystemExit(3), KeyboardInterrupt(), StopIteration(1)):
            with pytest.raises(RuntimeError, match=type(end).__name__):
                await calls.in_thread(partial(now, end), 9)
        with pytest.raises(RuntimeError, match="SystemExit"):
            await calls.call(lambda: later(SystemExit(3)), 9)
        with pytest.raises(RuntimeError, match="it was cancelled"):
            await calls.call(lambda: later(asyncio.CancelledError()), 9)
        with pytest.raises(RuntimeError, match="CancelledError"):
            await calls.in_thread(lambda: now(asyncio.CancelledError()), 9)
        assert calls.running == 0
        _where.set("here")
        assert await calls.in_thread(_where.get, 9) == "here"

    asyncio.run(main())


def test_what_is_yielded_later() -> None:
    async def several() -> Any:
        for number in range(3):
            await asyncio.sleep(0)
            yield number

    assert asyncio.run(Calls().call(several, 9)) == [0, 1, 2]


def test_a_coroutine_is_cancelled_when_its_time_is_over() -> None:
    ended: list[str] = []

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def main() -> None:
        calls = Calls()
        with pytest.raises(LateError, match=r"it took more than 0\.01 s"):
            await calls.call(forever, 0.01)
        while not ended:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert calls.running == 0

    asyncio.run(main())


@in_loop
async def test_one_that_resists_counts_as_long_as_it_runs() -> None:
    calls, enough = Calls(most=1), asyncio.Event()

    async def stubborn() -> None:
        while not enough.is_set():
            try:
                await enough.wait()
            except asyncio.CancelledError:
                continue

    with pytest.raises(LateError):
        await calls.call(stubborn, 0.01)
    assert calls.running == 1
    with pytest.raises(LateError, match="too many functions run"):
        await calls.call(stubborn, 0.01)
    enough.set()
    await calls.call(lambda: None, 9)
    assert calls.running == 0


def test_threads_that_do_not_end_are_few() -> None:
    go_on = threading.Event()

    async def main() -> None:
        calls = Calls(most=3)
        before = threading.active_count()
        for _ in range(3):
            with pytest.raises(LateError, match="it took more than"):
                await calls.in_thread(lambda: go_on.wait(60), 0.01)
        for _ in range(5):
            with pytest.raises(LateError, match="too many functions run"):
                await calls.in_thread(lambda: go_on.wait(60), 0.01)
        assert threading.active_count() - before <= 3  # some may be left of earlier calls
        assert calls.running == 3
        go_on.set()
        assert await calls.in_thread(lambda: 7, 60) == 7  # as soon as one of them has ended

    asyncio.run(main())


def test_threads_are_used_again() -> None:
    async def main() -> set[int]:
        return {await Calls().in_thread(threading.get_ident, 60) for _ in range(100)}

    assert len(asyncio.run(main())) < 100


@in_loop
async def test_who_gives_up_takes_the_function_along() -> None:
    calls, begun, ended = Calls(), asyncio.Event(), asyncio.Event()

    async def forever() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    task = asyncio.create_task(calls.call(forever, 60))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await ended.wait()
    await asyncio.sleep(0)
    assert calls.running == 0
