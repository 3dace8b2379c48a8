"""Detects truncated sources: stores break off, and an incomplete download looks like the end of the file.

It knows no lines and no compression.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from validation_gen.diagnostics.visible import redact
from validation_gen.uses.corpora.opening import PAUSES


class Whole(io.RawIOBase):
    """A stream that must reach a size, if it is known.

    Args:
        stream: the source.
        size: its bytes, `None` if unknown.
        again: opens the source again, to resume after it has broken off. Without it, the caller has to start again.

    Attributes:
        problem: reason why a read failed, `""` if it did not.

    Raises:
        OSError: by each method that reads: see `problem`.
    """

    def __init__(self, stream: IO[bytes], size: int | None, again: Callable[[], IO[bytes]] | None = None) -> None:
        super().__init__()
        self._stream = stream
        self._size = size
        self._again = again
        self._at = 0
        self.problem = ""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = self._stream.seek(offset, whence)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        problem = ""
        for pause in (*PAUSES, None) if self._again else (None,):
            data, problem = self._read(len(buffer))
            if not problem:
                buffer[: len(data)] = data
                self._at += len(data)
                return len(data)
            if pause is not None:
                time.sleep(pause)
                self._begin_again()
        self.problem = problem
        raise OSError(problem)

    def close(self) -> None:
        self._stream.close()
        super().close()

    def _read(self, size: int) -> tuple[bytes, str]:
        """Returns some bytes, or the reason why there are none."""
        try:
            data = self._stream.read(size)
        except Exception as error:  # each store has its own exceptions
            return b"", redact(f"cannot read on behind byte {self._at}: {error or type(error).__name__}")
        if not data and size and self._size is not None and self._at < self._size:
            return b"", f"it ends at byte {self._at}, and had {self._size} when it was listed"
        return data, ""

    def _begin_again(self) -> None:
        assert self._again is not None
        with suppress(Exception):  # the next read reports the problem
            stream = self._again()
            stream.seek(self._at)
            self._stream.close()
            self._stream = stream
