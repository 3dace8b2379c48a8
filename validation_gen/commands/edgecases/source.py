"""Sources of choices: random numbers, a strategy of a test, or always the first choice.

Drawing code uses a `Source` and does not know which it is. So a fuzzer, tests and the search for the smallest object
share the same code, and it is as reproducible as its source.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Source(Protocol):
    """Makes choices."""

    def below(self, count: int) -> int:
        """Returns a number from 0 to `count - 1`."""

    def chance(self, share: float) -> bool:
        """Returns true in that share of cases."""


class RandomSource:
    """Choices of a random number generator."""

    __slots__ = ("_random",)

    def __init__(self, random: random.Random) -> None:
        self._random = random.random

    def below(self, count: int) -> int:
        return int(self._random() * count)

    def chance(self, share: float) -> bool:
        return self._random() < share


class First:
    """Deterministic source that always chooses the smallest value."""

    __slots__ = ()

    def below(self, count: int) -> int:
        return 0

    def chance(self, share: float) -> bool:
        return False


def seeded(*parts: object) -> RandomSource:
    """Returns choices that depend only on some texts and numbers."""
    return RandomSource(random.Random("\n".join(map(str, parts))))  # noqa: S311 - nothing here is a secret


def pick(source: Source, values: Sequence[T]) -> T:
    """Returns one of some values."""
    return values[source.below(len(values))]
