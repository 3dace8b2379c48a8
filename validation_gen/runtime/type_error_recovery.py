"""Removes the stand-ins for values of the wrong type from the bad values of errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.paths import nearest_above

#: The path of an error of the whole object.
_ROOT = "<nil>"


def shown_as_given(found: list[FieldError], wrong: Iterable[FieldError]) -> list[FieldError]:
    """Puts the values of the wrong type back into the bad values of the errors of what is around them."""
    around: dict[str, list[_Shown]] = {}
    for error in found:
        if isinstance(error.bad_value, dict | list):
            around.setdefault(error.place, []).append(_Shown(error))
    if not around:
        return found
    places = {error.place: error for error in wrong}
    above = nearest_above(places, around)
    for place, error in places.items():
        parent = above.get(place)
        while parent is not None:
            steps = _steps(error, len(place) - len(parent))
            for shown in around[parent]:
                shown.put_back(steps, error.bad_value)
            parent = above.get(parent)
        for shown in around.get(_ROOT, ()):
            shown.put_back(error.segments[::-1], error.bad_value)
    return found


def _steps(error: FieldError, length: int) -> list[str]:
    """The innermost elements of the path of an error that have so many characters together, from the outermost on."""
    steps: list[str] = []
    for segment in error.segments:
        if length <= 0:
            break
        steps.append(segment)
        length -= len(segment)
    return steps[::-1]


@dataclass(slots=True)
class _Shown:
    """An error whose bad value may hold stand-ins. What is changed in it is copied before."""

    error: FieldError
    _copied: set[int] = field(default_factory=set)

    def put_back(self, steps: Sequence[str], given: object) -> None:
        value = self.error.bad_value = self._own(self.error.bad_value)
        for i, step in enumerate(steps):
            key = _key(value, step)
            if key is None:
                return  # the bad value is something else than the value at that path
            value[key] = given if i == len(steps) - 1 else self._own(value[key])
            value = value[key]

    def _own(self, value: Any) -> Any:
        if id(value) in self._copied or not isinstance(value, dict | list):
            return value
        own = value.copy()
        self._copied.add(id(own))
        return own


def _key(value: object, step: str) -> Any:
    """Where a container has what an element of a path leads to, `None` if it has nothing there."""
    key = step[1:] if step[0] == "." else step[1:-1]
    if isinstance(value, dict):
        return key if key in value else None
    return int(key) if isinstance(value, list) and key.isdecimal() and int(key) < len(value) else None
