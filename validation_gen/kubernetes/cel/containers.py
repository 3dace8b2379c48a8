"""Operators and functions of the language for lists, maps and optionals.

Sources of the behaviour: `common/types` of cel-go, `pkg/cel/common/valuesunstructured.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any

from validation_gen.kubernetes.cel.data import ListView
from validation_gen.kubernetes.cel.entries import PLAIN_KEYS, Entries, entry_key, equal, find, native, same, to_key
from validation_gen.kubernetes.cel.values import ABSENT, Duration, EvaluationError, Optional, Timestamp, Uint

#: The most items that an expression may make; cel-go has no limit other than the cost.
_MOST_ITEMS = 1_000_000


def _concatenate(left: Any, right: Any) -> Any:
    """Returns `left + right`. If `left` is a list of an object, the result is one too, and follows its list type."""
    if len(left) + len(right) > _MOST_ITEMS:
        raise EvaluationError("result is too large")
    if isinstance(left, ListView):
        return ListView(_ADDED.get(left.shape.list_type, _append)(left, map(native, right)), left.shape)
    if not left or not right:
        return left or right
    return [*left, *right]


def _append(left: ListView, others: Iterable[Any]) -> list[Any]:
    return [*left.raw, *others]


def _unite(left: ListView, others: Iterable[Any]) -> list[Any]:
    items, known = list(left.raw), set(map(to_key, left.raw))
    for item in others:
        if (key := to_key(item)) not in known:
            known.add(key)
            items.append(item)
    return items


def _merge(left: ListView, others: Iterable[Any]) -> list[Any]:
    """Appends items, and replaces known items that have the same keys."""
    items, keys = list(left.raw), left.shape.keys
    places = {entry_key(item, keys): index for index, item in enumerate(items)}
    for item in others:
        place = places.get(entry_key(item, keys))
        if place is None:
            items.append(item)
        else:
            items[place] = item
    return items


_ADDED: dict[str, Callable[[ListView, Iterable[Any]], list[Any]]] = {"set": _unite, "map": _merge}


def _in_list(item: Any, items: Any) -> Any:
    """Returns `item in items`.

    In a list of the validated object, `==` is called on the list items; if a comparison fails, that is the result
    unless another item is equal. In other lists, `==` is called on `item`.
    """
    if not isinstance(items, ListView):
        return any(same(item, each) is True for each in items)
    problem: Any = False
    for each in items:
        found = same(each, item)
        if found is True:
            return True
        if problem is False:
            problem = found
    return problem


def _in_map(key: Any, entries: Any) -> Any:
    """Returns `key in entries`."""
    value, found = find(entries, key)
    return value if isinstance(value, EvaluationError) else found


def _insert(entries: Any, others: Iterable[tuple[Any, Any]]) -> Mapping[Any, Any]:
    """Returns a map with further entries."""
    found: MutableMapping[Any, Any] = dict(entries) if type(entries) is dict else Entries(entries.items())
    for key, value in others:
        if find(found, key)[1]:
            raise EvaluationError(f"insert failed: key {key} already exists")
        if type(found) is dict and type(key) not in PLAIN_KEYS:
            found = Entries(found.items())
        found[key] = value
    return found


# --- optionals --------------------------------------------------------------------------------------------------------


def _of_non_zero(value: Any) -> Optional:
    """Returns an optional that is empty for a zero value: 0, "", false, null, and lists and maps without items."""
    return ABSENT if _is_zero(value) else Optional(True, value)


def _is_zero(value: Any) -> bool:
    """Returns whether a value is the zero value of its type."""
    if value is None:
        return True
    if isinstance(value, str | bytes | int | float | list | ListView | Mapping):
        return not value
    if isinstance(value, Duration):
        return value.nanoseconds == 0
    return isinstance(value, Timestamp) and value.nanoseconds == -62135596800 * 10**9


def _get_value(optional: Optional) -> Any:
    """Returns the value of an optional."""
    if not optional.present:
        raise EvaluationError("optional.none() dereference")
    return optional.value


def _unwrap(items: Any) -> list[Any]:
    """Returns the values of a list of optionals."""
    for item in items:
        if type(item) is not Optional:
            shown = str(item).lower() if type(item) is bool else item
            raise EvaluationError(f"value {shown} is not optional")
    return [item.value for item in items if item.present]


# --- order ------------------------------------------------------------------------------------------------------------


_NUMBERS = (int, float, Uint)
_ORDERED = (str, bool, bytes, Timestamp, Duration)


def compare(left: Any, right: Any) -> int:
    """Returns -1, 0 or 1, for two values of one type, or two numbers.

    A number is compared with a double as a double.
    """
    kind, other = type(left), type(right)
    if kind in _NUMBERS and other in _NUMBERS:
        if kind is float or other is float:
            left, right = float(left), float(right)
            if left != left or right != right:  # noqa: PLR0124 - NaN
                raise EvaluationError("NaN values cannot be ordered")
    elif kind is not other or kind not in _ORDERED:
        raise EvaluationError("no such overload")
    return int(left > right) - int(left < right)


FUNCTIONS: dict[str, Callable[..., object]] = {
    "equals": equal,
    "not_equals": lambda left, right: equal(left, right) is not True,  # nor is anything that cannot be compared
    "add_list": _concatenate,
    "in_list": _in_list,
    "in_map": _in_map,
    "optional_of": lambda value: Optional(True, value),
    "optional_ofNonZeroValue": _of_non_zero,
    "optional_none": lambda: ABSENT,
    "optional_value": _get_value,
    "optional_hasValue": lambda optional: optional.present,
    "optional_or_optional": lambda first, second: first if first.present else second,
    "optional_orValue_value": lambda optional, other: optional.value if optional.present else other,
    "optional_unwrap": _unwrap,
    "optional_unwrapOpt": _unwrap,
    "list_first": lambda items: Optional(True, items[0]) if items else ABSENT,
    "list_last": lambda items: Optional(True, items[len(items) - 1]) if items else ABSENT,
    "@mapInsert_map_key_value": lambda entries, key, value: _insert(entries, [(key, value)]),
    "@mapInsert_map_map": lambda entries, others: _insert(entries, others.items()),
}
