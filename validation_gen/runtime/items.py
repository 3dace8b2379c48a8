"""Identity of list items: by keys or by value, and the selection of one item (tag reference 2.5)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from validation_gen.runtime.shapes import Pointer, Shape, Struct


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

    __slots__ = ("keys",)

    def __init__(self, shape: Shape, *keys: tuple[str, Any]) -> None:
        super().__init__(shape)
        self.keys = keys

    def key(self, item: Any) -> tuple[Any, ...] | None:
        """The identity of an item, `None` for a nil pointer."""
        if item is None:
            if isinstance(self.shape, Pointer):
                return None
            item = {}
        return tuple([zero if (value := item.get(name)) is None else value for name, zero in self.keys])

    def duplicates(self, items: Sequence[Any]) -> list[int]:
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

    def finder(self, items: Sequence[Any] | None) -> Callable[[Any], Any]:
        first: dict[tuple[Any, ...], Any] = {}
        for item in items or ():
            key = self.key(item)
            if key is not None:
                first.setdefault(key, {} if item is None else item)

        def find(item: Any) -> Any:
            key = self.key(item)
            return None if key is None else first.get(key)

        return find


class WholeItems(Items):
    """Items that are the same when they are equal as a whole."""

    __slots__ = ("_pointers", "_zero")

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self._pointers = isinstance(shape, Pointer)
        self._zero: Any = {} if isinstance(shape, Struct) else getattr(shape, "zero", None)

    def duplicates(self, items: Sequence[Any]) -> list[int]:
        if hasattr(self.shape, "zero"):
            return self._scalar_duplicates(items)
        found = []
        for i, item in enumerate(items):
            if item is None and self._pointers:
                continue
            if any(self.shape.same(items[j], item) for j in range(i) if items[j] is not None or not self._pointers):
                found.append(i)
        return found

    def _scalar_duplicates(self, items: Sequence[Any]) -> list[int]:
        seen = set()
        found = []
        for i, item in enumerate(items):
            value = self._zero if item is None else item
            if value in seen:
                found.append(i)
            seen.add(value)
        return found

    def finder(self, items: Sequence[Any] | None) -> Callable[[Any], Any]:
        old = [self._zero if item is None else item for item in items or () if item is not None or not self._pointers]
        if hasattr(self.shape, "zero"):
            values = {item: item for item in reversed(old)}
            return lambda item: values.get(self._zero if item is None else item)
        # What is found equals the item, so nobody needs it; and null is a value here, which would look like nothing.
        return lambda item: True if any(self.shape.same(known, item) for known in old) else None


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
