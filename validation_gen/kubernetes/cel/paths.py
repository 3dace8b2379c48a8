"""Paths to values, and the known sizes of the parts of a value or a variable."""

from __future__ import annotations

from typing import NamedTuple

from validation_gen.kubernetes.cel.ranges import Range
from validation_gen.kubernetes.cel.types import Kind


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
