"""The functions of sets, which are lists of which neither order nor number counts.

Source of the behaviour: `ext/sets.go` of cel-go. What is equal is decided by the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Values = Sequence[object]
Equal = Callable[[object, object], bool]


def contains(values: Values, others: Values, equal: Equal) -> bool:
    """`sets.contains(list, list)`: whether all of the others are among the values."""
    members = Members(values, equal)
    return all(other in members for other in others)


def equivalent(values: Values, others: Values, equal: Equal) -> bool:
    """`sets.equivalent(list, list)`: whether each has all of the other."""
    return contains(values, others, equal) and contains(others, values, equal)


def intersects(values: Values, others: Values, equal: Equal) -> bool:
    """`sets.intersects(list, list)`: whether any of the values is among the others."""
    members = Members(others, equal)
    return any(value in members for value in values)


class Members:
    """What has been seen. A text is equal to the same text and nothing else, so texts are found without comparing."""

    def __init__(self, values: Values, equal: Equal) -> None:
        self._equal = equal
        self._texts = {value for value in values if isinstance(value, str)}
        self._others = [value for value in values if not isinstance(value, str)]

    def __contains__(self, value: object) -> bool:
        if isinstance(value, str):
            return value in self._texts
        return any(self._equal(value, other) for other in self._others)

    def add(self, value: object) -> bool:
        """Whether the value was not there before."""
        if value in self:
            return False
        if isinstance(value, str):
            self._texts.add(value)
        else:
            self._others.append(value)
        return True
