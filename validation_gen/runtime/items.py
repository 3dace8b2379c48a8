"""Identity of list items: by keys or by value, and the selection of one item (tag reference 2.5)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from operator import length_hint
from typing import Any

from validation_gen.runtime.shapes import Pointer, Shape


def position(items: Sequence[Any], iterator: Iterator[Any]) -> int:
    """Returns the index of the item that an iterator over a list returned last. Only errors need it."""
    return len(items) - length_hint(iterator) - 1


class Items(ABC):
    """Identity of the items of one list. `shape` is that of an item as declared.

    A null item is nil in a list of pointers, where it has no identity; elsewhere it is the zero value.
    """

    __slots__ = ("shape",)

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def is_nil(self, item: Any) -> bool:
        """Returns whether an item is a nil pointer, which other checks report."""
        return item is None and isinstance(self.shape, Pointer)

    @abstractmethod
    def key(self, item: Any) -> Hashable:
        """Returns a key that identical items share, `None` for a nil pointer."""

    def distinct(self, items: Sequence[Any]) -> int:
        """Returns a lower bound of the number of different items. All nil pointers count as one item."""
        return len(set(map(self.key, items)))

    def duplicates(self, items: Sequence[Any]) -> list[int]:
        """Returns the indexes of items that equal an earlier one, ascending."""
        seen = set()
        found = []
        for i, key in enumerate(map(self.key, items)):
            if key is not None and key in seen:
                found.append(i)
            seen.add(key)
        return found

    @abstractmethod
    def finder(self, items: Sequence[Any] | None) -> Callable[[Any], Any]:
        """Returns a function that finds the first of `items` with the identity of its argument, `None` for none."""


class KeyedItems(Items):
    """Items with keys: pairs of a member's JSON name and its zero value (`None` for a pointer)."""

    __slots__ = ("_name", "_pointers", "_zero", "keys")

    def __init__(self, shape: Shape, *keys: tuple[str, Any]) -> None:
        super().__init__(shape)
        self.keys = keys
        self._pointers = isinstance(shape, Pointer)
        #: Where one member that is no pointer tells items apart, its value is the identity; else a tuple of values is.
        self._name: str
        self._zero: Any
        self._name, self._zero = keys[0] if len(keys) == 1 else ("", None)

    def key(self, item: Any) -> Hashable:
        """Returns the identity of an item, `None` for a nil pointer."""
        if item is None:
            if self._pointers:
                return None
            item = {}
        if self._zero is None:
            return tuple([zero if (value := item.get(name)) is None else value for name, zero in self.keys])
        key: Hashable = item.get(self._name)
        return self._zero if key is None else key

    def distinct(self, items: Sequence[Any]) -> int:
        if self._pointers or len(self.keys) > 2:
            return super().distinct(items)
        a, no_a = self.keys[0]
        if len(self.keys) == 1:
            return len({item.get(a) or no_a for item in items})
        b, no_b = self.keys[1]
        return len({(item.get(a) or no_a, item.get(b) or no_b) for item in items})

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

    def key(self, item: Any) -> Hashable:
        return None if item is None and self._pointers else (self.shape.identity(item),)

    def finder(self, items: Sequence[Any] | None) -> Callable[[Any], Any]:
        key = self.key
        known = set(map(key, items or ())) - {None}
        # An old item that is found equals the new one, so True replaces it: the item itself could be null.
        return lambda item: True if key(item) in known else None


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
        """Returns the index of the first item that matches, and the item; `(-1, None)` when none does."""
        for i, item in enumerate(items or ()):
            if (item is not None or not pointers) and self.matches(item):
                return i, item or {}
        return -1, None
