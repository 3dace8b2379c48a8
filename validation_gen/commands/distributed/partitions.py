"""Input of one process, and its outcome: a range of a source, and results that merge in any order.

Cuts the sources into partitions. A callback that knows the formats reads the beginnings of the sources.
"""

from __future__ import annotations

import enum
import itertools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from validation_gen.commands.distributed.opening import PAUSES, Listing, OpeningError, Stored, open_source
from validation_gen.commands.distributed.rows import Rows
from validation_gen.diagnostics.visible import redact


class Content(str, enum.Enum):
    """Format in which a partition is read."""

    LINES = "lines"  #: one JSON value a line: the lines that begin in the range
    STREAM = "stream"  #: the whole source, in any format
    ROWS = "rows"  #: a column of Parquet: the range counts row groups


@dataclass(frozen=True, slots=True)
class Partition:
    """A part of a corpus.

    Attributes:
        number: its position among all, which is the order of the input.
        url: the source, a path or a URL.
        begin: the first byte, or row group.
        end: the first one behind it, `None` for the rest of the source.
        content: how it is read.
        size: the bytes of the whole source when it was listed, `None` if unknown.
        version: the store's version of the source, `""` if unknown.
        column: the column of Parquet.
        amount: estimate of the bytes that are read of Parquet.
    """

    number: int
    url: str
    begin: int = 0
    end: int | None = None
    content: Content = Content.STREAM
    size: int | None = None
    version: str = ""
    column: str = ""
    amount: int | None = None

    @property
    def is_cut(self) -> bool:
        """True if it is a part of its source."""
        return self.content is not Content.STREAM and (self.begin > 0 or self.end is not None)

    @property
    def weight(self) -> int:
        """Estimate of the bytes to read."""
        if self.amount is not None:
            return self.amount
        end = self.end if self.content is Content.LINES and self.end is not None else self.size
        return max(0, (end or 0) - (self.begin if self.content is Content.LINES else 0))

    def __str__(self) -> str:
        """Returns the source, and the range if it is not the whole: `s3://logs/a.jsonl[0:67108864]`."""
        url = redact(self.url)
        if not self.begin and self.end is None:
            return url
        return f"{url}[{self.begin}:{'' if self.end is None else self.end}]"


class Mergeable(Protocol):
    """Results whose merging is associative and commutative."""

    def merge(self, other: Any) -> None:
        """Adds other results, which must not be used afterwards."""


Results = TypeVar("Results", bound=Mergeable)


@dataclass(slots=True)
class Part(Generic[Results]):
    """The outcome of some partitions.

    Attributes:
        results: the results. Their lines count from the beginning of the partition.
        items: the number of objects.
        lines: number of lines of each partition that is only a part of its source, by its number.
        passed: number of skipped inputs, by reason.
    """

    results: Results
    items: int = 0
    lines: dict[int, int] = field(default_factory=dict)
    passed: dict[str, int] = field(default_factory=dict)

    def merge(self, other: Part[Results]) -> None:
        """Adds the outcome of other partitions."""
        self.results.merge(other.results)
        self.items += other.items
        self.lines |= other.lines
        for reason, count in other.passed.items():
            self.passed[reason] = self.passed.get(reason, 0) + count


#: Bytes of a partition of lines. It takes a process some seconds, and is cheap to repeat.
USUAL = 64 << 20
#: Concurrent first looks. A store is slow to answer, but serves many requests at once.
_AT_ONCE = 16
_AHEAD = 4 * _AT_ONCE
_Source = tuple[Listing, Stored]


@dataclass(frozen=True, slots=True)
class _FirstLook:
    """Result of a first look at a source: its format, its column and the bytes of its row groups; or a problem."""

    content: Content
    column: str = ""
    groups: tuple[int, ...] = ()
    problem: OpeningError | None = None


def plan(
    listings: Iterable[Listing],
    inspect: Callable[[Stored], Content],
    *,
    first: int = 1,
    size: int = USUAL,
    column: str = "",
    tell: Callable[[Stored, OpeningError], None],
) -> Iterator[tuple[Listing, Partition]]:
    """Yields the partitions of all sources, in order, each with the listing of its source.

    Args:
        listings: the sources.
        inspect: returns the format of a source; it is called by several threads, and again if it raises
            OpeningError or OSError.
        first: the number of the first partition.
        size: the bytes of a partition of lines.
        column: the column of Parquet files that holds objects, `""` for the only one that holds texts.
        tell: called with a source that cannot be read, which is skipped.
    """
    number = first
    sources = ((listing, each) for listing in listings for each in listing.files)
    for (listing, stored), seen in _glance(sources, lambda source: _look(source[1], inspect, column)):
        if seen.problem is not None:
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


def _ranges(stored: Stored, seen: _FirstLook, size: int) -> Iterator[tuple[int, int | None, int | None]]:
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


def _glance(sources: Iterable[_Source], look: Callable[[_Source], _FirstLook]) -> Iterator[tuple[_Source, _FirstLook]]:
    """Yields the result of the first look at each source, in order. Several threads look ahead."""
    waiting = iter(sources)
    ahead: deque[tuple[_Source, Future[_FirstLook]]] = deque()
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


def _look(stored: Stored, inspect: Callable[[Stored], Content], column: str) -> _FirstLook:
    for pause in (*PAUSES, None):
        try:
            content = inspect(stored)
            return _look_at_rows(stored, column) if content is Content.ROWS else _FirstLook(content)
        except OpeningError as error:
            problem = error
        except OSError as error:
            problem = OpeningError(f"cannot read: {error.strerror or error}")
        if pause is None or not problem.again:
            return _FirstLook(Content.STREAM, problem=problem)
        time.sleep(pause)
    raise AssertionError("the last try returns")


def _look_at_rows(stored: Stored, column: str) -> _FirstLook:
    with closing(open_source(stored.url, glance=True)) as stream, closing(Rows(stream, column)) as rows:
        return _FirstLook(Content.ROWS, rows.column, tuple(rows.groups))
