"""Values that JSON or Python's classes have beside the plain ones: huge numbers, `-0`, and values of classes."""

from __future__ import annotations

import base64
import datetime
import decimal
import enum
from dataclasses import dataclass
from typing import Any

from validation_gen.runtime.gotime import duration_text, iso_text


def plain_value(value: Any, *, microseconds: bool = False) -> Any:
    """Returns the JSON form of a single value: members of enums, times, durations, bytes, exact numbers.

    A time without a zone is one in UTC. Other values are returned unchanged.
    """
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, datetime.datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)
        return iso_text(aware, "microseconds" if microseconds else "auto")
    if isinstance(value, datetime.timedelta):
        return duration_text(value // datetime.timedelta(microseconds=1) * 1000)
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    if isinstance(value, decimal.Decimal):
        return str(value)
    return value


@dataclass(frozen=True, slots=True)
class Huge:
    """A number such as `1e400` that no float holds. It is a value of none of Go's types."""

    text: str

    def __repr__(self) -> str:
        return self.text


class MinusZero(int):
    """The number `-0`, which unsigned integers do not accept."""

    __slots__ = ()
