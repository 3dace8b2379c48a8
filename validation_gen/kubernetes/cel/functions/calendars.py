"""Days and years as Go counts them, before the year 1 and after the year 9999 too."""

from __future__ import annotations

import datetime
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
