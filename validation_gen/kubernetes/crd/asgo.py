"""Go's view of decoded JSON: maps in the order of their keys, and the numbers that its decoder makes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

#: Least absolute value of floats that Go writes with an exponent.
_EXPONENTS = 1e21


def as_decoded(value: Any) -> Any:
    """Returns a value as Go decodes it: keys are in order, and integers of more than 64 bits are floats."""
    if isinstance(value, dict):
        return {key: as_decoded(item) for key, item in sorted(value.items())}
    if isinstance(value, list):
        return [as_decoded(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return float(value)
    return value


def as_written(value: Any) -> Any:
    """Returns a copy of a value as Go writes it and reads it again: 1.0 is 1, and floats have the digits they need."""
    if isinstance(value, dict):
        return {key: as_written(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_written(item) for item in value]
    if type(value) is float and value.is_integer() and abs(value) < _EXPONENTS:
        return int(Decimal(repr(value)))
    return value
