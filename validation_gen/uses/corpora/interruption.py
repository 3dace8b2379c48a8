"""Handles Ctrl-C: ends a comparison without a loss, so that the results so far are printed and saved.

A signal raises `KeyboardInterrupt` at any point of Python code, so also between two updates that belong together. It is
held back there, and raised again if other code has swallowed it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any

_CODE = 130
#: Ctrl-C, a request to end, and a terminal that has gone away.
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
#: This many signals end the program on the spot, without waiting for held-back sections.
_ENOUGH = 3
#: Seconds after a signal until the program ends, even if other code swallows the exception.
_PATIENCE = 15.0


class Interruption:
    """Handles SIGINT, SIGTERM and SIGHUP while it is entered. Signals that the process ignores stay ignored.

    Attributes:
        asked: number of received signals.
        rescue: saves results before the program ends on the spot.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.rescue: Callable[[], None] = lambda: None
        self._holds = 0
        self._before: dict[int, Any] = {}
        self._last_resort = threading.Timer(_PATIENCE, self._leave)
        self._last_resort.daemon = True

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():
            for sign in _SIGNALS:
                if signal.getsignal(sign) in (signal.SIG_DFL, signal.default_int_handler):
                    self._before[sign] = signal.signal(sign, self._take)
        return self

    def __exit__(self, *error: object) -> None:
        self.noticed()
        while self._before:
            signal.signal(*self._before.popitem())

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.asked += 1
        if self.asked >= _ENOUGH:
            self._leave()
        if self.asked == 1:
            self._last_resort.start()
        if not self._holds:
            raise KeyboardInterrupt

    def _leave(self) -> None:
        with suppress(Exception):
            if not self._holds:  # otherwise numbers may not belong together
                self.rescue()
        os._exit(_CODE)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Holds back interruptions inside the block. `check` raises them afterwards."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1

    def hold(self) -> None:
        """Holds back interruptions from now on: the remaining work is short."""
        self._holds += 1

    def noticed(self) -> None:
        """Cancels the forced end, as the regular end has begun."""
        self._last_resort.cancel()

    def check(self) -> None:
        """Raises an interruption that was held back, or swallowed by code that catches everything.

        Raises:
            KeyboardInterrupt: a signal was received.
        """
        if self.asked:
            raise KeyboardInterrupt


@contextlib.contextmanager
def block_sigint() -> Iterator[None]:
    """Blocks SIGINT in child processes started inside the block. Terminals send it to them, too."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # The first process starts the resource tracker, which would unblock SIGINT again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
