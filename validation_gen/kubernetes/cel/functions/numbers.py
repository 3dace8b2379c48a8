"""Arithmetic of numbers, with the limits of 64 bits and the texts of cel-go, and the names of runtime types for errors.

Source of the behaviour: `common/types/overflow.go` of cel-go. Both numbers have one type: CEL does not mix types, and
the caller checks them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from validation_gen.kubernetes.cel.values import (
    INT_LEAST,
    INT_MOST,
    UINT_MOST,
    Duration,
    EvaluationError,
    Optional,
    Timestamp,
    TypeValue,
    Uint,
)

Number = int | float
Operator = Callable[[Any, Any], Any]


def int_result(number: int) -> int:
    """Returns the number, which must fit into 64 bits with a sign."""
    if not INT_LEAST <= number <= INT_MOST:
        raise EvaluationError("integer overflow")
    return number


def uint_result(number: int) -> Uint:
    """Returns the number, which must fit into 64 bits without a sign."""
    if not 0 <= number <= UINT_MOST:
        raise EvaluationError("unsigned integer overflow")
    return Uint(number)


def _arithmetic(integers: Operator, doubles: Operator | None = None) -> Callable[[Number, Number], Number]:
    """Returns an operation on two numbers of one type."""

    def compute(left: Number, right: Number) -> Number:
        if isinstance(left, float) or isinstance(right, float):
            return float((doubles or integers)(float(left), float(right)))
        number = integers(int(left), int(right))
        return uint_result(number) if isinstance(left, Uint) else int_result(number)

    return compute


def _quotient(left: int, right: int) -> int:
    if right == 0:
        raise EvaluationError("division by zero")
    # Python rounds down, Go towards zero.
    return _signed(abs(left) // abs(right), (left < 0) != (right < 0))


def _double_quotient(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _signed(number: int, negative: bool) -> int:
    return -number if negative else number


add = _arithmetic(operator.add)
subtract = _arithmetic(operator.sub)
multiply = _arithmetic(operator.mul)
#: The quotient without its fraction; that of doubles never fails.
divide = _arithmetic(_quotient, _double_quotient)


def modulo(left: int, right: int) -> int:
    """Returns the remainder, with the sign of the dividend."""
    if right == 0:
        raise EvaluationError("modulus by zero")
    if left == INT_LEAST and right == -1:
        raise EvaluationError("integer overflow")
    rest = abs(int(left)) % abs(int(right))
    return Uint(rest) if isinstance(left, Uint) else _signed(rest, left < 0)


def negate(number: int | float) -> int | float:
    """Returns the negative of an int or a double; uints have none."""
    return -number if isinstance(number, float) else int_result(-number)


#: The first class that fits decides: each `bool` and each `Uint` is an `int` too, and each text is a sequence.
_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "bool"),
    (Uint, "uint"),
    (int, "int"),
    (float, "double"),
    (str, "string"),
    (bytes, "bytes"),
    (type(None), "null_type"),
    (Timestamp, "google.protobuf.Timestamp"),
    (Duration, "google.protobuf.Duration"),
    (Optional, "optional_type"),
    (TypeValue, "type"),
    (Sequence, "list"),
    (Mapping, "map"),
)


def type_name(value: object) -> str:
    """Returns the name of a value's type. Other classes define it in an attribute `type_name`."""
    name = getattr(value, "type_name", None) or next((name for kind, name in _NAMES if isinstance(value, kind)), None)
    return name or type(value).__name__
