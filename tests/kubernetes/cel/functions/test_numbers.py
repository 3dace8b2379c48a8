"""Arithmetic of 64 bits: what overflows, what is divided by zero, and how quotients are rounded."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel.functions import numbers
from validation_gen.kubernetes.cel.values import INT_LEAST, INT_MOST, UINT_MOST, EvaluationError, Uint

Number = int | float
Operation = Callable[[Number, Number], Number]


@each(
    ("operation", "left", "right", "result"),
    [
        (numbers.add, 4, -3, 1),
        (numbers.add, INT_MOST, -1, INT_MOST - 1),
        (numbers.add, Uint(4), Uint(3), Uint(7)),
        (numbers.add, 4.0, -3.5, 0.5),
        (numbers.subtract, 4, -3, 7),
        (numbers.subtract, INT_LEAST, -1, INT_LEAST + 1),
        (numbers.subtract, Uint(4), Uint(3), Uint(1)),
        (numbers.subtract, 4.0, -3.5, 7.5),
        (numbers.multiply, 2, -2, -4),
        (numbers.multiply, INT_LEAST, 1, INT_LEAST),
        (numbers.multiply, Uint(2), Uint(2), Uint(4)),
        (numbers.multiply, 2.0, -2.5, -5.0),
        (numbers.multiply, 1e308, 10.0, math.inf),
        (numbers.divide, 3, 2, 1),
        (numbers.divide, -3, 2, -1),
        (numbers.divide, 3, -2, -1),
        (numbers.divide, -3, -2, 1),
        (numbers.divide, INT_LEAST, 1, INT_LEAST),
        (numbers.divide, Uint(7), Uint(2), Uint(3)),
        (numbers.divide, Uint(UINT_MOST), Uint(1), Uint(UINT_MOST)),
        (numbers.divide, 3.0, 2.0, 1.5),
        (numbers.divide, 1.0, 0.0, math.inf),
        (numbers.divide, 1.0, -0.0, -math.inf),
        (numbers.divide, -1.0, 0.0, -math.inf),
        (numbers.divide, math.inf, 0.0, math.inf),
        (numbers.modulo, 21, 2, 1),
        (numbers.modulo, -21, 2, -1),
        (numbers.modulo, 21, -2, 1),
        (numbers.modulo, -21, -2, -1),
        (numbers.modulo, Uint(21), Uint(2), Uint(1)),
    ],
)
def test_a_result_has_the_type_of_its_numbers(
    operation: Operation, left: Number, right: Number, result: Number
) -> None:
    found = operation(left, right)
    assert found == result
    assert type(found) is type(result)


@each(
    ("operation", "left", "right", "message"),
    [
        (numbers.add, INT_MOST, 1, "integer overflow"),
        (numbers.add, INT_LEAST, -1, "integer overflow"),
        (numbers.add, Uint(UINT_MOST), Uint(1), "unsigned integer overflow"),
        (numbers.subtract, INT_MOST, -1, "integer overflow"),
        (numbers.subtract, INT_LEAST, 1, "integer overflow"),
        (numbers.subtract, Uint(0), Uint(1), "unsigned integer overflow"),
        (numbers.multiply, INT_LEAST, -1, "integer overflow"),
        (numbers.multiply, INT_MOST, 2, "integer overflow"),
        (numbers.multiply, Uint(UINT_MOST), Uint(2), "unsigned integer overflow"),
        (numbers.divide, INT_LEAST, -1, "integer overflow"),
        (numbers.divide, 1, 0, "division by zero"),
        (numbers.divide, Uint(1), Uint(0), "division by zero"),
        (numbers.modulo, INT_LEAST, -1, "integer overflow"),
        (numbers.modulo, 1, 0, "modulus by zero"),
        (numbers.modulo, Uint(1), Uint(0), "modulus by zero"),
    ],
)
def test_what_does_not_fit_is_an_error(operation: Operation, left: Number, right: Number, message: str) -> None:
    with pytest.raises(EvaluationError) as error:
        operation(left, right)
    assert error.value.message == message


@pytest.mark.parametrize(("left", "right"), [(0.0, 0.0), (-0.0, 0.0), (math.nan, 0.0), (math.inf, math.inf)])
def test_a_quotient_of_doubles_may_be_no_number(left: float, right: float) -> None:
    assert math.isnan(numbers.divide(left, right))


def test_the_opposite() -> None:
    assert numbers.negate(42) == -42
    assert numbers.negate(-INT_MOST) == INT_MOST
    assert math.copysign(1, numbers.negate(0.0)) == -1
    with pytest.raises(EvaluationError, match=r"^integer overflow$"):
        numbers.negate(INT_LEAST)
