"""The checks that generated code calls: each takes a value and gives its errors, `None` when all is well.

Values are well-typed here. A null value is nil for pointers, lists and maps, and passes every check of a value.
"""

from validation_gen.runtime.checks.lists import no_nulls, required_item, unique
from validation_gen.runtime.checks.options import undefined_option
from validation_gen.runtime.checks.presence import (
    forbidden,
    forbidden_pointer,
    required,
    required_pointer,
    unset,
    unset_pointer,
)
from validation_gen.runtime.checks.testing import always_fails, never_fails
from validation_gen.runtime.checks.unions import discriminated_union, union, zero_or_one_of
from validation_gen.runtime.checks.updates import immutable
from validation_gen.runtime.checks.values import enum, format, max_items, max_length, minimum, not_equal, one_of

__all__ = [
    "always_fails",
    "discriminated_union",
    "enum",
    "forbidden",
    "forbidden_pointer",
    "format",
    "immutable",
    "max_items",
    "max_length",
    "minimum",
    "never_fails",
    "no_nulls",
    "not_equal",
    "one_of",
    "required",
    "required_item",
    "required_pointer",
    "undefined_option",
    "union",
    "unique",
    "unset",
    "unset_pointer",
    "zero_or_one_of",
]
