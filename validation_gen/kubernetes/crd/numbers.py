"""Limits of numbers, compared as Go does: integers as integers, even if the limit loses precision."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from decimal import Decimal

from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.verdict import Violation, Where, invalid, unnamed
from validation_gen.runtime.errors import ErrorType
from validation_gen.runtime.gotext import render_bad_value

_MAX_WHOLE = float(2**53 - 1)
_EPSILON = 1e-9
Number = int | float


def is_whole(value: float) -> bool:
    """Returns whether a float counts as an integer, which it also does if it is close to one."""
    if math.isnan(value) or abs(value) > _MAX_WHOLE:
        return False
    if value.is_integer():
        return True
    near = math.trunc(value) % 2**64
    if not near:
        return False
    difference = abs(value - near)
    return difference / (abs(value) + near) < _EPSILON


def number_violations(schema: Schema, type: str, format: str, value: Number, where: Where) -> Iterator[Violation]:
    """Yields the violations of a number. `type` is empty where a schema has not exactly one type."""
    ranged = type if type in ("integer", "number") else ""
    if (violation := _range(value, ranged, format, "Checked", where)) is not None:
        yield violation
    for limit, prefix, check in (
        (schema.multiple_of, "MultipleOf", _multiple),
        (schema.minimum, "Minimum boundary", _above if schema.exclusive_minimum else _at_least),
        (schema.maximum, "Maximum boundary", _below if schema.exclusive_maximum else _at_most),
    ):
        if limit is None:
            continue
        violation = _range(float(limit), ranged, format, prefix, where)
        if violation is not None:
            yield violation
        native = isinstance(value, int) and violation is None
        found = check(value if native else float(value), _as_int(limit) if native else float(limit), where)
        if found is not None:
            yield found


def _range(value: Number, type: str, format: str, prefix: str, where: Where) -> Violation | None:
    """Checks that a value, or a limit, is in the range of its type and format.

    Of floats the digits count that Go writes.
    """
    if type == "integer":
        bits = 31 if format == "int32" else 63
        shown = int(Decimal(repr(value))) if isinstance(value, float) and value.is_integer() else value
        fits = isinstance(shown, int) and -(2**bits) <= shown < 2**bits
        known = format if format in ("int32", "int64") else ""
    elif type == "number" and format == "float":
        fits, known = _fits_float32(float(value)), format
    else:
        return None
    if fits:
        return None
    suffix = f"with format {known}" if known else "(default format)"
    return unnamed(f"{prefix} value must be of type {type} {suffix} in {where.name}")


def _fits_float32(value: float) -> bool:
    try:
        struct.pack("<f", value)
    except OverflowError:
        return False
    return True


def _as_int(limit: Number) -> int:
    return max(min(math.trunc(limit), 2**63 - 1), -(2**63))


def _shown(value: Number) -> str:
    return render_bad_value(value, json_string=False)


def _multiple(value: Number, factor: Number, where: Where) -> Violation | None:
    if factor <= 0:
        text = f"factor MultipleOf declared for {where.name} must be positive: {_shown(factor)}"
        return Violation(ErrorType.INVALID, where, text, factor)
    if isinstance(value, int):
        whole = value % factor == 0
    else:
        whole = is_whole(1 / factor * value if factor < 1 else value / factor)
    return None if whole else invalid(where, f"should be a multiple of {_shown(factor)}", value)


def _above(value: Number, limit: Number, where: Where) -> Violation | None:
    return None if value > limit else invalid(where, f"should be greater than {_shown(limit)}", value)


def _at_least(value: Number, limit: Number, where: Where) -> Violation | None:
    return None if value >= limit else invalid(where, f"should be greater than or equal to {_shown(limit)}", value)


def _below(value: Number, limit: Number, where: Where) -> Violation | None:
    return None if value < limit else invalid(where, f"should be less than {_shown(limit)}", value)


def _at_most(value: Number, limit: Number, where: Where) -> Violation | None:
    return None if value <= limit else invalid(where, f"should be less than or equal to {_shown(limit)}", value)
