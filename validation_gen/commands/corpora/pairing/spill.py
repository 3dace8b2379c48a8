"""Stores records of a partition by bucket: JSON lines, in one file, one bucket behind the other.

Until all are there, each bucket has its own temporary file, so memory is flat; `MOST_BUCKETS` limits the number of open
files. Nothing is pickled. A file with the final name is complete: it is renamed at the end.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, Any, cast

from validation_gen.commands.corpora.opening import OpeningError, is_url, opened, system_of

MOST_BUCKETS = 128
#: Bytes of input for one bucket.
USUAL = 64 << 20


def buckets_for(weight: int, size: int = USUAL) -> int:
    """Returns the number of buckets for a size of the input."""
    return max(1, min(MOST_BUCKETS, -(-weight // size)))


def bucket_of(key: bytes, buckets: int) -> int:
    """Returns the bucket of a key, the same on all machines."""
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big") % buckets


class Spill:
    """Takes the records of one partition. Use it in a `with` block."""

    def __init__(self, buckets: int, directory: str) -> None:
        """Creates empty buckets. Temporary files are in the directory if it is local; its creator removes it."""
        self._where = None if is_url(directory) else directory
        self._files: list[IO[bytes] | None] = [None] * buckets
        self._stack = ExitStack()

    def __enter__(self) -> Spill:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def put(self, bucket: int, record: list[Any]) -> None:
        file = self._files[bucket]
        if file is None:
            made = tempfile.TemporaryFile(dir=self._where)  # noqa: SIM115 - the stack closes it
            file = self._files[bucket] = cast("IO[bytes]", self._stack.enter_context(made))
        file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")

    def write(self, url: str) -> list[int]:
        """Writes all records to one file, and returns the end of each bucket in it.

        Raises:
            OpeningError, OSError: it cannot be written.
        """
        ends: list[int] = []
        if is_url(url):
            with writing(url) as target:
                self._copy(target, ends)
            return ends
        with tempfile.NamedTemporaryFile(dir=Path(url).parent, delete=False) as target:
            try:
                self._copy(cast("IO[bytes]", target), ends)
            except BaseException:
                Path(target.name).unlink()
                raise
        Path(target.name).replace(url)
        return ends

    def _copy(self, target: IO[bytes], ends: list[int]) -> None:
        end = 0
        for file in self._files:
            if file is not None:
                end += file.tell()
                file.seek(0)
                shutil.copyfileobj(file, target)
            ends.append(end)


@contextmanager
def writing(url: str) -> Iterator[IO[bytes]]:
    """Opens an object of a store for writing.

    Raises:
        OpeningError: it cannot be written.
    """
    try:
        with cast("IO[bytes]", importlib.import_module("fsspec").open(url, "wb").open()) as target:
            yield target
    except Exception as error:  # each store has its own exceptions
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise OpeningError(f"cannot write: {reason}", "name another place with --spill") from None


def is_there(url: str, size: int) -> bool:
    """Returns whether a file is complete."""
    try:
        if not is_url(url):
            return Path(url).stat().st_size == size
        system, path = system_of(url)
        return bool(system.info(path)["size"] == size)
    except Exception:  # each store has its own exceptions
        return False


def records(url: str, begin: int, end: int) -> Iterator[list[Any]]:
    """Yields the records of one bucket of a file.

    Raises:
        OpeningError, OSError: they cannot be read.
    """
    if begin == end:
        return
    with closing(opened(url)) as stream:
        stream.seek(begin)
        left = end - begin
        while left > 0:
            line = stream.readline()
            if not line.endswith(b"\n"):
                raise OSError("what the first pass has written ends too early")
            left -= len(line)
            yield json.loads(line)
