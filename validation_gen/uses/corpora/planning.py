"""Cuts what people name into partitions. Only the beginnings of sources are read, by whoever knows what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from validation_gen.uses.corpora.opening import Listing, Stored
from validation_gen.uses.corpora.partitions import Content, Partition

#: The bytes of a partition of lines. It takes a process some seconds, and costs little to do again.
USUAL = 64 << 20


def plan(
    listings: Iterable[Listing], content_of: Callable[[Stored], Content], *, first: int = 1, size: int = USUAL
) -> Iterator[Partition]:
    """The partitions of all sources, in order.

    Args:
        listings: the sources.
        content_of: tells how one is read; it may raise OpeningError, and then the source is one partition, whose reader
            will say so.
        first: the number of the first partition.
        size: the bytes of a partition of lines.
    """
    number = first
    for stored in (each for listing in listings for each in listing.files):
        content = content_of(stored)
        ranges: Iterable[tuple[int, int | None]] = [(0, None)]
        if content is Content.LINES and stored.size is not None and stored.size > size:
            ranges = ((begin, min(begin + size, stored.size)) for begin in range(0, stored.size, size))
        for begin, end in ranges:
            yield Partition(number, stored.url, begin, end, content, stored.size, stored.version)
            number += 1
