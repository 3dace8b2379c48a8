"""Work for the tests of processes; other processes import it from here."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Preparation:
    """Prepares a function of this module, and leaves a file when what it holds is given back."""

    name: str
    directory: str = ""

    def __call__(self, stack: ExitStack) -> Callable[[Any], Any]:
        if self.directory:
            stack.callback(Path(self.directory, f"closed-{os.getpid()}").touch)
        function: Callable[[Any], Any] = globals()[self.name]
        return function


class UnknownError(Exception):
    """It cannot be pickled."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(one + two)


def double(task: int) -> int:
    time.sleep(0.02 * (task % 3))
    return 2 * task


def pid(_: int) -> int:
    time.sleep(0.05)
    return os.getpid()


def ends_at_5(task: int) -> int:
    if task == 5:
        os._exit(7)
    return task


def fails_at_5(task: int) -> int:
    if task == 5:
        raise UnknownError(1, 2)
    return task


def sleeps(file: Path) -> None:
    """Leaves a file, and does not come back."""
    file.touch()
    time.sleep(3600)


def large(task: int) -> bytes:
    return bytes(task)
