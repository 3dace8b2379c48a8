"""Correlates old and new values for ratcheting: unchanged values need not be valid.

Follows `pkg/cel/common/adaptor.go`, `equality.go` of `k8s.io/apiserver`: fields and entries are correlated by their
names, items only in lists of type map, by their keys.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.runtime.wire import identical

_MISSING = object()


class Correlation:
    """A new value, the old one that it replaces, and the schema of both."""

    __slots__ = ("_children", "_equal", "_items", "new", "old", "schema")

    def __init__(self, new: Any, old: Any, schema: Schema | None) -> None:
        self.new = new
        self.old = old
        self.schema = schema
        self._children: dict[str | int, Correlation | None] = {}
        self._equal: bool | None = None
        self._items: KeyedItems | None = None

    def key(self, name: str) -> Correlation | None:
        """Correlates a field or an entry; None if one of the two values lacks it, or it has no schema."""
        if name not in self._children:
            self._children[name] = self._key(name)
        return self._children[name]

    def _key(self, name: str) -> Correlation | None:
        schema = self.schema
        if schema is None or not isinstance(self.new, dict) or not isinstance(self.old, dict):
            return None
        new, old = self.new.get(name, _MISSING), self.old.get(name, _MISSING)
        if new is _MISSING or old is _MISSING:
            return None
        part = schema.properties.get(name) or schema.additional
        return None if part is None else Correlation(new, old, part)

    def index(self, number: int) -> Correlation | None:
        """Correlates an item; None if its old counterpart is unknown."""
        if number not in self._children:
            self._children[number] = self._index(number)
        return self._children[number]

    def _index(self, number: int) -> Correlation | None:
        schema = self.schema
        if schema is None or not isinstance(self.new, list) or not isinstance(self.old, list):
            return None
        if schema.list_type != "map" or number >= len(self.new):
            return None
        if self._items is None:
            self._items = KeyedItems(self.old, schema.list_map_keys)
        old = self._items.get(self.new[number])
        return None if old is None or schema.item is None else Correlation(self.new[number], old, schema.item)

    @property
    def is_equal(self) -> bool:
        """True if nothing has changed. Lists with keys may be in another order."""
        if self._equal is None:
            self._equal = self._compared()
        return self._equal

    def _compared(self) -> bool:
        new, old = self.new, self.old
        if new is None or old is None:
            return new is old
        if isinstance(new, dict) and isinstance(old, dict):
            parts = [self.key(name) for name in new]
        elif isinstance(new, list) and isinstance(old, list):
            if self.schema is None or self.schema.list_type != "map":
                return identical(new, old)
            parts = [self.index(number) for number in range(len(new))]
        else:
            return identical(new, old)
        return len(new) == len(old) and all(part is not None and part.is_equal for part in parts)


class KeyedItems:
    """Items of a list of type map by their keys; of those with the same keys, the first one."""

    def __init__(self, items: list[Any], keys: tuple[str, ...]) -> None:
        self._keys = keys
        self._items: dict[tuple[Any, ...], Any] = {}
        for item in items if keys else ():
            key = self._key(item)
            if key is not None:
                self._items.setdefault(key, item)

    def _key(self, item: Any) -> tuple[Any, ...] | None:
        """Returns the keys of an item; None if one is missing, or no scalar."""
        if not isinstance(item, dict):
            return None
        values = [item.get(key) for key in self._keys]
        if any(value is None or isinstance(value, dict | list) for value in values):
            return None
        return tuple((type(value), value) for value in values)

    def get(self, item: Any) -> Any:
        """Returns the item with the same keys as another item, None if there is none."""
        key = self._key(item)
        return None if key is None else self._items.get(key)
