"""Arithmetic of Go's constants on Python values.

Integers are exact, strings are strings, floats are Python's (Go's are more exact; constants of APIs do not show it). A
result that Go would refuse, or that grows without bounds, is `None`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from validation_gen.sources.model import INTEGER_KINDS

Scalar = str | int | float | bool

_MAX_BITS = 512  # the limit of Go's compiler for untyped integers
_MAX_SHIFT = 1100
_MAX_LENGTH = 1 << 20
_UNSIGNED_BITS = {"uint": 64, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "uintptr": 64}

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "&^": lambda left, right: left & ~right,
}
_FLOATS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def unary(operation: str, value: Scalar, kind: str) -> Scalar | None:
    """Returns the result of a unary operator.

    `kind` is the builtin type of the operand, `""` when it has none: `^` of unsigned types keeps within their bits.
    """
    if isinstance(value, bool):
        return not value if operation == "!" else None
    if isinstance(value, str):
        return None
    if operation == "+":
        return value
    if operation == "-":
        return -value
    if operation == "^" and isinstance(value, int):
        bits = _UNSIGNED_BITS.get(kind)
        return ~value if bits is None else ~value & ((1 << bits) - 1)
    return None


def binary(operation: str, left: Scalar | None, right: Scalar | None) -> Scalar | None:
    if left is None or right is None:
        return None
    if isinstance(left, str) or isinstance(right, str) or isinstance(left, bool) or isinstance(right, bool):
        if type(left) is not type(right):
            return None
        if operation in _COMPARISONS:
            ordered = isinstance(left, str) or operation in ("==", "!=")
            return _COMPARISONS[operation](left, right) if ordered else None
        if isinstance(left, str) and isinstance(right, str):
            return left + right if operation == "+" and len(left) + len(right) <= _MAX_LENGTH else None
        if operation == "&&":
            return left and right
        return left or right if operation == "||" else None
    if operation in _COMPARISONS:
        return _COMPARISONS[operation](left, right)
    if isinstance(left, int) and isinstance(right, int):
        return _integer(operation, left, right)
    if operation not in _FLOATS or (operation == "/" and right == 0):
        return None
    try:
        result = _FLOATS[operation](left, right)
    except OverflowError:
        return None
    return result if math.isfinite(result) else None


def _integer(operation: str, left: int, right: int) -> int | None:
    result: int | None = None
    if operation in ("<<", ">>"):
        if 0 <= right <= _MAX_SHIFT:
            result = left << right if operation == "<<" else left >> right
    elif operation in ("/", "%"):
        if right:
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)  # Go rounds towards zero
            result = quotient if operation == "/" else left - quotient * right
    elif operation in _INTEGERS:
        result = _INTEGERS[operation](left, right)
    return result if result is not None and result.bit_length() <= _MAX_BITS else None


def convert(value: Scalar, kind: str) -> Scalar | None:
    """Converts `value` to the builtin type `kind`; `None` when Go has no such conversion of constants."""
    if kind == "string":
        if isinstance(value, int) and not isinstance(value, bool):
            valid = 0 <= value <= 0x10FFFF and not 0xD800 <= value <= 0xDFFF
            return chr(value) if valid else "\ufffd"  # `string('a')` is "a"
        return value if isinstance(value, str) else None
    if kind == "bool":
        return value if isinstance(value, bool) else None
    if isinstance(value, str | bool):
        return None
    if kind in INTEGER_KINDS:
        return int(value) if isinstance(value, int) or value.is_integer() else None
    if kind in ("float32", "float64"):
        try:
            return float(value)
        except OverflowError:
            return None
    return value
