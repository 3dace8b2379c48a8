"""Nodes of a table, as native code reads them. `c/types.h` explains the numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime.differences import begin, end
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.structs import Struct, Validate

#: The numbers that native code compares.
LEAST, MOST = -(2**63), 2**63 - 1
#: What no length reaches.
ENDLESS = sys.maxsize

#: A function of a value, or of a value and an old one, with further operands. It returns `None` for a valid value.
Call = tuple[Any, tuple[Any, ...]]
#: The same with a function of a value and an old one, which is called in an update if the first finds something.
UpdateCall = tuple[Any, tuple[Any, ...], Any]
#: A node, and whether a member may be absent.
Mode = tuple[int, bool]
#: Of a list: names with zero values and the values that choose an item, whether items are pointers, and a node. Of a
#: struct: the position of a member, the name of the mode with its zero value, and nodes by mode and for other modes.
Choice = tuple[tuple[tuple[str, Any, Any], ...], bool, int] | tuple[int, tuple[str, Any], dict[Any, Mode], Mode]


class Part:
    """A struct with its validation functions, to validate a part of an object alone."""

    __slots__ = ("_create", "_update", "shape")

    def __init__(self, shape: Struct, create: Validate, update: Validate) -> None:
        self.shape, self._create, self._update = shape, create, update

    def errors(self, value: Any, old: Any, op: Operation) -> list[FieldError]:
        """Returns the errors of a value, or of its update from an old one, which may be `None`."""
        if not op.update:
            return self._create(value, op) or []
        me = begin()
        try:
            if old is not None and self.shape.same(value, old):
                return []
            return self._update(value, old, op) or []
        finally:
            end(me)


@dataclass(slots=True)
class Node:
    """Node of a value, with its checks.

    Attributes:
        op: the kind of the value.
        flags: further properties of the value.
        min, max: of characters, items or names; a negative `max` is one that nothing keeps to.
        bytes: the most in UTF-8.
        low, high: of numbers, as rules have it; `type`, as the type has it. Of an array, `high` is its length.
        values: the texts, or integers, that are right.
        patterns: a table, the longest text for it, texts that are known, and a function for others.
        calls: the checks that native code does not know.
        item, key: the places of what is inside, if anything is.
        unique: the keys that tell items apart, none for items as a whole.
        members: of a struct: the name, the node, flags, and the zero value.
        unions: which members may be set together.
        changes: checks of a change; `None` forbids any change, true any but that of a new value.
        finder: the keys of items, if they have any, and a function that finds old items; `None` if all items are new,
            `False` if checks find them in different ways. Of what decodes itself, a function that tells whether two
            values are the same.
        part: of a struct with a table: the struct with its functions.
        beside: the node with the checks of such a struct beside its table, 0 for nothing.
        choices: of a list: rules of one item; of a struct: rules of modes.
        guards: functions of a value, or of a value and an old one, each with a node: where one gives `None`, it is
            enough that a value is right at that node; where it gives false, it stops nothing.
    """

    op: int
    flags: int = 0
    min: int = 0
    max: int = ENDLESS
    bytes: int = ENDLESS
    low: int = LEAST
    high: int = MOST
    type: tuple[int, int] = (LEAST, MOST)
    values: frozenset[str] | frozenset[int] | None = None
    patterns: list[tuple[Any, ...]] = field(default_factory=list)
    calls: list[Call | UpdateCall] = field(default_factory=list)
    item: int = -1
    key: int = -1
    unique: tuple[tuple[str, Any], ...] | None = None
    members: list[tuple[str, int, int, Any]] = field(default_factory=list)
    unions: list[tuple[int, tuple[tuple[int, str], ...], str]] = field(default_factory=list)
    changes: list[Call | bool | None] = field(default_factory=list)
    finder: Any = None
    guards: list[tuple[Any, int]] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    part: Part | None = None
    beside: int = 0

    def spec(self) -> tuple[Any, ...]:
        return (
            *(self.op, self.flags, self.min, self.max, self.bytes, self.low, self.high, *self.type, self.values),
            *(tuple(self.patterns), tuple(self.calls), max(self.item, 0), max(self.key, 0), self.unique),
            *(
                tuple(self.members),
                tuple(self.unions),
                tuple(self.changes),
                self.finder,
                tuple(self.guards),
                tuple(self.choices),
                self.part,
                self.beside,
            ),
        )

    def parts(self) -> Iterator[int]:
        """Yields the nodes of the parts of a value."""
        yield from (index for index in (self.item, self.key) if index >= 0)
        yield from (index for _, index, _, _ in self.members)
        for choice in self.choices:
            if len(choice) == 3:
                yield choice[2]
            else:
                yield from (index for index, _ in (*choice[2].values(), choice[3]))
