"""Reads the lines of a stream as they arrive: complete lines are answered before the next read blocks."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import BinaryIO

#: Bytes of a read: usually the size of a pipe's buffer.
_MOST = 1 << 16


def arriving(source: BinaryIO, before_waiting: Callable[[], object]) -> Iterator[bytes]:
    """Yields the lines of a stream, with their ends; the last may be without.

    `before_waiting` is called whenever no complete line is left, so that the caller can flush its answers. A client
    that sends many lines at once gets many answers at once, and one that waits for an answer gets it.
    """
    begun: list[bytes] = []  # an incomplete line
    read = getattr(source, "read1", source.read)
    while True:
        before_waiting()
        chunk = read(_MOST)
        whole = chunk.rfind(b"\n") + 1
        if whole:
            yield from io.BytesIO(b"".join([*begun, chunk[:whole]]))
            begun = []
        if not chunk:
            break
        if whole < len(chunk):
            begun.append(chunk[whole:])
    if begun:
        yield b"".join(begun)
