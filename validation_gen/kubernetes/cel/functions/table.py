"""All implementations by the names of their overloads: those of the language, and those of libraries."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from validation_gen.kubernetes.cel import containers
from validation_gen.kubernetes.cel.containers import compare
from validation_gen.kubernetes.cel.functions import (
    authorizers,
    conversions,
    formatting,
    lists,
    network,
    numbers,
    quantities,
    semvers,
    strings,
    times,
)
from validation_gen.kubernetes.cel.functions.numbers import type_name
from validation_gen.kubernetes.cel.signatures import CLOCK_PARTS, TIMES
from validation_gen.kubernetes.cel.values import TypeValue

Operation = Callable[..., Any]

#: Classes of values with types of their own, by the names of these types.
CLASSES: dict[str, type] = {
    **network.CLASSES,
    **quantities.CLASSES,
    **semvers.CLASSES,
    **strings.CLASSES,
    **authorizers.CLASSES,
}

# --- the language -----------------------------------------------------------------------------------------------------

_TO: dict[str, tuple[Operation, str]] = {
    "bool": (conversions.to_bool, "bool string"),
    "bytes": (conversions.to_bytes, "bytes string"),
    "double": (conversions.to_double, "double int64 string uint64"),
    "duration": (conversions.to_duration, "duration int64 string"),
    "int64": (conversions.to_int, "int64 double duration string timestamp uint64"),
    "string": (conversions.to_string, "string bool bytes double duration int64 timestamp uint64"),
    "timestamp": (conversions.to_timestamp, "timestamp int64 string"),
    "uint64": (conversions.to_uint, "uint64 double int64 string"),
}
_COMPARED = (
    *("bool", "int64", "int64_double", "int64_uint64", "uint64", "uint64_double", "uint64_int64", "double"),
    *("double_int64", "double_uint64", "string", "bytes", "timestamp", "duration"),
)
_ORDERS: dict[str, Operation] = {
    "less": lambda left, right: compare(left, right) < 0,
    "less_equals": lambda left, right: compare(left, right) <= 0,
    "greater": lambda left, right: compare(left, right) > 0,
    "greater_equals": lambda left, right: compare(left, right) >= 0,
}
_COMPUTED: dict[str, Operation] = {
    "add": numbers.add,
    "subtract": numbers.subtract,
    "multiply": numbers.multiply,
    "divide": numbers.divide,
    "modulo": numbers.modulo,
    "negate": numbers.negate,
}

TABLE: dict[str, Operation] = {
    **{f"{source}_to_{target}": operation for target, (operation, names) in _TO.items() for source in names.split()},
    **{f"{order}_{of}": operation for order, operation in _ORDERS.items() for of in _COMPARED},
    **{f"{name}_{of}": operation for name, operation in _COMPUTED.items() for of in ("int64", "uint64", "double")},
    **{
        f"timestamp_to_{id}{zone}": partial(times.part_of_timestamp, name)
        for name, id in TIMES.items()
        for zone in ("", "_with_tz", "_tz")
    },
    **{f"duration_to_{TIMES[name]}": partial(times.part_of_duration, name) for name in CLOCK_PARTS},
    **dict.fromkeys(("add_duration_duration", "add_duration_timestamp", "add_timestamp_duration"), times.add),
    **dict.fromkeys(
        ("subtract_duration_duration", "subtract_timestamp_duration", "subtract_timestamp_timestamp"), times.subtract
    ),
    **dict.fromkeys((f"size_{of}" for of in ("bytes", "list", "map", "string")), len),
    **dict.fromkeys((f"{of}_size" for of in ("bytes", "list", "map", "string")), len),
    "logical_not": lambda value: not value,
    "not_strictly_false": lambda value: value is not False,
    "add_bytes": lambda left, right: left + right,
    "contains_string": lambda text, part: part in text,
    "ends_with_string": lambda text, end: text.endswith(end),
    "starts_with_string": lambda text, start: text.startswith(start),
    "string_format": formatting.format_string,
    "string_jsonpatch_escapeKey_string": lambda text: text.replace("~", "~0").replace("/", "~1"),
    "to_dyn": conversions.to_dyn,
    "type": lambda value: TypeValue(type_name(value)),
    **containers.FUNCTIONS,
    **strings.FUNCTIONS,
    **lists.FUNCTIONS,
    **network.FUNCTIONS,
    **quantities.FUNCTIONS,
    **semvers.FUNCTIONS,
    **authorizers.FUNCTIONS,
}
