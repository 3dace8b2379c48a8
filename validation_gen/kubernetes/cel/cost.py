"""Estimates the worst-case cost of an expression, as cel-go's checker does.

Sizes that the text does not give come from the schema: each node that fields, items and keys lead to has a path there.
Paths, and how they grow, are exactly upstream's, with all consequences; see `Path`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from validation_gen.kubernetes.cel import callcosts, tree
from validation_gen.kubernetes.cel.callcosts import Argument, CallCost, Called
from validation_gen.kubernetes.cel.declarations import (
    MOST,
    NEW_LIST,
    NEW_MAP,
    NEW_OBJECT,
    NEWEST,
    NOTHING,
    NOWHERE,
    ONE,
    UNKNOWN,
    Entries,
    Local,
    Path,
    Range,
    exactly,
)
from validation_gen.kubernetes.cel.schemas import Declared
from validation_gen.kubernetes.cel.tree import ACCUMULATOR, Node, Typed
from validation_gen.kubernetes.cel.types import Kind, Type, unwrap_optional

_SCALARS = (Kind.BOOL, Kind.DOUBLE, Kind.DURATION, Kind.INT, Kind.TIMESTAMP, Kind.UINT)
_SELECTED = (Kind.MAP, Kind.OBJECT, Kind.PARAM)


def estimate(typed: Typed, root: Declared | Mapping[str, Declared], minor: int = NEWEST) -> Range:
    """Returns the least and the most that an expression costs on a server of the release after 1.`minor`.

    Its variables, `self` and `oldSelf` in a rule, are declared by `root`; others have a declaration each, by name.
    """
    return Estimator(typed, root, minor).cost(typed.expression.root)


class Estimator:
    """One walk over one expression."""

    def __init__(self, typed: Typed, root: Declared | Mapping[str, Declared], minor: int) -> None:
        self._minor = minor
        self._typed = typed
        self._types = typed.types
        self._root = root
        self._paths: dict[int, Path] = {}
        self._sizes: dict[int, Range] = {}
        self._entries: dict[int, Entries] = {}
        self._locals: dict[str, list[Local]] = {}

    def cost(self, node: Node) -> Range:
        return _COSTS[node.__class__](self, node)

    # --- costs by kind of node ----------------------------------------------------------------------------------------

    def literal(self, node: tree.Literal) -> Range:
        return NOTHING

    def ident(self, node: tree.Ident) -> Range:
        local = self._local(node.name)
        self._paths[node.id] = local.path if local else Path([node.name], 1)
        return ONE

    def select(self, node: tree.Select) -> Range:
        if (name := self._typed.names.get(node.id)) is not None:
            self._paths[node.id] = Path([name], 1)
            return ONE
        cost = self.cost(node.operand)
        if node.test_only:
            return cost
        if self._types[node.operand.id].kind in _SELECTED:
            cost = cost.plus(ONE)
        self._paths[node.id] = self._path(node.operand).appended(node.field)
        return cost

    def call(self, node: tree.Call) -> Range:
        function = self._typed.function(node)
        if function == "dyn":
            cost = self.cost(node.args[0])
            self._copy(node, node.args[0])
            return cost.plus(ONE)
        costs = []
        args = []
        for argument in node.args:
            costs.append(self.cost(argument))
            args.append(self._argument(argument))
        overloads = self._typed.overloads.get(node.id, ())
        if not overloads:
            return NOTHING
        sum = NOTHING
        parts = args
        if node.target is not None and node.id not in self._typed.static:
            sum = self.cost(node.target)
            parts = [self._argument(node.target), *args]
        cost = Range(MOST, 0)
        size: Range | None = None
        for overload in overloads:
            its_cost, its_size = self._overload(node, Called(function, overload, parts, self._minor), costs)
            cost = cost.union(its_cost)
            if its_size is not None:
                size = its_size if size is None else size.union(its_size)
            if overload in ("index_list", "index_map"):
                entries = self._entry_sizes(node.args[0])
                size = entries.value if entries else None
                step = "@items" if overload == "index_list" else "@values"
                self._paths[node.id] = self._path(node.args[0]).appended(step)
            if size is None:
                size = self.size(node)
        self._set_size(node, size)
        return sum.plus(cost)

    def _overload(self, node: tree.Call, call: Called, costs: Sequence[Range]) -> CallCost:
        """Returns the cost of a call together with its arguments, and the size of its result."""
        if call.overload in ("logical_and", "logical_or"):
            left, right = costs
            return Range(left.least, left.plus(right).most), None
        if call.overload == "conditional":
            self._set_entries(node, self._united_entries(node.args[1], node.args[2]))
            size = call.args[1].size.union(call.args[2].size)
            return costs[0].plus(costs[1].union(costs[2])), size
        if call.overload in ("add_string", "add_bytes", "add_list"):
            self._set_entries(node, self._united_entries(node.args[0], node.args[1]))
        cost, result = _call_cost(call)
        for each in costs:
            cost = cost.plus(each)
        return cost, result

    def list_literal(self, node: tree.ListLiteral) -> Range:
        sum, item = NOTHING, _start_union(node.elements)
        for element in node.elements:
            sum = sum.plus(self.cost(element))
            item = item.union(self._size_or_unknown(element))
        self._entries[node.id] = Entries(Kind.LIST, ONE, item)
        return sum.plus(exactly(NEW_LIST))

    def map_literal(self, node: tree.MapLiteral) -> Range:
        sum, key, value = NOTHING, _start_union(node.entries), _start_union(node.entries)
        for entry in node.entries:
            sum = sum.plus(self.cost(entry.key)).plus(self.cost(entry.value))
            key = key.union(self._size_or_unknown(entry.key))
            value = value.union(self._size_or_unknown(entry.value))
        self._entries[node.id] = Entries(Kind.MAP, key, value)
        return sum.plus(exactly(NEW_MAP))

    def object_literal(self, node: tree.ObjectLiteral) -> Range:
        sum = exactly(NEW_OBJECT)
        for entry in node.entries:
            sum = sum.plus(self.cost(entry.value))
        return sum

    def comprehension(self, node: tree.Comprehension) -> Range:
        sum = self.cost(node.range).plus(self.cost(node.init))
        self._push(node.accu, Local(self._path(node.init), self.size(node.init), self._entry_sizes(node.init)))
        if _is_binding(node):
            sum = sum.plus(self.cost(node.result))
            self._locals[node.accu].pop()
            self._copy(node, node.result)
            return sum
        self._push_items(node)
        step = self.cost(node.condition)
        step = self.cost(node.step).plus(step)
        self._locals[node.var].pop()
        if node.var2:
            self._locals[node.var2].pop()
        sum = sum.plus(self.cost(node.result))
        self._locals[node.accu].pop()
        count = self._size_or_unknown(node.range)
        sum = sum.plus(count.times(step))
        if isinstance(node.init, tree.Literal):
            self._set_size(node, self.size(node.init))
        elif isinstance(node.init, tree.ListLiteral | tree.MapLiteral):
            self._set_size(node, count)
            self._set_entries(node, self._entry_sizes(node.step))
        return sum

    # --- variables ----------------------------------------------------------------------------------------------------

    def _push_items(self, node: tree.Comprehension) -> None:
        """Gives the variables of a loop their paths and sizes."""
        entries = self._entry_sizes(node.range)
        is_list = (entries.container if entries else self._types[node.range.id].kind) is Kind.LIST
        path = self._path(node.range)
        key, value = (entries.key, entries.value) if entries else (None, None)
        if node.var2:
            self._push(node.var, Local(path.appended("@indices" if is_list else "@keys"), key, None))
            self._push(node.var2, Local(path.appended("@items" if is_list else "@values"), value, None))
        elif is_list:
            self._push(node.var, Local(path.appended("@items"), value, None))
        else:
            self._push(node.var, Local(path.appended("@keys"), key, None))

    def _push(self, name: str, local: Local) -> None:
        self._locals.setdefault(name, []).append(local)

    def _local(self, name: str) -> Local | None:
        found = self._locals.get(name)
        return found[-1] if found else None

    def _path(self, node: Node) -> Path:
        if isinstance(node, tree.Ident) and (local := self._local(node.name)):
            return local.path
        return self._paths.get(node.id, NOWHERE)

    # --- sizes --------------------------------------------------------------------------------------------------------

    def size(self, node: Node) -> Range | None:
        """Returns the known size of a value: characters, bytes, items or entries."""
        if (known := self._sizes.get(node.id)) is not None:
            return known
        if (known := _literal_size(node)) is not None:
            return known
        if (known := self._declared_size(self._path(node).names())) is not None:
            self._sizes[node.id] = known
            return known
        if _is_scalar(self._types[node.id]):
            return ONE
        if isinstance(node, tree.Ident) and (local := self._local(node.name)):
            return local.size
        return None

    def _size_or_unknown(self, node: Node) -> Range:
        return self.size(node) or UNKNOWN

    def _declared_size(self, path: list[str]) -> Range | None:
        """Returns the greatest size by the schema, for a path that begins with a variable."""
        if not path:
            return None
        root = self._root
        at: Declared | None = root if isinstance(root, Declared) else root.get(path[0])
        for name in path[1:]:
            if at is None:
                return None
            if name in ("@items", "@values"):
                at = at.element
            elif name == "@keys":
                at = at.key
            else:
                at = (at.fields or {}).get(name)
        return Range(0, at.most & MOST) if at is not None else None

    def _argument(self, node: Node) -> Argument:
        path = self._path(node)
        if path.names()[:1] in ([ACCUMULATOR], ["__result__"]):
            path = NOWHERE
        size = self.size(node)

        def declared(*steps: str) -> Range | None:
            return self._declared_size([*names, *steps]) if (names := path.names()) else None

        return Argument(node, self._types[node.id], size, declared)

    def _set_size(self, node: Node, size: Range | None) -> None:
        if size is not None:
            self._sizes[node.id] = size

    def _entry_sizes(self, node: Node) -> Entries | None:
        if (known := self._entries.get(node.id)) is not None:
            return known
        if isinstance(node, tree.Ident) and (local := self._local(node.name)):
            return local.entries
        return None

    def _set_entries(self, node: Node, entries: Entries | None) -> None:
        if entries is not None:
            self._entries[node.id] = entries

    def _united_entries(self, first: Node, second: Node) -> Entries | None:
        one, other = self._entry_sizes(first), self._entry_sizes(second)
        return one.union(other) if one and other else None

    def _copy(self, to: Node, source: Node) -> None:
        """Copies the sizes of another node."""
        self._set_size(to, self.size(source))
        self._set_entries(to, self._entry_sizes(source))


_COSTS: dict[type[Node], Callable[[Estimator, Any], Range]] = tree.find_methods(Estimator)


def _call_cost(call: Called) -> CallCost:
    """Returns the cost of a call without its arguments; a call without an estimator costs 1."""
    for table, key in (
        (callcosts.LIST_ESTIMATORS, call.overload),
        (callcosts.FUNCTION_ESTIMATORS, call.function),
        (callcosts.ESTIMATORS, call.overload),
    ):
        if (estimator := table.get(key)) and (found := estimator(call)):
            return found
    return ONE, None


def _start_union(parts: tuple[object, ...]) -> Range:
    """Returns the neutral element for the union of sizes."""
    return Range(MOST, 0) if parts else NOTHING


def _is_binding(node: tree.Comprehension) -> bool:
    """Returns whether a loop never runs and only gives a value a name."""
    empty = isinstance(node.range, tree.ListLiteral) and not node.range.elements
    return empty and isinstance(node.condition, tree.Literal) and node.condition.value is False


def _literal_size(node: Node) -> Range | None:
    if isinstance(node, tree.Literal):
        return exactly(len(node.value)) if isinstance(node.value, str | bytes) else ONE
    if isinstance(node, tree.ListLiteral):
        return exactly(len(node.elements))
    return exactly(len(node.entries)) if isinstance(node, tree.MapLiteral) else None


def _is_scalar(type: Type) -> bool:
    held, optional = unwrap_optional(type)
    return _is_scalar(held) if optional else type.kind in _SCALARS
