"""The lines of a stream as they arrive: nobody waits for more of them before what is there has been answered."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import BinaryIO

#: How much is read at once, in bytes: what a pipe holds, most often.
_MOST = 1 << 16


def arriving(source: BinaryIO, before_waiting: Callable[[], object]) -> Iterator[bytes]:
    """The lines of a stream, with their ends; the last may be without.

    `before_waiting` is called whenever no whole line is left, so that the answers to those before can be sent. Whoever
    sends many lines at once gets many answers at once, and who waits for one has it.
    """
    begun: list[bytes] = []  # a line of which more is to come
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
