"""Doubles in the format of the clauses `%f` and `%e`: that of American English.

Source of the behaviour: `message` and `internal/number` of `golang.org/x/text`, by which `ext/formatting.go` of cel-go
writes these two.
"""

from __future__ import annotations

import math
from decimal import Decimal

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_MOST_PRECISION = 10_000_009
_TOO_PRECISE = "%!(NOVERB)"


def fixed(number: float, precision: int) -> str:
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
