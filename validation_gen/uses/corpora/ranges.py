"""Reads the lines of a range of bytes. Reading all ranges of a source in turn yields each line once.

A range has the lines that begin in it: it begins behind the first line break at or past the byte before it, and ends
with the line that its last byte is in. It buffers only one block.
"""

from __future__ import annotations

import io
from typing import IO, Any

_CHUNK = 1 << 16


class Ranged(io.RawIOBase):
    """A stream of the lines that begin between two bytes of a stream that can seek. `end` may be `None`.

    Raises:
        OSError: when it is made: the stream cannot seek or be read.
    """

    def __init__(self, stream: IO[bytes], begin: int, end: int | None) -> None:
        super().__init__()
        self._stream = stream
        self._left = None if end is None else max(0, end - begin)  # bytes of the range that are still to come
        self._kept = b""
        self._ended = self._left == 0
        if begin:
            stream.seek(begin - 1)
            self._pass_over()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._kept or self._more(len(buffer))
        size = min(len(data), len(buffer))
        buffer[:size] = data[:size]
        self._kept = data[size:]
        return size

    def close(self) -> None:
        self._stream.close()
        super().close()

    def _pass_over(self) -> None:
        """Skips the rest of the line that contains the byte before the range."""
        at = -1  # in the chunk
        while chunk := self._stream.read(_CHUNK):
            found = chunk.find(b"\n")
            if found < 0:
                at += len(chunk)
                continue
            passed = at + found + 1  # bytes of the range that belong to the line before
            rest = chunk[found + 1 :]
            if self._left is not None:
                self._left -= passed
                self._ended = self._left <= 0
            self._kept = b"" if self._ended else self._within(rest)
            return
        self._ended = True

    def _more(self, size: int) -> bytes:
        data = b"" if self._ended else self._stream.read(max(1, min(size, _CHUNK)))
        return self._within(data) if data else b""

    def _within(self, data: bytes) -> bytes:
        """Returns the part of the data in the range: up to the end of the line with its last byte."""
        if self._left is None:
            return data
        if len(data) < self._left:
            self._left -= len(data)
            return data
        found = data.find(b"\n", max(0, self._left - 1))
        if found < 0:
            self._left = 1 if data else self._left  # any line break from now on is the end
            return data
        self._ended = True
        return data[: found + 1]
