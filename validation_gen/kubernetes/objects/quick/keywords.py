"""Facts about the keywords of a schema that both fast forms need: Python source and tables."""

from __future__ import annotations

from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.values import RESOURCE

_PLAIN_KEYS = ("string", "integer", "boolean")
#: Range of the integers that Go decodes, and those of the integer formats.
WHOLE = (-(1 << 63), (1 << 63) - 1)
_RANGES = {"": WHOLE, "int64": WHOLE, "int32": (-(1 << 31), (1 << 31) - 1)}
#: Up to here every integer is exactly a float.
_EXACT = 1 << 53


def is_scalar(schema: Schema) -> bool:
    if schema.preserves or schema.embedded_resource:
        return False
    return schema.int_or_string or schema.type in ("string", "integer", "boolean", "number")


def is_key(schema: Schema) -> bool:
    """Returns whether values have one type that can be a key of items."""
    return schema.type in _PLAIN_KEYS and not schema.int_or_string


def has_limits(schema: Schema) -> bool:
    numbers = (schema.minimum, schema.maximum, schema.multiple_of, schema.max_length, schema.min_length)
    return any(limit is not None for limit in numbers)


def values_of(schema: Schema) -> frozenset[int] | None:
    """Returns the integers of an enum; None if it has other values."""
    values = [each.value for each in schema.enum]
    return frozenset(values) if all(value.__class__ is int for value in values) else None


def bounds_of(schema: Schema) -> tuple[int, int] | None:
    """Returns the least and the greatest integer; None if the schema has other keywords than limits and an enum."""
    limits = (schema.minimum, schema.maximum)
    bounds = _RANGES.get(RESOURCE.format(schema))
    if bounds is None or schema.multiple_of is not None:
        return None
    low, high = bounds
    for limit in limits:
        if limit is not None and not (limit == int(limit) and abs(limit) < _EXACT and low <= limit <= high):
            return None
    if schema.minimum is not None:
        low = max(low, int(schema.minimum) + schema.exclusive_minimum)
    if schema.maximum is not None:
        high = min(high, int(schema.maximum) - schema.exclusive_maximum)
    return low, high


def has_combinations(schema: Schema) -> bool:
    return bool(schema.all_of or schema.any_of or schema.one_of or schema.not_ is not None)


def is_plain_int_or_string(schema: Schema) -> bool:
    """Returns whether all combinations of a schema only repeat `x-kubernetes-int-or-string`."""
    if not schema.int_or_string or schema.all_of or schema.one_of or schema.not_:
        return False
    wanted = [part.type for part in schema.any_of]
    return wanted == ["integer", "string"] and not any(map(is_judged, schema.any_of))


def has_numbers(schema: Schema) -> bool:
    """Returns whether there can be floats in a normalized object."""
    below = (schema.item, schema.additional, *schema.properties.values())
    return schema.type == "number" or any(has_numbers(part) for part in below if part is not None)


def is_judged(schema: Schema | None) -> bool:
    """Returns whether a schema has validations besides a type."""
    if schema is None:
        return False
    plain = Schema(
        type=schema.type,
        description=schema.description,
        title=schema.title,
        preserve_unknown_fields=schema.preserve_unknown_fields,
        empty=schema.empty,
    )
    return schema != plain


def describes_parts(schema: Schema) -> bool:
    """Returns whether a schema of arbitrary values has other keywords than `nullable`."""
    if schema.properties or schema.additional_properties is not None or schema.items is not None:
        return True
    if schema.embedded_resource:
        return True
    return is_judged(schema) and schema != Schema(
        description=schema.description, preserve_unknown_fields=True, nullable=schema.nullable
    )
