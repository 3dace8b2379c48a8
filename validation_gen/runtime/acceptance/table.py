"""The table of a kind: shapes and steps, place by place, in the form that the native accept path walks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import partial
from typing import Any

from validation_gen.runtime import checks as library
from validation_gen.runtime.acceptance.automata import table_of
from validation_gen.runtime.acceptance.limits import LIMITS
from validation_gen.runtime.acceptance.nodes import LEAST, MOST, Ask, Node
from validation_gen.runtime.acceptance.places import Leaf
from validation_gen.runtime.acceptance.questions import (
    OF_PARTS,
    SILENT,
    UNSET,
    Groups,
    Item,
    Modes,
    NeverSureError,
    Questions,
    Resolved,
    Steps,
    speaks_of,
)
from validation_gen.runtime.membership import PresentItems, SetMembers
from validation_gen.runtime.native import accept
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.scalars import ANY, BOOL, BYTES, FLOAT, INT_OR_STRING, OPAQUE, RAW, STRING, Integer, Wire
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.shapes import ArrayOf, ListOf, MapOf, Pointer, Struct
from validation_gen.runtime.wire import unpacked

Acceptor = Any

#: Longer texts are not walked: none that is written as usual is longer.
_LONGEST_WIRE = 64
_FREE = (ANY, RAW, OPAQUE)
_MEMBERSHIPS = (SetMembers, PresentItems)
#: What has nothing to say of a value that is not null.
_OF_NULL = ("required_pointer", "unset_pointer")


class Table:
    """Collects nodes. The first one is that of the kind."""

    def __init__(self, op: Operation) -> None:
        self.questions = Questions(op)
        self.code: Any = accept
        self.nodes: list[Node] = []
        self._structs: dict[Hashable, int] = {}
        self._tables: dict[int, Mapping[str, Steps]] = {}
        #: The member whose node is being made, by its struct and name.
        self._owner: Hashable = None

    def acceptor(self) -> Acceptor:
        found: Acceptor = self.code.Acceptor(tuple(node.spec() for node in self.nodes))
        return found

    def add(self, node: Node) -> int:
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

    def clear_empty(self) -> None:
        """Takes the mark from structs of which nothing is asked while they are empty, so that nobody looks at them."""
        code = self.code
        quiet = {
            index for index, node in enumerate(self.nodes) if node.op == code.STRUCT and not (node.asks or node.unions)
        }
        while True:  # what holds something that is not quiet is not
            loud = {
                index
                for index in quiet
                for _, inner, flags, _ in self.nodes[index].members
                if flags & code.WANTED or (flags & code.EMPTY and inner not in quiet)
            }
            if not loud:
                break
            quiet -= loud
        for node in self.nodes:
            node.members = [
                (name, inner, flags & ~code.EMPTY if inner in quiet else flags, zero)
                for name, inner, flags, zero in node.members
            ]

    def mark_keys(self) -> None:
        """Marks the members that tell items apart: if one is of the wrong type, nobody knows which are the same."""
        for node in self.nodes:
            keys = {key for key, _ in node.unique or ()}
            if keys:
                items = self.nodes[node.item]
                items.members = [
                    (name, inner, flags | self.code.KEY if name in keys else flags, zero)
                    for name, inner, flags, zero in items.members
                ]

    # --- values ------------------------------------------------------------------------------------------------------

    def node(self, shape: Shape, groups: Groups = (), *, opaque: bool = False) -> int:
        """The node of a value that is there and not null, with what is asked of it beside its type.

        Of what is `opaque`, tables of structs do not count.
        """
        while isinstance(shape, Pointer):
            shape = shape.elem
        try:
            found = [list(self.questions.resolved(steps)) for steps in groups]
            opaque = opaque or any(step[0] == "opaque" for steps in found for step in steps)
            if isinstance(shape, Struct):
                return self.struct(shape, [step for steps in found for step in steps], opaque=opaque)
            node = self.plain(shape, found, opaque=opaque)
            node.leaf = self.leaf(shape, found)
            return self.add(node)
        except NeverSureError:
            return self.add(Node(self.code.NEVER))

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
            if shape is BYTES:  # checks are asked about bytes, not about the text
                node.asks += [self.converted(unpacked, step) for step in steps if step[0] != "change"]
                steps = [step for step in steps if step[0] == "change"]
        elif isinstance(shape, ListOf | MapOf):
            node = Node(code.LIST if isinstance(shape, ListOf) else code.MAP)
            node.item = self.node(shape.elem, _inside("each", steps), opaque=opaque)
            node.flags |= self.nulls(shape, steps)
            if isinstance(shape, ArrayOf):
                node.flags |= code.ARRAY
                node.high = shape.length
            node.inside = _order_inside(shape, steps, node.inside)
            node.finder = _finder(steps)
            if isinstance(shape, MapOf):
                groups_of_keys = _inside("keys", steps) if shape.key is None else ()
                node.key = self.node(STRING, groups_of_keys)
                if self.nodes[node.key].changes:
                    raise NeverSureError
                if shape.key is not None:
                    self.nodes[node.key].asks.append((shape.demand_key, ()))
                    for of_keys in _inside("keys", steps):  # which are asked about numbers
                        resolved = self.questions.resolved(of_keys)
                        self.nodes[node.key].asks += [self.converted(int, step) for step in resolved]
                    self.nodes[node.key].flags |= code.DEMANDED
                    if shape.key.high <= MOST:
                        self.nodes[node.key].type = max(shape.key.low, LEAST), shape.key.high
                    else:  # native code does not read larger ones
                        self.nodes[node.key].type = 1, 0
            steps = [step for step in steps if step[0] not in ("each", "keys")]
        else:
            raise NeverSureError
        empty = [] if node.op == code.LIST else {} if node.op == code.MAP else _zero(shape)
        if empty is not None and any(step[0] == "unset" for group in groups for step in group):
            node.flags |= code.LEAVES_UNSET if self.questions.holds(shape, groups, empty) else 0
        self.limit(node, steps)
        return node

    def nulls(self, shape: ListOf | MapOf, steps: Resolved) -> int:
        """What null is as an item, or a value of a map, as flags: nothing, a zero value, or of the wrong type."""
        code, elem = self.code, shape.elem
        while isinstance(elem, Pointer):
            elem = elem.elem
        if isinstance(elem, Wire) and not elem.form.nullable:
            return 0
        pointers = isinstance(shape.elem, Pointer)
        flags: int = code.NULLS | (code.NIL_NULLS if pointers else 0)
        passes = pointers or self.is_fine_without(elem, _inside("each", steps))
        return flags | (code.NULLS_PASS if passes and not any(name == "no_nulls" for name, *_ in steps) else 0)

    def limit(self, node: Node, steps: Iterable[tuple[Any, ...]]) -> None:
        """Puts steps into a node: those that native code knows as limits, the others as questions."""
        for name, *operands in steps:
            if name == "change":
                self.change(node, *operands)
            elif speaks_of(operands, _MEMBERSHIPS):
                membership = self.questions.membership(name, operands)
                node.asks.append((membership, (), membership.again))
            elif name == "item":
                self.part(node, Item(self.questions, *operands))
            elif name in ("merged", "never"):
                node.asks.append((_doubted, ()))
            elif name == "unnamed":  # it never changes
                node.asks.append((_doubted, (), _unchanged))
            elif name == "modes":
                self.part(node, Modes(self.questions, *operands))
            elif name == "custom" and self.questions.op.update:
                function, (_, *rest) = self.questions.ask(name, operands)
                node.changes.append((function, tuple(rest)))  # it is told the old value
            elif name not in SILENT and not (name in LIMITS and LIMITS[name](node, self.questions, operands)):
                node.asks.append(self.questions.ask(name, operands))

    def converted(self, convert: Any, step: tuple[Any, ...]) -> Ask:
        """A check of what is made of a value.

        Raises:
            NeverSureError: it is no check of a single value.
        """
        name, *operands = step
        if name in ("custom", "change", *SILENT, *OF_PARTS) or speaks_of(operands, _MEMBERSHIPS):
            raise NeverSureError
        function, further = self.questions.ask(name, operands)
        return _converted, (convert, function, further)

    def part(self, node: Node, asks: Item | Modes) -> None:
        """A question about parts of a value, and one about their changes."""
        if asks.of_changes:
            node.changes.append((asks.changed, ()))
        if asks.calls_others:
            self.questions.calls_others = True
        if not (asks.calls_others and self.questions.op.update):
            node.asks.append((asks, (), asks.again))

    def change(self, node: Node, name: str, *operands: Any) -> None:
        """A question about changes: most are asked of the check, and of some any change is one too many."""
        if name == "update_struct":
            if "NoModify" in operands[0]:
                node.changes.append(True)
        elif name == "immutable":
            node.changes.append(None)
        else:
            node.changes.append(self.questions.ask(name, operands))

    # --- structs -----------------------------------------------------------------------------------------------------

    def struct(self, shape: Struct, steps: Resolved, *, opaque: bool) -> int:
        """A struct with the steps that it has everywhere, and those that it has at one place."""
        # Structs may hold themselves. The operands of steps are those of a table that is kept.
        # Steps of one place are said by rules of their own.
        owner = self._owner if steps else None
        key = owner, id(shape), opaque, tuple((name, *map(id, operands)) for name, *operands in steps)
        if key in self._structs:
            return self._structs[key]
        node = Node(self.code.STRUCT, leaf=Leaf(shape, None))
        index = self._structs[key] = self.add(node)
        try:
            self._fill(node, shape, steps, opaque=opaque)
        except NeverSureError:
            self.nodes[index] = Node(self.code.NEVER)
        return index

    def _fill(self, node: Node, shape: Struct, steps: Resolved, *, opaque: bool) -> None:
        table = {} if opaque else self.table(shape)
        order = [name for name in table if name]
        groups: dict[str, list[Steps]] = {name: [found] for name, found in table.items() if name}
        whole: Resolved = []
        pieces: set[str] = set()
        waiting = [*self.questions.resolved(table.get("", ())), *steps]
        while waiting:
            name, *operands = waiting.pop(0)
            if name in ("in", "inline"):
                # Functions ask about these members and about the others one after the other. Paths that begin in what
                # is inlined say so.
                node.inside = 0 if name == "inline" and node is self.nodes[0] else min(node.inside, 1)
            if name == "in":
                member, inner = operands
                groups.setdefault(member, []).append(inner)
            elif name == "inline":
                inlined, hidden, *pointer = operands
                if pointer != [False]:  # what is inlined by a pointer is there as soon as any part of it is
                    node.flags |= self.code.WHOLE
                    pieces |= {member for member in inlined.members if member not in hidden}
                table = self.table(inlined)
                further = list(self.questions.resolved(table.get("", ())))
                if further and hidden:
                    whole.append(("never",))
                    further = []
                waiting += further
                for member, found in table.items():
                    if member and member not in hidden:
                        groups.setdefault(member, []).append(found)
                    elif member and not self.is_fine_without(inlined.members[member], (found,)):
                        whole.append(("unnamed",))
            elif name not in ("null", "opaque"):
                whole.append((name, *operands))
        if [name for name in shape.members if name in order] != order:
            node.inside = min(node.inside, 1)
        if any(char in name for name in shape.members for char in ".[]"):
            node.inside = 0  # paths would be read in another way
        positions: dict[str, int] = {}
        for name, member in shape.members.items():
            positions[name] = len(node.members)
            self._owner = id(shape), name
            found = tuple(groups.pop(name, ()))
            index, flags, zero = self.member(node, shape, name, member, found, opaque=opaque)
            node.members.append((name, index, flags | (self.code.PIECE if name in pieces else 0), zero))
            node.gone.append(self.gone(member, found))
        if groups:
            raise NeverSureError
        if all(
            name in ("merged", "modes", "unnamed") or speaks_of(operands, _MEMBERSHIPS) for name, *operands in whole
        ):
            node.flags |= self.code.COMPARED
        for name, *operands in whole:
            if not (speaks_of(operands, SetMembers) and self.union(node, name, operands, positions)):
                self.limit(node, [(name, *operands)])

    def customs(self, groups: Groups) -> list[Ask]:
        """The handwritten checks of a member, as questions about it."""
        found = [step for steps in groups for step in self.questions.resolved(steps)]
        return [self.questions.ask(name, operands) for name, *operands in found if name == "custom"]

    def member(
        self, node: Node, struct: Struct, name: str, shape: Shape, groups: Groups, *, opaque: bool
    ) -> tuple[int, int, Any]:
        """The node of a member of a struct, its flags, and its zero value."""
        flags: int = self.code.NOT_NULL if name in struct.not_null else 0
        if not self.is_fine_without(shape, groups):
            flags |= self.code.WANTED
        elif isinstance(shape, Struct):
            flags |= self.code.EMPTY
        if (
            flags & self.code.WANTED
            and (shape in (STRING, BOOL) or isinstance(shape, Integer))
            and self.is_fine_without(shape, groups, but="custom")
        ):
            flags ^= self.code.WANTED | self.code.EMPTY  # a function is asked about its zero value
        flags |= self.code.POINTER if isinstance(shape, Pointer) else 0
        parted = isinstance(shape, Struct | ListOf | MapOf | Pointer)
        if flags & self.code.WANTED and parted and not self.questions.op.update:
            if self.is_fine_without(shape, groups, but="custom"):  # functions are asked about what stands for it
                flags ^= self.code.WANTED
                if isinstance(shape, Struct):
                    flags |= self.code.EMPTY
                else:
                    node.asks += [(_gone, (name, *ask)) for ask in self.customs(groups)]
        return self.node(shape, groups, opaque=opaque), flags, None if isinstance(shape, Pointer) else _zero(shape)

    def leaf(self, shape: Shape, groups: Iterable[Resolved], *, gone: bool = False) -> Leaf:
        """What says what is wrong with a value that is not null, where each check can be asked on its own."""
        checks: list[Ask] = []
        if shape is BYTES and any(groups := [list(steps) for steps in groups]):
            return Leaf(shape, None)
        for name, *operands in (step for steps in groups for step in steps):
            if name in _OF_NULL and not gone:
                continue
            if name in UNSET:
                checks.append((getattr(library, name), ()))
            elif name in ("custom", "inline", "item", "modes", "never") or speaks_of(operands, _MEMBERSHIPS):
                return Leaf(shape, None)
            elif name not in ("change", *SILENT, *OF_PARTS):
                checks.append(self.questions.ask(name, operands))
        return Leaf(shape, checks)

    def gone(self, shape: Shape, groups: Groups) -> Leaf | None:
        """The same for a member that is not there."""
        try:
            return self.leaf(shape, [list(self.questions.resolved(steps)) for steps in groups], gone=True)
        except NeverSureError:
            return None

    def is_fine_without(self, shape: Shape, groups: Groups, *, but: str = "") -> bool:
        """Whether a member may be missing, unless it is a struct, which is looked at as an empty one.

        Steps of the name `but` are not asked.
        """
        try:
            found = [[step for step in self.questions.resolved(steps) if step[0] != but] for steps in groups]
            if isinstance(shape, Pointer) and isinstance(shape.elem, Struct) and self.is_fine_as_null(shape.elem):
                found = [[step for step in steps if step[0] != "null"] for steps in found]
            return self.questions.holds(shape, found, None if isinstance(shape, Pointer) else _zero(shape))
        except NeverSureError:
            return False

    def is_fine_as_null(self, shape: Struct) -> bool:
        """Whether what is asked of a struct as a whole holds of null, as that of most unions does."""
        steps = self.questions.resolved(self.table(shape).get("", ()))
        return all(
            name in SILENT
            or (speaks_of(operands, SetMembers) and self.questions.membership_holds(name, operands, None))
            for name, *operands in steps
        )

    def union(self, node: Node, name: str, operands: list[Any], positions: Mapping[str, int]) -> bool:
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


def _finder(steps: Resolved) -> Any:
    """What finds old items: `None` where each item is asked about as a new one, `False` if that depends on who asks."""
    found = [step[2] if len(step) > 2 else None for step in steps if step[0] == "each"]
    if len({(type(items), getattr(items, "keys", None)) for items in found}) > 1:
        return False
    return found[0].finder if found and found[0] is not None else None


def _order_inside(shape: ListOf | MapOf, steps: Resolved, most: int) -> int:
    """How many places inside a list or map may be told: functions may ask about all items once and then again."""
    if isinstance(shape, ArrayOf):
        return 0  # nobody looks at items that are too many
    steps = [step for step in steps if step[0] != "each" or step[1]]  # what an update alone asks
    each = [i for i, (name, *_) in enumerate(steps) if name in ("each", "keys")]
    elem = shape.elem
    while isinstance(elem, Pointer):
        elem = elem.elem
    if each and (len(each) < len(steps) - each[0] or len(each) > 1 or isinstance(elem, Struct | ListOf | MapOf)):
        return 1
    return most


def _inside(name: str, steps: Resolved) -> Groups:
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


def _is_same(shape: Wire, value: Any, old: Any) -> bool:
    """Whether two values that decode are the same, however they are written. Raises where one does not."""
    return shape.decoded(value) is value and shape.decoded(old) is old and shape.same(value, old)


def _doubted(value: Any) -> Any:
    return [value]


def _unchanged(value: Any, old: Any) -> None:
    pass


def _gone(obj: Any, member: str, function: Any, operands: tuple[Any, ...]) -> Any:
    """Asks about a member that is not there."""
    return None if obj.get(member) is not None else function(None, *operands)


def _converted(value: Any, convert: Any, function: Any, operands: tuple[Any, ...]) -> Any:
    return function(convert(value), *operands)


def _decode(value: Any, shape: Wire) -> None:
    """Raises where a value does not decode, and remembers those that do."""
    shape.decoded(value)
