"""`string.format(list)`, with doubles in the format of American English for the clauses `%f` and `%e`.

Sources of the behaviour: `ext/formatting.go` of cel-go, in version 2 of the strings library, and `message` and
`internal/number` of `golang.org/x/text`, by which it writes doubles. `cel.validators` checks constant formats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from validation_gen.kubernetes.cel.functions.conversions import encode, to_double, to_string
from validation_gen.kubernetes.cel.functions.numbers import type_name
from validation_gen.kubernetes.cel.functions.strings import check_size
from validation_gen.kubernetes.cel.values import INT_MOST, Duration, EvaluationError, Timestamp, TypeValue
from validation_gen.runtime.gotext import go_quote

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_MOST_PRECISION = 10_000_009
_TOO_PRECISE = "%!(NOVERB)"


def format_fixed(number: float, precision: int) -> str:
    """Formats a number such as `1,234.500`."""
    if text := _special(number, precision):
        return text
    decimals, least = _decimals(precision)
    text = f"{abs(number):.{decimals}f}" if decimals >= 0 else f"{Decimal(repr(abs(number))):f}"
    whole, _, fraction = text.partition(".")
    return f"{_sign(number)}{int(whole):,}{_fraction(fraction, least)}"


def scientific(number: float, precision: int) -> str:
    """Formats a number such as `1.500×10⁰³`. Servers before 1.33 put narrow spaces around the sign."""
    if text := _special(number, precision):
        return text
    decimals, least = _decimals(precision)
    text = f"{abs(number):.{max(decimals, 0)}e}" if decimals >= -1 else f"{Decimal(repr(abs(number))).normalize():e}"
    mantissa, _, exponent = text.partition("e")
    power = f"{'-' if int(exponent) < 0 else ''}{abs(int(exponent)):02}".translate(_SUPERSCRIPTS)
    return f"{_sign(number)}{mantissa[0]}{_fraction(mantissa[2:], least)}×10{power}"


def _decimals(precision: int) -> tuple[int, int]:
    """Returns the greatest and the least number of decimals. The library keeps them in 16 and in 8 bits."""
    return (precision + (1 << 15)) % (1 << 16) - (1 << 15), precision % (1 << 8)


def _fraction(digits: str, least: int) -> str:
    digits = digits.rstrip("0").ljust(least, "0")
    return f".{digits}" if digits else ""


def _sign(number: float) -> str:
    return "-" if number < 0 else ""  # negative zero has none


def _special(number: float, precision: int) -> str:
    if precision > _MOST_PRECISION:
        return _TOO_PRECISE
    if math.isnan(number):
        return "NaN"
    return f"{_sign(number)}∞" if math.isinf(number) else ""


_DEFAULT_PRECISION = 6
_NUMBERS = ("NaN", "Infinity", "-Infinity")
_PRECISION = "error while parsing precision"


class _ClauseError(Exception):
    """A value does not fit its clause, or the clause is unknown."""


def format_string(text: str, arguments: Sequence[object]) -> str:
    """Returns the text with each clause replaced by its argument. Arguments may be left over."""
    parts: list[str] = []
    length = at = used = 0
    while at < len(text):
        start = text.find("%", at)
        part, at = text[at : None if start < 0 else start], len(text) if start < 0 else start
        if start >= 0 and text[start + 1 : start + 2] == "%":
            part, at = f"{part}%", start + 2
        elif start >= 0:
            formatted, at = _clause(text, start + 1, arguments, used)
            part += formatted
            used += 1
        length += len(part)
        check_size(length)
        parts.append(part)
    return "".join(parts)


def _clause(text: str, at: int, arguments: Sequence[object], index: int) -> tuple[str, int]:
    """Returns the replacement of the clause after a percent sign, and the position after it."""
    if index >= len(arguments):
        raise EvaluationError(f"index {index} out of range")
    if at >= len(text):
        raise EvaluationError("unexpected end of string")
    precision, at = read_clause(text, at)
    try:
        return _CLAUSES[text[at]](arguments[index], precision), at + 1
    except _ClauseError as error:
        raise EvaluationError(f"error during formatting: {error}") from None


def read_clause(text: str, at: int) -> tuple[int, int]:
    """Returns the precision of a clause and the position of its letter.

    Raises:
        EvaluationError: it is malformed.
    """
    try:
        precision, at = _precision(text, at)
        if text[at] not in _CLAUSES:
            byte = chr(encode(text[at])[0])  # upstream looks at bytes
            raise _ClauseError(f'unrecognized formatting clause "{byte}"')
    except _ClauseError as error:
        raise EvaluationError(f"could not parse formatting clause: {error}") from None
    return precision, at


def _precision(text: str, at: int) -> tuple[int, int]:
    if text[at] != ".":
        return _DEFAULT_PRECISION, at
    start = at = at + 1
    while at < len(text) and text[at].isascii() and text[at].isdigit():
        at += 1
    if at >= len(text):
        raise _ClauseError(f"{_PRECISION}: could not find end of precision specifier")
    digits = text[start:at]
    stripped = digits.lstrip("0")
    if not digits or len(stripped) > 19 or int(stripped or 0) > INT_MOST:
        problem = f"strconv.Atoi: parsing {go_quote(digits)}: {'value out of range' if digits else 'invalid syntax'}"
        raise _ClauseError(f"{_PRECISION}: error while converting precision to integer: {problem}")
    return int(stripped or 0), at


# --- clauses ----------------------------------------------------------------------------------------------------------


def _string(value: object, _: int) -> str:
    if isinstance(value, TypeValue):
        return value.name
    name = type_name(value)
    if name in ("list", "map"):
        return _composite(value)
    if name == "null_type":
        return "null"
    if not isinstance(value, (bool, int, float, str, bytes, Timestamp, Duration)):
        what = "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"
        raise _ClauseError(f"string clause can only be used on {what}, was given {name}")
    try:
        return to_string(value)
    except EvaluationError as error:
        raise _ClauseError(f"could not convert argument {go_quote(error.message)} to string") from None


def _decimal(value: object, _: int) -> str:
    if not _is_integer(value):
        raise _ClauseError(f"decimal clause can only be used on integers, was given {type_name(value)}")
    return to_string(value)


def _format_fixed(value: object, precision: int) -> str:
    return format_fixed(_number(value, "fixed-point"), precision)


def _scientific(value: object, precision: int) -> str:
    return scientific(_number(value, "scientific"), precision)


def _number(value: object, clause: str) -> float:
    """Returns a double, also from a text that names a non-finite one."""
    if isinstance(value, float) or (isinstance(value, str) and value in _NUMBERS):
        return to_double(value)
    raise _ClauseError(f"{clause} clause can only be used on doubles, was given {type_name(value)}")


def _binary(value: object, _: int) -> str:
    if isinstance(value, int):
        return f"{int(value):b}"
    raise _ClauseError(f"only integers and bools can be formatted as binary, was given {type_name(value)}")


def _octal(value: object, _: int) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{int(value):o}"
    raise _ClauseError(f"octal clause can only be used on integers, was given {type_name(value)}")


def _hex(value: object, _: int) -> str:
    if isinstance(value, (str, bytes)):
        return (encode(value) if isinstance(value, str) else value).hex()
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{int(value):x}"
    raise _ClauseError(
        f"only integers, byte buffers, and strings can be formatted as hex, was given {type_name(value)}"
    )


_CLAUSES: dict[str, Callable[[object, int], str]] = {
    "s": _string,
    "d": _decimal,
    "f": _format_fixed,
    "e": _scientific,
    "b": _binary,
    "x": _hex,
    "X": lambda value, precision: _hex(value, precision).upper(),
    "o": _octal,
}


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# --- inside of lists and maps -----------------------------------------------------------------------------------------


def _composite(value: object) -> str:
    """Formats a list or a map, with its items as literals."""
    parts: list[str] = []
    length = 0
    if isinstance(value, Mapping):
        for key in value:
            if key not in value:  # null in an object with properties
                raise _ClauseError(f"could not find key: {go_quote(str(key))}")
        pairs = sorted(((_key(key), item) for key, item in value.items()), key=lambda pair: pair[0])
        members: list[tuple[str, object]] = [(f"{key}:", item) for key, item in pairs]
    else:
        assert isinstance(value, Sequence)
        members = [("", item) for item in value]
    for prefix, item in members:
        parts.append(f"{prefix}{_literal(item)}")
        length += len(parts[-1]) + 2
        check_size(length)
    text = ", ".join(parts)
    return f"{{{text}}}" if isinstance(value, Mapping) else f"[{text}]"


def _literal(value: object) -> str:
    name = type_name(value)
    if isinstance(value, float):
        return f"{value:.6f}" if math.isfinite(value) else f'"{to_string(value)}"'
    if isinstance(value, str):
        return go_quote(value)
    if isinstance(value, bytes):
        return f"b{go_quote(_string(value, 0))}"
    if isinstance(value, (Timestamp, Duration)):
        return f'{"timestamp" if isinstance(value, Timestamp) else "duration"}("{to_string(value)}")'
    if isinstance(value, (bool, int, TypeValue)) or name in ("null_type", "list", "map"):
        return _string(value, 0)
    raise _ClauseError(f"no formatting function for {name}")


def _key(key: object) -> str:
    if isinstance(key, str):
        return go_quote(key)
    if isinstance(key, int):
        return to_string(key)
    raise _ClauseError(f"no formatting function for map key of type {type_name(key)}")
