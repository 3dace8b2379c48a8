"""State of one evaluation: the values of its variables, and its cost so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Costs are unsigned integers of 64 bits, which wrap around.
_MOST = (1 << 64) - 1


class CostExceededError(Exception):
    """An evaluation has exceeded its cost limit: `cost` is its cost until it was aborted."""

    def __init__(self, cost: int) -> None:
        super().__init__(cost)
        self.cost = cost


class Run:
    """State of one evaluation: the values of its variables, and its cost so far.

    Raises `CostExceededError` from `charge` when the cost is above `limit`.
    """

    __slots__ = ("cost", "limit", "slots")

    def __init__(self, slots: list[Any], limit: int) -> None:
        self.slots = slots
        self.cost = 0
        self.limit = limit

    def charge(self, cost: int) -> None:
        self.cost = (self.cost + cost) & _MOST
        if self.cost > self.limit:
            raise CostExceededError(self.cost)


#: A part of an expression that can run. It returns a value, or an error as a value.
Step = Callable[[Run], Any]
