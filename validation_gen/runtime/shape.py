"""What every shape can do. The shapes themselves are in `scalars` and `shapes`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.instances import plain_value

_WORDS = {str: "a string", bool: "a boolean", int: "an integer", float: "a number", dict: "an object", list: "a list"}


class Shape(ABC):
    """The type of a value. Methods take `None` for an absent or null value."""

    __slots__ = ()

    @abstractmethod
    def problems(self, value: Any) -> list[FieldError] | None:
        """Errors of type FieldValueTypeInvalid for all that does not decode, `None` when there is nothing wrong."""

    @abstractmethod
    def repaired(self, value: Any) -> Any:
        """A copy in which what does not decode is replaced by a stand-in: of the right type, and set.

        Checks of the surroundings see that something is there; errors at or below the stand-in mean nothing.
        """

    @abstractmethod
    def same(self, a: Any, b: Any) -> bool:
        """Semantic equality of two well-typed values."""

    @abstractmethod
    def encoded(self, value: Any) -> Any:
        """The value as Go would encode it to JSON again, for messages."""

    def plain(self, value: Any) -> Any:
        """The JSON form of a value that may hold instances of Python classes. Anything else is left as it is."""
        return plain_value(value)

    def is_zero(self, value: Any) -> bool:
        return value is None

    def is_empty(self, value: Any) -> bool:
        """Whether Go's `omitempty` leaves the value out."""
        return value is None


def wrong_type(value: Any, wanted: str) -> list[FieldError]:
    got = "null" if value is None else _WORDS.get(type(value), f"a {type(value).__name__}")
    return [FieldError(ErrorType.TYPE_INVALID, value, f"must be {wanted}, not {got}")]
