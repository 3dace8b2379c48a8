"""A source of which nothing may be missing: stores break off, and what they have not sent looks like an end.

It knows no lines and no compression.
"""

from __future__ import annotations

import io
from typing import IO, Any


class Whole(io.RawIOBase):
    """A stream that must go on to a size, if somebody knows it.

    Attributes:
        problem: why it could not be read as far as it was asked for, `""` if it could.

    Raises:
        OSError: by each method that reads: see `problem`.
    """

    def __init__(self, stream: IO[bytes], size: int | None) -> None:
        super().__init__()
        self._stream = stream
        self._size = size
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
        try:
            data = self._stream.read(len(buffer))
        except Exception as error:  # each store has its own
            raise self._broken(f"cannot read on behind byte {self._at}: {error or type(error).__name__}") from None
        if not data and len(buffer) and self._size is not None and self._at < self._size:
            raise self._broken(f"it ends at byte {self._at}, and had {self._size} when it was listed")
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()

    def _broken(self, problem: str) -> OSError:
        self.problem = problem
        return OSError(problem)
