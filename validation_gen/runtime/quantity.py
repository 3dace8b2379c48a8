"""Quantities of resources (`500m`, `1.5Gi`, `2e3`) as exact amounts.

Source of the behaviour: `ParseQuantity` in `k8s.io/apimachinery/pkg/api/resource`. It tries a fast way and then a slow
one, which differ at the edges: the fast one reads a missing number as zero (`k`, `+`), the slow one refuses it, rounds
away from zero to whole nanos and caps binary amounts. So the choice between the two is part of the behaviour.
"""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_UP, Context, Decimal

_SHAPE = re.compile(r"([+-]?)(0*)([0-9]*)(\.[0-9]*)?([eEinumkKMGTP]*[+-]?[0-9]*)")
_EXPONENT = re.compile("[eE][+-]?[0-9]+")
_DECIMAL_SUFFIXES = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}

# Blanks around a string are dropped, but only those that can stand in JSON as they are: the server looks at the raw
# text, where a tab or a line break is a backslash and a letter.
_BLANKS = " \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))

_ZERO = Decimal(0)
_NANO = Decimal("1e-9")
_CAP = Decimal(2**63 - 1)
# Traps are off and the bounds as wide as they go: amounts are exact, and no text can make the arithmetic raise.
_EXACT = Context(prec=MAX_PREC, rounding=ROUND_UP, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


def _int32(number: int) -> int:
    """`number` as Go's conversion to int32 leaves it: wrapped around."""
    return (number + 2**31) % 2**32 - 2**31


def _exponent(suffix: str) -> int | None:
    """The decimal exponent that a suffix of `e` or `E` and an integer stands for."""
    if not _EXPONENT.fullmatch(suffix):
        return None
    digits = suffix[1:].lstrip("+-").lstrip("0") or "0"
    if len(digits) > 19:
        return None
    number = -int(digits) if suffix[1] == "-" else int(digits)
    return _int32(number) if -(2**63) <= number < 2**63 else None


def parse_quantity(text: str) -> Decimal | None:
    """The amount of a quantity, `None` if `text` is none."""
    match = _SHAPE.fullmatch(text)
    if not text or not match:
        return None
    sign, zeros, whole, point_and_fraction, suffix = match.groups(default="")
    fraction = point_and_fraction[1:]
    length = len(whole or "0") + len(fraction)
    digits = zeros + whole + fraction
    unsigned = Decimal(f"{digits or '0'}e-{len(fraction)}")
    number = unsigned.copy_negate() if sign == "-" else unsigned

    bits = _BINARY_SUFFIXES.get(suffix)
    if bits is not None:
        amount = _EXACT.multiply(number, Decimal(2**bits))
        fast = not fraction and 15 - len(whole or "0") - bits * 3 // 10 - 1 >= 0
        if not digits:
            return amount if fast else None
        return _bounded(_rounded(amount))

    exponent = _DECIMAL_SUFFIXES.get(suffix)
    if exponent is None:
        exponent = _exponent(suffix)
        if exponent is None:
            return None
    scale = _int32(exponent - len(fraction))
    if length <= 18 and scale >= -9:
        return _scaled(number, len(fraction) + scale)
    if not digits:
        return None
    # The slow way negates the scale in 32 bits twice, which shows at the end of their range.
    scale = -_int32(len(fraction) + _int32(-exponent))
    return _rounded(_scaled(number, len(fraction) + scale))


def _scaled(number: Decimal, exponent: int) -> Decimal:
    return _EXACT.scaleb(number, Decimal(exponent))


def _rounded(amount: Decimal) -> Decimal:
    """`amount` in whole nanos, away from zero: who asks for something gets something."""
    exponent = amount.as_tuple().exponent
    if not amount or not isinstance(exponent, int) or exponent >= -9:
        return amount
    return _EXACT.quantize(amount, _NANO)


def _bounded(amount: Decimal) -> Decimal:
    if _EXACT.compare(_EXACT.abs(amount), _CAP) == 1:
        return _CAP.copy_sign(amount)
    return amount


def quantity_amount(value: object) -> Decimal | None:
    """The amount of a quantity in decoded JSON, where it may be a string or a number; `None` if it is none.

    A number is read from its text upstream. That text is gone here, and the shortest one of the same number taken.
    """
    if isinstance(value, str):
        return parse_quantity(value.strip(_BLANKS))
    if value is None:
        return _ZERO
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, float):
        return parse_quantity(float.__repr__(value))
    return None
