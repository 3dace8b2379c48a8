"""Calls functions of users: each has its time, and those that do not end are few.

An asynchronous function is cancelled when its time is over. A plain one runs in a thread, which nothing can stop: it is
left alone, and counts among those that run until it ends. Once there are too many, others wait, and then fail.
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

#: Seconds between looks for a place, when all are taken, and those after which an idle thread ends.
_POLL, _IDLE = 0.01, 10.0


class LateError(Exception):
    """A function took longer than it may, or found no place to run."""


class EndingError(RuntimeError):
    """A function that wanted to end more than itself; the text is the name of what it has raised."""


class Calls:
    """Calls functions, no more than `most` at once; those that were given up count, as long as they run."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._running = 0
        self._lock = threading.Lock()

    @property
    def running(self) -> int:
        """How many functions run, with those that were given up."""
        return self._running

    async def call(self, function: Callable[[], Any], seconds: float) -> Any:
        """What a function returns. A coroutine is awaited; a plain function that is not quick is for `in_thread`.

        Raises:
            LateError: there was no result in time.
            Exception: whatever the function raises.
        """
        return await self._bounded(lambda loop: loop.create_task(_awaited(function)), seconds)

    async def in_thread(self, function: Callable[[], _T], seconds: float) -> _T:
        """What a plain function returns, which runs in a thread.

        Raises:
            LateError: there was no result in time.
            Exception: whatever the function raises.
        """
        begin = partial(_threaded, function=function, left=self._leave)
        return cast("_T", await self._bounded(begin, seconds, leaves=False))

    async def _bounded(
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
        future.add_done_callback(lambda done: done.cancelled() or done.exception())  # which nobody may ask for
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
        if future.cancelled():  # by itself, which must not end who waits for it
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


async def _awaited(function: Callable[[], Any]) -> Any:
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
    """Threads that keep no process from ending. One that is idle is taken before another begins."""

    def __init__(self) -> None:
        self._idle: list[queue.SimpleQueue[Callable[[], None]]] = []
        self._lock = threading.Lock()

    def run(self, work: Callable[[], None]) -> None:
        """Runs something that raises nothing."""
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
                    if orders in self._idle:  # else somebody has just taken it
                        self._idle.remove(orders)
                        return
                continue
            work()
            del work  # what it holds can be large
            with self._lock:
                self._idle.append(orders)


_threads = _Threads()
if hasattr(os, "register_at_fork"):  # a process that is forked has the list of threads, and not the threads
    os.register_at_fork(after_in_child=_threads.__init__)  # type: ignore[misc]


def _threaded(
    loop: asyncio.AbstractEventLoop, function: Callable[[], Any], left: Callable[[], None]
) -> asyncio.Future[Any]:
    """The result of a function, from a thread."""
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
        except Exception as error:  # it is raised where the result is waited for
            problem = _ending(error) if isinstance(error, StopIteration) else error
        except BaseException as error:  # a thread has nothing to end
            problem = _ending(error)
        finally:
            left()
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits any more
            loop.call_soon_threadsafe(settle, result, problem)

    _threads.run(run)
    return future
