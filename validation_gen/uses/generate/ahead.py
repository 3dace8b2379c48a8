"""Writes texts in a second process while the first one still looks for findings: neither needs what the other makes.

The second process is a copy of the first, knows all that it knows, and hands back texts alone. It is a help and nothing
more: where it cannot be had, is not worth its price, dies or takes too long, the first process does the work.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping

#: Seconds after which the second process is not waited for any more. The largest API that is known takes two.
PATIENCE = 60.0
_PIECE = 2**20


class Ahead:
    """Work of a second process. Whoever has begun it calls `stop` in the end, whatever happens in between."""

    def __init__(self) -> None:
        self._child = 0
        self._pipe = -1

    def begin(self, work: Callable[[], Mapping[str, str]]) -> None:
        """Begins the work, if there is a second processor for it."""
        if self._child or not is_possible():
            return
        reading, writing = os.pipe()
        try:
            self._child = os.fork()
        except OSError:  # there are too many processes
            os.close(reading)
            os.close(writing)
            return
        if self._child == 0:
            _work(work, reading, writing)
        os.close(writing)
        self._pipe = reading

    def take(self, patience: float = PATIENCE) -> dict[str, str] | None:
        """What has come out, waited for as long as need be; `None` if nothing was begun, or nothing came of it."""
        if not self._child:
            return None
        parts: list[bytes] = []
        end = time.monotonic() + patience
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        while poll.poll(max(0.0, end - time.monotonic()) * 1000):
            part = os.read(self._pipe, _PIECE)
            if not part:
                return _texts(b"".join(parts)) if self._ended() == 0 else None
            parts.append(part)
        return None

    def stop(self) -> None:
        """Ends the second process, if it is still there."""
        if self._child:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGKILL)
            self._ended()
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1

    def _ended(self) -> int:
        """The exit code of the second process, which has closed its pipe, or has been killed; 1 where nobody knows."""
        child, self._child = self._child, 0
        try:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        except ChildProcessError:  # the system has cleared it away, as it does where signals of children are ignored
            return 1


def is_possible() -> bool:
    """Whether a copy of this process is safe, and has a processor to run on. Where threads run, it would lack them."""
    return sys.platform == "linux" and threading.active_count() == 1 and len(os.sched_getaffinity(0)) > 1


def _work(work: Callable[[], Mapping[str, str]], reading: int, writing: int) -> None:
    """The second process. It ends here: nothing that the first one has yet to do may happen twice."""
    try:
        os.close(reading)
        content = memoryview(json.dumps(work()).encode(errors="surrogatepass"))
        while content:
            content = content[os.write(writing, content) :]
        os._exit(0)
    finally:  # also on an interruption, or when nobody reads any more
        os._exit(1)


def _texts(content: bytes) -> dict[str, str] | None:
    try:
        texts: dict[str, str] = json.loads(content)
    except ValueError:
        return None
    return texts
