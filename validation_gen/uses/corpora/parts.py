"""Outcomes of partitions: results that merge in any order, and counts and problems of the partitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from validation_gen.uses.corpora.partitions import Partition


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


def first_lines(partitions: Iterable[Partition], lines: Mapping[int, int]) -> dict[int, int | None]:
    """Returns the number of lines in the source before each partition, by its number; `None` if unknown."""
    found: dict[int, int | None] = {}
    before: dict[str, int | None] = {}
    for partition in sorted(partitions, key=lambda each: each.number):
        base = found[partition.number] = before.get(partition.url, 0)
        count = lines.get(partition.number)
        before[partition.url] = None if base is None or count is None else base + count
    return found
