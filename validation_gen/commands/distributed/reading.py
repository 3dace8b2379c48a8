"""Reads the bytes of a partition: all of them, or an error.

Reading all ranges of a source in turn yields each line once. A range has the lines that begin in it: it begins behind
the first line break at or past the byte before it, and ends with the line that its last byte is in. A stream that ends
early is an error, as a store that breaks off looks like the end of the file.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import IO, cast

from validation_gen.commands.distributed.opening import PAUSES, OpeningError, RawReader, is_url, open_source, read_state
from validation_gen.commands.distributed.partitions import Content, Partition
from validation_gen.commands.distributed.rows import Rows
from validation_gen.commands.distributed.worker import PartitionError
from validation_gen.diagnostics.visible import redact


@contextmanager
def open_bytes(partition: Partition) -> Iterator[IO[bytes]]:
    """Opens the bytes of a partition.

    Raises:
        OpeningError: it cannot be opened. Or, at the end: it was not read completely, so the results are
            incomplete.
        PartitionError: it has changed since it was listed.
    """
    source = open_source(partition.url)
    help = "see whether the source changes, and whether the store answers"
    with guard(source, partition.size, help) as whole:
        _check(partition, source)
        stream: io.RawIOBase = whole
        if partition.content is Content.ROWS:
            stream = Rows(cast("IO[bytes]", whole), partition.column, partition.begin, partition.end)
        elif partition.is_cut:
            stream = Ranged(whole, partition.begin, partition.end)
        yield cast("IO[bytes]", stream)
        if not is_url(partition.url) and not whole.problem:
            _check(partition, source)  # a store sends one version of it


def _check(partition: Partition, stream: IO[bytes]) -> None:
    """Checks that a source has not changed since it was listed.

    Raises:
        PartitionError: it has, and a retry is useless.
    """
    if not partition.version:
        return
    size, version = read_state(partition.url, stream)
    if version and version != partition.version:
        what = f"it has changed since it was listed: its version was {partition.version}, and is {version}"
        if size != partition.size:
            what = f"it has changed since it was listed: it had {partition.size} bytes, and has {size}"
        raise PartitionError(f"{what}; compare a copy that does not change")


_CHUNK = 1 << 16


class Ranged(RawReader):
    """A stream of the lines that begin between two bytes of a stream that can seek. `end` may be `None`.

    Raises:
        OSError: when it is made: the stream cannot seek or be read.
    """

    def __init__(self, stream: io.RawIOBase, begin: int, end: int | None) -> None:
        super().__init__()
        self._stream = io.BufferedReader(stream, _CHUNK)
        if begin:
            self._stream.seek(begin - 1)
            while (line := self._stream.readline(_CHUNK)) and not line.endswith(b"\n"):
                pass
        self._left = None if end is None else end - self._stream.tell()  # bytes of the range that are still to come

    def close(self) -> None:
        self._stream.close()
        super().close()

    def _next(self, size: int) -> bytes:
        if self._left is None:
            return self._stream.read1(size)
        if self._left <= 0:
            return b""
        if self._left > 1:
            data = self._stream.read1(min(size, self._left - 1))
            self._left -= len(data)
            return data
        data = self._stream.readline(size)  # the range ends with the line of its last byte
        self._left = 0 if data.endswith(b"\n") else 1
        return data


class TruncationGuard(RawReader):
    """A stream that must reach a size, if it is known.

    `again` opens the source again, to resume after it has broken off. Without it, the caller has to start again.

    Raises:
        OSError: by each method that reads. Then `problem` has the reason.
    """

    def __init__(self, stream: IO[bytes], size: int | None, again: Callable[[], IO[bytes]] | None = None) -> None:
        super().__init__()
        self._stream = stream
        self._size = size
        self._again = again
        self._at = 0
        self.problem = ""

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = self._stream.seek(offset, whence)
        return self._at

    def tell(self) -> int:
        return self._at

    def close(self) -> None:
        self._stream.close()
        super().close()

    def _next(self, size: int) -> bytes:
        for pause in (*PAUSES, None) if self._again else (None,):
            data, problem = self._read(size)
            if not problem:
                self._at += len(data)
                return data
            if pause is not None:
                time.sleep(pause)
                self._begin_again()
        self.problem = problem
        raise OSError(problem)

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


@contextmanager
def guard(stream: IO[bytes], size: int | None, help: str) -> Iterator[TruncationGuard]:
    """Guards a stream inside the block, and closes it.

    Raises:
        OpeningError: at the end, instead of other errors: it could not be read. A retry may help.
    """
    whole = TruncationGuard(stream, size)
    try:
        with closing(whole):
            yield whole
    except Exception:
        if not whole.problem:
            raise
    if whole.problem:
        raise OpeningError(whole.problem, help)
