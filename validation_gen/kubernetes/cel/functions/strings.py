"""Functions of strings. Positions and lengths count code points.

Source of the behaviour: `ext/strings.go` of cel-go, in version 2, and the package `strings` of Go. The limit on results
is our own: upstream limits them by the cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from validation_gen.kubernetes.cel.functions.calendars import SECOND, civil
from validation_gen.kubernetes.cel.functions.conversions import to_string
from validation_gen.kubernetes.cel.values import Duration, EvaluationError, Optional, Timestamp
from validation_gen.runtime.gotime import duration_text

#: Greatest length of a result.
MOST_CHARACTERS = 10 << 20

#: White space of Unicode. Python's own list has four control characters more.
_SPACES = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
    "\u202f\u205f\u3000"
)
_UPPER, _LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_TO_LOWER, _TO_UPPER = str.maketrans(_UPPER, _LOWER), str.maketrans(_LOWER, _UPPER)
_QUOTED = str.maketrans(
    {
        "\a": r"\a",
        "\b": r"\b",
        "\f": r"\f",
        "\n": r"\n",
        "\r": r"\r",
        "\t": r"\t",
        "\v": r"\v",
        "\\": r"\\",
        '"': r"\"",
        **{chr(half): "\ufffd" for half in range(0xD800, 0xE000)},
    }
)


def bounded(length: int) -> None:
    """Raises for a result that would be too long; call it before the result is made."""
    if length > MOST_CHARACTERS:
        raise EvaluationError("result is too large")


def concatenate(left: str, right: str) -> str:
    """`left + right`."""
    bounded(len(left) + len(right))
    return left + right


def char_at(text: str, index: int) -> str:
    """Returns the character at a position; `""` at the end."""
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index : index + 1]


def index_of(text: str, part: str, offset: int = 0, *, clamped: bool = True) -> int:
    """Returns the position of the first part from the offset on, -1 if there is none.

    An empty part is at the offset. That is `clamped` to the text since cel-go 0.29, and was not checked before.
    """
    if not part and not clamped:
        return offset
    if offset < 0:
        raise _out_of_range(offset)
    if not part:
        return min(offset, len(text))
    return text.find(part, offset)


def last_index_of(text: str, part: str, offset: int | None = None, *, clamped: bool = True) -> int:
    """Returns the position of the last part at or before the offset, -1 if there is none; see `index_of`."""
    if offset is None:
        return text.rfind(part)
    if not part and not clamped:
        return offset
    if offset < 0:
        raise _out_of_range(offset)
    if not part:
        return min(offset, len(text))
    return -1 if offset >= len(text) else text.rfind(part, 0, offset + len(part))


def lower_ascii(text: str) -> str:
    return text.translate(_TO_LOWER)


def upper_ascii(text: str) -> str:
    return text.translate(_TO_UPPER)


def trim(text: str) -> str:
    return text.strip(_SPACES)


def replace(text: str, old: str, new: str, limit: int = -1) -> str:
    """Replaces at most `limit` occurrences, all if it is negative."""
    found = text.count(old)
    count = found if limit < 0 else min(found, limit)
    bounded(len(text) + count * (len(new) - len(old)))
    return text.replace(old, new, count)


def split(text: str, separator: str, limit: int = -1) -> list[str]:
    """Splits into at most `limit` parts, of which the last is the rest; into all if it is negative."""
    if limit == 0:
        return []
    if separator:
        return text.split(separator, -1 if limit < 0 else limit - 1)
    if limit < 0 or limit >= len(text):
        return list(text)
    return [*text[: limit - 1], text[limit - 1 :]]


def substring(text: str, start: int, end: int | None = None) -> str:
    if end is not None and start > end:
        raise EvaluationError(f"invalid substring range. start: {start}, end: {end}")
    for index in (start, len(text) if end is None else end):
        if not 0 <= index <= len(text):
            raise _out_of_range(index)
    return text[start:end]


def join(parts: Sequence[object], separator: str = "") -> str:
    """Joins all parts to one text; raises for an item that is no text, as in a list of an unknown type."""
    texts: list[str] = []
    length = 0
    for part in parts:
        if not isinstance(part, str):
            raise EvaluationError(f"join: invalid input: {_printed(part)}")
        length += len(part) + (len(separator) if texts else 0)
        bounded(length)
        texts.append(part)
    return separator.join(texts)


def quote(text: str) -> str:
    """Returns the text as a literal of an expression."""
    bounded(len(text) + 2)
    quoted = f'"{text.translate(_QUOTED)}"'
    bounded(len(quoted))
    return quoted


def _out_of_range(index: int) -> EvaluationError:
    return EvaluationError(f"index out of range: {index}")


def _printed(value: object) -> str:
    """Formats a value as Go's `%v` does."""
    if value is None:
        return "0"
    if isinstance(value, (bool, int, float, str)):
        return to_string(value)
    if isinstance(value, bytes):
        return f"[{' '.join(map(str, value))}]"
    if isinstance(value, Duration):
        return duration_text(value.nanoseconds)
    if isinstance(value, Timestamp):
        return _printed_time(value)
    if isinstance(value, Optional):
        return f"optional({_printed(value.value)})" if value.present else "optional.none()"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_printed, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_printed(key)}: {_printed(item)}' for key, item in value.items())}}}"
    return str(value)


def _printed_time(value: Timestamp) -> str:
    seconds, nanoseconds = divmod(value.nanoseconds, SECOND)
    time = civil(seconds + value.offset)
    fraction = f".{nanoseconds:09}".rstrip("0") if nanoseconds else ""
    minutes = abs(value.offset) // 60
    zone = f"{'-' if value.offset < 0 else '+'}{minutes // 60:02}{minutes % 60:02}"
    date = f"{time.year:04}-{time.month:02}-{time.day:02} {time.hour:02}:{time.minute:02}:{time.second:02}{fraction}"
    return f"{date} {zone} {zone if value.offset else 'UTC'}"
