"""The time of a server, which tests may stop and move."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from datetime import datetime, timedelta, timezone


class Clock:
    """The time of the machine, until it is stopped or moved. Any thread may use it.

    Times in objects, ages in tables and timeouts of watches come from it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ahead, self._seconds_ahead = timedelta(), 0.0
        self._stopped: tuple[datetime, float] | None = None
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def now(self) -> datetime:
        """Returns the time, in UTC."""
        with self._lock:
            return self._read()[0]

    def stamp(self) -> str:
        """Returns the time as objects have it, in whole seconds."""
        return self.now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def seconds(self) -> float:
        """Returns seconds for timeouts, which do not jump if the time of the machine is set."""
        with self._lock:
            return self._read()[1]

    def freeze(self, at: datetime | None = None) -> None:
        """Stops the clock.

        Args:
            at: the time that it shows from now on, by default the present one; without a zone, in UTC.
        """
        if not isinstance(at, datetime | None):
            raise TypeError(f"freeze takes a datetime, not {at!r}")
        with self._lock:
            now, seconds = self._read()
            at = now if at is None else at if at.tzinfo else at.replace(tzinfo=timezone.utc)
            self._stopped = (at.astimezone(timezone.utc), seconds + (at - now).total_seconds())
            self._wake()

    def resume(self) -> None:
        """Lets a stopped clock run again, from the time that it shows."""
        with self._lock:
            now, seconds = self._read()
            self._ahead, self._seconds_ahead = now - datetime.now(timezone.utc), seconds - time.monotonic()
            self._stopped = None
            self._wake()

    def reset(self) -> None:
        """Sets the clock to the time of the machine, and lets it run."""
        with self._lock:
            self._ahead, self._seconds_ahead, self._stopped = timedelta(), 0.0, None
            self._wake()

    def tick(self, seconds: float) -> None:
        """Moves the clock, stopped or not."""
        with self._lock:
            moved = timedelta(seconds=seconds)
            if self._stopped is None:
                self._ahead += moved
                self._seconds_ahead += seconds
            else:
                self._stopped = (self._stopped[0] + moved, self._stopped[1] + seconds)
            self._wake()

    async def wait(self, event: asyncio.Event, until: float) -> None:
        """Waits for an event. Sets it if the clock reaches `seconds`, or is changed."""
        waiting = (asyncio.get_running_loop(), event)
        with self._lock:
            self._waiting.add(waiting)
            left = max(until - self._read()[1], 0)
            limit = left if self._stopped is None or not left else None
        # `asyncio.wait_for` would run a task for each event of each watch, and hides a cancellation at its moment.
        handle = None if limit is None else waiting[0].call_later(limit, event.set)
        try:
            await event.wait()
        finally:
            if handle is not None:
                handle.cancel()
            with self._lock:
                self._waiting.discard(waiting)

    def _read(self) -> tuple[datetime, float]:
        if self._stopped is not None:
            return self._stopped
        return datetime.now(timezone.utc) + self._ahead, time.monotonic() + self._seconds_ahead

    def _wake(self) -> None:
        for loop, event in self._waiting:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(event.set)
