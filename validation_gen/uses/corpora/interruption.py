"""Ctrl-C, so that it ends a comparison everywhere and loses nothing: what was found is printed, and saved.

A signal raises `KeyboardInterrupt` wherever Python happens to be, so also between two numbers that belong together. It
is held back there, and remembered where somebody else's code has swallowed it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

_CODE = 130
#: Ctrl-C, a request to end, and a terminal that has gone away.
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
#: So many signals end the program on the spot. Whoever sends them does not want to wait for what is held back.
_ENOUGH = 3
#: So many seconds after a signal, whoever has swallowed it does so no longer.
_PATIENCE = 15.0


class Interruption:
    """Takes SIGINT, SIGTERM and SIGHUP while it is entered. What the caller has the process ignore stays ignored.

    Attributes:
        asked: how often somebody has wanted an end.
        rescue: saves what can be saved before the program ends on the spot.
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
        """Lets nothing interrupt what is done meanwhile. `check` raises what was held back."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1

    def hold(self) -> None:
        """Lets nothing interrupt what follows: it does not take long."""
        self._holds += 1

    def noticed(self) -> None:
        """Says that the end has begun, so that it may take its time."""
        self._last_resort.cancel()

    def check(self) -> None:
        """Raises an interruption that was held back, or lost in code that catches everything.

        Raises:
            KeyboardInterrupt: somebody has wanted an end.
        """
        if self.asked:
            raise KeyboardInterrupt
