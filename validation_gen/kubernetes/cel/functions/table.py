"""All implementations by the names of their overloads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from validation_gen.kubernetes.cel import containers
from validation_gen.kubernetes.cel.containers import compared
from validation_gen.kubernetes.cel.equality import equal
from validation_gen.kubernetes.cel.functions import numbers, times
from validation_gen.kubernetes.cel.functions.libraries import CLASSES, LIBRARIES
from validation_gen.kubernetes.cel.values import ABSENT, Optional

Operation = Callable[..., Any]

__all__ = ["CLASSES", "TABLE"]

TABLE: dict[str, Operation] = {}


def _add(*names: str) -> Callable[[Operation], Operation]:
    def add(operation: Operation) -> Operation:
        TABLE.update(dict.fromkeys(names, operation))
        return operation

    return add


def _same(value: Any) -> Any:
    return value


_NUMERIC = ("int64", "uint64", "double")
_COMPARED = (
    *("bool", "int64", "int64_double", "int64_uint64", "uint64", "uint64_double", "uint64_int64", "double"),
    *("double_int64", "double_uint64", "string", "bytes", "timestamp", "duration"),
)
_ORDERS: dict[str, Operation] = {
    "less": lambda left, right: compared(left, right) < 0,
    "less_equals": lambda left, right: compared(left, right) <= 0,
    "greater": lambda left, right: compared(left, right) > 0,
    "greater_equals": lambda left, right: compared(left, right) >= 0,
}
for _name, _operation in _ORDERS.items():
    _add(*(f"{_name}_{of}" for of in _COMPARED))(_operation)

_COMPUTED: dict[str, Operation] = {
    "add": numbers.add,
    "subtract": numbers.subtract,
    "multiply": numbers.multiply,
    "divide": numbers.divide,
    "modulo": numbers.modulo,
    "negate": numbers.negate,
}
for _name, _operation in _COMPUTED.items():
    _add(*(f"{_name}_{of}" for of in _NUMERIC))(_operation)

TABLE |= {
    "equals": equal,
    "not_equals": containers.not_equal,
    "logical_not": lambda value: not value,
    "not_strictly_false": lambda value: value is not False,
    "add_bytes": lambda left, right: left + right,
    "add_list": containers.joined,
    **dict.fromkeys(("add_duration_duration", "add_duration_timestamp", "add_timestamp_duration"), times.add),
    **dict.fromkeys(
        ("subtract_duration_duration", "subtract_timestamp_duration", "subtract_timestamp_timestamp"), times.subtract
    ),
    "in_list": containers.in_list,
    "in_map": containers.in_map,
    **dict.fromkeys((f"size_{of}" for of in ("bytes", "list", "map", "string")), len),
    **dict.fromkeys((f"{of}_size" for of in ("bytes", "list", "map", "string")), len),
    "contains_string": lambda text, part: part in text,
    "ends_with_string": lambda text, end: text.endswith(end),
    "starts_with_string": lambda text, start: text.startswith(start),
    "to_dyn": _same,
    "optional_of": lambda value: Optional(True, value),
    "optional_ofNonZeroValue": containers.of_non_zero,
    "optional_none": lambda: ABSENT,
    "optional_value": containers.held,
    "optional_hasValue": lambda optional: optional.present,
    "optional_or_optional": containers.either,
    "optional_orValue_value": containers.or_value,
    "optional_unwrap": containers.unwrapped,
    "optional_unwrapOpt": containers.unwrapped,
    "list_last": containers.last,
    "list_first": containers.first,
    "@mapInsert_map_key_value": containers.inserted,
    "@mapInsert_map_map": containers.merged,
    "string_jsonpatch_escapeKey_string": lambda text: text.replace("~", "~0").replace("/", "~1"),
}

TABLE |= LIBRARIES
