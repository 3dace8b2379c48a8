"""Conversions of constants, which the server makes when it takes a rule: `int('12')` is fine, `int('a')` is not."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from validation_gen.kubernetes.cel import tree, types
from validation_gen.kubernetes.cel.environment import VALUE_TYPES
from validation_gen.kubernetes.cel.patterns import problem_of
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.types import Kind, Type
from validation_gen.runtime.gotime import parse_duration, parse_time, time_text

_CONVERSIONS = frozenset("bool bytes double dyn duration int string timestamp type uint".split())
_MATCHING = ("matches", "find", "findAll")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_UNSIGNED = re.compile(r"[0-9]+")
_DIGITS = "[0-9](?:_?[0-9])*"
_DOUBLE = re.compile(
    rf"[+-]?(?:(?:{_DIGITS}\.?(?:{_DIGITS})?|\.{_DIGITS})(?:e[+-]?{_DIGITS})?|inf|infinity)|nan", re.IGNORECASE
)
_HEXADECIMAL = re.compile(r"[+-]?0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)p[+-]?[0-9]+", re.IGNORECASE)
_TRUE, _FALSE = ("1", "t", "T", "TRUE", "true", "True"), ("0", "f", "F", "FALSE", "false", "False")
#: From the year 1 to the year 9999, in seconds of Unix and in those of `gotime`.
_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799
_UNIX = 62_135_596_800


class Constant(NamedTuple):
    """A value that is known. Durations are nanoseconds and timestamps seconds; types and others have no value."""

    type: Type
    value: bool | int | float | str | bytes | None


class ConversionError(Exception):
    """A constant cannot become what it is converted to."""


def first_problem(typed: Typed) -> str:
    """Why no program can be made of a correct expression; empty if one can."""
    try:
        _folded(typed, typed.expression.root)
    except ConversionError as error:
        return str(error)
    return ""


def _folded(typed: Typed, node: tree.Node) -> Constant | None:
    """What is known of a value, after all below it has been looked at."""
    known = [_folded(typed, child) for child in tree.children(node)]
    if isinstance(node, tree.Literal):
        return Constant(node.type, node.value)
    if name := _unknown_type(typed, node):
        raise ConversionError(f"reference to undefined type: {name}")
    if isinstance(node, tree.Call):
        function = typed.function(node)
        if function in _CONVERSIONS and len(known) == 1 and known[0] is not None:
            return _converted(function, known[0])
        pattern = known[-1 if function == "matches" else 1] if function in _MATCHING and len(known) > 1 else None
        if pattern and isinstance(pattern.value, str) and (problem := problem_of(pattern.value)):
            raise ConversionError(problem)
    return None


def _unknown_type(typed: Typed, node: tree.Node) -> str:
    """The name that a program looks up as that of a type and does not find, as it does with each name of a type's type.

    `duration` and `timestamp` are types to those who check, but to no program; and no variable of a loop is one.
    """
    if typed.types[node.id].kind is not Kind.TYPE:
        return ""
    name = node.name if isinstance(node, tree.Ident) else typed.names.get(node.id, "")
    name = name.removeprefix(".")
    return "" if name in VALUE_TYPES else name


def converted(function: str, literal: tree.Literal) -> None:
    """Raises ConversionError if a literal cannot be converted."""
    _converted(function, Constant(literal.type, literal.value))


def _converted(function: str, constant: Constant) -> Constant:
    if function == "dyn":
        return constant
    if function == "type":
        return Constant(types.TYPE, None)
    target = _TARGETS[function]
    if constant.type.kind is target.kind:
        return constant
    if not (convert := _CONVERTERS.get((constant.type.kind, target.kind))):
        raise ConversionError(f"no such overload: {function}({constant.type.name})")
    return Constant(target, convert(constant.value))


_TARGETS = {
    "bool": types.BOOL,
    "bytes": types.BYTES,
    "double": types.DOUBLE,
    "duration": types.DURATION,
    "int": types.INT,
    "string": types.STRING,
    "timestamp": types.TIMESTAMP,
    "uint": types.UINT,
}


def _from_string(target: Type) -> Callable[..., bool | int | float]:
    def convert(text: str) -> bool | int | float:
        value = _READERS[target.kind](text)
        if value is None:
            raise ConversionError(f"type conversion error from 'string' to '{target.name}'")
        return value

    return convert


def _ranged(low: int, high: int) -> Callable[[int], int | None]:
    return lambda value: value if low <= value <= high else None


_as_int, _as_uint = _ranged(-(1 << 63), (1 << 63) - 1), _ranged(0, (1 << 64) - 1)


def _bool(text: str) -> bool | None:
    return True if text in _TRUE else False if text in _FALSE else None


def _double(text: str) -> float | None:
    try:
        if _HEXADECIMAL.fullmatch(text):
            return float.fromhex(text)
    except OverflowError:
        return None
    if not _DOUBLE.fullmatch(text):
        return None
    value = float(text)
    return None if math.isinf(value) and "i" not in text.lower() else value  # too great, unless infinity is meant


def _timestamp(text: str) -> int | None:
    if (instant := parse_time(text)) is None:
        return None
    return _in_time(instant[0] - _UNIX)


def _in_time(seconds: int) -> int:
    if not _FIRST_SECOND <= seconds <= _LAST_SECOND:
        raise ConversionError("timestamp overflow")
    return seconds


_READERS: dict[Kind, Callable[[str], bool | int | float | None]] = {
    Kind.BOOL: _bool,
    Kind.DOUBLE: _double,
    Kind.DURATION: parse_duration,
    Kind.INT: lambda text: _as_int(int(text)) if _INTEGER.fullmatch(text) and len(text) < 1000 else None,
    Kind.TIMESTAMP: _timestamp,
    Kind.UINT: lambda text: _as_uint(int(text)) if _UNSIGNED.fullmatch(text) and len(text) < 1000 else None,
}


def _checked_int(value: int) -> int:
    if _as_int(value) is None:
        raise ConversionError("integer overflow")
    return value


def _no_duration(_: int) -> int:
    """Servers before 1.37 have such a function, which never works."""
    raise ConversionError("type conversion error from 'int' to 'google.protobuf.Duration'")


def _checked_uint(value: int) -> int:
    if _as_uint(value) is None:
        raise ConversionError("unsigned integer overflow")
    return value


def _int_of_double(value: float) -> int:
    if math.isinf(value) or math.isnan(value) or not -(2.0**63) < value < 2.0**63:
        raise ConversionError("integer overflow")
    return int(value)


def _uint_of_double(value: float) -> int:
    if math.isinf(value) or math.isnan(value) or not 0 <= value < 2.0**64:
        raise ConversionError("unsigned integer overflow")
    return int(value)


def _text_of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise ConversionError("invalid UTF-8 in bytes, cannot convert to string") from None


def _text_of_double(value: float) -> str:
    """Go's `%g`."""
    if math.isinf(value) or math.isnan(value):
        return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
    number = Decimal(repr(value)).normalize()
    if number and not -4 <= number.adjusted() < 6:
        mantissa, _, exponent = f"{number:e}".partition("e")
        return f"{mantissa}e{exponent[0]}{exponent[1:].zfill(2)}"
    return f"{number:f}"


def _text_of_duration(nanoseconds: int) -> str:
    return f"{Decimal(repr(nanoseconds / 1e9)).normalize():f}s"


def _text_of_timestamp(seconds: int) -> str:
    return time_text((seconds + _UNIX, 0))


_CONVERTERS: dict[tuple[Kind, Kind], Callable[..., bool | int | float | str | bytes | None]] = {
    **{(Kind.STRING, type.kind): _from_string(type) for type in _TARGETS.values() if type.kind in _READERS},
    (Kind.STRING, Kind.BYTES): str.encode,
    (Kind.BYTES, Kind.STRING): _text_of_bytes,
    (Kind.INT, Kind.UINT): _checked_uint,
    (Kind.INT, Kind.DOUBLE): float,
    (Kind.INT, Kind.STRING): str,
    (Kind.INT, Kind.TIMESTAMP): _in_time,
    (Kind.INT, Kind.DURATION): _no_duration,
    (Kind.UINT, Kind.INT): _checked_int,
    (Kind.UINT, Kind.DOUBLE): float,
    (Kind.UINT, Kind.STRING): str,
    (Kind.DOUBLE, Kind.INT): _int_of_double,
    (Kind.DOUBLE, Kind.UINT): _uint_of_double,
    (Kind.DOUBLE, Kind.STRING): _text_of_double,
    (Kind.BOOL, Kind.STRING): lambda value: "true" if value else "false",
    (Kind.DURATION, Kind.INT): int,
    (Kind.DURATION, Kind.STRING): _text_of_duration,
    (Kind.TIMESTAMP, Kind.INT): int,
    (Kind.TIMESTAMP, Kind.STRING): _text_of_timestamp,
}
