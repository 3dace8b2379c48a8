"""Finds the members of a union that are set in an object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.runtime.items import Selector


class SetMembers:
    """The set members of a struct: pairs of JSON name and whether the member is a pointer, which is set unless null."""

    __slots__ = ("members",)

    def __init__(self, *members: tuple[str, bool]) -> None:
        self.members = members

    def __call__(self, obj: dict[str, Any] | None) -> list[bool]:
        if obj is None:
            return [False] * len(self.members)
        return [
            value is not None if pointer else bool(value)
            for value, pointer in [(obj.get(name), pointer) for name, pointer in self.members]
        ]


class PresentItems:
    """The presence of some items in a list, one for each selector. With `pointers`, null items do not match."""

    __slots__ = ("pointers", "selectors")

    def __init__(self, *selectors: Selector, pointers: bool) -> None:
        self.selectors = selectors
        self.pointers = pointers

    def __call__(self, items: Sequence[Any] | None) -> list[bool]:
        return [s.find(items, pointers=self.pointers)[0] >= 0 for s in self.selectors]
