"""Makes the nodes of single values, lists and maps, with their checks, and decides which may be absent."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from validation_gen.runtime.containers import behind_pointers
from validation_gen.runtime.fastpath.compile_steps import (
    OF_PARTS,
    SILENT,
    Groups,
    NotCompilableError,
    Resolved,
    Resolver,
    Steps,
    is_about,
    zero_of,
)
from validation_gen.runtime.fastpath.limits import put_limit
from validation_gen.runtime.fastpath.nodes import ENDLESS, LEAST, MOST, Call, Node
from validation_gen.runtime.goregex.pattern import build_whole_table
from validation_gen.runtime.items import KeyedItems
from validation_gen.runtime.membership import PresentItems, SetMembers
from validation_gen.runtime.native import accept
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.scalars import ANY, BOOL, BYTES, FLOAT, INT_OR_STRING, OPAQUE, RAW, STRING, Integer, Wire
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.shapes import ArrayOf, ListOf, MapOf, Pointer, Struct
from validation_gen.runtime.wire import unpacked

#: Steps about which members or items are set.
MEMBERSHIPS = (SetMembers, PresentItems)
_FREE = (ANY, RAW, OPAQUE)


class Values(ABC):
    """Collects nodes, and makes the nodes of all values except structs."""

    def __init__(self, op: Operation) -> None:
        self.resolver = Resolver(op)
        self.code: Any = accept
        self.nodes: list[Node] = []
        self._tables: dict[int, Mapping[str, Steps]] = {}

    def add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def table(self, shape: Struct) -> Mapping[str, Steps]:
        """Returns the checks of a struct that hold everywhere."""
        if id(shape) not in self._tables:
            self._tables[id(shape)] = shape.table
        return self._tables[id(shape)]

    @abstractmethod
    def node(self, shape: Shape, groups: Groups = (), *, opaque: bool = False, sparse: bool = False) -> int:
        """Returns the node of a value that is there and not null, with its checks beside its type.

        Tables of structs do not count in what is `opaque`. A `sparse` struct has only the members with rules.
        """

    def plain(self, shape: Shape, groups: list[Resolved], *, opaque: bool) -> Node:
        code = self.code
        steps = [step for group in groups for step in group if step[0] not in SILENT]
        if shape is STRING:
            node = Node(code.TEXT)
        elif isinstance(shape, Integer):
            low, high = max(shape.low, LEAST), min(shape.high, MOST)
            node = Node(code.INTEGER, low=low, high=high, type=(low, high))
            node.flags |= code.UNSIGNED if shape.high > MOST else 0
        elif shape is BOOL:
            node = Node(code.BOOLEAN)
        elif shape is FLOAT:
            node = Node(code.NUMBER)
        elif shape is INT_OR_STRING:
            low, high = -(2**31), 2**31 - 1
            node = Node(code.INT_OR_TEXT, low=low, high=high, type=(low, high))
        elif shape in _FREE and all(step == ("change", "immutable") for step in steps):
            node = Node(code.ANY)
        elif isinstance(shape, Wire):
            node = Node(code.WIRE, patterns=[_decoding(shape)], finder=partial(_is_same, shape))
            if shape is BYTES:  # checks get bytes, not the text
                node.calls += [self.converted(unpacked, step) for step in steps if step[0] != "change"]
                steps = [step for step in steps if step[0] == "change"]
        elif isinstance(shape, ListOf | MapOf):
            node = Node(code.LIST if isinstance(shape, ListOf) else code.MAP)
            node.item = self.node(shape.elem, _inside("each", steps), opaque=opaque)
            node.flags |= self.nulls(shape, steps)
            if isinstance(shape, ArrayOf):
                node.flags |= code.ARRAY
                node.high = shape.length
            node.finder = _finder(steps)
            if isinstance(shape, MapOf):
                groups_of_keys = _inside("keys", steps) if shape.key is None else ()
                node.key = self.node(STRING, groups_of_keys)
                if self.nodes[node.key].changes:
                    raise NotCompilableError
                if shape.key is not None:
                    self.nodes[node.key].calls.append((shape.demand_key, ()))
                    for of_keys in _inside("keys", steps):  # which get numbers
                        resolved = self.resolver.resolve(of_keys)
                        self.nodes[node.key].calls += [self.converted(int, step) for step in resolved]
                    self.nodes[node.key].flags |= code.DEMANDED
                    if shape.key.high <= MOST:
                        self.nodes[node.key].type = max(shape.key.low, LEAST), shape.key.high
                    else:  # native code does not read larger ones
                        self.nodes[node.key].type = 1, 0
            for name, selector, pointers, inner in [step for step in steps if step[0] == "item"]:
                terms = tuple((name, zero, wanted) for name, wanted, zero in selector.terms)
                node.choices.append((terms, pointers, self.node(shape.elem, (inner,), opaque=True, sparse=True)))
            steps = [step for step in steps if step[0] not in ("each", "item", "keys")]
        else:
            raise NotCompilableError
        empty = [] if node.op == code.LIST else {} if node.op == code.MAP else zero_of(shape)
        if empty is not None and any(step[0] == "unset" for group in groups for step in group):
            node.flags |= code.LEAVES_UNSET if self.resolver.holds(shape, groups, empty) else 0
        self.limit(node, steps)
        return node

    def nulls(self, shape: ListOf | MapOf, steps: Resolved) -> int:
        """Returns flags for null as an item or a value of a map: absent, a zero value, or of the wrong type."""
        code, elem = self.code, behind_pointers(shape.elem)
        if isinstance(elem, Wire) and not elem.form.nullable:
            return 0
        pointers = isinstance(shape.elem, Pointer)
        flags: int = code.NULLS | (code.NIL_NULLS if pointers else 0)
        passes = pointers or self.is_fine_without(elem, _inside("each", steps))
        return flags | (code.NULLS_PASS if passes and not any(name == "no_nulls" for name, *_ in steps) else 0)

    def limit(self, node: Node, steps: Iterable[tuple[Any, ...]]) -> None:
        """Adds steps to a node: as limits if native code implements them, else as calls."""
        for name, *operands in steps:
            if name == "change":
                self.change(node, *operands)
            elif is_about(operands, MEMBERSHIPS):
                membership = self.resolver.membership(name, operands)
                node.calls.append((membership, (), membership.again))
            elif name in ("merged", "never"):
                node.calls.append((_doubt, ()))
            elif name == "unnamed":  # it never changes
                node.calls.append((_doubt, (), _accept_unchanged))
            elif name == "custom" and self.resolver.op.update:
                function, (_, *rest) = self.resolver.bind(name, operands)
                node.changes.append((function, tuple(rest)))  # it gets the old value
            elif name not in SILENT and not put_limit(node, self.resolver, name, operands):
                node.calls.append(self.resolver.bind(name, operands))

    def converted(self, convert: Any, step: tuple[Any, ...]) -> Call:
        """Returns a check of a converted value.

        Raises:
            NotCompilableError: it is no check of a single value.
        """
        name, *operands = step
        if name in ("custom", "change", *SILENT, *OF_PARTS) or is_about(operands, MEMBERSHIPS):
            raise NotCompilableError
        function, further = self.resolver.bind(name, operands)
        return _check_converted, (convert, function, further)

    def change(self, node: Node, name: str, *operands: Any) -> None:
        """Adds a check of changes: most are called, and some forbid any change."""
        if name == "update_struct":
            if "NoModify" in operands[0]:
                node.changes.append(True)
        elif name == "immutable":
            node.changes.append(None)
        else:
            node.changes.append(self.resolver.bind(name, operands))

    # --- values that are not there ------------------------------------------------------------------------------------

    def is_fine_without(self, shape: Shape, groups: Groups, *, but: str = "") -> bool:
        """Returns whether a member may be absent. An absent struct is checked as an empty struct.

        Skips steps of the name `but`.
        """
        try:
            found = [[step for step in self.resolver.resolve(steps) if step[0] != but] for steps in groups]
            if isinstance(shape, Pointer) and isinstance(shape.elem, Struct) and self.is_fine_as_null(shape.elem):
                found = [[step for step in steps if step[0] != "null"] for steps in found]
            return self.resolver.holds(shape, found, None if isinstance(shape, Pointer) else zero_of(shape))
        except NotCompilableError:
            return False

    def is_fine_as_null(self, shape: Struct) -> bool:
        """Returns whether null passes the checks of the whole struct, as it passes most unions."""
        steps = self.resolver.resolve(self.table(shape).get("", ()))
        return all(
            name in SILENT or (is_about(operands, SetMembers) and self.resolver.membership_holds(name, operands, None))
            for name, *operands in steps
        )

    def customs(self, groups: Groups) -> list[Call]:
        """Returns the handwritten checks of a member."""
        found = [step for steps in groups for step in self.resolver.resolve(steps)]
        return [self.resolver.bind(name, operands) for name, *operands in found if name == "custom"]


def _finder(steps: Resolved) -> Any:
    """Returns the keys of items, and the function that finds old items.

    Returns `None` if each item is treated as new, `False` if steps match items in different ways.
    """
    found = [step[2] if len(step) > 2 else None for step in steps if step[0] == "each"]
    if len({(type(items), getattr(items, "keys", None)) for items in found}) > 1:
        return False
    if not found or found[0] is None:
        return None
    return (found[0].keys if isinstance(found[0], KeyedItems) else None), found[0].finder


def _inside(name: str, steps: Resolved) -> Groups:
    """Returns the steps of items, values or keys, a group for each step around them."""
    return tuple(step[1] for step in steps if step[0] == name)


def _decoding(shape: Wire) -> tuple[Any, ...]:
    table = build_whole_table(shape.form.sure) if shape.form.sure else None
    return table, ENDLESS, shape.known, _decode, (shape,)


def _is_same(shape: Wire, value: Any, old: Any) -> bool:
    """Returns whether two values are the same in any notation. Raises if one does not decode."""
    return shape.decoded(value) is value and shape.decoded(old) is old and shape.same(value, old)


def _doubt(value: Any) -> Any:
    return [value]


def _accept_unchanged(value: Any, old: Any) -> None:
    pass


def _check_converted(value: Any, convert: Any, function: Any, operands: tuple[Any, ...]) -> Any:
    return function(convert(value), *operands)


def _decode(value: Any, shape: Wire) -> None:
    """Raises if a value does not decode. The shape caches values that do."""
    shape.decoded(value)
