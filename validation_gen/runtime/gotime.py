"""Points in time and durations as Go's `time` package reads and writes them.

Sources of the behaviour: `time.Parse` with the layout RFC 3339, which is more lenient than that standard, and with the
layout of `MicroTime` in `k8s.io/apimachinery/pkg/apis/meta/v1`, `time.Time.Format`, `time.ParseDuration` and
`time.Duration.String`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

#: A point in time: seconds since 0001-01-01T00:00:00Z, which is Go's zero time, and nanoseconds.
Instant = tuple[int, int]

ZERO_TIME: Instant = (0, 0)

# Go takes an hour of one digit, a comma for the point, any number of digits of a fraction, and an offset of 24:60.
_DATE_AND_TIME = "([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})"
_ZONE = "(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
_TIME = re.compile(f"{_DATE_AND_TIME}(?:[.,]([0-9]+))?{_ZONE}")
# A fraction whose length the layout gives may have a sign, as long as the number is not below zero.
_MICRO_TIME = re.compile(f"{_DATE_AND_TIME}[.,]([0-9]{{6}}|[+][0-9]{{5}}|-00000){_ZONE}")


def parse_time(text: str, *, micro: bool = False) -> Instant | None:
    """Parses an instant in RFC 3339, `None` if it is malformed.

    With `micro` the text must have the layout of `MicroTime`: exactly six decimals of the second.
    """
    match = (_MICRO_TIME if micro else _TIME).fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    fraction, sign, offset_hours, offset_minutes = match.groups()[6:]
    try:
        # Year 0 exists in Go and not here. It has the calendar of year 400, as calendars repeat every 400 years.
        days = datetime.date(year or 400, month, day).toordinal() - 1 - (0 if year else 146_097)
    except ValueError:
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
    if sign:
        if int(offset_hours) > 24 or int(offset_minutes) > 60:
            return None
        offset = int(offset_hours) * 3_600 + int(offset_minutes) * 60
        seconds += offset if sign == "-" else -offset
    digits = (fraction or "").replace("+", "0").replace("-", "0")
    return seconds, int(digits[:9].ljust(9, "0"))


def time_text(instant: Instant, *, micro: bool = False) -> str:
    """Formats the instant in UTC, in whole seconds or, with `micro`, with six decimals. Both cut off the rest."""
    seconds, nanoseconds = instant
    days, second = divmod(seconds, 86_400)
    cycle, day = divmod(days, 146_097)  # Go knows the years before 1 and after 9999
    date = datetime.date.fromordinal(day + 1)
    year = date.year + 400 * cycle
    text = f"{'-' if year < 0 else ''}{abs(year):04}-{date:%m-%d}T"
    text += f"{second // 3_600:02}:{second // 60 % 60:02}:{second % 60:02}"
    return f"{text}.{nanoseconds // 1_000:06}Z" if micro else f"{text}Z"


_UNITS = {
    "ns": 1,
    "us": 10**3,
    "\u00b5s": 10**3,
    "\u03bcs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3_600 * 10**9,
}
_DURATION_PART = re.compile(r"(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(ns|us|\u00b5s|\u03bcs|ms|s|m|h)")
_INT64_END = 2**63


def parse_duration(text: str) -> int | None:
    """Returns the nanoseconds of a duration such as `1h15m30.5s`, `None` if it is malformed or beyond 64 bits."""
    at = len(text) - len(text.lstrip("+-"))
    if at > 1:
        return None
    if text[at:] == "0":
        return 0
    total = 0
    end = len(text)
    # Part by part: a pattern for the whole would remember each part of a long text for backtracking.
    while True:
        match = _DURATION_PART.match(text, at)
        if match is None:
            return None
        whole, fraction, only_fraction, unit_name = match.groups(default="")
        unit = _UNITS[unit_name]
        digits = whole.lstrip("0")
        if len(digits) > 19:
            return None
        part = int(digits or 0) * unit
        if part > _INT64_END:
            return None
        total += part + _to_nanoseconds(fraction or only_fraction, unit)
        if total > _INT64_END:
            return None
        at = match.end()
        if at == end:
            break
    if text[0] == "-":
        return -total
    return total if total < _INT64_END else None


def _to_nanoseconds(digits: str, unit: int) -> int:
    """Returns the nanoseconds of a decimal fraction of a unit as Go does: by floating point, without excess digits."""
    number, scale = 0, 1.0
    for digit in digits:
        longer = number * 10 + int(digit)
        if number > (_INT64_END - 1) // 10 or longer > _INT64_END:
            break
        number, scale = longer, scale * 10
    return int(float(number) * (float(unit) / scale))


def duration_text(nanoseconds: int) -> str:
    """Formats a duration such as `1h15m30.5s`, in the greatest units that keep every part whole but the last."""
    sign, rest = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    if rest == 0:
        return "0s"
    if rest < 10**9:
        unit = next(name for name in ("ms", "\u00b5s", "ns") if rest >= _UNITS[name])
        return f"{sign}{_decimal(rest, _UNITS[unit])}{unit}"
    minutes, rest = divmod(rest, 60 * 10**9)
    text = f"{_decimal(rest, 10**9)}s"
    if minutes:
        text = f"{minutes % 60}m{text}"
    if minutes >= 60:
        text = f"{minutes // 60}h{text}"
    return sign + text


def _decimal(number: int, unit: int) -> str:
    """Formats `number` in units of a power of ten, without trailing zeros."""
    whole, fraction = divmod(number, unit)
    digits = f"{fraction:0{len(str(unit)) - 1}}".rstrip("0") if fraction else ""
    return f"{whole}.{digits}" if digits else str(whole)


_MONTHS = "January February March April May June July August September October November December".split()
_WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split()


def _month_text(month: int) -> str:
    return _MONTHS[month - 1] if 1 <= month <= 12 else f"%!Month({month % 2**64})"


def _weekday_text(day: int) -> str:
    return _WEEKDAYS[day] if 0 <= day <= 6 else f"%!Weekday({day % 2**64})"


#: Text of `%v` for the integer types that have texts of their own.
INTEGER_TEXTS: dict[str, Callable[[int], str]] = {
    "time.Duration": duration_text,
    "time.Month": _month_text,
    "time.Weekday": _weekday_text,
}


def iso_text(value: datetime.date, timespec: str = "auto") -> str:
    """Returns a date, or a time with `Z` for UTC, as people write it in YAML; a time without a zone has none."""
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    text = value.isoformat(timespec=timespec)
    return f"{text.removesuffix('+00:00')}Z" if text.endswith("+00:00") else text
