"""Quantities of resources, such as `1.5Gi`.

Sources of the behaviour: `pkg/cel/library/quantity.go` of `k8s.io/apiserver`, `pkg/api/resource` of
`k8s.io/apimachinery`, which keeps small amounts as a number and a power of ten, and all others as decimals. Only the
former have an integer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

from validation_gen.kubernetes.cel.values import INT_LEAST, INT_MOST, EvaluationError
from validation_gen.runtime.quantity import parse_quantity

_EXACT = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_SHAPE = re.compile(r"[+-]?[0-9]*(?:\.[0-9]*)?(?P<suffix>[eEinumkKMGTP]*[+-]?[0-9]*)")
_PARTS = re.compile(r"([+-]?)0*([0-9]*?)(?:\.([0-9]*))?(?:[eEinumkKMGTP].*)?")
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """An amount. Small ones are `number` times ten to the power of `scale`; others have no number."""

    amount: Decimal
    number: int | None = None
    scale: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and compared(self, other) == 0

    def __hash__(self) -> int:
        return hash(self.amount)


def quantity(text: str) -> Quantity:
    """`quantity(text)`."""
    found = parse_quantity(text)
    if found is None:
        match = _SHAPE.fullmatch(text)
        if not text or match is None:
            raise EvaluationError(_WRONG_FORMAT)
        known = match["suffix"] in _BINARY or match["suffix"] in _DECIMAL or match["suffix"][:1] in ("e", "E")
        raise EvaluationError(
            "unable to parse numeric part of quantity" if known else "unable to parse quantity's suffix"
        )
    return Quantity(found.amount, *_small(text, found.amount))


def _small(text: str, amount: Decimal) -> tuple[int | None, int]:
    """The number and the power of ten of what is small enough."""
    match = _PARTS.fullmatch(text)
    suffix = text.lstrip("+-").lstrip("0123456789.")
    if match is None:
        return None, 0
    fraction = match[3] or ""
    digits = (match[2] or "0") + fraction
    if suffix in _BINARY:
        room = 15 - len(digits) - _BINARY[suffix] * 3 // 10 - 1
        return (int(amount), 0) if not fraction and room >= 0 else (None, 0)
    exponent = _DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:])
    scale = exponent - len(fraction)
    if len(digits) > 18 or scale < -9:
        return None, 0
    return (-int(digits) if match[1] == "-" else int(digits)), scale


def of_int(number: int) -> Quantity:
    return Quantity(Decimal(number), number, 0)


def is_quantity(text: str) -> bool:
    """`isQuantity(text)`."""
    return parse_quantity(text) is not None


def sign(value: Quantity) -> int:
    return (value.amount > 0) - (value.amount < 0)


def compared(one: Quantity, other: Quantity) -> int:
    """-1, 0 or 1."""
    return int(_EXACT.compare(one.amount, other.amount))


def _integer(value: Quantity) -> int | None:
    if value.number is None or value.scale < 0:
        return None
    if value.scale > 18:
        return 0 if value.number == 0 else None
    found = value.number * 10**value.scale
    return found if INT_LEAST <= found <= INT_MOST else None


def is_integer(value: Quantity) -> bool:
    """Whether it can be had as an integer. `1000m` cannot: upstream does not look for factors."""
    return _integer(value) is not None


def as_integer(value: Quantity) -> int:
    """The quantity as an integer."""
    found = _integer(value)
    if found is None:
        raise EvaluationError("cannot convert value to integer")
    return found


def as_float(value: Quantity) -> float:
    """The quantity as a double, as upstream computes it."""
    if value.number is not None:
        number, exponent = value.number, value.scale
    else:
        sign, digits, power = value.amount.as_tuple()
        number, exponent = int("".join(map(str, digits))) * (-1 if sign else 1), int(power)
    try:
        base = float(number)
    except OverflowError:
        base = float("-inf") if number < 0 else float("inf")
    if exponent == 0:
        return base
    return base * (0.0 if exponent < -323 else float("inf") if exponent > 308 else float(f"1e{exponent}"))


def add(one: Quantity, other: Quantity | int) -> Quantity:
    """The sum, exactly."""
    return _sum(one, other if isinstance(other, Quantity) else of_int(other))


def sub(one: Quantity, other: Quantity | int) -> Quantity:
    """The difference, exactly."""
    second = other if isinstance(other, Quantity) else of_int(other)
    number = None if second.number is None else -second.number
    return _sum(one, Quantity(second.amount.copy_negate(), number, second.scale))


def _sum(one: Quantity, other: Quantity) -> Quantity:
    amount = _EXACT.add(one.amount, other.amount)
    if one.number is None or other.number is None:
        return Quantity(amount)
    if other.number == 0 or one.number == 0:
        kept = one if other.number == 0 else other
        return Quantity(amount, kept.number, kept.scale)
    scale = min(one.scale, other.scale)
    parts = [value.number * 10 ** (value.scale - scale) for value in (one, other) if value.number is not None]
    if all(INT_LEAST <= part <= INT_MOST for part in (*parts, sum(parts))):
        return Quantity(amount, sum(parts), scale)
    return Quantity(amount)
