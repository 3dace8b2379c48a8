"""Sizes and costs as ranges of unsigned 64 bit numbers, and the known sizes of the parts of a value by its path.

Numbers stop at the greatest instead of overflowing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from validation_gen.kubernetes.cel.types import Kind

MOST = (1 << 64) - 1
_OVERFLOW = float(1 << 64)

#: Unit costs of upstream (cel-go, `common/cost.go`).
PER_CHARACTER = 0.1
PER_REGEX_CHARACTER = 0.25
NEW_LIST, NEW_MAP, NEW_OBJECT = 10, 30, 40


class Range(NamedTuple):
    """The least and the greatest value of a size or a cost."""

    least: int
    most: int

    def plus(self, other: Range) -> Range:
        return Range(min(self.least + other.least, MOST), min(self.most + other.most, MOST))

    def times(self, other: Range) -> Range:
        return Range(min(self.least * other.least, MOST), min(self.most * other.most, MOST))

    def scaled(self, factor: float) -> Range:
        """Multiplies by a factor and rounds up."""
        return Range(scaled(self.least, factor), scaled(self.most, factor))

    def union(self, other: Range) -> Range:
        return Range(min(self.least, other.least), max(self.most, other.most))


def scaled(value: int, factor: float) -> int:
    number = float(value)
    if number > 0 and factor > 0 and number > _OVERFLOW / factor:
        return MOST
    product = math.ceil(number * factor)
    return MOST if product >= 1 << 64 else product


def saturated(cost: int, times: int) -> int:
    """Returns a product that stops at the greatest number."""
    return min(cost * times, MOST)


def exactly(value: int) -> Range:
    return Range(value, value)


NOTHING = Range(0, 0)
ONE = Range(1, 1)
UNKNOWN = Range(0, MOST)


class Path:
    """Path to a value: a variable, then fields, `@items`, `@keys` and `@values`.

    Upstream's paths are slices of Go. Two that are appended to the same path may share memory, and then the later one
    overwrites the end of the earlier one; estimates depend on it. So this behaves like such a slice.
    """

    __slots__ = ("_cells", "_length")

    def __init__(self, cells: list[str], length: int) -> None:
        self._cells = cells
        self._length = length

    def names(self) -> list[str]:
        return self._cells[: self._length]

    def appended(self, name: str) -> Path:
        cells, length = self._cells, self._length
        if length == len(cells):
            cells = [*cells, *([""] * max(length, 1))]
        cells[length] = name
        return Path(cells, length + 1)


NOWHERE = Path([], 0)


class Entries(NamedTuple):
    """Sizes of the keys and values of a list or map literal."""

    container: Kind
    key: Range
    value: Range

    def union(self, other: Entries) -> Entries:
        return Entries(self.container, self.key.union(other.key), self.value.union(other.value))


class Local(NamedTuple):
    """A variable of a loop."""

    path: Path
    size: Range | None
    entries: Entries | None
