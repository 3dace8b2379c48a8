"""Maps that expressions make, and Go values that `+` puts into a list.

A `dict` serves as long as all keys are texts and integers, which nearly all are. Python treats `1`, `1.0`, `True` and
an unsigned 1 as the same key; cel-go has four, so maps with other keys are `Entries`. In servers up to 1.36 the sum of
a list of an object and another list keeps the schema, and the added items are read by that schema as if they were JSON.

Sources of the behaviour: `refValMapAccessor` in `common/types/map.go` of cel-go, the keys of Go's maps below it, and
`pkg/cel/common/valuesunstructured.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from typing import Any

from validation_gen.kubernetes.cel.data import ListView, MapView, Unknown, go_type
from validation_gen.kubernetes.cel.values import (
    INT_LEAST,
    INT_MOST,
    UINT_MOST,
    AbortedError,
    Duration,
    EvaluationError,
    GoValue,
    Optional,
    Timestamp,
    TypeValue,
    Uint,
)

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
    """Returns the error of a key or an index of another type."""
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
    """Returns the key of an item of a list with keys. An item that is no object has a unique key."""
    if not isinstance(raw, dict):
        return object()
    return tuple(to_key(raw.get(name)) for name in names)
