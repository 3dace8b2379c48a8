"""Runtime values of expressions that Python has no type for.

`bool`, `int`, `float`, `str`, `bytes` and `None` are used directly, lists are `list`, maps are `dict`, or `Entries`
where keys are neither texts nor integers. The API server's environment is that of cel-go: integers have 64 bits, times
have nanoseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

INT_LEAST, INT_MOST = -(1 << 63), (1 << 63) - 1
UINT_MOST = (1 << 64) - 1


class EvaluationError(Exception):
    """Error as a value of an expression, with cel-go's text."""

    type_name = "error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class AbortedError(EvaluationError):
    """Error that aborts the evaluation, so that no `||` can discard it."""


@dataclass(frozen=True, slots=True)
class GoValue:
    """Value of a Go type that JSON does not have, as an item of a list of an object."""

    type: str
    value: object = None


class Uint(int):
    """An unsigned integer of 64 bits. It compares as a number with all others."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A moment: nanoseconds since 1970 in UTC, from the year 1 to the year 9999.

    The offset, in seconds, is that of the source text. It only affects the text of the timestamp.
    """

    nanoseconds: int
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A length of time in nanoseconds, which fits into 64 bits."""

    nanoseconds: int


@dataclass(frozen=True, slots=True)
class Optional:
    """A value that may be missing: `optional.of(x)` and `optional.none()`. A missing one has no value."""

    present: bool
    value: object = None


#: `optional.none()`.
ABSENT = Optional(False)


@dataclass(frozen=True, slots=True)
class ConstructedObject:
    """An object that an expression makes: `JSONPatch{op: 'add', path: '/spec'}`. Only mutations of policies do so."""

    type: str
    fields: dict[str, object]


@dataclass(frozen=True, slots=True)
class TypeValue:
    """The type of a value, the result of `type(x)`."""

    name: str
