"""Go values behind CEL values, which `+` on the lists of an object puts into a new list.

Source of the behaviour: `pkg/cel/common/valuesunstructured.go` of `k8s.io/apiserver`, in servers up to 1.36. The sum of
a list of an object and another list keeps the schema, and the added items are read by that schema as if they were JSON.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.cel.data import ListView, MapView, Unknown, go_type
from validation_gen.kubernetes.cel.entries import Entries
from validation_gen.kubernetes.cel.values import (
    AbortedError,
    Duration,
    EvaluationError,
    Foreign,
    Optional,
    Timestamp,
    Uint,
)

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
    if type(value) in _PLAIN or type(value) is Foreign:
        return value
    if isinstance(value, ListView | MapView | Unknown):
        return value.raw
    if type(value) is Optional:
        return native(value.value) if value.present else None
    return Foreign(_TYPES.get(type(value), type(value).__name__), value)


def key_of(raw: Any) -> Any:
    """Returns the key of a value in a Go map.

    Raises:
        AbortedError: its type cannot be a key.
    """
    kind = raw.type if type(raw) is Foreign else go_type(raw) if isinstance(raw, dict | list) else ""
    if kind in _NO_KEYS:
        raise AbortedError(f"internal error: runtime error: hash of unhashable type {kind}")
    return (kind, raw.value) if kind else (type(raw), raw)


def entry_key(raw: Any, names: tuple[str, ...]) -> Any:
    """Returns the key of an item of a list with keys. An item that is no object has a unique key."""
    if not isinstance(raw, dict):
        return object()
    return tuple(key_of(raw.get(name)) for name in names)
