"""Timestamps and durations: parsing, formatting, arithmetic, their parts, and time zones by name or offset.

Sources of the behaviour: `common/types/{timestamp,duration,overflow}.go` and `common/stdlib/standard.go` of cel-go; for
formats of schemas `UnstructuredToVal` of the API server and `strfmt` of kube-openapi; Go's `time.LoadLocation`.
"""

from __future__ import annotations

import datetime
import functools
import math
import re
import zoneinfo
from collections.abc import Callable
from decimal import Decimal

from validation_gen.kubernetes.cel.functions import layouts
from validation_gen.kubernetes.cel.functions.layouts import SECOND, Civil, Instant, civil
from validation_gen.kubernetes.cel.functions.numbers import int_result
from validation_gen.kubernetes.cel.values import INT_LEAST, INT_MOST, Duration, EvaluationError, Timestamp
from validation_gen.kubernetes.formats import valueformats
from validation_gen.runtime import gotime
from validation_gen.runtime.gotext import go_quote

_NUMBER = re.compile("[+-]?[0-9]+")
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
#: Seconds between which `find_offset` looks up a zone: the limits of Python's dates, with room for an offset. No rule
#: of a zone changes beyond them.
_FIRST_ZONE_LOOKUP, _LAST_ZONE_LOOKUP = -62_135_510_400, 253_402_214_400


def find_offset(zone: str, seconds: int) -> int:
    """Returns the seconds that a zone is ahead of UTC at a moment in seconds since 1970."""
    hours, colon, minutes = zone.partition(":")
    if colon:
        return _numeric(hours, minutes)
    if zone in ("", "UTC", "Local"):  # a server's own zone is UTC
        return 0
    moment = _EPOCH + datetime.timedelta(seconds=min(max(seconds, _FIRST_ZONE_LOOKUP), _LAST_ZONE_LOOKUP))
    offset = moment.astimezone(_find_zone(zone)).utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0


def _numeric(hours: str, minutes: str) -> int:
    """Returns the seconds of an offset; upstream checks neither part."""
    sign = -1 if hours.startswith("-") else 1
    minutes_ahead = _wrap(_integer(hours) * 60 + sign * _integer(minutes))
    nanoseconds = _wrap(minutes_ahead * 60_000_000_000)
    return int(nanoseconds / 1e9)


@functools.lru_cache(maxsize=256)
def _find_zone(zone: str) -> zoneinfo.ZoneInfo:
    if ".." in zone or zone.startswith(("/", "\\")):
        raise EvaluationError("time: invalid location name")
    try:
        return zoneinfo.ZoneInfo(zone)
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        raise EvaluationError(f"unknown time zone {zone}") from None


def _integer(text: str) -> int:
    """Parses an integer as `strconv.Atoi` does."""
    problem = "" if _NUMBER.fullmatch(text) else "invalid syntax"
    digits = text.lstrip("+-").lstrip("0")
    if not problem and (len(digits) > 19 or not INT_LEAST <= int(text) <= INT_MOST):
        problem = "value out of range"
    if problem:
        raise EvaluationError(f"strconv.Atoi: parsing {go_quote(text)}: {problem}")
    return int(text)


def _wrap(number: int) -> int:
    """Wraps a number around to 64 bits, as Go does on overflow."""
    return (number - INT_LEAST) % (1 << 64) + INT_LEAST


_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799
_HOUR, _MINUTE, _MILLISECOND = 3_600 * SECOND, 60 * SECOND, 1_000_000

# --- texts ------------------------------------------------------------------------------------------------------------


def parse_timestamp(text: str) -> Timestamp:
    """Parses `timestamp(string)`."""
    try:
        instant = layouts.parse(layouts.RFC3339, text)
    except layouts.ParseError:
        raise EvaluationError("type conversion error from 'string' to 'google.protobuf.Timestamp'") from None
    _check_second(instant.seconds)
    return _timestamp(instant)


def timestamp_from_int(seconds: int) -> Timestamp:
    """Converts `timestamp(int)`: seconds since 1970."""
    _check_second(seconds)
    return Timestamp(seconds * SECOND)


def format_timestamp(timestamp: Timestamp) -> str:
    """Formats `string(timestamp)`: with its original offset, and without trailing zeros."""
    date, time, zone = format_parts(timestamp)
    return f"{date}T{time}{f'{zone[:3]}:{zone[3:]}' if timestamp.offset else 'Z'}"


def format_parts(timestamp: Timestamp) -> tuple[str, str, str]:
    """Returns the date, the time and the offset of a timestamp as texts: `2026-01-02`, `03:04:05.6`, `+0130`."""
    seconds, nanoseconds = divmod(timestamp.nanoseconds, SECOND)
    time = civil(seconds + timestamp.offset)
    fraction = f".{nanoseconds:09}".rstrip("0") if nanoseconds else ""
    year = f"{'-' if time.year < 0 else ''}{abs(time.year):04}"
    minutes = abs(timestamp.offset) // 60
    zone = f"{'-' if timestamp.offset < 0 else '+'}{minutes // 60:02}{minutes % 60:02}"
    clock = f"{time.hour:02}:{time.minute:02}:{time.second:02}{fraction}"
    return f"{year}-{time.month:02}-{time.day:02}", clock, zone


def parse_duration(text: str) -> Duration:
    """Parses `duration(string)`."""
    nanoseconds = gotime.parse_duration(text)
    if nanoseconds is None:
        raise EvaluationError("type conversion error from 'string' to 'google.protobuf.Duration'")
    return Duration(nanoseconds)


def format_duration(duration: Duration) -> str:
    """Formats `string(duration)`: seconds, with the precision of a double."""
    return f"{Decimal(repr(_in_units(duration, SECOND))).normalize():f}s"


def _timestamp(instant: Instant) -> Timestamp:
    return Timestamp(instant.seconds * SECOND + instant.nanoseconds, instant.offset)


def _check_second(seconds: int) -> None:
    if not _FIRST_SECOND <= seconds <= _LAST_SECOND:
        raise EvaluationError("timestamp overflow")


# --- values of schemas ------------------------------------------------------------------------------------------------


def parse_date(text: str) -> Timestamp:
    """Parses a text of the format `date`."""
    try:
        return _timestamp(layouts.parse(layouts.DATE, text))
    except layouts.ParseError as error:
        raise EvaluationError(f"Invalid date formatted string {text}: {error}") from None


def parse_date_time(text: str) -> Timestamp:
    """Parses a text of the format `date-time`; the empty one is 1970."""
    if not text:
        return Timestamp(0)
    problem = ""
    for layout in (layouts.RFC3339_MICRO, layouts.RFC3339_MILLIS, layouts.RFC3339, layouts.LOCAL_TIME):
        try:
            return _timestamp(layouts.parse(layout, text))
        except layouts.ParseError as error:
            problem = str(error)
    raise EvaluationError(f"Invalid date-time formatted string {text}: {problem}")


def parse_duration_format(text: str) -> Duration:
    """Parses a text of the format `duration`."""
    try:
        return Duration(valueformats.read_duration(text))
    except ValueError as problem:
        raise EvaluationError(f"Invalid duration {text}: {problem}") from None


# --- arithmetic -------------------------------------------------------------------------------------------------------


def add(left: Timestamp | Duration, right: Timestamp | Duration) -> Timestamp | Duration:
    """Adds two durations, or a duration to a moment; at most one of the two is a moment."""
    if isinstance(right, Timestamp):
        left, right = right, left
    nanoseconds = left.nanoseconds + right.nanoseconds
    if isinstance(left, Duration):
        return Duration(int_result(nanoseconds))
    _check_second(nanoseconds // SECOND)
    return Timestamp(nanoseconds, left.offset)


def subtract(left: Timestamp | Duration, right: Timestamp | Duration) -> Timestamp | Duration:
    """Subtracts two durations or two moments, or a duration from a moment."""
    if isinstance(left, Timestamp) and isinstance(right, Timestamp):
        seconds = left.nanoseconds // SECOND - right.nanoseconds // SECOND
        int_result(seconds * SECOND)  # the seconds alone must fit, as upstream computes them first
    elif isinstance(left, Timestamp):
        return add(left, negate(Duration(right.nanoseconds)))
    return Duration(int_result(left.nanoseconds - right.nanoseconds))


def negate(duration: Duration) -> Duration:
    return Duration(int_result(-duration.nanoseconds))


# --- parts ------------------------------------------------------------------------------------------------------------

_PARTS: dict[str, Callable[[Civil], int]] = {
    "getFullYear": lambda time: time.year,
    "getMonth": lambda time: time.month - 1,
    "getDayOfYear": lambda time: time.day_of_year - 1,
    "getDayOfMonth": lambda time: time.day - 1,
    "getDate": lambda time: time.day,
    "getDayOfWeek": lambda time: time.day_of_week,
    "getHours": lambda time: time.hour,
    "getMinutes": lambda time: time.minute,
    "getSeconds": lambda time: time.second,
}
_WHOLES = {"getHours": _HOUR, "getMinutes": _MINUTE, "getSeconds": SECOND}


def part_of_timestamp(function: str, timestamp: Timestamp, zone: str = "UTC") -> int:
    """Computes `getFullYear` etc. in a zone such as `Europe/Berlin` or `+02:00`."""
    seconds, nanoseconds = divmod(timestamp.nanoseconds, SECOND)
    offset = find_offset(zone, seconds)
    if function == "getMilliseconds":
        return nanoseconds // _MILLISECOND
    return _PARTS[function](civil(seconds + offset))


def part_of_duration(function: str, duration: Duration) -> int:
    """Computes `getHours` etc.: the whole duration in a unit, without a fraction."""
    if function == "getMilliseconds":
        return _truncate(duration.nanoseconds, _MILLISECOND)
    return math.trunc(_in_units(duration, _WHOLES[function]))


def _in_units(duration: Duration, unit: int) -> float:
    """Divides as Go does, with the rounding of a double."""
    whole = _truncate(duration.nanoseconds, unit)
    return float(whole) + float(duration.nanoseconds - whole * unit) / unit


def _truncate(number: int, unit: int) -> int:
    return -(-number // unit) if number < 0 else number // unit
