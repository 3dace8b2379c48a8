"""`quantity(...)` and its methods, as in `resource.Quantity`.

Upstream has two forms of an amount: a number of 64 bits and a power of ten, or one without bounds. The form is visible:
only the first can become an integer, and only if its power is not negative, so `1.0` cannot.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from functools import partial, total_ordering
from typing import ClassVar

from validation_gen.kubernetes.cel.functions import accepts, compare
from validation_gen.kubernetes.cel.values import INT_LEAST, INT_MOST, EvaluationError
from validation_gen.runtime import quantity as runtime

_SHAPE = re.compile(r"[+-]?0*(?!0)([0-9]*)(?![0-9])(?:\.([0-9]*)(?![0-9]))?([eEinumkKMGTP]*[+-]?[0-9]*)")
_SUFFIX = re.compile(r"|[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+")
_WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_WRONG_NUMBER = "unable to parse numeric part of quantity"
_WRONG_SUFFIX = "unable to parse quantity's suffix"
_CAP = Decimal(INT_MOST)
#: Greatest distance of the magnitudes of two summands, in digits.
_MOST_DIGITS = 100_000
_EXACT = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """An amount. Two are equal if their amounts are, however they are written.

    `suffixes` is the notation of multiples (`"Mi"`, `"M"`, `"e6"`), `text` the source text if that is canonical. The
    exponent of the amount is the power of ten that upstream keeps. `is_sum` marks the results of `add` and `sub`, which
    are not `==` to any other value: upstream compares them as pointers. `exact`: as Kubernetes 1.38 writes it.
    """

    type_name: ClassVar[str] = "kubernetes.Quantity"
    amount: Decimal
    suffixes: str = field(default="M")
    text: str = field(default="")
    is_small: bool = field(default=True)
    is_sum: bool = field(default=False)
    exact: bool = field(default=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.amount == other.amount

    def __lt__(self, other: Quantity) -> bool:
        return self.amount < other.amount

    def __hash__(self) -> int:
        return hash(self.amount)

    def __str__(self) -> str:
        return runtime.quantity_text(runtime.Quantity(self.amount, self.suffixes, self.text, self.exact))

    @property
    def power(self) -> int:
        return _power(self.amount)


def _power(amount: Decimal) -> int:
    exponent = amount.as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def _whole(amount: Decimal) -> int:
    """Returns the digits of the amount without its power of ten."""
    return int(_EXACT.scaleb(amount, -_power(amount)))


# --- reading ----------------------------------------------------------------------------------------------------------


def quantity(text: str, *, exact: bool = False) -> Quantity:
    """Parses a quantity; `exact` as servers do from 1.38 on."""
    match = _SHAPE.fullmatch(text)
    if not text or match is None:
        raise EvaluationError(_WRONG_FORMAT)
    whole, fraction, suffix = match.groups(default="")
    read = runtime.parse_quantity(text, exact=exact)
    if read is None:
        if exact and runtime.parse_quantity(text) is not None:
            raise EvaluationError(_WRONG_SUFFIX)
        raise EvaluationError(_WRONG_NUMBER if _SUFFIX.fullmatch(suffix) and _is_int64(suffix) else _WRONG_SUFFIX)
    amount, suffixes, written, _ = read
    digits = (len(whole) or 1) + len(fraction)
    if suffixes == "Mi":
        bits = 10 * ("KMGTPE".index(suffix[0]) + 1)
        is_small = not fraction and 15 - digits - bits * 3 // 10 - 1 >= 0
    else:
        is_small = runtime.fits_int64((whole or "0") + fraction, exact=exact) and _power(amount) >= -9
    if is_small:
        return Quantity(amount, suffixes, written, exact=exact)
    if suffixes == "Mi" and 0 < abs(amount) < 1:
        suffixes = "M"
    return Quantity(_in_nanos(amount, suffixes), suffixes, "", is_small=False, exact=exact)


def _is_int64(suffix: str) -> bool:
    """Returns whether an exponent, if the suffix is one, fits."""
    digits = suffix[1:].lstrip("+-").lstrip("0")
    return suffix[:1] not in ("e", "E") or len(digits) < 19 or (len(digits) == 19 and int(digits) <= INT_MOST)


def _in_nanos(amount: Decimal, suffixes: str) -> Decimal:
    """Returns the amount with the power of ten that upstream gives to a rounded one."""
    is_capped = suffixes == "Mi" and abs(amount) == _CAP
    if not amount or is_capped or amount.adjusted() > _MOST_DIGITS:
        return amount
    return _EXACT.quantize(amount, Decimal("1e-9"))


# --- numbers ----------------------------------------------------------------------------------------------------------


def _integer(value: Quantity) -> int | None:
    if not value.is_small or value.power < 0:
        return None
    if value.amount.adjusted() > 20:
        return None if value.amount else 0
    number = int(value.amount)
    return number if INT_LEAST <= number <= INT_MOST else None


def as_integer(value: Quantity) -> int:
    number = _integer(value)
    if number is None:
        raise EvaluationError("cannot convert value to integer")
    return number


def as_approximate_float(value: Quantity) -> float:
    """Computes the float as upstream does: the digits as a float, times the power of ten as one."""
    if value.exact and not value.amount:
        return 0.0
    try:
        base = float(_whole(value.amount))
    except OverflowError:
        base = math.inf if value.amount > 0 else -math.inf
    return base * _power_of_ten(value.power) if value.power else base


def _power_of_ten(power: int) -> float:
    """Returns the result of Go's `math.Pow10`, which may not be the nearest float."""
    if power > 308:
        return math.inf
    if power < -323:
        return 0.0
    large, small = divmod(abs(power), 32)
    if power < 0:
        return float(f"1e-{32 * large}") / float(f"1e{small}")
    return float(f"1e{32 * large}") * float(f"1e{small}")


# --- calculating ------------------------------------------------------------------------------------------------------


def add(left: Quantity, right: Quantity | int) -> Quantity:
    return _sum(left, _as_quantity(right))


def sub(left: Quantity, right: Quantity | int) -> Quantity:
    other = _as_quantity(right)
    return _sum(left, replace(other, amount=other.amount.copy_negate(), text=""))


def _as_quantity(value: Quantity | int) -> Quantity:
    return value if isinstance(value, Quantity) else Quantity(Decimal(value), "e6")


def _sum(left: Quantity, right: Quantity) -> Quantity:
    suffixes = left.suffixes if left.amount else right.suffixes
    if left.is_small and right.is_small:
        if not right.amount:
            return Quantity(left.amount, suffixes, is_sum=True, exact=left.exact)
        if not left.amount:
            return Quantity(right.amount, suffixes, is_sum=True, exact=left.exact)
    powers = left.power, right.power
    if max(left.amount.adjusted(), right.amount.adjusted()) - min(powers) > _MOST_DIGITS:
        raise EvaluationError("quantities are too far apart to be added")
    amount = _EXACT.add(left.amount, right.amount)
    addends = (_EXACT.quantize(value.amount, Decimal((0, (1,), min(powers)))) for value in (left, right))
    is_small = left.is_small and right.is_small and all(_fits(addend) for addend in (*addends, amount))
    return Quantity(amount, suffixes, "", is_small, is_sum=True, exact=left.exact)


def _fits(amount: Decimal) -> bool:
    return INT_LEAST <= _whole(amount) <= INT_MOST


_exact = partial(quantity, exact=True)
CLASSES: dict[str, type] = {Quantity.type_name: Quantity}
FUNCTIONS: dict[str, Callable[..., object]] = {
    "string_to_quantity": quantity,
    "is_quantity_string": accepts(quantity),
    "string_to_exact_quantity": _exact,
    "is_exact_quantity_string": accepts(_exact),
    "quantity_sign": lambda value: compare(value.amount, 0),
    "quantity_is_greater_than": operator.gt,
    "quantity_is_less_than": operator.lt,
    "quantity_compare_to": compare,
    "quantity_get_float": as_approximate_float,
    "quantity_get_int": as_integer,
    "quantity_is_integer": lambda value: _integer(value) is not None,
    "quantity_add": add,
    "quantity_add_int": add,
    "quantity_sub": sub,
    "quantity_sub_int": sub,
}
