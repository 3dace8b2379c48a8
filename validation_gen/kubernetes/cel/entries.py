"""Maps that expressions make, Go values that `+` puts into a list, and the equality of values.

A `dict` serves as long as all keys are texts and integers, which nearly all are. Python treats `1`, `1.0`, `True` and
an unsigned 1 as the same key; cel-go has four, so maps with other keys are `Entries`. In servers up to 1.36 the sum of
a list of an object and another list keeps the schema, and the added items are read by that schema as if they were JSON.
Equality is a boolean, or an error where a part does not fit its schema.

Sources of the behaviour: `common/types` of cel-go for the values of expressions, with the keys of Go's maps below
`refValMapAccessor`, and `pkg/cel/common` of `k8s.io/apiserver` for those of objects, where the order of sets, and of
lists with keys, does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any

from validation_gen.kubernetes.cel.data import ListView, MapView, Unknown, go_type
from validation_gen.kubernetes.cel.values import (
    INT_LEAST,
    INT_MOST,
    UINT_MOST,
    AbortedError,
    ConstructedObject,
    Duration,
    EvaluationError,
    GoValue,
    Optional,
    Timestamp,
    TypeValue,
    Uint,
)
from validation_gen.runtime.wire import identical

#: Key types that Python distinguishes as cel-go does.
PLAIN_KEYS = frozenset((str, int))
#: Key types that are compared by value. Keys of other types are the same only if they are one object.
_COMPARED = frozenset((str, int, Uint, float, bool, type(None), Timestamp, Duration, TypeValue))


class Entries(MutableMapping[Any, Any]):
    """A map with keys of any type."""

    __slots__ = ("_pairs",)

    def __init__(self, entries: Iterable[tuple[Any, Any]] = ()) -> None:
        self._pairs: dict[Any, tuple[Any, Any]] = {}
        self.update(entries)

    def find(self, key: Any) -> tuple[Any, bool]:
        """Returns the value of a key, and whether there is one.

        A number finds the integer that it is equal to, and no double.
        """
        for each in (key, *_integers(key)):
            if (pair := self._pairs.get(_identity(each))) is not None:
                return pair[1], True
        return None, False

    def __getitem__(self, key: Any) -> Any:
        return self._pairs[_identity(key)][1]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._pairs[_identity(key)] = key, value

    def __delitem__(self, key: Any) -> None:
        del self._pairs[_identity(key)]

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self._pairs.values())

    def __len__(self) -> int:
        return len(self._pairs)


def _integers(key: Any) -> Iterator[Any]:
    """Yields the integers of both types that a number is equal to."""
    if type(key) in (int, Uint, float) and (type(key) is not float or key.is_integer()):
        number = int(key)
        if INT_LEAST <= number <= INT_MOST:
            yield number
        if 0 <= number <= UINT_MOST:
            yield Uint(number)


def _identity(key: Any) -> Any:
    kind = type(key)
    if kind is bytes:
        raise AbortedError("internal error: runtime error: hash of unhashable type types.Bytes")
    return (kind, key) if kind in _COMPARED else (kind, id(key))


#: Types of usable keys and indices, and Go's names of the others.
INDICES = frozenset((str, int, Uint, float, bool))
_NO_INDICES: dict[type, str] = {
    type(None): "types.Null",
    bytes: "types.Bytes",
    Timestamp: "types.Timestamp",
    Duration: "types.Duration",
    TypeValue: "*types.Type",
    Optional: "*types.Optional",
    list: "*types.baseList",
    dict: "*types.baseMap",
    Entries: "*types.baseMap",
}


def no_index(key: Any) -> EvaluationError:
    """Returns the error for a key or an index of an invalid type."""
    return EvaluationError(f"invalid qualifier type: {_NO_INDICES.get(type(key), type(key).__name__)}")


_PLAIN = (str, bool, int, float)
_TYPES: dict[type, str] = {
    Uint: "uint64",
    bytes: "[]uint8",
    Timestamp: "time.Time",
    Duration: "time.Duration",
    list: "[]ref.Val",
    dict: "map[ref.Val]ref.Val",
    Entries: "map[ref.Val]ref.Val",
    type(None): "structpb.NullValue",
    EvaluationError: "*errors.errorString",
}
_NO_KEYS = frozenset(("[]uint8", "[]ref.Val", "map[ref.Val]ref.Val", "[]interface {}", "map[string]interface {}"))


def native(value: Any) -> Any:
    """Converts a value to the form in which a list of an object holds it after an addition."""
    if type(value) in _PLAIN or type(value) is GoValue:
        return value
    if isinstance(value, ListView | MapView | Unknown):
        return value.raw
    if type(value) is Optional:
        return native(value.value) if value.present else None
    return GoValue(_TYPES.get(type(value), type(value).__name__), value)


def to_key(raw: Any) -> Any:
    """Returns the key of a value in a Go map.

    Raises:
        AbortedError: its type cannot be a key.
    """
    kind = raw.type if type(raw) is GoValue else go_type(raw) if isinstance(raw, dict | list) else ""
    if kind in _NO_KEYS:
        raise AbortedError(f"internal error: runtime error: hash of unhashable type {kind}")
    return (kind, raw.value) if kind else (type(raw), raw)


def entry_key(raw: Any, names: tuple[str, ...]) -> Any:
    """Returns the key of an item of a list with keys. An item that is not an object has a unique key."""
    if not isinstance(raw, dict):
        return object()
    return tuple(to_key(raw.get(name)) for name in names)


#: True, false or an error.
Truth = bool | EvaluationError

_NUMBERS = (int, float, Uint)
#: The error of a call that no overload fits.
NO_OVERLOAD = EvaluationError("no such overload")


#: Types that never equal a value of another type. All other types fail in such a comparison.
_CLOSED = (type(None), Timestamp, Duration, TypeValue, ConstructedObject)


def equal(left: Any, right: Any) -> Truth:
    """Returns `left == right`."""
    if left is None or right is None:
        return left is right
    return same(left, right)


def same(left: Any, right: Any) -> Truth:
    """Compares two values by the method of the left one, as cel-go does. It equals `==` unless one side is null."""
    kind = type(left)
    if kind is str or kind is bool or kind is bytes:
        return kind is type(right) and bool(left == right)
    if kind in _NUMBERS:
        if kind is float or type(right) is float:  # an integer is compared as a double
            return type(right) in _NUMBERS and float(left) == float(right)
        return type(right) in _NUMBERS and bool(left == right)
    if isinstance(left, EvaluationError):
        return left
    if kind is list:
        return _lists(left, right)
    if kind is dict or kind is Entries:
        return _maps(left, right)
    if kind is Optional:
        if type(right) is not Optional or left.present != right.present:
            return False
        return same(left.value, right.value) if left.present else True
    if kind in _CLOSED:
        return kind is type(right) and bool(left == right)
    if kind is Unknown:
        return _are_equal(left.raw, right.raw if isinstance(right, Unknown | ListView | MapView) else right)
    if isinstance(right, EvaluationError):
        return right
    if kind is ListView:
        return _list_views[left.shape.list_type](left, right) if is_list(right) else NO_OVERLOAD
    if kind is MapView:
        return _map_view(left, right) if isinstance(right, Mapping) else NO_OVERLOAD
    if kind is not type(right) or getattr(right, "is_sum", False):
        return NO_OVERLOAD
    return bool(left == right)


def is_list(value: object) -> bool:
    return isinstance(value, list | ListView)


def _lists(left: list[Any], right: Any) -> Truth:
    """Compares lists that an expression has made. Errors among the items are no difference."""
    if not is_list(right) or len(left) != len(right):
        return False
    return all(equal(one, other) is not False for one, other in zip(left, right, strict=True))


def _maps(left: Mapping[Any, Any], right: Any) -> Truth:
    if not isinstance(right, Mapping) or len(left) != len(right):
        return False
    for key, value in left.items():
        other, found = find(right, key)
        if not found or equal(value, other) is False:
            return False
    return True


def find(container: Any, key: Any) -> tuple[Any, bool]:
    """Returns the entry of a map, and whether there is one. A number finds an integer of either type."""
    if isinstance(container, MapView | Entries):
        return container.find(key)
    kind = type(key)
    if (kind is str or kind in _NUMBERS) and key in container:
        return container[key], True
    return None, False


def _items(view: ListView, right: Sequence[Any]) -> Truth:
    if len(view) != len(right):
        return False
    for one, other in zip(view, right, strict=True):
        found = same(one, other)
        if found is not True:
            return found
    return True


def _set(view: ListView, right: Sequence[Any]) -> Truth:
    """Returns whether a set in an object equals another list, compared as JSON: `1` differs from `1.0`."""
    if len(view) != len(right):
        return False
    mine = set(map(to_key, view.raw))
    return all(to_key(native(item)) in mine for item in right)


def _compare_keyed(view: ListView, right: Sequence[Any]) -> Truth:
    if len(view) != len(right):
        return False
    keys, element = view.shape.keys, view.shape.element
    assert element is not None
    mine = {entry_key(item, keys): item for item in view.raw}
    for item in right:
        key = entry_key(native(item), keys)
        if key not in mine:
            return False
        found = same(element.read(mine[key]), item)
        if found is not True:
            return found
    return True


_list_views = {"": _items, "atomic": _items, "set": _set, "map": _compare_keyed}


def _map_view(left: MapView, right: Mapping[str, Any]) -> Truth:
    if len(left) != len(right):
        return False
    for name, value in left.raw.items():
        part = left.part(name)
        if part is None:
            # The schema does not know the field: its raw values are compared, and only if both have it.
            if not isinstance(right, MapView):
                return NO_OVERLOAD
            if name in right.raw and not _are_equal(value, right.raw[name]):
                return False
            continue
        mine, found = left.find(name)
        other, its = find(right, name)
        if found != its:
            return False
        if found and (answer := same(mine, other)) is not True:
            return answer
    return True


def _are_equal(left: Any, right: Any) -> bool:
    """Compares data without a schema as Kubernetes does: an empty list or map equals an absent one."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_are_equal(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_are_equal, left, right))
    return identical(left, right)
