"""Functions of sets, which are lists whose order and repetitions do not count.

Source of the behaviour: `ext/sets.go` of cel-go. The caller passes the equality.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Values = Sequence[object]
#: True, False, or the error of values that cannot be compared.
Equal = Callable[[object, object], object]


def contains(values: Values, others: Values, equal: Equal) -> object:
    """Returns `sets.contains(list, list)`: True, or the answer for the first missing one of the others."""
    members = Members(values, equal)
    answers = map(members.find, others)
    return next((answer for answer in answers if answer is not True), True)


def equivalent(values: Values, others: Values, equal: Equal, reverse: Equal) -> object:
    """Returns `sets.equivalent(list, list)`: whether each has all of the other.

    Args:
        values: a list.
        others: another list.
        equal: compares one of the others with one of the values.
        reverse: compares one of the values with one of the others.
    """
    found = contains(values, others, equal)
    return contains(others, values, reverse) if found is True else found


def intersects(values: Values, others: Values, equal: Equal) -> bool:
    """Returns `sets.intersects(list, list)`: whether any of the values is among the others."""
    members = Members(others, equal)
    return any(members.find(value) is True for value in values)


class Members:
    """Set of CEL values. A text equals only the same text, so texts are found without comparisons."""

    def __init__(self, values: Values, equal: Equal) -> None:
        self._equal = equal
        self._texts = {value for value in values if isinstance(value, str)}
        self._others = [value for value in values if not isinstance(value, str)]

    def find(self, value: object) -> object:
        """Returns True for a value that is equal to a member, else False or the first error."""
        if isinstance(value, str) and value in self._texts:
            return True
        problem: object = False
        for other in self._others:
            found = self._equal(value, other)
            if found is True:
                return True
            if problem is False:
                problem = found
        return problem

    def add(self, value: object) -> bool:
        """Adds a value, and returns whether it is new."""
        if self.find(value) is True:
            return False
        if isinstance(value, str):
            self._texts.add(value)
        else:
            self._others.append(value)
        return True
