"""Several processes that listen on the same sockets. Their common data is loaded once, before they are forked.

The first process answers nothing: it replaces workers that have ended, and forwards signals. Each worker counts in a
file, so that any of them can show the sum.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any

from validation_gen.commands.serve.running import GRACE, Served, Server

#: Seconds until another worker begins: at first, and at most if they end soon; and the lifetime that resets the wait.
_FIRST_WAIT, _LONGEST_WAIT, _FORGIVEN = 0.5, 30.0, 60.0
_TICK = 0.2
_FORWARDED = (signal.SIGINT, signal.SIGTERM)
_COUNTERS = "PROMETHEUS_MULTIPROC_DIR"


@contextlib.contextmanager
def counting_together() -> Iterator[None]:
    """Makes all processes started within the block count together, in a directory of the user or a new one.

    It must begin before `prometheus_client` is imported.
    """
    if os.environ.get(_COUNTERS):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="validation-gen-metrics-", ignore_cleanup_errors=True) as directory:
        os.environ[_COUNTERS] = directory
        try:
            yield
        finally:
            os.environ.pop(_COUNTERS, None)


@dataclass(slots=True)
class _Slot:
    """A slot for a worker: the running one, or the time of its next start."""

    process: BaseProcess | None = None
    begun: float = 0.0
    due: float = 0.0
    wait: float = _FIRST_WAIT


@dataclass(slots=True)
class Workers:
    """Keeps workers running until a signal ends them.

    Args:
        served: their configuration.
        count: number of workers.
        listening: called once the first answers.
        told: called with messages about them.
        gone: called with the number of a process that has ended.
    """

    served: Served
    count: int
    listening: Callable[[], None]
    told: Callable[[str], None]
    gone: Callable[[int], Any] = field(default=lambda pid: None)
    _signals: list[int] = field(default_factory=list)

    def run(self) -> None:
        """Runs the workers.

        Raises:
            KeyboardInterrupt: Ctrl-C has ended it.
        """
        gc.collect()
        gc.freeze()  # the garbage collector skips existing objects, so that processes share their memory
        started, starting = multiprocessing.Pipe(duplex=False)
        before = {each: signal.signal(each, self._note) for each in _FORWARDED}
        slots = [_Slot() for _ in range(self.count)]
        try:
            self._keep(slots, started, starting)
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)
            started.close()
            starting.close()
        if signal.SIGINT in self._signals:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._signals.append(number)

    def _keep(self, slots: list[_Slot], started: connection.Connection, starting: connection.Connection) -> None:
        handed, until = 0, 0.0
        is_listening = False
        while True:
            now = time.monotonic()
            while handed < len(self._signals):
                until = until or now + self.served.delay + GRACE + 5
                for process in _running(slots):
                    os.kill(process.pid or 0, self._signals[handed])
                handed += 1
            for slot in slots:
                self._look(slot, now, starting, ending=bool(handed))
            if handed and not _running(slots):
                return
            if handed and now > until:
                for process in _running(slots):
                    process.kill()
            connection.wait([started, *(process.sentinel for process in _running(slots))], _TICK)
            while started.poll():
                started.recv_bytes()
                if not is_listening:
                    is_listening = True
                    self.listening()

    def _look(self, slot: _Slot, now: float, starting: connection.Connection, *, ending: bool) -> None:
        """Handles the end of a worker, and starts another when that is due."""
        process = slot.process
        if process is None:
            if not ending and now >= slot.due:
                slot.begun = now
                slot.process = self._start(starting)
        elif process.exitcode is not None:
            slot.process = None
            self.gone(process.pid or 0)
            if not ending:
                slot.wait = _FIRST_WAIT if now - slot.begun > _FORGIVEN else min(slot.wait * 2, _LONGEST_WAIT)
                slot.due = now + slot.wait
                code = process.exitcode
                end = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
                self.told(f"a worker {end}; another begins in {slot.wait:g} s")

    def _start(self, starting: connection.Connection) -> BaseProcess:
        process = multiprocessing.get_context("fork").Process(target=self._work, args=(starting,))
        # A signal that comes before the worker has its own handlers waits for them: ours would swallow it there.
        signal.pthread_sigmask(signal.SIG_BLOCK, _FORWARDED)
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _FORWARDED)
        return process

    def _work(self, starting: connection.Connection) -> None:
        os.setpgid(0, 0)  # the first process forwards signals of the terminal
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _FORWARDED)
        try:
            Server(self.served, lambda: starting.send_bytes(b".")).run()
        except KeyboardInterrupt:
            pass
        except BaseException as problem:
            self.told(f"a worker failed: {type(problem).__name__}: {problem}")
            raise SystemExit(1) from None


def _running(slots: list[_Slot]) -> list[BaseProcess]:
    return [slot.process for slot in slots if slot.process is not None]
