"""Conversions: `int(x)`, `string(x)` and the others, and the value of a text of the format `byte`.

Sources of the behaviour: `ConvertToType` of the types in `common/types` of cel-go, the overloads in
`common/stdlib/standard.go`, and `strconv` and `%g` of Go; for `byte`, `UnstructuredToVal` of the API server, `strfmt`
of kube-openapi, and Go's `encoding/base64`. Schemas require the standard alphabet with `+` and `/`. Expressions read
the URL alphabet with `-` and `_`, and fail on the standard one.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable
from decimal import Decimal

from validation_gen.kubernetes.cel.functions import times
from validation_gen.kubernetes.cel.functions.layouts import SECOND
from validation_gen.kubernetes.cel.functions.numbers import int_result, type_name, uint_result
from validation_gen.kubernetes.cel.values import (
    INT_LEAST,
    INT_MOST,
    UINT_MOST,
    Duration,
    EvaluationError,
    Timestamp,
    Uint,
)

_INTEGER = re.compile(r"[+-]?[0-9]+")
_UNSIGNED = re.compile(r"[0-9]+")
_DIGITS = "[0-9](?:_?[0-9])*"
_DOUBLE = re.compile(
    rf"[+-]?(?:(?:{_DIGITS}\.?(?:{_DIGITS})?|\.{_DIGITS})(?:e[+-]?{_DIGITS})?|inf|infinity)|nan", re.IGNORECASE
)
_HEX = "[0-9a-f](?:_?[0-9a-f])*"
_HEXADECIMAL = re.compile(rf"[+-]?0x(?:_?{_HEX}\.?(?:{_HEX})?|\.{_HEX})p[+-]?{_DIGITS}", re.IGNORECASE)
_BOOLS = {
    **dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True),
    **dict.fromkeys(("0", "f", "F", "FALSE", "false", "False"), False),
}
_SURROGATE = re.compile("[\ud800-\udfff]")


def to_int(value: object) -> int:
    """Converts to int. Doubles lose their fraction; a timestamp gives seconds and a duration nanoseconds."""
    if isinstance(value, float):
        if not -(2.0**63) < value < 2.0**63:  # NaN is not either
            raise EvaluationError("integer overflow")
        return math.trunc(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return int_result(int(value))
    if isinstance(value, str):
        return _integer(_INTEGER, value, INT_LEAST, INT_MOST, "int")
    if isinstance(value, Timestamp):
        return value.nanoseconds // SECOND
    if isinstance(value, Duration):
        return value.nanoseconds
    raise _no_overload("int", value)


def to_uint(value: object) -> Uint:
    if isinstance(value, float):
        if not 0 <= value < 2.0**64:
            raise EvaluationError("unsigned integer overflow")
        return Uint(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return uint_result(value)
    if isinstance(value, str):
        return Uint(_integer(_UNSIGNED, value, 0, UINT_MOST, "uint"))
    raise _no_overload("uint", value)


def to_double(value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        return _double(value)
    raise _no_overload("double", value)


def to_bool(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str):
        raise _no_overload("bool", value)
    if value not in _BOOLS:
        raise _unconvertible("bool")
    return _BOOLS[value]


def to_bytes(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return encode(value)
    raise _no_overload("bytes", value)


def to_string(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return text_of_double(value)
    if isinstance(value, bytes):
        return _text_of_bytes(value)
    if isinstance(value, Timestamp):
        return times.format_timestamp(value)
    if isinstance(value, Duration):
        return times.format_duration(value)
    raise _no_overload("string", value)


def to_timestamp(value: object) -> Timestamp:
    """Converts to a timestamp. An int is seconds since 1970."""
    if isinstance(value, Timestamp):
        return value
    if isinstance(value, str):
        return times.parse_timestamp(value)
    if isinstance(value, int) and not isinstance(value, (bool, Uint)):
        return times.timestamp_from_int(value)
    raise _no_overload("timestamp", value)


def to_duration(value: object) -> Duration:
    if isinstance(value, Duration):
        return value
    if isinstance(value, str):
        return times.parse_duration(value)
    raise _no_overload("duration", value)


def to_dyn(value: object) -> object:
    return value


#: Conversions by their names in expressions. `type` is not here: the evaluator implements it.
CONVERSIONS: dict[str, Callable[[object], object]] = {
    "bool": to_bool,
    "bytes": to_bytes,
    "double": to_double,
    "duration": to_duration,
    "dyn": to_dyn,
    "int": to_int,
    "string": to_string,
    "timestamp": to_timestamp,
    "uint": to_uint,
}


def text_of_double(value: float) -> str:
    """Formats a double as Go's `%g`: the fewest digits that identify it, with an exponent below -4 or above 5."""
    if math.isinf(value) or math.isnan(value):
        return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
    number = Decimal(repr(value)).normalize()
    if number and not -4 <= number.adjusted() < 6:
        mantissa, _, exponent = f"{number:e}".partition("e")
        return f"{mantissa}e{exponent[0]}{exponent[1:].zfill(2)}"
    return f"{number:f}"


def encode(text: str) -> bytes:
    """Encodes to UTF-8. Lone surrogates, which JSON allows and Go does not, become U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def _text_of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise EvaluationError("invalid UTF-8 in bytes, cannot convert to string") from None


def _integer(pattern: re.Pattern[str], text: str, least: int, most: int, target: str) -> int:
    digits = text.lstrip("+-").lstrip("0")
    if not pattern.fullmatch(text) or len(digits) > 20:
        raise _unconvertible(target)
    number = int(digits or 0) * (-1 if text[0] == "-" else 1)
    if not least <= number <= most:
        raise _unconvertible(target)
    return number


def _double(text: str) -> float:
    try:
        if _HEXADECIMAL.fullmatch(text):
            return float.fromhex(text.replace("_", ""))
    except OverflowError:
        raise _unconvertible("double") from None
    if not _DOUBLE.fullmatch(text):
        raise _unconvertible("double")
    value = float(text)
    if math.isinf(value) and "i" not in text.lower():  # too great, unless the text names infinity
        raise _unconvertible("double")
    return value


def _unconvertible(target: str) -> EvaluationError:
    return EvaluationError(f"type conversion error from 'string' to '{target}'")


def _no_overload(function: str, value: object) -> EvaluationError:
    return EvaluationError(f"no such overload: {function}({type_name(value)})")


_BASE64 = re.compile(rb"(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=)?")
_NO_DIGIT = re.compile(rb"[^A-Za-z0-9_\r\n-]")
_NEWLINES = b"\r\n"


def decode_base64(text: str) -> bytes:
    """Decodes a text, which may have newlines anywhere."""
    data = encode(text)
    digits = data.translate(None, _NEWLINES)
    if not _BASE64.fullmatch(digits):
        problem = f"illegal base64 data at input byte {_first_problem(data)}"
        raise EvaluationError(f"Invalid byte formatted string {text}: {problem}")
    return base64.urlsafe_b64decode(digits)


def _first_problem(data: bytes) -> int:
    """Returns the position that Go's error names. Go reads four digits at a time."""
    match = _NO_DIGIT.search(data)
    end = match.start() if match else len(data)
    digits = len(data[:end].translate(None, _NEWLINES)) % 4
    if match is None:
        return len(data) - digits
    if match[0] != b"=" or digits < 2:
        return end
    at = _after_newlines(data, end + 1)
    if digits == 2:
        if at == len(data):
            return at
        if data[at : at + 1] != b"=":
            return at - 1
        at = _after_newlines(data, at + 1)
    return at


def _after_newlines(data: bytes, at: int) -> int:
    return len(data) - len(data[at:].lstrip(_NEWLINES))
