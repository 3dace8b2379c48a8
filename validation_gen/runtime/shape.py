"""The interface of shapes. The shapes themselves are in `scalars`, `pointers`, `containers` and `structs`.

Removes the stand-ins for values of the wrong type from the bad values of errors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from validation_gen.runtime.differences import UNEQUAL, record_unequal
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.instances import Huge, MinusZero, plain_value
from validation_gen.runtime.paths import nearest_above

_WORDS = {
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    MinusZero: "an integer",
    float: "a number",
    Huge: "a number",
    dict: "an object",
    list: "a list",
}

_CONTAINERS = (dict, list)


class WrongTypeError(Exception):
    """A value does not decode. Generated code stops with it at once; `Validator` then collects all such errors."""


class Recovered(NamedTuple):
    """A copy of a value with stand-ins for the parts that do not decode, and the errors about these."""

    value: Any
    errors: list[FieldError]


class Shape(ABC):
    """The type of a value. Methods take `None` for an absent or null value."""

    __slots__ = ()

    #: True if Python's equality ignores types, as for all values but texts (`1 == True == 1.0`).
    confusable = True
    #: True if its JSON form is an object.
    is_object = False

    @abstractmethod
    def decoded(self, value: Any) -> Any:
        """Returns Go's value for a decoded one, the zero value for null. It checks the value itself, not its parts.

        Raises:
            WrongTypeError: the value does not decode.
        """

    def demand(self, value: Any) -> None:
        """Checks the types of a value and of everything in it.

        Raises:
            WrongTypeError: something does not decode.
        """
        mended = self.recover(value)
        if mended is not None and mended.errors:
            raise WrongTypeError

    @abstractmethod
    def exact(self, value: Any) -> bool:
        """Returns whether a value has the same types as any well-typed value that equals it in Python.

        False if this cannot be decided from the value alone.
        """

    def unchanged(self, value: Any, old: Any) -> bool:
        """Returns True only if a value equals the old value, which must be well-typed. It is faster than `same`.

        It returns False for some equal values: if parts that no rule checks differ, or are nested too deeply for
        Python.
        """
        if value is old:
            return True
        if UNEQUAL and (id(value), id(old)) in UNEQUAL:
            return False
        try:
            if value == old:
                return self.exact(value)
        except RecursionError:  # they may well be equal: looking for a difference would be for nothing on every level
            return False
        if value.__class__ is old.__class__ and value.__class__ in _CONTAINERS:
            record_unequal(value, old)
        return False

    @abstractmethod
    def recover(self, value: Any) -> Recovered | None:
        """Returns the type errors of a value and its parts, and a copy for the rules; `None` if all of it decodes.

        A stand-in of the right type, which is set, replaces each value that does not decode. So checks around it see
        that something is there; errors at or below the stand-in mean nothing. The value itself stays as it is.
        """

    def problems(self, value: Any) -> list[FieldError]:
        """Returns errors of type FieldValueTypeInvalid for everything that does not decode."""
        mended = self.recover(value)
        return [] if mended is None else mended.errors

    @abstractmethod
    def same(self, a: Any, b: Any) -> bool:
        """Returns whether a value semantically equals a well-typed one. A value that does not decode never does."""

    @abstractmethod
    def identity(self, value: Any) -> Hashable:
        """Returns a key that two well-typed values share if and only if they are the same."""

    @abstractmethod
    def encoded(self, value: Any) -> Any:
        """Returns the value as Go would encode it to JSON again, for messages."""

    def plain(self, value: Any) -> Any:
        """Returns the JSON form of a value that may hold instances of Python classes. Other values are unchanged."""
        return plain_value(value)

    def is_zero(self, value: Any) -> bool:
        return value is None

    def is_empty(self, value: Any) -> bool:
        """Returns whether Go's `omitempty` leaves the value out."""
        return value is None


def wrong_type(value: Any, wanted: str) -> list[FieldError]:
    got = "null" if value is None else _WORDS.get(type(value)) or f"a {type(value).__name__}"
    return [FieldError(ErrorType.TYPE_INVALID, value, f"must be {wanted}, not {got}")]


def move_below(path: str, wrong: list[FieldError], errors: list[FieldError]) -> None:
    """Adds the errors of a part to the errors of its parent, with `path` in front of their paths."""
    for error in wrong:
        error.segments.append(path)
    errors += wrong


#: The path of an error of the whole object.
_ROOT = "<nil>"


def shown_as_given(found: list[FieldError], wrong: Iterable[FieldError]) -> list[FieldError]:
    """Puts values of the wrong type back into the bad values of errors, in the place of stand-ins."""
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
    """Returns the innermost elements of an error's path that have the given length together, outermost first."""
    steps: list[str] = []
    for segment in error.segments:
        if length <= 0:
            break
        steps.append(segment)
        length -= len(segment)
    return steps[::-1]


@dataclass(slots=True)
class _Shown:
    """Puts original parts back into an error's value, which may contain stand-ins. Changed parts are copied first."""

    error: FieldError
    _copied: set[int] = field(default_factory=set)

    def put_back(self, steps: Sequence[str], given: object) -> None:
        value = self.error.bad_value = self._own(self.error.bad_value)
        for i, step in enumerate(steps):
            key = _key(value, step)
            if key is None:
                return  # the bad value is not the value at that path
            value[key] = given if i == len(steps) - 1 else self._own(value[key])
            value = value[key]

    def _own(self, value: Any) -> Any:
        if id(value) in self._copied or not isinstance(value, dict | list):
            return value
        own = value.copy()
        self._copied.add(id(own))
        return own


def _key(value: object, step: str) -> Any:
    """Returns the key or index in a container for an element of a path, `None` if nothing is there."""
    key = step[1:] if step[0] == "." else step[1:-1]
    if isinstance(value, dict):
        return key if key in value else None
    return int(key) if isinstance(value, list) and key.isdecimal() and int(key) < len(value) else None
