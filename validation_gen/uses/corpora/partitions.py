"""Input of one process, and its outcome: a range of a source, and results that merge in any order."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, Protocol, TypeVar

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

    def as_data(self) -> dict[str, Any]:
        """Returns plain data for `of_data`."""
        return {**asdict(self), "content": self.content.value}

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Partition:
        """Restores a partition from `as_data`."""
        return cls(**{**data, "content": Content(data["content"])})


class Mergeable(Protocol):
    """Results whose merging is associative and commutative."""

    def merge(self, other: Any) -> None:
        """Adds other results, which must not be used afterwards."""

    def as_data(self) -> dict[str, Any]:
        """Returns the results as plain data."""


Results = TypeVar("Results", bound=Mergeable)


@dataclass(slots=True)
class Part(Generic[Results]):
    """The outcome of some partitions.

    Attributes:
        results: the results. Their lines count from the beginning of the partition.
        items: the number of objects.
        lines: number of lines of each partition that is only a part of its source, by its number.
        passed: number of skipped inputs, by reason.
        problems: reason why a partition could not be read to its end, by its number.
    """

    results: Results
    items: int = 0
    lines: dict[int, int] = field(default_factory=dict)
    passed: dict[str, int] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)

    def merge(self, other: Part[Results]) -> None:
        """Adds the outcome of other partitions."""
        self.results.merge(other.results)
        self.items += other.items
        self.lines |= other.lines
        for reason, count in other.passed.items():
            self.passed[reason] = self.passed.get(reason, 0) + count
        self.problems |= other.problems

    def as_data(self) -> dict[str, Any]:
        """Returns plain data for `of_data`."""
        return {
            "results": self.results.as_data(),
            "items": self.items,
            "lines": [[number, count] for number, count in sorted(self.lines.items())],
            "passed": dict(sorted(self.passed.items())),
            "problems": [[number, text] for number, text in sorted(self.problems.items())],
        }

    @classmethod
    def of_data(cls, data: dict[str, Any], results: Callable[[dict[str, Any]], Results]) -> Part[Results]:
        """Restores a part from `as_data`; `results` restores its results."""
        return cls(
            results(data["results"]),
            int(data["items"]),
            {int(number): int(count) for number, count in data["lines"]},
            {str(reason): int(count) for reason, count in data["passed"].items()},
            {int(number): str(text) for number, text in data["problems"]},
        )


def run_by_partition(run: Callable[[Partition], Part[Any]]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Returns a function of partitions as a worker calls it, with data."""
    return lambda data: run(Partition.of_data(data)).as_data()


def first_lines(partitions: Iterable[Partition], lines: Mapping[int, int]) -> dict[int, int | None]:
    """Returns the number of lines in the source before each partition, by its number; `None` if unknown."""
    found: dict[int, int | None] = {}
    before: dict[str, int | None] = {}
    for partition in sorted(partitions, key=lambda each: each.number):
        base = found[partition.number] = before.get(partition.url, 0)
        count = lines.get(partition.number)
        before[partition.url] = None if base is None or count is None else base + count
    return found
