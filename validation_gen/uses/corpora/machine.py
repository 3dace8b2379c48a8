"""An engine on one machine: this process, and others when that is faster. Their imports happen then."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, closing
from functools import partial
from itertools import chain
from typing import Any

from validation_gen.uses.corpora.engines import Done, EngineError
from validation_gen.uses.corpora.interruption import Interruption
from validation_gen.uses.corpora.worker import RefusedError, packed
from validation_gen.uses.corpora.worker import ready as made_ready

#: Runs one partition, as plain data.
Run = Callable[[dict[str, Any]], dict[str, Any]]
WORTH_PROCESSES = 0.3  #: seconds of work in this process, before others are started


class Processes:
    """An engine on one machine: this process, and others as soon as that is faster. Outcomes come in order.

    Args:
        count: the maximum number of processes.
        interruption: ends the work early.
        ready: the prepared task of this process. Forked processes inherit it, and prepare nothing again.
    """

    dashboard = ""

    def __init__(
        self, count: int, interruption: Interruption, ready: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None:
        self._count = count
        self._interruption = interruption
        self._ready = ready

    def run(
        self,
        task: str,
        common: dict[str, Any] | Callable[[], dict[str, Any]],
        partitions: Iterable[dict[str, Any]],
    ) -> Generator[Done, None, None]:
        """Runs the task as the protocol does, but exceptions of a process are raised here.

        `common` is called only if it is needed.

        Raises:
            WorkerDiedError: a process has ended. Its task is the partition.
            EngineError: a process refuses the work.
        """
        waiting = iter(partitions)
        worked = 0.0
        for partition in waiting:
            begun = time.monotonic()
            data = self._ready(partition)
            worked += time.monotonic() - begun
            self._interruption.check()
            yield Done(partition, data)
            if self._count > 1 and worked > WORTH_PROCESSES:
                break
        first = next(waiting, None)
        second = None if first is None else next(waiting, None)
        if first is None:
            return
        if second is None:  # a second process would have no work
            yield Done(first, self._ready(first))
            return
        from validation_gen.uses.corpora.processes import in_processes  # noqa: PLC0415 - most runs need none

        inherited = can_fork()
        prepare: Callable[[ExitStack], Run]
        if inherited:
            prepare = partial(_as_it_is, self._ready)
        else:
            prepare = partial(_made_ready, task, packed(common() if callable(common) else common))
        tasks = chain((first, second), waiting)
        with closing(in_processes(prepare, tasks, self._count, self._interruption, inherited=inherited)) as found:
            try:
                for partition, data in found:
                    yield Done(partition, data)
            except RefusedError as error:
                raise EngineError(str(error), error.help) from None

    def close(self) -> None:
        """Does nothing: the caller owns the prepared task."""


def can_fork() -> bool:
    """Returns whether processes can be forked: not beside threads, nor on macOS, whose libraries forbid it."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def cores() -> int:
    """Returns the number of cores for this process: containers often have fewer than the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _as_it_is(ready: Run, _: ExitStack) -> Run:
    return ready


def _made_ready(task: str, common: bytes, stack: ExitStack) -> Run:
    """Prepares a task in another process, and returns the function that runs a partition."""
    run: Run = stack.enter_context(made_ready(task, common))
    return run
