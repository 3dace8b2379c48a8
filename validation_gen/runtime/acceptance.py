"""Makes the table that the native accept path walks: of shapes, and of the steps that generated modules have beside them.

A *step* is a call of a check as generated functions make it: its name and its operands. Some are known to the native code,
and their operands become limits of a node; all others are asked, by calling the very function. What can be neither (a step
that nobody here knows) makes its place one that is never sure. So a table can be slow or unsure, and never wrong.

Around checks there are steps for parts: `each`, `keys`, `in`, `item`, `if`, `modes`, `inline`. The step `unset` (or
`unset_pointer`) says that an unset value is right if the steps before it hold.

Options of a request are looked up here: a table is made for a kind and the options of a request.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
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
_SILENT = (*_UNSET, "null", "opaque")
_FREE = (ANY, RAW, OPAQUE)


#: How many sets of options a kind keeps tables for. Further ones are left to Python.
_MOST_OPTIONS = 8


class Acceptance:
    """The tables of one kind, each made when it is first needed."""

    __slots__ = ("_made", "shape")

    def __init__(self, shape: Struct) -> None:
        self.shape = shape
        self._made: dict[Hashable, Acceptor] = {}

    def of(self, op: Operation) -> Acceptor:
        """A function that tells whether a create, or an update from an old object, is certainly valid."""
        key = op.update, tuple(sorted(op.options.items()))
        found = self._made.get(key)
        if found is None:
            if len(self._made) >= 2 * _MOST_OPTIONS:
                return _unsure
            table = _Table(op)
            table.node(self.shape)
            table.mark_changes()
            found = self._made[key] = table.acceptor()
            if not table.calls_others:  # else an update has other questions
                self._made[not op.update, key[1]] = found
        return found


def _unsure(obj: Any, old: Any = None) -> bool:
    return False


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
    type: tuple[int, int] = (_LEAST, _MOST)
    values: frozenset[str] | None = None
    patterns: list[tuple[Any, ...]] = field(default_factory=list)
    asks: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)
    item: int = 0
    key: int = 0
    unique: tuple[tuple[str, Any], ...] | None = None
    members: list[tuple[str, int, int, Any]] = field(default_factory=list)
    unions: list[tuple[int, tuple[tuple[int, str], ...], str]] = field(default_factory=list)
    changes: list[tuple[Any, tuple[Any, ...]] | None] = field(default_factory=list)
    finder: Any = None

    def spec(self) -> tuple[Any, ...]:
        return (
            *(self.op, self.flags, self.min, self.max, self.bytes, self.low, self.high, *self.type, self.values),
            *(tuple(self.patterns), tuple(self.asks), self.item, self.key, self.unique),
            *(tuple(self.members), tuple(self.unions), tuple(self.changes), self.finder),
        )

    def parts(self) -> Iterator[int]:
        """The nodes of what is in a value."""
        yield from (self.item, self.key)
        yield from (index for _, index, _, _ in self.members)


class NeverSureError(Exception):
    """A step that cannot be said in the table."""


class _Table:
    """Collects nodes. The first one is that of the kind."""

    def __init__(self, op: Operation) -> None:
        assert accept is not None
        self.op = op
        self.code: Any = accept
        self.nodes: list[_Node] = []
        self._structs: dict[Hashable, int] = {}
        self._tables: dict[int, Mapping[str, Steps]] = {}
        #: Whether there are handwritten checks, which an update asks with the old value.
        self.calls_others = False

    def acceptor(self) -> Acceptor:
        found: Acceptor = self.code.Acceptor(tuple(node.spec() for node in self.nodes))
        return found

    def add(self, node: _Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def table(self, shape: Struct) -> Mapping[str, Steps]:
        """What is asked of a struct everywhere."""
        if id(shape) not in self._tables:
            self._tables[id(shape)] = shape.table
        return self._tables[id(shape)]

    def mark_changes(self) -> None:
        """Marks the nodes with questions about changes, and all above them."""
        above: dict[int, list[int]] = {}
        for index, node in enumerate(self.nodes):
            for part in node.parts():
                above.setdefault(part, []).append(index)
        waiting = [index for index, node in enumerate(self.nodes) if node.changes]
        while waiting:
            node = self.nodes[index := waiting.pop()]
            if not node.flags & self.code.CHANGES:
                node.flags |= self.code.CHANGES
                waiting += above.get(index, ())

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
            self.calls_others = True
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

    def node(self, shape: Shape, groups: Groups = (), *, opaque: bool = False) -> int:
        """The node of a value that is there and not null, with what is asked of it beside its type.

        Of what is `opaque`, tables of structs do not count.
        """
        while isinstance(shape, Pointer):
            shape = shape.elem
        try:
            found = [list(self.resolved(steps)) for steps in groups]
            opaque = opaque or any(step[0] == "opaque" for steps in found for step in steps)
            if isinstance(shape, Struct):
                return self.struct(shape, [step for steps in found for step in steps], opaque=opaque)
            return self.add(self.plain(shape, found, opaque=opaque))
        except NeverSureError:
            return self.add(_Node(self.code.NEVER))

    def plain(self, shape: Shape, groups: list[_Resolved], *, opaque: bool) -> _Node:
        code = self.code
        steps = [step for group in groups for step in group if step[0] not in _SILENT]
        if shape is STRING:
            node = _Node(code.TEXT)
        elif isinstance(shape, Integer):
            low, high = max(shape.low, _LEAST), min(shape.high, _MOST)
            node = _Node(code.INTEGER, low=low, high=high, type=(low, high))
        elif shape is BOOL:
            node = _Node(code.BOOLEAN)
        elif shape is FLOAT:
            node = _Node(code.NUMBER)
        elif shape is INT_OR_STRING:
            low, high = -(2**31), 2**31 - 1
            node = _Node(code.INT_OR_TEXT, low=low, high=high, type=(low, high))
        elif shape in _FREE and not steps:
            return _Node(code.ANY)
        elif isinstance(shape, Wire):
            node = _Node(code.WIRE, patterns=[_decoding(shape)])
        elif isinstance(shape, ListOf | MapOf):
            node = _Node(code.LIST if isinstance(shape, ListOf) else code.MAP)
            node.item = self.node(shape.elem, _inside("each", steps), opaque=opaque)
            node.finder = next((step[2].finder for step in steps if step[0] == "each" and len(step) > 2), None)
            if isinstance(shape, MapOf):
                node.key = self.node(STRING, _inside("keys", steps))
                if self.nodes[node.key].changes or (shape.key is not None and _inside("keys", steps)):
                    raise NeverSureError
                if shape.key is not None:
                    self.nodes[node.key].asks.append((shape.demand_key, ()))
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
            if name == "change":
                self.change(node, *operands)
            elif _speaks_of(operands, _MEMBERSHIPS):
                node.asks.append((self.membership(name, operands), ()))
            elif name == "item":
                self.part(node, _Item(self, *operands))
            elif name == "modes":
                self.part(node, _Modes(self, *operands))
            elif name == "custom" and self.op.update:
                self.calls_others = True
                node.changes.append(None)  # what has not changed is not asked about, and what has is told the old value
            elif name not in _SILENT and not (name in _LIMITS and _LIMITS[name](node, self, operands)):
                node.asks.append(self.ask(name, operands))

    def part(self, node: _Node, asks: _Item | _Modes) -> None:
        """A question about parts of a value, on create."""
        if asks.of_changes:
            node.changes.append(None)
        if not (asks.of_changes and self.op.update):
            node.asks.append((asks, ()))

    def change(self, node: _Node, name: str, *operands: Any) -> None:
        """A question about changes: most are asked of the check, and of some any change is one too many."""
        if name == "update_struct":
            if "NoModify" in operands[0]:
                node.changes.append(None)
        elif name == "immutable":
            node.changes.append(None)
        else:
            node.changes.append(self.ask(name, operands))

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
            elif name in ("change", "opaque"):
                continue
            elif _speaks_of(operands, PresentItems):
                if not self.membership_holds(name, operands, value):
                    return False
            elif name in _OF_PARTS or _speaks_of(operands, SetMembers):
                # There are no parts in nothing; an empty struct is looked at by itself.
                if not (value is None or isinstance(shape, Struct | ListOf | MapOf)):
                    return False
            elif not self.passes(name, operands, value):
                return False
        return True

    # --- structs -----------------------------------------------------------------------------------------------------

    def struct(self, shape: Struct, steps: _Resolved, *, opaque: bool) -> int:
        """A struct with the steps that it has everywhere, and those that it has at one place."""
        # Structs may hold themselves. The operands of steps are those of a table that is kept.
        key = id(shape), opaque, tuple((name, *map(id, operands)) for name, *operands in steps)
        if key in self._structs:
            return self._structs[key]
        node = _Node(self.code.STRUCT)
        index = self._structs[key] = self.add(node)
        try:
            self._fill(node, shape, steps, opaque=opaque)
        except NeverSureError:
            self.nodes[index] = _Node(self.code.NEVER)
        return index

    def _fill(self, node: _Node, shape: Struct, steps: _Resolved, *, opaque: bool) -> None:
        table = {} if opaque else self.table(shape)
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
                table = self.table(inlined)
                further = list(self.resolved(table.get("", ())))
                if further and hidden:
                    raise NeverSureError
                waiting += further
                for member, found in table.items():
                    if member and member not in hidden:
                        groups.setdefault(member, []).append(found)
                    elif member and not self.is_fine_without(inlined.members[member], (found,)):
                        raise NeverSureError
            elif name not in ("null", "opaque"):
                whole.append((name, *operands))
        positions: dict[str, int] = {}
        for name, member in shape.members.items():
            positions[name] = len(node.members)
            node.members.append((name, *self.member(shape, name, member, tuple(groups.pop(name, ())), opaque)))
        if groups:
            raise NeverSureError
        if all(name == "modes" or _speaks_of(operands, _MEMBERSHIPS) for name, *operands in whole):
            node.flags |= self.code.COMPARED
        for name, *operands in whole:
            if not (_speaks_of(operands, SetMembers) and self.union(node, name, operands, positions)):
                self.limit(node, [(name, *operands)])

    def member(self, struct: Struct, name: str, shape: Shape, groups: Groups, opaque: bool) -> tuple[int, int, Any]:
        """The node of a member, its flags, and its zero value."""
        flags: int = self.code.NOT_NULL if name in struct.not_null else 0
        if not self.is_fine_without(shape, groups):
            flags |= self.code.WANTED
        elif isinstance(shape, Struct):
            flags |= self.code.EMPTY
        flags |= self.code.POINTER if isinstance(shape, Pointer) else 0
        return self.node(shape, groups, opaque=opaque), flags, None if isinstance(shape, Pointer) else _zero(shape)

    def is_fine_without(self, shape: Shape, groups: Groups) -> bool:
        """Whether a member may be missing, unless it is a struct, which is looked at as an empty one."""
        try:
            found = [list(self.resolved(steps)) for steps in groups]
            return self.holds(shape, found, None if isinstance(shape, Pointer) else _zero(shape))
        except NeverSureError:
            return False

    def membership(self, name: str, operands: list[Any]) -> _Membership:
        function, _ = self.ask(name, ())
        return _Membership(function, *operands)

    def membership_holds(self, name: str, operands: list[Any], value: Any) -> bool:
        return not self.membership(name, operands)(value)

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
        found = [positions.get(member, -1) for member, _ in members.members]
        if name not in kinds or -1 in found:
            return False
        selecting = [value for _, value in names] if kinds[name] == code.SELECTED else [""] * len(found)
        if not all(isinstance(value, str) for value in selecting):
            return False
        pointers = [bool(node.members[position][2] & code.POINTER) for position in found]
        if pointers != [pointer for _, pointer in members.members]:
            return False
        for position in found:
            member, index, flags, zero = node.members[position]
            node.members[position] = member, index, flags | code.COUNTED, zero
        discriminator = operands[0] if len(operands) > 2 else ""
        node.unions.append((kinds[name], tuple(zip(found, selecting, strict=True)), discriminator))
        return True


_MEMBERSHIPS = (SetMembers, PresentItems)
#: Steps about parts of a value.
_OF_PARTS = ("each", "in", "inline", "item", "keys", "modes")


def _speaks_of(operands: list[Any], kinds: Any) -> bool:
    """Whether a step is about which members or items are set."""
    return bool(operands) and isinstance(operands[-1], kinds)


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
        self.of_changes = _of_changes(self.steps)

    def __call__(self, value: Any) -> Any:
        position, item = self.selector.find(value, pointers=self.pointers)
        return None if position < 0 or _all_pass(self.table, self.steps, item) else [position]


def _of_changes(steps: _Resolved) -> bool:
    """Whether an update asks more, or of other things, than a create."""
    return any(name in ("change", "custom") or (name in _OF_PARTS) for name, *_ in steps)


def _all_pass(table: _Table, steps: _Resolved, value: Any) -> bool:
    for name, *operands in steps:
        if name in ("change", "null", "opaque"):
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
        self.of_changes = any(map(_of_changes, self.rules.values()))

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
