"""The program, called in this process as its script calls it: with arguments, standard streams and a directory."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from unittest import mock

from validation_gen.cli.main import run

#: Seconds of wall time after which a run counts as one that hangs. Runs here take a fraction of one.
DEADLINE = 60.0


class HangError(BaseException):
    """A run has not ended in time. Not an `Exception`, so that nothing takes it for a finding."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended. `broken` is the traceback of what nobody caught, `""` if all went well."""

    code: int
    out: str
    err: str
    broken: str

    @property
    def fault(self) -> str:
        """What is wrong with the way in which it ended, `""` if nothing is."""
        if self.broken:
            return self.broken
        for word in ("Traceback (most recent call last)", "internal error: "):
            if word in self.out or word in self.err:
                return (self.err or self.out)[-2000:]
        return "" if self.code in {0, 1, 2} else f"exit code {self.code}"


def call(arguments: Sequence[str], directory: Path, *, stdin: bytes = b"", deadline: float = DEADLINE) -> Ended:
    """Runs the program in this process.

    Everything that the program looks at in a process is as for a new one: `sys.argv`, the current directory, streams
    that can be read and written once.
    """
    out, err = io.BytesIO(), io.BytesIO()
    saved = sys.argv, sys.stdin, sys.stdout, sys.stderr, Path.cwd()
    bytecode = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # what Python keeps of an import is no deed of the program
    sys.argv = ["validation-gen", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    sys.stdout, sys.stderr = (io.TextIOWrapper(stream, encoding="utf-8", write_through=True) for stream in (out, err))
    code, broken = 0, ""
    try:
        os.chdir(directory)
        # A run leaves to the end of its process what this one has to clear away.
        with mock.patch("gc.freeze"), _deadline(deadline):
            run()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except HangError:
        broken = f"no end after {deadline:.0f} s:\n{traceback.format_exc()[-2000:]}"
    except BaseException:
        broken = traceback.format_exc()[-4000:]
    finally:
        ours = sys.stdout, sys.stderr
        sys.argv, sys.stdin, sys.stdout, sys.stderr = saved[:4]
        os.chdir(saved[4])
        sys.dont_write_bytecode = bytecode
        gc.enable()
    for stream in ours:
        stream.flush()
    return Ended(code, out.getvalue().decode(errors="replace"), err.getvalue().decode(errors="replace"), broken)


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Interrupts what takes too long, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
