"""Calls functions of users with a timeout, and limits the number of running ones.

An asynchronous function is cancelled at its timeout. A plain one runs in a thread, which cannot be stopped: it is
abandoned, and counts as running until it ends. At the limit, further calls wait, and then fail.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import os
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

_T = TypeVar("_T")

#: Seconds between attempts at the limit, and those after which an idle thread ends.
_POLL, _IDLE = 0.01, 10.0


class LateError(Exception):
    """A function exceeded its timeout, or could not start in time."""


class EndingError(RuntimeError):
    """A function raised an exception that would end the process; the text is its name."""


class Calls:
    """Calls functions, no more than `most` at once; abandoned ones count until they end.

    A call raises `LateError` if there is no result in time, else what the function raises.
    """

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._running = 0
        self._lock = threading.Lock()

    @property
    def running(self) -> int:
        """Number of running functions, abandoned ones included."""
        return self._running

    async def call(self, function: Callable[[], Any], seconds: float) -> Any:
        """Returns the result of a function. A coroutine is awaited; slow plain functions need `in_thread`."""
        return await self._run_bounded(lambda loop: loop.create_task(_await_result(function)), seconds)

    async def in_thread(self, function: Callable[[], _T], seconds: float) -> _T:
        """Returns the result of a plain function, which runs in a thread."""
        begin = partial(_run_in_thread, function=function, left=self._leave)
        return cast("_T", await self._run_bounded(begin, seconds, leaves=False))

    async def _run_bounded(
        self,
        begin: Callable[[asyncio.AbstractEventLoop], asyncio.Future[Any]],
        seconds: float,
        *,
        leaves: bool = True,
    ) -> Any:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not self._enter():
            if loop.time() >= end:
                raise LateError("too many functions run")
            await asyncio.sleep(_POLL)
        try:
            future = begin(loop)
        except BaseException:
            self._leave()
            raise
        future.add_done_callback(lambda done: done.cancelled() or done.exception())  # it may never be retrieved
        if leaves:
            future.add_done_callback(lambda _: self._leave())
        try:
            done, _ = await asyncio.wait({future}, timeout=max(end - loop.time(), 0))
        except asyncio.CancelledError:
            future.cancel()
            raise
        if not done:
            future.cancel()
            raise LateError(f"it took more than {seconds:g} s")
        if future.cancelled():  # by itself, which must not cancel the caller
            raise RuntimeError("it was cancelled")
        return future.result()

    def _enter(self) -> bool:
        with self._lock:
            if self._running >= self._most:
                return False
            self._running += 1
            return True

    def _leave(self) -> None:
        with self._lock:
            self._running -= 1


async def _await_result(function: Callable[[], Any]) -> Any:
    try:
        found = function()
        if inspect.isasyncgen(found):
            return [each async for each in found]
        return await found if inspect.isawaitable(found) else found
    except (SystemExit, KeyboardInterrupt, StopIteration) as problem:
        raise _ending(problem) from problem


def _ending(problem: BaseException) -> EndingError:
    return EndingError(type(problem).__name__).with_traceback(problem.__traceback__)


class _Threads:
    """Daemon threads. An idle one is reused before another starts."""

    def __init__(self) -> None:
        self._idle: list[queue.SimpleQueue[Callable[[], None]]] = []
        self._lock = threading.Lock()

    def run(self, work: Callable[[], None]) -> None:
        """Runs a function that raises nothing."""
        with self._lock:
            orders = self._idle.pop() if self._idle else None
        if orders is None:
            orders = queue.SimpleQueue()
            threading.Thread(target=self._serve, args=(orders,), name="validation-gen function", daemon=True).start()
        orders.put(work)

    def _serve(self, orders: queue.SimpleQueue[Callable[[], None]]) -> None:
        while True:
            try:
                work = orders.get(timeout=_IDLE)
            except queue.Empty:
                with self._lock:
                    if orders in self._idle:  # else another caller has just taken it
                        self._idle.remove(orders)
                        return
                continue
            work()
            del work  # it may refer to large objects
            with self._lock:
                self._idle.append(orders)


_threads = _Threads()
if hasattr(os, "register_at_fork"):  # a forked process has the list of threads, but not the threads
    os.register_at_fork(after_in_child=_threads.__init__)  # type: ignore[misc]


def _run_in_thread(
    loop: asyncio.AbstractEventLoop, function: Callable[[], Any], left: Callable[[], None]
) -> asyncio.Future[Any]:
    """Returns a future for the result of a function in a thread."""
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Any, problem: BaseException | None) -> None:
        if future.done():
            return
        if problem is None:
            future.set_result(result)
        else:
            future.set_exception(problem)

    def run() -> None:
        result, problem = None, None
        try:
            result = context.run(function)
        except Exception as error:  # it is raised where the result is awaited
            problem = _ending(error) if isinstance(error, StopIteration) else error
        except BaseException as error:  # a thread has nothing to end
            problem = _ending(error)
        finally:
            left()
        with contextlib.suppress(RuntimeError):  # the loop has ended: the result is not awaited any more
            loop.call_soon_threadsafe(settle, result, problem)

    _threads.run(run)
    return future
