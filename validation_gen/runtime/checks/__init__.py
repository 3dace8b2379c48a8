"""The checks that generated code calls: each takes a value and gives its errors, `None` when all is well.

Values are well-typed here. A null value is nil for pointers, lists and maps, and passes every check of a value.
"""

from validation_gen.runtime.checks.lists import (
    no_nulls,
    required_item,
    unique,
)
from validation_gen.runtime.checks.options import (
    undefined_option,
)
from validation_gen.runtime.checks.presence import (
    forbidden,
    forbidden_pointer,
    required,
    required_pointer,
    unset,
    unset_pointer,
)
from validation_gen.runtime.checks.testing import (
    always_fails,
    never_fails,
)
from validation_gen.runtime.checks.unions import (
    dependent_forbidden,
    dependent_required,
    discriminated_union,
    union,
    zero_or_one_of,
)
from validation_gen.runtime.checks.updates import (
    immutable,
    monotonic,
    update_list,
    update_map,
    update_pointer,
    update_struct,
    update_value,
)
from validation_gen.runtime.checks.values import (
    KNOWN,
    enum,
    enum_with_options,
    format,
    max_bytes,
    max_items,
    max_length,
    max_properties,
    maximum,
    min_items,
    min_length,
    min_properties,
    minimum,
    not_equal,
    one_of,
)
from validation_gen.runtime.custom import run as custom

__all__ = [
    "KNOWN",
    "always_fails",
    "custom",
    "dependent_forbidden",
    "dependent_required",
    "discriminated_union",
    "enum",
    "enum_with_options",
    "forbidden",
    "forbidden_pointer",
    "format",
    "immutable",
    "max_bytes",
    "max_items",
    "max_length",
    "max_properties",
    "maximum",
    "min_items",
    "min_length",
    "min_properties",
    "minimum",
    "monotonic",
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
    "update_list",
    "update_map",
    "update_pointer",
    "update_struct",
    "update_value",
    "zero_or_one_of",
]
