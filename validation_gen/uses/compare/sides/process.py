"""A program that reads lines and answers with lines. Its pipes are moved while somebody waits for a line, by no thread.

Whatever it does, it is not waited for longer than somebody wants to, and no more of it is kept than `limits` says. It
runs in a process group of its own, which is killed with it. What leaves that group (`setsid`) is neither found nor
waited for: it only sees its pipes close.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO

from validation_gen.uses.compare.sides.guard import Guard
from validation_gen.uses.compare.sides.limits import KEPT_COMPLAINTS, LONGEST_ANSWER

_LONGEST_COMPLAINT = 400
_GRACE = 2.0
_PIECE = 1 << 16
#: How often a program is looked after that holds its pipes open, or has left them to others, in seconds.
_LOOK = 0.1
#: Pieces that are dropped before a question. Who writes more, does so all the time.
_MOST_DROPPED = 16
#: Stands for the beginning of a line that was dropped: the rest of it is no answer, whatever it looks like.
_CUT = "…".encode()
#: What has been started and not ended.
_running: set[subprocess.Popen[bytes]] = set()


class LineTooLongError(Exception):
    """The program writes a line that is longer than anybody reads."""


class Program:
    """A running program. Its standard error is kept in part, for people. It is for one thread.

    `OSError` is raised when it cannot be started.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._process, self._guard = _started(words)
        self._pipes: dict[int, IO[bytes]] = {}
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe
            os.set_blocking(pipe.fileno(), False)
            self._pipes[pipe.fileno()] = pipe
        self._stdin, self._stdout, self._stderr = self._pipes
        self._unwritten = memoryview(b"")
        self._lines: deque[bytes] = deque()
        self._begun = bytearray()  # a line without its end
        self._complaints = b""

    @property
    def unread(self) -> int:
        """How many bytes the program has not read of what it was sent."""
        return len(self._unwritten)

    def send(self, lines: Iterable[bytes]) -> None:
        """Hands over lines. They are written as fast as the program reads, while a line is waited for.

        What it has written so far is dropped: it cannot be an answer to them.
        """
        for _ in range(_MOST_DROPPED):
            if not self._moved(0):
                break
            self._lines.clear()
        self._lines.clear()
        if self._begun:
            self._begun[:] = _CUT
        self._unwritten = memoryview(bytes(self._unwritten) + b"".join(lines))

    def line(self, deadline: float) -> bytes | None:
        """The next line that the program has written, `None` when there will be no more.

        Args:
            deadline: until when to wait, by the clock `time.monotonic`.

        Raises:
            TimeoutError: there was none in time.
            LineTooLongError: it is too long.
        """
        while not self._lines:
            if len(self._begun) > LONGEST_ANSWER:
                raise LineTooLongError
            if self._stdout not in self._pipes:
                return None
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            gone = self._has_ended()
            if not self._moved(0 if gone else min(left, _LOOK)) and gone:
                self._close(self._stdout)  # others may hold it: what the program has written has been read
        return self._lines.popleft()

    def end(self, grace: float = _GRACE) -> int:
        """Ends the program, kindly at first, and all of its group. Returns its exit code, that of a signal negative."""
        self._close(self._stdin)
        if not self._ends_within(grace):
            self._signal(signal.SIGTERM)
            self._ends_within(grace)
        self._signal(signal.SIGKILL)
        self._ends_within(grace)
        self._guard.dismiss()  # before the number of the group is free for others
        code = -signal.SIGKILL
        with contextlib.suppress(subprocess.TimeoutExpired):  # it hangs in the system
            code = self._process.wait(grace)
        _running.discard(self._process)
        for number in list(self._pipes):
            self._close(number)
        return code

    def complaints(self, most: int = 5) -> list[str]:
        """The last lines of its standard error."""
        lines = self._complaints.decode("utf-8", "replace").splitlines()
        if len(self._complaints) == KEPT_COMPLAINTS:
            lines = lines[1:] or lines  # the first one has lost its beginning
        return [line.strip()[:_LONGEST_COMPLAINT] for line in lines if line.strip()][-most:]

    # --- the process --------------------------------------------------------------------------------------------------

    def _ends_within(self, seconds: float) -> bool:
        """Whether the program ends within that time. It may have to get rid of lines before."""
        deadline = time.monotonic() + seconds
        while not (ended := self._has_ended()) and (left := deadline - time.monotonic()) > 0:
            if not self._moved(min(left, 0.02)):
                time.sleep(0.005)
            self._lines.clear()
            self._begun.clear()
        if ended:
            for _ in range(_MOST_DROPPED):  # its last words
                if not self._moved(0):
                    break
                self._lines.clear()
                self._begun.clear()
        return ended

    def _has_ended(self) -> bool:
        """Whether it has. Its number is not given back by that, so that no other group can get it."""
        if self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # somebody else has waited for it
            return True

    def _signal(self, sign: int) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, sign)

    # --- its pipes ----------------------------------------------------------------------------------------------------

    def _moved(self, seconds: float) -> bool:
        """Reads and writes what can be within that time, a piece at most. Returns whether something was read."""
        poll = select.poll()
        for number in self._pipes:
            if number != self._stdin:
                poll.register(number, select.POLLIN)
            elif self._unwritten:
                poll.register(number, select.POLLOUT)
        read = False
        for number, _ in poll.poll(seconds * 1000):
            try:
                if number == self._stdin:
                    self._unwritten = self._unwritten[os.write(number, self._unwritten[:_PIECE]) :]
                else:
                    read |= self._took(number, os.read(number, _PIECE))
            except BlockingIOError:
                pass
            except OSError:  # it has closed its side
                self._close(number)
        return read

    def _took(self, number: int, data: bytes) -> bool:
        if not data:
            self._close(number)
        elif number == self._stderr:
            self._complaints = (self._complaints + data)[-KEPT_COMPLAINTS:]
        else:
            *lines, rest = data.split(b"\n")
            for line in lines:
                self._lines.append(bytes(self._begun) + line + b"\n")
                self._begun.clear()
            self._begun += rest
        return bool(data)

    def _close(self, number: int) -> None:
        pipe = self._pipes.pop(number, None)
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
        if number == self._stdin:
            self._unwritten = memoryview(b"")
        elif number == self._stdout and self._begun:
            if len(self._begun) <= LONGEST_ANSWER:
                self._lines.append(bytes(self._begun))  # a last line without an end
            self._begun.clear()


def end_all() -> None:
    """Kills the programs that nobody has ended: an interruption may have met whoever was about to know them."""
    for process in list(_running):
        if process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
    _running.clear()


atexit.register(end_all)  # processes that end otherwise have to call it


def _started(words: Sequence[str]) -> tuple[subprocess.Popen[bytes], Guard]:
    """Starts a program in a thread: an interruption meets another one, so that none loses what has been started."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_start, words).result()


def _start(words: Sequence[str]) -> tuple[subprocess.Popen[bytes], Guard]:
    guard = Guard()  # first, so that the program is never alone
    try:
        process = subprocess.Popen(  # noqa: S603 - the user named the program
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # so that what it starts itself can be ended with it
        )
    except BaseException:
        guard.dismiss()
        raise
    _running.add(process)
    guard.watch(process.pid)
    return process, guard
