"""Makes the table that the native accept path walks: of shapes, and of the steps that generated modules have beside them.

A *step* is a call of a check as generated functions make it: its name and its operands. Some are known to the native code,
and their operands become limits of a node; all others are asked, by calling the very function. What can be neither (a step
that nobody here knows) makes its place one that is never sure. So a table can be slow or unsure, and never wrong.

Around checks there are steps for parts: `each`, `keys`, `in`, `item`, `if`, `modes`, `inline`. The step `unset` (or
`unset_pointer`) says that an unset value is right if the steps before it hold.

Options of a request are looked up here: a table is made for a kind and the options of a request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime import checks
from validation_gen.runtime.automata import table_of
from validation_gen.runtime.checks import KNOWN
from validation_gen.runtime.formats import SURE
from validation_gen.runtime.items import Items, KeyedItems, Selector
from validation_gen.runtime.membership import PresentItems, SetMembers
from validation_gen.runtime.native import accept
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.scalars import ANY, BOOL, FLOAT, INT_OR_STRING, OPAQUE, RAW, STRING, Integer, Wire
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.shapes import ListOf, MapOf, Pointer, Quoted, Struct

Step = Any
Steps = tuple[Step, ...]
#: Steps that are left alone together where a value is unset.
Groups = tuple[Steps, ...]
_Resolved = list[tuple[Any, ...]]
Acceptor = Callable[..., bool]

#: Numbers that native code compares.
_LEAST, _MOST = -(2**63), 2**63 - 1
#: Longer texts are not walked: a table is for names.
_LONGEST_WIRE = 64
_UNSET = ("unset", "unset_pointer")
#: Steps that ask nothing of a value that is there.
_SILENT = (*_UNSET, "null", "change")
_FREE = (ANY, RAW, OPAQUE)


def acceptor(shape: Shape, op: Operation) -> Acceptor | None:
    """Returns a function that tells whether an object is certainly valid on create; `None` if it never could."""
    if accept is None or not isinstance(shape, Struct):
        return None
    table = _Table(op)
    table.node(shape)
    found: Acceptor = accept.Acceptor(tuple(node.spec() for node in table.nodes))
    return found


@dataclass(slots=True)
class _Node:
    """One place of the table, as native code has it."""

    op: int
    flags: int = 0
    min: int = 0
    max: int = -1
    bytes: int = -1
    low: int = _LEAST
    high: int = _MOST
    values: frozenset[str] | None = None
    patterns: list[tuple[Any, ...]] = field(default_factory=list)
    asks: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)
    item: int = 0
    key: int = 0
    unique: tuple[tuple[str, Any], ...] | None = None
    members: list[tuple[str, int, int]] = field(default_factory=list)
    unions: list[tuple[int, tuple[tuple[int, str], ...], str]] = field(default_factory=list)

    def spec(self) -> tuple[Any, ...]:
        return (
            *(self.op, self.flags, self.min, self.max, self.bytes, self.low, self.high, self.values),
            *(tuple(self.patterns), tuple(self.asks), self.item, self.key, self.unique),
            *(tuple(self.members), tuple(self.unions)),
        )


class NeverSureError(Exception):
    """A step that cannot be said in the table."""


class _Table:
    """Collects nodes. The first one is that of the kind."""

    def __init__(self, op: Operation) -> None:
        assert accept is not None
        self.op = op
        self.code: Any = accept
        self.nodes: list[_Node] = []
        self._structs: dict[int, int] = {}

    def add(self, node: _Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    # --- steps -------------------------------------------------------------------------------------------------------

    def resolved(self, steps: Iterable[Step]) -> Iterator[tuple[Any, ...]]:
        """Steps without conditions: each as its name and operands.

        Raises:
            NeverSureError: a condition is about an option that the request does not define.
        """
        for step in steps:
            name, *operands = (step,) if isinstance(step, str) else step
            if name != "if":
                yield name, *operands
                continue
            option, enabled, lenient, *inner = operands
            state = self.op.option(option)
            if state is None and not lenient:
                raise NeverSureError
            if bool(state) == enabled:
                yield from self.resolved(inner)

    def ask(self, name: str, operands: Iterable[Any]) -> tuple[Any, tuple[Any, ...]]:
        """A check as a function of a value and further operands.

        Raises:
            NeverSureError: there is no such check.
        """
        function = getattr(checks, name, None) if name in checks.__all__ else None
        if function is None:
            raise NeverSureError
        if name == "custom":
            return function, (None, *operands, self.op)
        return function, (*operands, self.op) if name == "enum_with_options" else tuple(operands)

    def passes(self, name: str, operands: Iterable[Any], value: Any) -> bool:
        """Whether a check has nothing to say of a value."""
        function, rest = self.ask(name, operands)
        try:
            return not function(value, *rest)
        except Exception:  # what a function trips over is not known to be right
            return False

    # --- values ------------------------------------------------------------------------------------------------------

    def node(self, shape: Shape, groups: Groups = ()) -> int:
        """The node of a value that is there and not null, with what is asked of it beside its type."""
        while isinstance(shape, Pointer):
            shape = shape.elem
        try:
            found = [list(self.resolved(steps)) for steps in groups]
            if isinstance(shape, Struct):
                return self.struct(shape, [step for steps in found for step in steps])
            return self.add(self.plain(shape, found))
        except NeverSureError:
            return self.add(_Node(self.code.NEVER))

    def plain(self, shape: Shape, groups: list[_Resolved]) -> _Node:
        code = self.code
        steps = [step for group in groups for step in group if step[0] not in _SILENT]
        if shape is STRING:
            node = _Node(code.TEXT)
        elif isinstance(shape, Integer):
            node = _Node(code.INTEGER, low=max(shape.low, _LEAST), high=min(shape.high, _MOST))
        elif shape is BOOL:
            node = _Node(code.BOOLEAN)
        elif shape is FLOAT:
            node = _Node(code.NUMBER)
        elif shape is INT_OR_STRING:
            node = _Node(code.INT_OR_TEXT, low=-(2**31), high=2**31 - 1)
        elif shape in _FREE and not steps:
            return _Node(code.ANY)
        elif isinstance(shape, Wire):
            node = _Node(code.WIRE, patterns=[_decoding(shape)])
        elif isinstance(shape, ListOf | MapOf):
            node = _Node(code.LIST if isinstance(shape, ListOf) else code.MAP)
            node.item = self.node(shape.elem, _inside("each", steps))
            if isinstance(shape, MapOf):
                if shape.key is not None:
                    raise NeverSureError
                node.key = self.node(STRING, _inside("keys", steps))
            steps = [step for step in steps if step[0] not in ("each", "keys")]
        else:
            raise NeverSureError
        empty = [] if node.op == code.LIST else {} if node.op == code.MAP else _zero(shape)
        if empty is not None and any(step[0] == "unset" for group in groups for step in group):
            node.flags |= code.LEAVES_UNSET if self.holds(shape, groups, empty) else 0
        self.limit(node, steps)
        return node

    def limit(self, node: _Node, steps: Iterable[tuple[Any, ...]]) -> None:
        """Puts steps into a node: those that native code knows as limits, the others as questions."""
        for name, *operands in steps:
            if name == "item":
                node.asks.append((_Item(self, *operands), ()))
            elif name == "modes":
                node.asks.append((_Modes(self, *operands), ()))
            elif name not in _SILENT and not (name in _LIMITS and _LIMITS[name](node, self, operands)):
                node.asks.append(self.ask(name, operands))

    def holds(self, shape: Shape, groups: Iterable[_Resolved], value: Any) -> bool:
        """Whether steps have nothing to say of an unset value. Parts of structs are not asked about."""
        return all(self._group_holds(shape, steps, value) for steps in groups)

    def _group_holds(self, shape: Shape, steps: _Resolved, value: Any) -> bool:
        for name, *operands in steps:
            if name in _UNSET:
                if value is None or name == "unset":
                    return True
            elif name == "null":
                if value is None:
                    return False
            elif name == "change":
                continue
            elif name in _OF_PARTS or isinstance(operands[-1] if operands else None, SetMembers | PresentItems):
                # There are no parts in nothing; an empty struct is looked at by itself.
                if not (value is None or isinstance(shape, Struct | ListOf | MapOf)):
                    return False
            elif not self.passes(name, operands, value):
                return False
        return True

    # --- structs -----------------------------------------------------------------------------------------------------

    def struct(self, shape: Struct, steps: _Resolved) -> int:
        """A struct with the steps that it has everywhere, and those that it has at one place."""
        if not steps and id(shape) in self._structs:
            return self._structs[id(shape)]
        node = _Node(self.code.STRUCT)
        index = self.add(node)
        if not steps:
            self._structs[id(shape)] = index
        try:
            self._fill(node, shape, steps)
        except NeverSureError:
            self.nodes[index] = _Node(self.code.NEVER)
        return index

    def _fill(self, node: _Node, shape: Struct, steps: _Resolved) -> None:
        table = shape.table
        groups: dict[str, list[Steps]] = {name: [found] for name, found in table.items() if name}
        whole: _Resolved = []
        waiting = [*self.resolved(table.get("", ())), *steps]
        while waiting:
            name, *operands = waiting.pop(0)
            if name == "in":
                member, inner = operands
                groups.setdefault(member, []).append(inner)
            elif name == "inline":
                inlined, hidden = operands
                table = inlined.table
                further = list(self.resolved(table.get("", ())))
                if further and hidden:
                    raise NeverSureError
                waiting += further
                for member, found in table.items():
                    if member and member not in hidden:
                        groups.setdefault(member, []).append(found)
            elif name != "null":
                whole.append((name, *operands))
        positions: dict[str, int] = {}
        for name, member in shape.members.items():
            positions[name] = len(node.members)
            node.members.append((name, *self.member(shape, name, member, tuple(groups.pop(name, ())))))
        if groups:
            raise NeverSureError
        for name, *operands in whole:
            if isinstance(operands[-1] if operands else None, SetMembers | PresentItems):
                if not self.union(node, name, operands, positions):
                    node.asks.append(self.membership(name, operands))
            else:
                self.limit(node, [(name, *operands)])

    def member(self, struct: Struct, name: str, shape: Shape, groups: Groups) -> tuple[int, int]:
        """The node of a member and its flags."""
        flags: int = self.code.NOT_NULL if name in struct.not_null else 0
        try:
            found = [list(self.resolved(steps)) for steps in groups]
            fine = self.holds(shape, found, None if isinstance(shape, Pointer) else _zero(shape))
        except NeverSureError:
            fine = False
        if not fine:
            flags |= self.code.WANTED
        elif isinstance(shape, Struct):
            flags |= self.code.EMPTY
        return self.node(shape, groups), flags

    def membership(self, name: str, operands: list[Any]) -> tuple[Any, tuple[Any, ...]]:
        function, _ = self.ask(name, ())
        return _Membership(function, *operands), ()

    def union(self, node: _Node, name: str, operands: list[Any], positions: Mapping[str, int]) -> bool:
        """Puts a union into a node. Returns whether native code knows it."""
        code = self.code
        kinds = {
            "union": code.EXACTLY_ONE,
            "zero_or_one_of": code.AT_MOST_ONE,
            "discriminated_union": code.SELECTED,
            "dependent_required": code.BOTH_OR_NO_FIRST,
            "dependent_forbidden": code.NOT_BOTH,
        }
        names, members = operands[-2:]
        if isinstance(members, PresentItems):
            return False
        found = [positions.get(member, -1) for member, _ in members.members]
        if name not in kinds or -1 in found:
            return False
        selecting = [value for _, value in names] if kinds[name] == code.SELECTED else [""] * len(found)
        if not all(isinstance(value, str) for value in selecting):
            return False
        for position, (_, pointer) in zip(found, members.members, strict=True):
            member, index, flags = node.members[position]
            if flags & code.COUNTED and bool(flags & code.POINTER) != pointer:
                return False
            flags |= code.COUNTED | (code.POINTER if pointer else 0)
            node.members[position] = member, index, flags
        discriminator = operands[0] if len(operands) > 2 else ""
        node.unions.append((kinds[name], tuple(zip(found, selecting, strict=True)), discriminator))
        return True


#: Steps about parts of a value.
_OF_PARTS = ("each", "in", "inline", "item", "keys", "modes")


def _inside(name: str, steps: _Resolved) -> Groups:
    """The steps of items, values or keys; each of those that speak of them is for itself."""
    return tuple(step[1] for step in steps if step[0] == name)


def _zero(shape: Shape) -> Any:
    """What Go has where a value is not there."""
    if isinstance(shape, Struct):
        return {}
    return getattr(shape, "zero", None)


def _decoding(shape: Wire) -> tuple[Any, ...]:
    table = table_of(shape.form.sure) if shape.form.sure else None
    return table, _LONGEST_WIRE, shape.known, _decode, (shape,)


def _decode(value: Any, shape: Wire) -> None:
    """Raises where a value does not decode, and remembers those that do."""
    shape.decoded(value)


class _Membership:
    """Asks a check about the members that are set."""

    def __init__(self, function: Any, *operands: Any) -> None:
        *self.named, self.members = operands
        self.function = function

    def __call__(self, value: Any) -> Any:
        named = list(self.named)
        if len(named) > 1:  # a discriminator, of which the check wants the value
            named[0] = (named[0], value.get(named[0]) or "")
        return self.function(*named, self.members(value))


class _Item:
    """Asks what is asked of the first item that has some values."""

    def __init__(self, table: _Table, selector: Selector, pointers: bool, steps: Steps) -> None:
        self.table, self.selector, self.pointers = table, selector, pointers
        self.steps = list(table.resolved(steps))

    def __call__(self, value: Any) -> Any:
        position, item = self.selector.find(value, pointers=self.pointers)
        return None if position < 0 or _all_pass(self.table, self.steps, item) else [position]


def _all_pass(table: _Table, steps: _Resolved, value: Any) -> bool:
    for name, *operands in steps:
        if name in ("change", "null"):
            continue
        if name in _UNSET:
            if (not value) if name == "unset" else value is None:
                return True
        elif not table.passes(name, operands, value):
            return False
    return True


class _Modes:
    """Asks what the mode of a struct asks of the member that depends on it."""

    def __init__(self, table: _Table, member: str, zero: Any, selector: tuple[str, Any], *rest: Any) -> None:
        rules, otherwise = rest
        self.table, self.member, self.zero, self.selector, self.otherwise = table, member, zero, selector, otherwise
        self.rules = {mode: list(table.resolved(steps)) for mode, steps in rules}

    def __call__(self, value: Any) -> Any:
        name, zero = self.selector
        item = value.get(self.member)
        item = self.zero if item is None else item
        steps = self.rules.get(value.get(name) or zero, [(self.otherwise,)])
        return None if _all_pass(self.table, steps, item) else [name]


# --- what native code knows ------------------------------------------------------------------------------------------

_Limit = Callable[[_Node, _Table, list[Any]], bool]


def _at_most(node: _Node, table: _Table, operands: list[Any]) -> bool:
    node.max = operands[0] if node.max < 0 else min(node.max, operands[0])
    return True


def _at_least(node: _Node, table: _Table, operands: list[Any]) -> bool:
    node.min = max(node.min, operands[0])
    return True


def _bytes(node: _Node, table: _Table, operands: list[Any]) -> bool:
    node.bytes = operands[0] if node.bytes < 0 else min(node.bytes, operands[0])
    return bool(node.op == table.code.TEXT)


def _minimum(node: _Node, table: _Table, operands: list[Any]) -> bool:
    if node.op != table.code.INTEGER or not _LEAST <= operands[0] <= _MOST:
        return False
    node.low = max(node.low, operands[0])
    return True


def _maximum(node: _Node, table: _Table, operands: list[Any]) -> bool:
    if node.op != table.code.INTEGER or not _LEAST <= operands[0] <= _MOST:
        return False
    node.high = min(node.high, operands[0])
    return True


def _one_of(node: _Node, values: Iterable[str]) -> bool:
    node.values = frozenset(values) if node.values is None else node.values & frozenset(values)
    return True


def _enum(node: _Node, table: _Table, operands: list[Any]) -> bool:
    return bool(node.op == table.code.TEXT) and _one_of(node, operands[0])


def _enum_with_options(node: _Node, table: _Table, operands: list[Any]) -> bool:
    if node.op != table.code.TEXT:
        return False
    return _one_of(node, [value for value in operands[0] if table.passes("enum_with_options", operands, value)])


def _format(node: _Node, table: _Table, operands: list[Any]) -> bool:
    if node.op != table.code.TEXT:
        return False
    (name,) = operands
    pattern, longest = SURE.get(name, ("", 0))
    node.patterns.append((table_of(pattern) if pattern else None, longest, KNOWN[name], *table.ask("format", operands)))
    return True


def _required(node: _Node, table: _Table, operands: list[Any]) -> bool:
    node.flags |= table.code.FILLED
    return node.op in (table.code.TEXT, table.code.INTEGER, table.code.BOOLEAN, table.code.LIST, table.code.MAP)


def _unique(node: _Node, table: _Table, operands: list[Any]) -> bool:
    (items,) = operands
    if node.unique is not None or node.op != table.code.LIST:
        return False
    if isinstance(items, KeyedItems):
        node.unique = tuple(items.keys)
        return True
    assert isinstance(items, Items)
    shape = items.shape.elem if isinstance(items.shape, Pointer) else items.shape
    if shape is STRING or isinstance(shape, Integer):
        node.unique = ()
        return True
    return False


def _nothing(node: _Node, table: _Table, operands: list[Any]) -> bool:
    """What null alone can fail, which native code is never sure of."""
    return True


#: How native code looks for what some checks look for. A function that returns false has the check asked instead.
_LIMITS: dict[str, _Limit] = {
    "enum": _enum,
    "enum_with_options": _enum_with_options,
    "format": _format,
    "max_bytes": _bytes,
    "max_items": _at_most,
    "max_length": _at_most,
    "max_properties": _at_most,
    "maximum": _maximum,
    "min_items": _at_least,
    "min_length": _at_least,
    "min_properties": _at_least,
    "minimum": _minimum,
    "no_nulls": _nothing,
    "required": _required,
    "required_pointer": _nothing,
    "unique": _unique,
}
