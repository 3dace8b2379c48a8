"""Identity of list items: by keys or by value, and the selection of one item (tag reference 2.5)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter
from typing import Any

from validation_gen.runtime.shapes import Pointer, Shape


class Items(ABC):
    """How the items of one list are recognised. `shape` is that of an item as declared.

    A null item is nil in a list of pointers, where it has no identity; elsewhere it is the zero value.
    """

    __slots__ = ("shape",)

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def is_nil(self, item: Any) -> bool:
        """Whether an item is a nil pointer, which other checks report."""
        return item is None and isinstance(self.shape, Pointer)

    @abstractmethod
    def duplicates(self, items: Sequence[Any]) -> list[int]:
        """The indexes of items that equal an earlier one, ascending."""

    @abstractmethod
    def finder(self, items: Sequence[Any] | None) -> Callable[[Any], Any]:
        """A function that gives the first of `items` with the identity of its argument, `None` when there is none."""


class KeyedItems(Items):
    """Items with keys: pairs of a member's JSON name and its zero value (`None` for a pointer)."""

    __slots__ = ("_get", "_name", "_pointers", "_zero", "keys")

    def __init__(self, shape: Shape, *keys: tuple[str, Any]) -> None:
        super().__init__(shape)
        self.keys = keys
        self._pointers = isinstance(shape, Pointer)
        self._get = itemgetter(*(name for name, _ in keys))
        #: Where one member that is no pointer tells items apart, its value is the identity; else a tuple of values is.
        self._name: str
        self._zero: Any
        self._name, self._zero = keys[0] if len(keys) == 1 else ("", None)

    def key(self, item: Any) -> Hashable:
        """The identity of an item, `None` for a nil pointer."""
        if item is None:
            if self._pointers:
                return None
            item = {}
        if self._zero is None:
            return tuple([zero if (value := item.get(name)) is None else value for name, zero in self.keys])
        key: Hashable = item.get(self._name)
        return self._zero if key is None else key

    def duplicates(self, items: Sequence[Any]) -> list[int]:
        if self._are_distinct(items):
            return []
        seen = set()
        found = []
        for i, item in enumerate(items):
            key = self.key(item)
            if key is None:
                continue
            if key in seen:
                found.append(i)
            seen.add(key)
        return found

    def _are_distinct(self, items: Sequence[Any]) -> bool:
        """Whether all items have keys, and no two the same. False when it takes a closer look to know."""
        try:
            found = set(map(self._get, items))
        except (KeyError, TypeError):
            return False
        if len(found) != len(items):
            return False
        return None not in found if len(self.keys) == 1 else not any(None in key for key in found)

    def finder(self, items: Sequence[Any] | None) -> Callable[[Any], Any]:
        key = self.key
        first = {key(item): {} if item is None else item for item in reversed(items or ())}
        first.pop(None, None)
        return lambda item: first.get(key(item))


class WholeItems(Items):
    """Items that are the same when they are equal as a whole."""

    __slots__ = ("_pointers",)

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self._pointers = isinstance(shape, Pointer)

    def duplicates(self, items: Sequence[Any]) -> list[int]:
        identity = self.shape.identity
        seen = set()
        found = []
        for i, item in enumerate(items):
            if item is None and self._pointers:
                continue
            key = identity(item)
            if key in seen:
                found.append(i)
            seen.add(key)
        return found

    def finder(self, items: Sequence[Any] | None) -> Callable[[Any], Any]:
        identity = self.shape.identity
        known = {identity(item) for item in items or () if item is not None or not self._pointers}
        # What is found equals the item, so nobody needs it; and null is a value here, which would look like nothing.
        return lambda item: True if identity(item) in known else None


class Selector:
    """Conditions on members: triples of JSON name, wanted value, and the zero value (`None` for a pointer)."""

    __slots__ = ("terms",)

    def __init__(self, *terms: tuple[str, Any, Any]) -> None:
        self.terms = terms

    def matches(self, item: Any) -> bool:
        item = item or {}
        return all(
            (zero if (value := item.get(name)) is None else value) == wanted for name, wanted, zero in self.terms
        )

    def find(self, items: Sequence[Any] | None, *, pointers: bool) -> tuple[int, Any]:
        """The index of the first item that matches, and the item; `(-1, None)` when none does."""
        for i, item in enumerate(items or ()):
            if (item is not None or not pointers) and self.matches(item):
                return i, item or {}
        return -1, None
