"""A program that reads lines and answers with lines. Its pipes are only read and written while a caller waits.

Waits have a deadline, and the output has limits (docs/compare.md), so that a broken or hostile program cannot make
answers or reports grow without end. It runs in its own process group, which is killed with it. If this process is
killed and cannot clean up, a shell notices that and kills the group: programs that do not read standard input, and
their children, would not notice the end themselves. A process that leaves the group (`setsid`) is not killed; its pipes
are closed.
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

# It reads the number of a group, and then nothing more: the pipe ends with the process that holds it.
_SCRIPT = "trap '' HUP INT TERM; read -r group || exit; read -r more; kill -9 -$group"


class Guard:
    """Watches one process group. Where there is no shell, it does nothing."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError):
            self._shell = subprocess.Popen(  # noqa: S603 - a text of our own
                ["/bin/sh", "-c", _SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,  # Ctrl-C and hang-ups of the terminal must not end it
            )

    def watch(self, group: int) -> None:
        """Watches a group, which is killed once this process has ended."""
        if self._shell and self._shell.stdin:
            with contextlib.suppress(OSError):
                self._shell.stdin.write(b"%d\n" % group)
                self._shell.stdin.flush()

    def dismiss(self) -> None:
        """Ends the watch: the group's number may soon be reused."""
        shell, self._shell = self._shell, None
        if shell:
            shell.kill()
            shell.wait()
            if shell.stdin:
                with contextlib.suppress(OSError):
                    shell.stdin.close()


#: Seconds from sending a request to its complete answer, unless `--timeout` overrides it.
PROGRAM_SECONDS = 60.0
WEBHOOK_SECONDS = 10.0

# --- one answer -------------------------------------------------------------------------------------------------------

#: Bytes of a line of a program, and of the body of a webhook's answer.
LONGEST_ANSWER = 8 << 20
#: Errors in one answer.
MOST_ERRORS = 50_000
#: Errors in all answers of a program to one batch, and bytes of these.
MOST_ERRORS_AT_ONCE = 500_000
LONGEST_AT_ONCE = 64 << 20
#: Nesting levels of lists and objects.
DEEPEST = 500
#: Digits of a whole number.
MOST_DIGITS = 4_000
#: Characters of the path, the type and the origin of an error: they are kept for each sort of mismatch.
LONGEST_NAME = 2_000
#: Characters of a reason that is quoted.
LONGEST_REASON = 1_000

# --- programs ---------------------------------------------------------------------------------------------------------

#: Consecutive lines that answer nothing, beside one for each request.
MOST_UNRELATED = 1_000
#: Bytes of standard error that are kept, the last ones.
KEPT_COMPLAINTS = 8 << 10
#: Consecutive ends without an answer: in one batch, and in all.
MOST_FRUITLESS = 2
MOST_FRUITLESS_IN_ALL = 20
#: Starts of a program in one comparing process.
MOST_STARTS = 1_000


_LONGEST_COMPLAINT = 400
_GRACE = 2.0
_PIECE = 1 << 16
#: Interval in seconds of checks for a program that holds its pipes open, or has passed them on.
_LOOK = 0.1
#: Maximum number of pieces to drop before a request. A program with more writes all the time.
_MOST_DROPPED = 16
#: Replaces the beginning of a dropped line: the rest of it is never an answer.
_CUT = "…".encode()
#: Programs that have been started and not ended.
_running: set[subprocess.Popen[bytes]] = set()


class LineTooLongError(Exception):
    """The program writes a line that is longer than the limit."""


class Program:
    """A running program. The end of its standard error is kept for messages. It is for one thread.

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
        self._begun = bytearray()  # an incomplete line
        self._complaints = b""

    @property
    def unread(self) -> int:
        """Number of bytes sent that the program has not read."""
        return len(self._unwritten)

    def send(self, lines: Iterable[bytes]) -> None:
        """Queues lines. They are written as fast as the program reads, while a caller waits for a line.

        Earlier output is dropped: it cannot be an answer to them.
        """
        self._drop_output()
        if self._begun:
            self._begun[:] = _CUT
        self._unwritten = memoryview(bytes(self._unwritten) + b"".join(lines))

    def line(self, deadline: float) -> bytes | None:
        """Returns the next line of the program, `None` when there will be no more.

        Raises:
            TimeoutError: there was none before the deadline, a time of the clock `time.monotonic`.
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
                self._close(self._stdout)  # other processes may hold it: the program's output has been read
        return self._lines.popleft()

    def end(self, grace: float = _GRACE) -> int:
        """Ends the program and its group, first with SIGTERM. Returns its exit code, negative for a signal."""
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
        """Returns the last lines of its standard error."""
        lines = self._complaints.decode("utf-8", "replace").splitlines()
        if len(self._complaints) == KEPT_COMPLAINTS:
            lines = lines[1:] or lines  # the beginning of the first one is lost
        return [line.strip()[:_LONGEST_COMPLAINT] for line in lines if line.strip()][-most:]

    # --- the process --------------------------------------------------------------------------------------------------

    def _ends_within(self, seconds: float) -> bool:
        """Returns whether the program ends within that time. Its output is drained meanwhile."""
        deadline = time.monotonic() + seconds
        while not (ended := self._has_ended()) and (left := deadline - time.monotonic()) > 0:
            if not self._moved(min(left, 0.02)):
                time.sleep(0.005)
            self._lines.clear()
            self._begun.clear()
        if ended:
            self._drop_output()
            self._begun.clear()
        return ended

    def _has_ended(self) -> bool:
        """Returns whether it has ended. It is not reaped by that, so that no other group can get its number."""
        if self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # other code has reaped it
            return True

    def _signal(self, sign: int) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, sign)

    # --- its pipes ----------------------------------------------------------------------------------------------------

    def _moved(self, seconds: float) -> bool:
        """Reads and writes at most one piece within the time. Returns whether it has read something."""
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

    def _drop_output(self) -> None:
        """Drops what the program has written, as far as there is an end of it."""
        for _ in range(_MOST_DROPPED):
            if not self._moved(0):
                break
            self._lines.clear()
        self._lines.clear()

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
    """Kills child processes that were not registered because of an interrupt."""
    for process in list(_running):
        if process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
    _running.clear()


atexit.register(end_all)  # processes that end otherwise have to call it


def _started(words: Sequence[str]) -> tuple[subprocess.Popen[bytes], Guard]:
    """Starts a program in a thread: an interruption hits another thread, so that no started program is lost."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_start, words).result()


def _start(words: Sequence[str]) -> tuple[subprocess.Popen[bytes], Guard]:
    guard = Guard()  # first, so that the program is always guarded
    try:
        process = subprocess.Popen(  # noqa: S603 - the user named the program
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # so that its children can be ended with it
        )
    except BaseException:
        guard.dismiss()
        raise
    _running.add(process)
    guard.watch(process.pid)
    return process, guard
