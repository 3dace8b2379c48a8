"""Several processes that listen on the same sockets. Their common data is loaded once, before they are forked.

The first process answers nothing: it replaces workers that have ended, and forwards signals.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from validation_gen.uses.serve.running import GRACE, Served, Server

#: Seconds until another worker begins: at first, and at most if they end soon; and the lifetime that resets the wait.
_FIRST_WAIT, _LONGEST_WAIT, _FORGIVEN = 0.5, 30.0, 60.0
_LOOK = 0.2
_HANDED_ON = (signal.SIGINT, signal.SIGTERM)


@dataclass(slots=True)
class _Place:
    """A slot for a worker: the running one, or the time of its next start."""

    pid: int = 0
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
    _alive: tuple[int, int] = (-1, -1)
    _started: tuple[int, int] = (-1, -1)

    def run(self) -> bool:
        """Runs the workers. Returns whether one could begin.

        Raises:
            KeyboardInterrupt: Ctrl-C has ended it.
        """
        self._alive, self._started = os.pipe(), os.pipe()
        gc.collect()
        gc.freeze()  # the garbage collector skips existing objects, so that processes share their memory
        before = {each: signal.signal(each, self._note) for each in _HANDED_ON}
        places = [_Place() for _ in range(self.count)]
        try:
            begun = self._keep(places)
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)
            for end in (*self._alive, *self._started):
                os.close(end)
        if signal.SIGINT in self._signals:
            raise KeyboardInterrupt
        return begun

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._signals.append(number)

    def _keep(self, places: list[_Place]) -> bool:
        begun = False
        handed, until = 0, 0.0
        while True:
            now = time.monotonic()
            while handed < len(self._signals):
                until = until or now + self.served.delay + GRACE + 5
                for place in places:
                    if place.pid:
                        os.kill(place.pid, self._signals[handed])
                handed += 1
            for place in places:
                self._look(place, now, ending=bool(handed))
            if handed:
                left = [place for place in places if place.pid]
                if not left:
                    return begun
                if now > until:
                    for place in left:
                        os.kill(place.pid, signal.SIGKILL)
            ready, _, _ = select.select([self._started[0]], [], [], _LOOK)
            if ready:
                os.read(self._started[0], 1)
                if not begun:
                    begun = True
                    self.listening()

    def _look(self, place: _Place, now: float, *, ending: bool) -> None:
        """Handles the end of a worker, and starts another when that is due."""
        if place.pid:
            pid, status = os.waitpid(place.pid, os.WNOHANG)
            if not pid:
                return
            place.pid = 0
            self.gone(pid)
            if ending:
                return
            place.wait = _FIRST_WAIT if now - place.begun > _FORGIVEN else min(place.wait * 2, _LONGEST_WAIT)
            place.due = now + place.wait
            self.told(f"{_ended(status)}; another begins in {place.wait:g} s")
        elif not ending and now >= place.due:
            place.begun = now
            place.pid = self._fork()

    def _fork(self) -> int:
        sys.stdout.flush()
        sys.stderr.flush()
        # A signal that comes before the worker has its own handlers waits for them: ours would swallow it there.
        signal.pthread_sigmask(signal.SIG_BLOCK, _HANDED_ON)
        pid = os.fork()
        if pid:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDED_ON)
            return pid
        code = 1
        try:
            os.setpgid(0, 0)  # the first process forwards signals of the terminal
            os.close(self._alive[1])
            os.close(self._started[0])
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDED_ON)
            Server(self.served, self._say_started, parent=self._alive[0]).run()
            code = 0
        except KeyboardInterrupt:
            code = 0
        except BaseException as problem:
            self.told(f"a worker failed: {type(problem).__name__}: {problem}")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _say_started(self) -> None:
        os.write(self._started[1], b".")


def _ended(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"a worker was ended by signal {-code}" if code < 0 else f"a worker ended with code {code}"
