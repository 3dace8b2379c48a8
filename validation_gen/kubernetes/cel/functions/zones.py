"""Time zones by name, such as `Europe/Berlin`, and by offset, such as `+02:00`.

Source of the behaviour: `inTimeZone` in `common/stdlib/standard.go` of cel-go, and Go's `time.LoadLocation`.
"""

from __future__ import annotations

import datetime
import functools
import re
import zoneinfo

from validation_gen.kubernetes.cel.values import INT_LEAST, INT_MOST, EvaluationError
from validation_gen.runtime.gotext import go_quote

_NUMBER = re.compile("[+-]?[0-9]+")
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
#: Limits of Python's dates, give or take the offset; no rule of a zone changes beyond them.
_FIRST_SECOND, _LAST_SECOND = -62_135_510_400, 253_402_214_400


def offset_of(zone: str, seconds: int) -> int:
    """Returns the seconds that a zone is ahead of UTC at a moment in seconds since 1970."""
    hours, colon, minutes = zone.partition(":")
    if colon:
        return _numeric(hours, minutes)
    if zone in ("", "UTC", "Local"):  # a server's own zone is UTC
        return 0
    moment = _EPOCH + datetime.timedelta(seconds=min(max(seconds, _FIRST_SECOND), _LAST_SECOND))
    offset = moment.astimezone(_named(zone)).utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0


def _numeric(hours: str, minutes: str) -> int:
    """Returns the seconds of an offset; upstream checks neither part."""
    sign = -1 if hours.startswith("-") else 1
    minutes_ahead = _wrapped(_integer(hours) * 60 + sign * _integer(minutes))
    nanoseconds = _wrapped(minutes_ahead * 60_000_000_000)
    return int(nanoseconds / 1e9)


@functools.lru_cache(maxsize=256)
def _named(zone: str) -> zoneinfo.ZoneInfo:
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


def _wrapped(number: int) -> int:
    """Wraps a number around to 64 bits, as Go does on overflow."""
    return (number - INT_LEAST) % (1 << 64) + INT_LEAST
