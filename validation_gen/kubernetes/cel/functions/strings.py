"""Functions of strings, regular expressions and named formats. Positions and lengths count code points.

Source of the behaviour: `ext/strings.go` of cel-go, in version 2, and the packages `strings` and `regexp` of Go. The
limit on results is our own: upstream limits them by the cost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from validation_gen.kubernetes.cel.functions.conversions import to_string
from validation_gen.kubernetes.cel.functions.times import format_parts
from validation_gen.kubernetes.cel.values import ABSENT, Duration, EvaluationError, Optional, Timestamp
from validation_gen.kubernetes.formats import valueformats
from validation_gen.kubernetes.formats.gourl import GoUrlError, parse_request_url
from validation_gen.runtime import names
from validation_gen.runtime.goregex import GoRegexError, Pattern, StepLimitError, Steps, compiled
from validation_gen.runtime.gotext import QUOTE_SHORT
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
_QUOTED = str.maketrans({**QUOTE_SHORT, **{chr(half): "\ufffd" for half in range(0xD800, 0xE000)}})


def check_size(length: int) -> None:
    """Raises for a result that would be too long; call it before the result is made."""
    if length > MOST_CHARACTERS:
        raise EvaluationError("result is too large")


def concatenate(left: str, right: str) -> str:
    """`left + right`."""
    check_size(len(left) + len(right))
    return left + right


def char_at(text: str, index: int) -> str:
    """Returns the character at a position; `""` at the end."""
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index : index + 1]


def find_index(text: str, part: str, offset: int = 0, *, clamped: bool = True) -> int:
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


def find_last_index(text: str, part: str, offset: int | None = None, *, clamped: bool = True) -> int:
    """Returns the position of the last part at or before the offset, -1 if there is none; see `find_index`."""
    if offset is None:
        return text.rfind(part)
    if not part and not clamped:
        return offset
    if offset < 0:
        raise _out_of_range(offset)
    if not part:
        return min(offset, len(text))
    return -1 if offset >= len(text) else text.rfind(part, 0, offset + len(part))


def replace(text: str, old: str, new: str, limit: int = -1) -> str:
    """Replaces at most `limit` occurrences, all if it is negative."""
    found = text.count(old)
    count = found if limit < 0 else min(found, limit)
    check_size(len(text) + count * (len(new) - len(old)))
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
    """Joins all parts to one text; raises for an item that is not a string, as in a list of an unknown type."""
    texts: list[str] = []
    length = 0
    for part in parts:
        if not isinstance(part, str):
            raise EvaluationError(f"join: invalid input: {_print(part)}")
        length += len(part) + (len(separator) if texts else 0)
        check_size(length)
        texts.append(part)
    return separator.join(texts)


def quote(text: str) -> str:
    """Returns the text as a literal of an expression."""
    check_size(len(text) + 2)
    quoted = f'"{text.translate(_QUOTED)}"'
    check_size(len(quoted))
    return quoted


def _out_of_range(index: int) -> EvaluationError:
    return EvaluationError(f"index out of range: {index}")


def _print(value: object) -> str:
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
        date, time, zone = format_parts(value)
        return f"{date} {time} {zone} {zone if value.offset else 'UTC'}"
    if isinstance(value, Optional):
        return f"optional({_print(value.value)})" if value.present else "optional.none()"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_print, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_print(key)}: {_print(item)}' for key, item in value.items())}}}"
    return str(value)


#: Least step limit of `findAll`, which counts each character as often as it is read. Upstream has no limit.
_MANY_STEPS = 1_000_000


def matches(text: str, pattern: str) -> bool:
    """Returns whether there is a match anywhere in a text."""
    return bool(_compile(pattern, "").matches(text))


def find(text: str, pattern: str) -> str:
    """Returns the first match, `""` if there is none."""
    span = _compile(pattern, "Illegal regex: ").span(text)
    return text[slice(*span)] if span else ""


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """Returns all matches, or at most `limit` of them if it is not negative."""
    try:
        return _found(_compile(pattern, "Illegal regex: "), text, limit)
    except StepLimitError:
        raise EvaluationError("the pattern takes too many steps on this text") from None


def _found(expression: Pattern, text: str, limit: int) -> list[str]:
    steps = Steps(max(_MANY_STEPS, 4 * len(text)))
    found: list[str] = []
    at, last_end = 0, -1
    while at <= len(text) and (limit < 0 or len(found) < limit):
        span = expression.span(text, at, steps)
        if span is None:
            break
        start, end = span
        # Directly behind a match only a non-empty match counts.
        if end > at or start != last_end:
            found.append(text[start:end])
        at = end if end > at else at + 1
        last_end = end
    return found


def _compile(pattern: str, prefix: str) -> Pattern:
    try:
        expression = compiled(pattern)
    except GoRegexError as error:
        raise EvaluationError(f"{prefix}{error}") from None
    if expression.automaton is None:
        raise EvaluationError("the pattern is too large or has classes that cannot be matched here")
    return expression


_Check = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format. Two are equal if their names are; `pattern_size` is the pattern length that the cost uses."""

    type_name: ClassVar[str] = "kubernetes.NamedFormat"
    name: str
    check: _Check = field(compare=False)
    pattern_size: int = field(compare=False)


def _prefix(check: _Check) -> _Check:
    """Wraps a check for a name prefix, which may end with a dash."""

    def checked(text: str) -> Sequence[str]:
        code = text.encode("utf-8", "surrogatepass")
        if len(code) > 1 and code.endswith(b"-"):
            # Upstream accepts any byte before the dash.
            text = (code[:-2] + b"a").decode("utf-8", "replace")
        return check(text)

    return checked


def _uri(text: str) -> Sequence[str]:
    try:
        parse_request_url(text)
    except GoUrlError as error:
        return [str(error)]
    return ()


def _is(kept: Callable[[str], bool], message: str) -> _Check:
    return lambda text: () if kept(text) else [message]


_UUID_SIZE = len(r"(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$")
_TIME_SIZE = len(r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$")

#: By the names that expressions use. The sizes of `uri` and `byte` are upstream's estimates.
FORMATS = {
    "dns1123Label": Format("DNS1123Label", valueformats.label, 30),
    "dns1123Subdomain": Format("DNS1123Subdomain", valueformats.subdomain, 60),
    "dns1035Label": Format("DNS1035Label", valueformats.label_1035, 30),
    "qualifiedName": Format("QualifiedName", names.label_key, 60),
    "dns1123LabelPrefix": Format("DNS1123LabelPrefix", _prefix(valueformats.label), 30),
    "dns1123SubdomainPrefix": Format("DNS1123SubdomainPrefix", _prefix(valueformats.subdomain), 60),
    "dns1035LabelPrefix": Format("DNS1035LabelPrefix", _prefix(valueformats.label_1035), 30),
    "labelValue": Format("LabelValue", names.label_value, 40),
    "uri": Format("URI", _uri, 1103),
    "uuid": Format("uuid", _is(valueformats.is_uuid, "does not match the UUID format"), _UUID_SIZE),
    "byte": Format("byte", _is(valueformats.is_byte, "invalid base64"), 84),
    "date": Format("date", _is(valueformats.is_date, "invalid date"), _TIME_SIZE),
    "datetime": Format("datetime", _is(valueformats.is_datetime, "invalid datetime"), _TIME_SIZE),
}


def named(name: str) -> Optional:
    """`format.named(name)`."""
    return Optional(True, FORMATS[name]) if name in FORMATS else ABSENT


def validate(format: Format, text: str) -> Optional:
    """Returns a list of messages, or nothing for a text that has the format."""
    messages = format.check(text)
    return Optional(True, list(messages)) if messages else ABSENT


#: Up to 1.36 an empty text is found at the start position, even behind the end.
_index_of = partial(find_index, clamped=False)
_last_index_of = partial(find_last_index, clamped=False)

CLASSES: dict[str, type] = {Format.type_name: Format}
FUNCTIONS: dict[str, Callable[..., object]] = {
    "add_string": concatenate,
    "matches": matches,
    "matches_string": matches,
    "string_char_at_int": char_at,
    "string_index_of_string": _index_of,
    "string_index_of_string_int": _index_of,
    "string_last_index_of_string": _last_index_of,
    "string_last_index_of_string_int": _last_index_of,
    "string_lower_ascii": lambda text: text.translate(_TO_LOWER),
    "string_replace_string_string": replace,
    "string_replace_string_string_int": replace,
    "string_split_string": split,
    "string_split_string_int": split,
    "string_substring_int": substring,
    "string_substring_int_int": substring,
    "string_trim": lambda text: text.strip(_SPACES),
    "string_upper_ascii": lambda text: text.translate(_TO_UPPER),
    "strings_quote": quote,
    "list_join": join,
    "list_join_string": join,
    "string_find_string": find,
    "string_find_all_string": find_all,
    "string_find_all_string_int": find_all,
    "format-named": named,
    "format-validate": validate,
    **{f"format.{name}": partial(FORMATS.get, name) for name in FORMATS},
}
