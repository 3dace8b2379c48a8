"""Cuts what people name into partitions. Only the beginnings of sources are read, by whoever knows what they hold."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

from validation_gen.uses.corpora.opening import PAUSES, Listing, OpeningError, Stored, opened
from validation_gen.uses.corpora.partitions import Content, Partition
from validation_gen.uses.corpora.rows import Rows

#: The bytes of a partition of lines. It takes a process some seconds, and costs little to do again.
USUAL = 64 << 20
#: Looks at the same time. A store takes its time to answer, and has many that ask.
_AT_ONCE = 16
_AHEAD = 4 * _AT_ONCE
_Source = tuple[Listing, Stored]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a look at a source has found: how it is read, its column and the bytes of its row groups; or a problem."""

    content: Content
    column: str = ""
    groups: tuple[int, ...] = ()
    problem: OpeningError | None = None


def plan(
    listings: Iterable[Listing],
    content_of: Callable[[Stored], Content],
    *,
    first: int = 1,
    size: int = USUAL,
    column: str = "",
    tell: Callable[[Stored, OpeningError], None] | None = None,
) -> Iterator[tuple[Listing, Partition]]:
    """The partitions of all sources, in order, each with the listing that its source stands in.

    Args:
        listings: the sources.
        content_of: tells how one is read; it is called by several threads, and again if it raises OpeningError or
            OSError.
        first: the number of the first partition.
        size: the bytes of a partition of lines.
        column: the column of Parquet files that holds objects, `""` for the only one that holds texts.
        tell: is told of a source that cannot be looked at, which is left out. Without it, such a source is one
            partition, whose reader will say so.
    """
    number = first
    sources = ((listing, each) for listing in listings for each in listing.files)
    for (listing, stored), seen in _looked_at(sources, lambda source: _look(source[1], content_of, column)):
        if seen.problem is not None and tell is not None:
            tell(stored, seen.problem)
            continue
        for begin, end, amount in _ranges(stored, seen, size):
            yield (
                listing,
                Partition(
                    number, stored.url, begin, end, seen.content, stored.size, stored.version, seen.column, amount
                ),
            )
            number += 1


def _ranges(stored: Stored, seen: _Seen, size: int) -> Iterator[tuple[int, int | None, int | None]]:
    """Where the partitions of a source begin and end, and the bytes that are read if the range does not tell."""
    if seen.content is Content.LINES and stored.size is not None and stored.size > size:
        yield from ((begin, min(begin + size, stored.size), None) for begin in range(0, stored.size, size))
    elif seen.content is Content.ROWS:
        begin = amount = 0
        for end, bytes in enumerate(seen.groups, 1):
            amount += bytes
            if amount >= size or end == len(seen.groups):
                yield begin, end, amount
                begin, amount = end, 0
    else:
        yield 0, None, None


def _looked_at(sources: Iterable[_Source], look: Callable[[_Source], _Seen]) -> Iterator[tuple[_Source, _Seen]]:
    """What is seen of each source, in order. Some are looked at ahead, by several threads."""
    waiting = iter(sources)
    ahead: deque[tuple[_Source, Future[_Seen]]] = deque()
    with ThreadPoolExecutor(_AT_ONCE, "look") as pool:
        try:
            while True:
                for source in itertools.islice(waiting, _AHEAD - len(ahead)):
                    ahead.append((source, pool.submit(look, source)))
                if not ahead:
                    return
                source, future = ahead.popleft()
                yield source, future.result()
        finally:
            for _, future in ahead:
                future.cancel()


def _look(stored: Stored, content_of: Callable[[Stored], Content], column: str) -> _Seen:
    for pause in (*PAUSES, None):
        try:
            content = content_of(stored)
            return _rows_of(stored, column) if content is Content.ROWS else _Seen(content)
        except OpeningError as error:
            problem = error
        except OSError as error:
            problem = OpeningError(f"cannot read: {error.strerror or error}")
        if pause is None or not problem.again:
            return _Seen(Content.STREAM, problem=problem)
        time.sleep(pause)
    raise AssertionError("the last try returns")


def _rows_of(stored: Stored, column: str) -> _Seen:
    with closing(opened(stored.url, glance=True)) as stream, closing(Rows(stream, column)) as rows:
        return _Seen(Content.ROWS, rows.column, tuple(rows.groups))
