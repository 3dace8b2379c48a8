"""Quantities of resources (`500m`, `1.5Gi`, `2e3`) as exact amounts, and as Go writes them again.

Source of the behaviour: `ParseQuantity` and `Quantity.MarshalJSON` in `k8s.io/apimachinery/pkg/api/resource`. The first
tries a fast way and then a slow one, which differ at the edges: the fast one reads a missing number as zero (`k`, `+`),
the slow one refuses it, rounds away from zero to whole nanos and caps binary amounts. So the choice between the two is
part of the behaviour. The fast one also keeps the text of some quantities, which is then written as it was read.

From Kubernetes 1.38 on quantities are `exact`: no text loses the magnitude of an amount, the fast way takes all amounts
of 64 bits, and an exponent of -2^31, after the conversion to 32 bits, is refused.
"""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_UP, Context, Decimal
from typing import NamedTuple

# Digits that could be of several parts would be shared out in every way before a text is refused, which takes forever
# for long ones. So each part has to end where its characters do.
_SHAPE = re.compile(r"([+-]?)(0*)(?!0)([0-9]*)(?![0-9])(\.[0-9]*(?![0-9]))?([eEinumkKMGTP]*[+-]?[0-9]*)")
_EXPONENT = re.compile("[eE][+-]?[0-9]+")
_DECIMAL_SUFFIXES = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}

# Blanks around a string are dropped, but only those that can stand in JSON as they are: the server looks at the raw
# text, where a tab or a line break is a backslash and a letter.
_BLANKS = " \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))

_DECIMAL_NAMES = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_NAMES = {bits: suffix for suffix, bits in _BINARY_SUFFIXES.items()}

_ZERO = Decimal(0)
_LONG = 10**1000  # Python refuses to write out much longer numbers
_NANO = Decimal("1e-9")
_CAP = Decimal(2**63 - 1)
# Traps are off and the bounds as wide as they go: amounts are exact, and no text can make the arithmetic raise.
_EXACT = Context(prec=MAX_PREC, rounding=ROUND_UP, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


def _int32(number: int) -> int:
    """Returns `number` after Go's conversion to int32: wrapped around."""
    return (number + 2**31) % 2**32 - 2**31


def _exponent(suffix: str) -> int | None:
    """Returns the decimal exponent of a suffix of `e` or `E` and an integer."""
    if not _EXPONENT.fullmatch(suffix):
        return None
    digits = suffix[1:].lstrip("+-").lstrip("0") or "0"
    if len(digits) > 19:
        return None
    number = -int(digits) if suffix[1] == "-" else int(digits)
    return _int32(number) if -(2**63) <= number < 2**63 else None


class Quantity(NamedTuple):
    """An amount and how it is written.

    `suffixes` is the notation of multiples: `"Mi"`, `"M"` or `"e6"`. `text` is the source text of a quantity that is
    written unchanged, `""` if it is written in the canonical form. `exact`: as Kubernetes 1.38 writes it.
    """

    amount: Decimal
    suffixes: str
    text: str = ""
    exact: bool = False


def parse_quantity(text: str, *, exact: bool = False) -> Quantity | None:
    """Parses a quantity, `None` if it is malformed; `exact` as Kubernetes 1.38 does."""
    match = _SHAPE.fullmatch(text)
    if not text or not match:
        return None
    sign, zeros, whole, point_and_fraction, suffix = match.groups(default="")
    fraction = point_and_fraction[1:]
    shifted = (whole or "0") + fraction
    digits = zeros + whole + fraction
    unsigned = Decimal(f"{digits or '0'}e-{len(fraction)}")
    number = unsigned.copy_negate() if sign == "-" else unsigned

    bits = _BINARY_SUFFIXES.get(suffix)
    if bits is not None:
        amount = _EXACT.multiply(number, Decimal(2**bits))
        if not fraction and 15 - len(shifted) - bits * 3 // 10 - 1 >= 0:
            return Quantity(amount, "Mi", text if int(shifted) % 8 else "", exact)
        return Quantity(_bounded(_rounded(amount)), "Mi", "", exact) if digits else None

    names = "M"
    exponent = _DECIMAL_SUFFIXES.get(suffix)
    if exponent is None:
        names = "e6"
        exponent = _exponent(suffix)
        if exponent is None or (exact and exponent == -(2**31)):
            return None
    scale = _int32(exponent - len(fraction))
    if fits_int64(shifted, exact=exact) and scale >= -9:
        canonical = scale % 3 == 0 and not shifted.endswith("000") and shifted[0] != "0"
        return Quantity(_scaled(number, len(fraction) + scale), names, text if canonical else "", exact)
    if not digits:
        return None
    # The slow way negates the scale in 32 bits twice, which shows at the end of their range.
    scale = -_int32(len(fraction) + _int32(-exponent))
    return Quantity(_rounded(_scaled(number, len(fraction) + scale)), names, "", exact)


def fits_int64(digits: str, *, exact: bool) -> bool:
    """Returns whether Go's fast form can hold a number with these digits (without leading zeros)."""
    return len(digits) <= 18 or (exact and len(digits) == 19 and int(digits) < 2**63)


def _scaled(number: Decimal, exponent: int) -> Decimal:
    return _EXACT.scaleb(number, Decimal(exponent))


def _rounded(amount: Decimal) -> Decimal:
    """Rounds `amount` to whole nanos, away from zero, so that no positive amount becomes zero."""
    exponent = amount.as_tuple().exponent
    if not amount or not isinstance(exponent, int) or exponent >= -9:
        return amount
    return _EXACT.quantize(amount, _NANO)


def _bounded(amount: Decimal) -> Decimal:
    if _EXACT.compare(_EXACT.abs(amount), _CAP) == 1:
        return _CAP.copy_sign(amount)
    return amount


def read_quantity(value: object, *, exact: bool = False) -> Quantity | None:
    """Returns a quantity from decoded JSON, where it may be a string or a number; `None` if it is malformed.

    Upstream reads a number from its text. That text is gone here, and the shortest one of the same number is used.
    """
    if isinstance(value, str):
        return parse_quantity(value.strip(_BLANKS), exact=exact)
    if value is None:
        return Quantity(_ZERO, "M", "", exact)
    if isinstance(value, int) and not isinstance(value, bool):
        is_long = abs(value) >= _LONG
        return Quantity(Decimal(value), "M", "", exact) if is_long else parse_quantity(str(value), exact=exact)
    if isinstance(value, float):
        return parse_quantity(float.__repr__(value), exact=exact)
    return None


def quantity_text(quantity: Quantity) -> str:
    """Returns the text that Go writes for a quantity."""
    amount, suffixes, text, exact = quantity
    if not amount:
        return "0"
    if text:
        return text
    if suffixes == "Mi" and abs(amount) >= 1024 and amount == amount.to_integral_value(context=_EXACT):
        mantissa, exponent = _without_factors(int(amount), 1024)
        name = _BINARY_NAMES.get(exponent * 10, "")
        if name or not exponent or not exact:
            return f"{mantissa}{name}"
        suffixes = "e6"
    number, _, power = f"{amount.normalize(_EXACT):E}".replace(".", "").partition("E")
    exponent = int(power) - len(number.lstrip("-")) + 1
    number += "0" * (exponent % 3)
    exponent -= exponent % 3
    if suffixes == "e6" or (exact and exponent not in _DECIMAL_NAMES):
        return f"{number}e{exponent}" if exponent else number
    return f"{number}{_DECIMAL_NAMES.get(exponent, '')}"  # Go drops it beyond the greatest suffix


def _without_factors(number: int, factor: int) -> tuple[int, int]:
    """Returns a number without all factors of one kind, and their count."""
    times = 0
    while number % factor == 0:
        number, times = number // factor, times + 1
    return number, times
