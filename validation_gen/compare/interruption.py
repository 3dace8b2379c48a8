"""Ctrl-C, so that it ends a comparison everywhere and loses nothing: what was found is printed, and saved.

A signal raises `KeyboardInterrupt` wherever Python happens to be, so also between two numbers that belong together. It
is held back there, and remembered where somebody else's code has swallowed it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_CODE = 130
#: So many signals end the program on the spot. Whoever sends them does not want to wait for what is held back.
_ENOUGH = 3


class Interruption:
    """Takes SIGINT and SIGTERM while it is entered. What the caller has told the process to ignore stays ignored.

    Attributes:
        asked: how often somebody has wanted an end.
    """

    def __init__(self) -> None:
        self.asked = 0
        self._holds = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():
            for sign, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
                if signal.getsignal(sign) is usual:
                    self._before[sign] = signal.signal(sign, self._take)
        return self

    def __exit__(self, *error: object) -> None:
        while self._before:
            signal.signal(*self._before.popitem())

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.asked += 1
        if self.asked >= _ENOUGH:
            os._exit(_CODE)
        if not self._holds:
            raise KeyboardInterrupt

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

    def check(self) -> None:
        """Raises an interruption that was held back, or lost in code that catches everything.

        Raises:
            KeyboardInterrupt: somebody has wanted an end.
        """
        if self.asked:
            raise KeyboardInterrupt
