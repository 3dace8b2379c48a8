"""Cuts the sources into partitions. A callback that knows the formats reads the beginnings of the sources."""

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

#: Bytes of a partition of lines. It takes a process some seconds, and is cheap to repeat.
USUAL = 64 << 20
#: Concurrent first looks. A store is slow to answer, but serves many requests at once.
_AT_ONCE = 16
_AHEAD = 4 * _AT_ONCE
_Source = tuple[Listing, Stored]


@dataclass(frozen=True, slots=True)
class _Seen:
    """Result of a first look at a source: its format, its column and the bytes of its row groups; or a problem."""

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
    """Yields the partitions of all sources, in order, each with the listing of its source.

    Args:
        listings: the sources.
        content_of: returns the format of a source; it is called by several threads, and again if it raises
            OpeningError or OSError.
        first: the number of the first partition.
        size: the bytes of a partition of lines.
        column: the column of Parquet files that holds objects, `""` for the only one that holds texts.
        tell: called with a source that cannot be read, which is skipped. Without it, such a source is one
            partition, whose reader reports the problem.
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
    """Yields the ranges of the partitions of a source, and the bytes to read if they differ from the range."""
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
    """Yields the result of the first look at each source, in order. Several threads look ahead."""
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
