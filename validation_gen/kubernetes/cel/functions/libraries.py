"""The functions of libraries by the names of their overloads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from validation_gen.kubernetes.cel.containers import compared
from validation_gen.kubernetes.cel.equality import equal
from validation_gen.kubernetes.cel.functions import conversions, formatting, lists, numbers, sets, strings, times
from validation_gen.kubernetes.cel.values import Duration, EvaluationError, TypeValue, Uint
from validation_gen.kubernetes.goregex import GoRegexError, compiled
from validation_gen.kubernetes.cel.functions.kinds import type_name

Operation = Callable[..., Any]
CLASSES: dict[str, type] = {}

_PARTS = {
    "getFullYear": "year",
    "getMonth": "month",
    "getDayOfYear": "day_of_year",
    "getDayOfMonth": "day_of_month",
    "getDate": "day_of_month_1_based",
    "getDayOfWeek": "day_of_week",
    "getHours": "hours",
    "getMinutes": "minutes",
    "getSeconds": "seconds",
    "getMilliseconds": "milliseconds",
}

def matches(text: str, pattern: str) -> bool:
    try:
        found = compiled(pattern).matches(text)
    except GoRegexError as error:
        raise EvaluationError(str(error)) from None
    if found is None:
        raise EvaluationError("the pattern is too large to be run here")
    return found

_TO: dict[str, tuple[Operation, tuple[str, ...]]] = {
    "bool": (conversions.to_bool, ("bool", "string")),
    "bytes": (conversions.to_bytes, ("bytes", "string")),
    "double": (conversions.to_double, ("double", "int64", "string", "uint64")),
    "duration": (conversions.to_duration, ("duration", "int64", "string")),
    "int64": (conversions.to_int, ("int64", "double", "duration", "string", "timestamp", "uint64")),
    "string": (
        conversions.to_string,
        ("string", "bool", "bytes", "double", "duration", "int64", "timestamp", "uint64"),
    ),
    "timestamp": (conversions.to_timestamp, ("timestamp", "int64", "string")),
    "uint64": (conversions.to_uint, ("uint64", "double", "int64", "string")),
}

_ORDERED = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
#: Where the sum of nothing begins.
_ZEROS = {"int": 0, "uint": Uint(0), "double": 0.0, "duration": Duration(0)}
_SORTED = ("int", "uint", "double", "bool", "google.protobuf.Duration", "google.protobuf.Timestamp", "string", "bytes")


def _same(left: Any, right: Any) -> bool:
    return equal(left, right) is True


def _added(left: Any, right: Any) -> Any:
    return times.add(left, right) if isinstance(left, Duration) else numbers.add(left, right)


def _sound(items: Any) -> Any:
    """A list, unless an item is none of its schema's type."""
    for item in items:
        if isinstance(item, EvaluationError):
            raise item
    return items


LIBRARIES: dict[str, Operation] = {
    **{f"{source}_to_{target}": operation for target, (operation, sources) in _TO.items() for source in sources},
    "type": lambda value: TypeValue(type_name(value)),
    **{f"timestamp_to_{id}": partial(times.part_of_timestamp, name) for name, id in _PARTS.items()},
    **{f"timestamp_to_{id}_with_tz": partial(times.part_of_timestamp, name) for name, id in _PARTS.items()},
    "timestamp_to_seconds_tz": partial(times.part_of_timestamp, "getSeconds"),
    **{f"duration_to_{_PARTS[name]}": partial(times.part_of_duration, name) for name in _PARTS if name[3:] in ("Hours", "Minutes", "Seconds", "Milliseconds")},
    "string_char_at_int": strings.char_at,
    "string_index_of_string": strings.index_of,
    "string_index_of_string_int": strings.index_of,
    "string_last_index_of_string": strings.last_index_of,
    "string_last_index_of_string_int": strings.last_index_of,
    "string_lower_ascii": strings.lower_ascii,
    "string_replace_string_string": strings.replace,
    "string_replace_string_string_int": strings.replace,
    "string_split_string": strings.split,
    "string_split_string_int": strings.split,
    "string_substring_int": strings.substring,
    "string_substring_int_int": strings.substring,
    "string_trim": strings.trim,
    "string_upper_ascii": strings.upper_ascii,
    "strings_quote": strings.quote,
    "list_join": strings.join,
    "list_join_string": strings.join,
    "add_string": strings.concatenate,
    "string_format": formatting.format_string,
    **{f"list_{of}_is_sorted_bool": lambda items: lists.is_sorted(_sound(items), compared) for of in _ORDERED},
    **{
        f"list_{of}_sum_{of}": partial(lambda zero, items: lists.sum_of(_sound(items), zero, _added), zero)
        for of, zero in _ZEROS.items()
    },
    **{f"list_{of}_max_{of}": lambda items: lists.greatest(_sound(items), compared) for of in _ORDERED},
    **{f"list_{of}_min_{of}": lambda items: lists.least(_sound(items), compared) for of in _ORDERED},
    "list_a_index_of_int": lambda items, item: lists.index_of(items, item, _same),
    "list_a_last_index_of_int": lambda items, item: lists.last_index_of(items, item, _same),
    "list_includes_dyn_dyn": lambda items, item: lists.includes(items, item, _same),
    "list_slice": lists.slice_of,
    "list_flatten": lists.flatten,
    "list_flatten_int": lists.flatten,
    "lists_range": lists.range_of,
    "list_reverse": lists.reverse,
    "list_distinct": lambda items: lists.distinct(items, _same),
    **{f"list_{of}_sort": lambda items: lists.sort(_sound(items), compared) for of in _SORTED},
    **{
        f"list_{of}_sortByAssociatedKeys": lambda items, keys: lists.sort_by_associated_keys(items, keys, compared)
        for of in _SORTED
    },
    "list_sets_contains_list": lambda items, others: sets.contains(items, others, _same),
    "list_sets_equivalent_list": lambda items, others: sets.equivalent(items, others, _same),
    "list_sets_intersects_list": lambda items, others: sets.intersects(items, others, _same),
    "matches": matches,
    "matches_string": matches,
}
