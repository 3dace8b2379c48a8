"""A program that reads lines and answers with lines, without deadlocks: three threads keep its pipes moving."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO

_KEPT_COMPLAINTS = 20
_LONGEST_COMPLAINT = 400
_GRACE = 2.0
#: The longest line that is read as one answer.
_LONGEST_LINE = 64 << 20
#: What has been started and not ended.
_running: set[subprocess.Popen[bytes]] = set()


class Program:
    """A running program. Its standard error is kept in part, for people.

    `OSError` is raised when it cannot be started.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._process = _started(words)
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._to_write: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: queue.Queue[bytes | None] = queue.Queue(maxsize=1000)
        self._complaints: deque[str] = deque(maxlen=_KEPT_COMPLAINTS)
        self._threads = [
            threading.Thread(target=self._write, args=(self._process.stdin,), daemon=True),
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, lines: Iterable[bytes]) -> None:
        """Hands over lines. They are written as fast as the program reads."""
        for line in lines:
            self._to_write.put(line)

    def line(self, timeout: float) -> bytes | None:
        """The next line that the program has written, `None` when there will be no more.

        Raises:
            TimeoutError: there was none in time.
        """
        try:
            return self._lines.get(timeout=max(timeout, 0))
        except queue.Empty:
            raise TimeoutError from None

    def end(self, grace: float = _GRACE) -> int:
        """Ends the program, kindly at first. Returns its exit code, that of a signal negative."""
        self._to_write.put(None)
        for sign in (None, signal.SIGTERM, signal.SIGKILL):
            if sign is not None:
                with contextlib.suppress(OSError):
                    os.killpg(self._process.pid, sign)
            if self._waited(grace):
                break
        if not self._finished(0.5):  # what it has started has outlived it, and holds the pipes
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._finished(grace)
        code = self._process.wait()
        _running.discard(self._process)
        return code

    def complaints(self, most: int = 5) -> list[str]:
        """The last lines of its standard error."""
        return list(self._complaints)[-most:]

    def _waited(self, seconds: float) -> bool:
        """Whether the program ends within that time. It may have to get rid of lines before."""
        deadline = time.monotonic() + seconds
        while self._process.poll() is None:
            if time.monotonic() > deadline:
                return False
            self._drop_lines()
            time.sleep(0.005)
        return True

    def _finished(self, seconds: float) -> bool:
        """Whether the pipes come to their ends within that time."""
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            while thread.is_alive():
                if time.monotonic() > deadline:
                    return False
                self._drop_lines()
                thread.join(0.01)
        return True

    def _drop_lines(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._lines.get_nowait()

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while (line := self._to_write.get()) is not None:
                pipe.write(line)
                if self._to_write.empty():
                    pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while line := pipe.readline(_LONGEST_LINE):
                self._lines.put(line)
        self._lines.put(None)

    def _listen(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while line := pipe.readline(1 << 16):
                if text := line.decode("utf-8", "replace").strip():
                    self._complaints.append(text[:_LONGEST_COMPLAINT])


def end_all() -> None:
    """Kills the programs that nobody has ended: an interruption may have met whoever was about to know them."""
    for process in list(_running):
        if process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
    _running.clear()


atexit.register(end_all)  # processes that end otherwise have to call it


def _started(words: Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts a program in a thread: an interruption meets another one, so that none loses what has been started."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_start, words).result()


def _start(words: Sequence[str]) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(  # noqa: S603 - the user named the program
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that what it starts itself can be ended with it
    )
    _running.add(process)
    return process
