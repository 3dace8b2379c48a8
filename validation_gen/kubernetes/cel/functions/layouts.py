"""Parses points in time as Go's `time.Parse` does by a layout, with the text of its error, and counts days as Go does.

Source of the behaviour: `parse` and `ParseError` in `src/time/format.go` of Go. Only the elements of RFC 3339 layouts
are supported. Years before 1 and after 9999 are counted too.
"""

from __future__ import annotations

import datetime
import re
from calendar import monthrange
from collections.abc import Callable
from typing import NamedTuple

SECOND = 1_000_000_000
_DAY = 86_400
_DAYS_IN_400_YEARS = 146_097
_FIRST_OF_1970 = datetime.date(1970, 1, 1).toordinal()


class Instant(NamedTuple):
    """Seconds since 1970 in UTC, with the offset of the zone it is shown in."""

    seconds: int
    nanoseconds: int
    offset: int


class Civil(NamedTuple):
    """Date and time of a moment."""

    year: int
    month: int
    day: int
    day_of_year: int
    #: From Sunday, which is 0.
    day_of_week: int
    hour: int
    minute: int
    second: int


def day_number(year: int, month: int, day: int) -> int:
    """Returns the days since 1970."""
    similar = 400 + year % 400  # the calendar repeats, and Python supports this year
    ordinal = datetime.date(similar, month, day).toordinal()
    return ordinal - _FIRST_OF_1970 + (year - similar) // 400 * _DAYS_IN_400_YEARS


def civil(seconds: int) -> Civil:
    """Returns the date and time of seconds since 1970."""
    days, second = divmod(seconds, _DAY)
    cycle, day = divmod(days + _FIRST_OF_1970 - 1, _DAYS_IN_400_YEARS)
    date = datetime.date.fromordinal(day + 1)
    of_year = date.timetuple().tm_yday
    clock = (second // 3_600, second // 60 % 60, second % 60)
    return Civil(date.year + 400 * cycle, date.month, date.day, of_year, date.isoweekday() % 7, *clock)


Layout = tuple[str, ...]

DATE: Layout = ("2006", "-", "01", "-", "02")
LOCAL_TIME: Layout = (*DATE, "T", "15", ":", "04", ":", "05")
RFC3339: Layout = (*LOCAL_TIME, "Z07:00")
RFC3339_MILLIS: Layout = (*LOCAL_TIME, ".000", "Z07:00")
RFC3339_MICRO: Layout = (*LOCAL_TIME, ".000000", "Z07:00")


class ParseError(ValueError):
    """A text does not fit a layout. The message is Go's."""


def parse(layout: Layout, text: str) -> Instant:
    """Returns the instant, in UTC if the layout has no offset."""
    return _Parser(layout, text).parse()


def quote(text: str) -> str:
    """Quotes a text as the package `time` does: it escapes each byte that is not ASCII."""
    return f'"{_ESCAPED.sub(_escape, _as_bytes(text))}"'


_ESCAPED = re.compile(r'["\\\x00-\x1f\x80-\xff]')


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return f"\\{char}" if char in '"\\' else f"\\x{ord(char):02x}"


def _as_bytes(text: str) -> str:
    """Returns one character for each byte of UTF-8, as Go counts."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("latin-1")


class _BadValueError(Exception):
    """An element does not fit the layout."""


class _OutOfRangeError(Exception):
    """An element is a number out of range."""


class _Parser:
    """Reads a text element by element."""

    def __init__(self, layout: Layout, text: str) -> None:
        self.layout = layout
        self.text = text
        self.rest = _as_bytes(text)
        self.nanoseconds = self.offset = 0
        self.numbers = {"2006": 0, "01": 1, "02": 1, "15": 0, "04": 0, "05": 0}

    def parse(self) -> Instant:
        for at, element in enumerate(self.layout):
            held = self.rest
            try:
                self._element(element, self.layout[at + 1 :])
            except _OutOfRangeError as error:
                raise self._problem(f": {error} out of range") from None
            except _BadValueError:
                layout = quote("".join(self.layout))
                what = f" as {layout}: cannot parse {_quote_rest(held)} as {quote(element)}"
                raise self._problem(what) from None
        if self.rest:
            raise self._problem(f": extra text: {_quote_rest(self.rest)}")
        return self._instant()

    def _instant(self) -> Instant:
        year, month, day, hour, minute, second = self.numbers.values()
        # Python has no year 0; year 400 has the same calendar.
        if not 1 <= day <= monthrange(year or 400, month)[1]:
            raise self._problem(": day out of range")
        seconds = day_number(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
        return Instant(seconds - self.offset, self.nanoseconds, self.offset)

    def _problem(self, what: str) -> ParseError:
        return ParseError(f"parsing time {quote(self.text)}{what}")

    def _element(self, element: str, following: Layout) -> None:
        if reader := _READERS.get(element):
            reader(self, element)
            if element == "05" and not "".join(following).startswith("."):
                self._optional_fraction()
        elif self.rest.startswith(element):
            self.rest = self.rest[len(element) :]
        else:
            raise _BadValueError

    def year(self, element: str) -> None:
        digits = self._taken(4)
        if not _is_digits(digits):
            raise _BadValueError
        self.numbers[element] = int(digits)

    def two_digits(self, element: str) -> None:
        self._number(element, 2)

    def hour(self, element: str) -> None:
        self._number(element, 2 if _is_digits(self.rest[1:2]) else 1)

    def _number(self, element: str, length: int) -> None:
        if not _is_digits(self.rest[:length]) or len(self.rest) < length:
            raise _BadValueError
        number = self.numbers[element] = int(self._taken(length))
        name, least, most = _RANGES[element]
        if not least <= number <= most:
            raise _OutOfRangeError(name)

    def _optional_fraction(self) -> None:
        if match := _FRACTION.match(self.rest):
            self.rest = self.rest[match.end() :]
            self.nanoseconds = int(match[1][:9].ljust(9, "0"))

    def exact_fraction(self, element: str) -> None:
        """Reads as many characters as the layout has; the first may be a sign."""
        taken = self._taken(len(element))
        digits = taken[1:]
        if taken[0] not in ".," or not _is_digits(digits[1:] if digits[0] in "+-" else digits):
            raise _BadValueError
        if int(digits) < 0:
            raise _OutOfRangeError("fractional second")
        self.nanoseconds = int(digits) * 10 ** (9 - len(digits))

    def zone(self, element: str) -> None:
        if self.rest.startswith("Z"):
            self.rest = self.rest[1:]
            return
        taken = self._taken(len(element))
        if taken[3] != ":":
            raise _BadValueError
        hours, minutes = (_two_digits(part) for part in (taken[1:3], taken[4:]))
        if hours is not None and (minutes or 0) > 60:
            raise _OutOfRangeError("time zone offset minute")
        if (hours or 0) > 24:
            raise _OutOfRangeError("time zone offset hour")
        if hours is None or minutes is None or taken[0] not in "+-":
            raise _BadValueError
        seconds = hours * 3_600 + minutes * 60
        self.offset = -seconds if taken[0] == "-" else seconds

    def _taken(self, length: int) -> str:
        if len(self.rest) < length:
            raise _BadValueError
        taken, self.rest = self.rest[:length], self.rest[length:]
        return taken


_FRACTION = re.compile("[.,]([0-9]+)")
_RANGES = {
    "01": ("month", 1, 12),
    "02": ("day", 0, 99),  # the month decides the last day
    "15": ("hour", 0, 23),
    "04": ("minute", 0, 59),
    "05": ("second", 0, 59),
}
_READERS: dict[str, Callable[[_Parser, str], None]] = {
    "2006": _Parser.year,
    "01": _Parser.two_digits,
    "02": _Parser.two_digits,
    "15": _Parser.hour,
    "04": _Parser.two_digits,
    "05": _Parser.two_digits,
    ".000": _Parser.exact_fraction,
    ".000000": _Parser.exact_fraction,
    "Z07:00": _Parser.zone,
}


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _two_digits(text: str) -> int | None:
    return int(text) if _is_digits(text) else None


def _quote_rest(rest: str) -> str:
    """Quotes a rest of the text in which each character is a byte."""
    return f'"{_ESCAPED.sub(_escape, rest)}"'
