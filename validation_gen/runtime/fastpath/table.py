"""Makes the table of a kind: nodes of shapes and steps, in the form that native code walks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from validation_gen.runtime.containers import behind_pointers
from validation_gen.runtime.fastpath.compile_steps import (
    SILENT,
    UNSET,
    Groups,
    Guard,
    NotCompilableError,
    Resolved,
    Steps,
    is_about,
    zero_of,
)
from validation_gen.runtime.fastpath.nodes import Node, Part
from validation_gen.runtime.fastpath.values import MEMBERSHIPS, Values
from validation_gen.runtime.membership import SetMembers
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.scalars import BOOL, STRING, Integer
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.shapes import ListOf, MapOf, Pointer, Struct

Acceptor = Any
#: Steps without a check of a struct that is there.
_OF_POINTERS = ("null", "required_pointer", *UNSET)


class Table(Values):
    """Makes the nodes of structs, too. The first node belongs to the kind."""

    def __init__(self, op: Operation) -> None:
        super().__init__(op)
        self._structs: dict[Hashable, int] = {}

    def compile(self, shape: Struct) -> Acceptor:
        """Returns the acceptor of a kind."""
        self.node(shape)
        self.mark_changes()
        self.clear_empty()
        return self.acceptor()

    def never(self) -> Acceptor:
        """Returns an acceptor that is never sure."""
        self.nodes = [Node(self.code.NEVER)]
        return self.acceptor()

    def acceptor(self) -> Acceptor:
        found: Acceptor = self.code.Acceptor(tuple(node.spec() for node in self.nodes))
        return found

    def mark_changes(self) -> None:
        """Marks the nodes with checks of changes, and all above them."""
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
        """Clears the flag of structs that have no checks while they are empty, so that they are skipped."""
        code = self.code
        quiet = {
            index for index, node in enumerate(self.nodes) if node.op == code.STRUCT and not (node.calls or node.unions)
        }
        while True:  # a container of something that is not quiet is not quiet
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

    # --- structs -----------------------------------------------------------------------------------------------------

    def node(self, shape: Shape, groups: Groups = (), *, opaque: bool = False, sparse: bool = False) -> int:
        """Returns the node of a value that is there and not null, with its checks beside its type.

        Tables of structs do not count in what is `opaque`. A `sparse` struct has only the members with rules.
        """
        shape = behind_pointers(shape)
        try:
            found = [list(self.resolver.resolve(steps)) for steps in groups]
            opaque = opaque or any(step[0] == "opaque" for steps in found for step in steps)
            if isinstance(shape, Struct):
                return self.struct(shape, found, opaque=opaque, sparse=sparse)
            index = self.add(self.plain(shape, found, opaque=opaque))
            for group, at in _guards(found):
                self.guard(self.nodes[index], shape, found[group][at][1], _before(found, group, at))
            return index
        except NotCompilableError:
            return self.add(Node(self.code.NEVER))

    def guard(self, node: Node, shape: Shape, step: Any, groups: list[Resolved]) -> None:
        """Adds a guard to a node: where its step fails, only the type of a value counts, and the steps before it."""
        node.guards.append(
            (Guard(self.resolver, shape, step), self.node(shape, tuple(map(tuple, groups)), opaque=True))
        )

    def struct(self, shape: Struct, groups: list[Resolved], *, opaque: bool, sparse: bool = False) -> int:
        """Returns the node of a struct, with the steps of its type and those of the fields that hold it."""
        # Structs may hold themselves. The operands of steps are those of a table that is kept.
        steps = [step for group in groups for step in group]
        sparse = sparse and all(name == "in" or name in SILENT for name, *_ in steps)  # else other members count, too
        key = id(shape), opaque, sparse, tuple((name, *map(id, operands)) for name, *operands in steps)
        if key in self._structs:
            return self._structs[key]
        node = Node(self.code.STRUCT)
        if not (opaque or shape.functions is None or any(name == "opaque" for name, *_ in steps)):
            node.part = Part(shape, *shape.functions)
        index = self._structs[key] = self.add(node)
        try:
            self._fill(node, shape, steps, opaque=opaque, sparse=sparse)
            if node.part is not None and not all(name in _OF_POINTERS or name == "change" for name, *_ in steps):
                node.beside = self.struct(shape, groups, opaque=True, sparse=True)
            whole = [] if opaque else list(self.resolver.resolve(self.table(shape).get("", ())))
            for group, at in _guards([whole, *groups]):
                before = _before([whole, *groups], group, at)
                self.guard(node, shape, [whole, *groups][group][at][1], before if not group else before[1:])
        except NotCompilableError:
            self.nodes[index] = Node(self.code.NEVER)
        return index

    def _fill(self, node: Node, shape: Struct, steps: Resolved, *, opaque: bool, sparse: bool) -> None:
        table = {} if opaque else self.table(shape)
        groups: dict[str, list[Steps]] = {name: [found] for name, found in table.items() if name}
        whole: Resolved = []
        pieces: set[str] = set()
        waiting = [*self.resolver.resolve(table.get("", ())), *steps]
        while waiting:
            name, *operands = waiting.pop(0)
            if name == "in":
                member, inner = operands
                groups.setdefault(member, []).append(inner)
            elif name == "inline":
                inlined, hidden, *pointer = operands
                if pointer != [False]:  # a struct that is inlined by a pointer is set as soon as one of its members is
                    node.flags |= self.code.WHOLE
                    pieces |= {member for member in inlined.members if member not in hidden}
                table = self.table(inlined)
                further = list(self.resolver.resolve(table.get("", ())))
                if further and hidden:
                    whole.append(("never",))
                    further = []
                waiting += further
                for member, found in table.items():
                    if member and member not in hidden:
                        groups.setdefault(member, []).append(found)
                    elif member and not self.is_fine_without(inlined.members[member], (found,)):
                        whole.append(("unnamed",))
            elif name not in ("guard", "null", "opaque"):
                whole.append((name, *operands))
        positions: dict[str, int] = {}
        for name, member in shape.members.items():
            if sparse and name not in groups:
                continue
            positions[name] = len(node.members)
            found = tuple(groups.pop(name, ()))
            index, flags, zero = self.member(node, shape, name, member, found, opaque=opaque, sparse=sparse)
            node.members.append((name, index, flags | (self.code.PIECE if name in pieces else 0), zero))
        if groups:
            raise NotCompilableError
        if all(name in ("merged", "modes", "unnamed") or is_about(operands, MEMBERSHIPS) for name, *operands in whole):
            node.flags |= self.code.COMPARED
        for name, *operands in whole:
            if name == "modes":
                self.modes(node, shape, positions, *operands)
            elif not (is_about(operands, SetMembers) and self.union(node, name, operands, positions)):
                self.limit(node, [(name, *operands)])

    def member(
        self, node: Node, struct: Struct, name: str, shape: Shape, groups: Groups, *, opaque: bool, sparse: bool
    ) -> tuple[int, int, Any]:
        """Returns the node of a member of a struct, its flags, and its zero value."""
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
            flags ^= self.code.WANTED | self.code.EMPTY  # its zero value is checked
        flags |= self.code.POINTER if isinstance(shape, Pointer) else 0
        parted = isinstance(shape, Struct | ListOf | MapOf | Pointer) and not self.resolver.op.update
        if flags & self.code.WANTED and parted and self.is_fine_without(shape, groups, but="custom"):
            flags ^= self.code.WANTED  # its zero value is checked instead
            if isinstance(shape, Struct):
                flags |= self.code.EMPTY
            else:
                node.calls += [(_gone, (name, *call)) for call in self.customs(groups)]
        index = self.node(shape, groups, opaque=opaque, sparse=sparse)
        return index, flags, None if isinstance(shape, Pointer) else zero_of(shape)

    def modes(
        self,
        node: Node,
        struct: Struct,
        positions: Mapping[str, int],
        member: str,
        selector: tuple[str, Any],
        rules: Iterable[tuple[Any, Steps]],
        otherwise: str,
    ) -> None:
        """Puts the checks of a member in the modes of a struct into a node.

        Raises:
            NotCompilableError: the member is elsewhere.
        """
        if member not in positions:
            raise NotCompilableError
        shape = struct.members[member]

        def rule(steps: Steps) -> tuple[int, bool]:
            return self.node(shape, (steps,), opaque=True), self.is_fine_without(shape, (steps,))

        found = {mode: rule(steps) for mode, steps in rules}
        node.choices.append((positions[member], selector, found, rule((otherwise,))))

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


def _guards(groups: list[Resolved]) -> list[tuple[int, int]]:
    """Returns where guards are in groups of steps."""
    return [(i, at) for i, steps in enumerate(groups) for at, step in enumerate(steps) if step[0] == "guard"]


def _before(groups: list[Resolved], group: int, at: int) -> list[Resolved]:
    """Returns the steps that run even if a guard fails: the steps before it in its group, and all other groups."""
    running = [steps[:at] if i == group else steps for i, steps in enumerate(groups)]
    return [[step for step in steps if step[0] != "guard"] for steps in running]


def _gone(obj: Any, member: str, function: Any, operands: tuple[Any, ...]) -> Any:
    """Checks a member that is not there."""
    return None if obj.get(member) is not None else function(None, *operands)
