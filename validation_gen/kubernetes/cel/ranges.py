"""Sizes and costs as ranges of unsigned 64 bit numbers, which stop at the greatest instead of overflowing."""

from __future__ import annotations

import math
from typing import NamedTuple

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
