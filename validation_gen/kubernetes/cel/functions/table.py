"""All implementations by the names of their overloads: those of the language, and those of libraries."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from validation_gen.kubernetes.cel import containers
from validation_gen.kubernetes.cel.containers import compared
from validation_gen.kubernetes.cel.data import ListView
from validation_gen.kubernetes.cel.entries import equal, same
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
from validation_gen.kubernetes.cel.values import ABSENT, Duration, EvaluationError, Optional, TypeValue, Uint

#: Classes of values with types of their own, by the names of these types.
CLASSES: dict[str, type] = {
    "kubernetes.URL": network.URL,
    "kubernetes.Quantity": quantities.Quantity,
    "kubernetes.Semver": semvers.Semver,
    "kubernetes.NamedFormat": strings.Format,
    "net.IP": network.IP,
    "net.CIDR": network.CIDR,
    **authorizers.CLASSES,
}
_CLASS_NAMES = {each: name for name, each in CLASSES.items()}


def _find_type(value: Any) -> TypeValue:
    return TypeValue(_CLASS_NAMES.get(type(value)) or type_name(value))


# --- the language -----------------------------------------------------------------------------------------------------

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
_PARTS_OF_DURATIONS = ("getHours", "getMinutes", "getSeconds", "getMilliseconds")
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
_LANGUAGE: dict[str, Operation] = {
    **{f"{source}_to_{target}": operation for target, (operation, sources) in _TO.items() for source in sources},
    "type": _find_type,
    "add_string": strings.concatenate,
    "matches": strings.matches,
    "matches_string": strings.matches,
    **{
        f"timestamp_to_{id}{zone}": partial(times.part_of_timestamp, name)
        for name, id in _PARTS.items()
        for zone in ("", "_with_tz", "_tz")
    },
    **{f"duration_to_{_PARTS[name]}": partial(times.part_of_duration, name) for name in _PARTS_OF_DURATIONS},
}

# --- strings ----------------------------------------------------------------------------------------------------------

#: Up to 1.36 an empty text is found at the start position, even behind the end.
_index_of = partial(strings.find_index, clamped=False)
_last_index_of = partial(strings.find_last_index, clamped=False)

_STRINGS: dict[str, Operation] = {
    "string_char_at_int": strings.char_at,
    "string_index_of_string": _index_of,
    "string_index_of_string_int": _index_of,
    "string_last_index_of_string": _last_index_of,
    "string_last_index_of_string_int": _last_index_of,
    "string_lower_ascii": strings.lower_ascii,
    "string_replace_string_string": strings.replace,
    "string_replace_string_string_int": strings.replace,
    "string_split_string": strings.split,
    "string_split_string_int": strings.split,
    "string_substring_int": strings.substring,
    "string_substring_int_int": strings.substring,
    "string_trim": strings.trim,
    "string_upper_ascii": strings.upper_ascii,
    "string_format": formatting.format_string,
    "strings_quote": strings.quote,
    "list_join": strings.join,
    "list_join_string": strings.join,
    "string_find_string": strings.find,
    "string_find_all_string": strings.find_all,
    "string_find_all_string_int": strings.find_all,
}

# --- lists ------------------------------------------------------------------------------------------------------------

_ORDERED = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_SORTED = ("int", "uint", "double", "bool", "google.protobuf.Duration", "google.protobuf.Timestamp", "string", "bytes")
#: Start values of sums.
_ZEROS = {"int": 0, "uint": Uint(0), "double": 0.0, "duration": Duration(0)}


def _surely_same(left: Any, right: Any) -> bool:
    return same(left, right) is True


def _comparison(items: Any) -> lists.Equal:
    """Returns the comparison of a value with an item of a list: items of an object decide themselves, and may fail."""
    return (lambda value, item: same(item, value)) if isinstance(items, ListView) else _surely_same


def _equivalent(items: Any, others: Any) -> Any:
    return lists.equivalent(items, others, _comparison(items), _comparison(others))


def _added(left: Any, right: Any) -> Any:
    return times.add(left, right) if isinstance(left, Duration) else numbers.add(left, right)


def _sound(items: Any) -> Any:
    """Returns a list; raises if an item does not fit its schema."""
    for item in items:
        if isinstance(item, EvaluationError):
            raise item.with_traceback(None)  # an error that is raised again keeps all frames
    return items


def _sum(zero: Any, items: Any) -> Any:
    return lists.compute_sum(_sound(items), zero, _added)


def _sorted_by(items: Any, keys: Any) -> Any:
    return lists.sort_by_associated_keys(items, keys, compared)


_LISTS: dict[str, Operation] = {
    **{f"list_{of}_sum_{of}": partial(_sum, zero) for of, zero in _ZEROS.items()},
    **{f"list_{of}_is_sorted_bool": lambda items: lists.is_sorted(_sound(items), compared) for of in _ORDERED},
    **{f"list_{of}_max_{of}": lambda items: lists.greatest(_sound(items), compared) for of in _ORDERED},
    **{f"list_{of}_min_{of}": lambda items: lists.least(_sound(items), compared) for of in _ORDERED},
    **{f"list_{of}_sort": lambda items: lists.sort(items, compared) for of in _SORTED},
    **{f"list_{of}_sortByAssociatedKeys": _sorted_by for of in _SORTED},
    "list_a_index_of_int": lambda items, item: lists.find_index(items, item, _surely_same),
    "list_a_last_index_of_int": lambda items, item: lists.find_last_index(items, item, _surely_same),
    "list_includes_dyn_dyn": lambda items, item: lists.includes(items, item, _surely_same),
    "list_slice": lists.slice_list,
    "list_flatten": lists.flatten,
    "list_flatten_int": lists.flatten,
    "lists_range": lists.make_range,
    "list_reverse": lists.reverse,
    "list_distinct": lambda items: lists.distinct(items, _surely_same),
    "list_sets_contains_list": lambda items, others: lists.contains(items, others, _comparison(items)),
    "list_sets_equivalent_list": _equivalent,
    "list_sets_intersects_list": lambda items, others: lists.intersects(items, others, _comparison(others)),
}

# --- Kubernetes -------------------------------------------------------------------------------------------------------


def _given(format: strings.Format) -> strings.Format:
    return format


_KUBERNETES: dict[str, Operation] = {
    "string_to_url": network.url,
    "is_url_string": network.is_url,
    "url_get_scheme": network.get_scheme,
    "url_get_host": network.get_host,
    "url_get_hostname": network.get_hostname,
    "url_get_port": network.get_port,
    "url_get_escaped_path": network.get_escaped_path,
    "url_get_query": network.get_query,
    "string_to_quantity": quantities.quantity,
    "is_quantity_string": quantities.is_quantity,
    "string_to_exact_quantity": partial(quantities.quantity, exact=True),
    "is_exact_quantity_string": partial(quantities.is_quantity, exact=True),
    "quantity_sign": quantities.sign,
    "quantity_is_greater_than": quantities.is_greater_than,
    "quantity_is_less_than": quantities.is_less_than,
    "quantity_compare_to": quantities.compare_to,
    "quantity_get_float": quantities.as_approximate_float,
    "quantity_get_int": quantities.as_integer,
    "quantity_is_integer": quantities.is_integer,
    "quantity_add": quantities.add,
    "quantity_add_int": quantities.add,
    "quantity_sub": quantities.sub,
    "quantity_sub_int": quantities.sub,
    "string_to_ip": network.ip,
    "is_ip": network.is_ip,
    "ip_to_string": str,
    "ip_family": network.family,
    "ip_is_canonical": network.is_canonical,
    "ip_is_unspecified": network.is_unspecified,
    "ip_is_loopback": network.is_loopback,
    "ip_is_link_local_multicast": network.is_link_local_multicast,
    "ip_is_link_local_unicast": network.is_link_local_unicast,
    "ip_is_global_unicast": network.is_global_unicast,
    "string_to_cidr": network.cidr,
    "is_cidr": network.is_cidr,
    "cidr_to_string": str,
    "cidr_ip": network.get_address,
    "cidr_contains_ip_string": network.contains_ip_text,
    "cidr_contains_ip_ip": network.contains_ip,
    "cidr_contains_cidr_string": network.contains_cidr,
    "cidr_contains_cidr": network.contains_cidr,
    "cidr_prefix_length": network.prefix_length,
    "cidr_masked": network.masked,
    "string_to_semver": semvers.semver,
    "string_bool_to_semver": semvers.semver,
    "is_semver_string": semvers.is_semver,
    "is_semver_string_bool": semvers.is_semver,
    "semver_is_greater_than": semvers.is_greater_than,
    "semver_is_less_than": semvers.is_less_than,
    "semver_compare_to": semvers.compare_to,
    "semver_major": semvers.major,
    "semver_minor": semvers.minor,
    "semver_patch": semvers.patch,
    "format-named": strings.named,
    "format-validate": strings.validate,
    **{f"format.{name}": partial(_given, each) for name, each in strings.FORMATS.items()},
}

LIBRARIES: dict[str, Operation] = {**_LANGUAGE, **_STRINGS, **_LISTS, **_KUBERNETES, **authorizers.FUNCTIONS}


Operation = Callable[..., Any]

__all__ = ["CLASSES", "TABLE"]

TABLE: dict[str, Operation] = {}


def _add(*names: str) -> Callable[[Operation], Operation]:
    def add(operation: Operation) -> Operation:
        TABLE.update(dict.fromkeys(names, operation))
        return operation

    return add


def _identity(value: Any) -> Any:
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
    "to_dyn": _identity,
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
