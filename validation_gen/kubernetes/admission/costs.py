"""Estimates the most that an expression of a policy can cost, by the sizes that schemas admit.

No server estimates this for policies: it counts the actual cost and aborts expensive expressions. So this estimate uses
more facts than that for definitions: the length of numbers as text, and the size of values behind optional steps.
"""

from __future__ import annotations

from collections.abc import Mapping

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.cost import Estimator
from validation_gen.kubernetes.cel.ranges import Range
from validation_gen.kubernetes.cel.schemas import Declared, escape
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.types import Kind

#: Greatest number of characters of numbers and booleans as text.
_TEXTS = {Kind.INT: 20, Kind.UINT: 20, Kind.BOOL: 5, Kind.DOUBLE: 25}


def estimated(typed: Typed, sizes: Mapping[str, Declared]) -> int:
    """Return the most that an expression costs. `sizes` are the declarations of its variables."""
    return _Estimator(typed, sizes).cost(typed.expression.root).most


class _Estimator(Estimator):
    """One walk over one expression."""

    def cost(self, node: tree.Node) -> Range:
        if isinstance(node, tree.Call) and (most := self._joined(node)) is not None and node.target is not None:
            self._set_size(node, Range(0, most))
            return self.cost(node.target).plus(Range(1, most))
        cost = super().cost(node)
        if isinstance(node, tree.Call):
            self._know(node)
        return cost

    def _declared_size(self, path: list[str]) -> Range | None:
        """Returns the greatest size by the schema. Paths may use the names of fields in JSON, too."""
        return super()._declared_size(
            [*path[:1], *(name if name.startswith("@") else _field(name) for name in path[1:])]
        )

    def _joined(self, node: tree.Call) -> int | None:
        """Returns the most characters of a `join` over a literal list of constant texts."""
        if self._typed.function(node) != "join" or not isinstance(node.target, tree.Comprehension):
            return None
        given, separators = node.target.range, node.args
        if not isinstance(given, tree.ListLiteral) or not all(map(_is_text, separators)):
            return None
        ways = [_ways(element) for element in given.elements]
        if not all(ways):
            return None
        between = sum(len(str(each.value)) for each in separators if isinstance(each, tree.Literal))
        return sum(max(map(len, way)) + between for way in ways)

    def _know(self, node: tree.Call) -> None:
        """Records the known size of the result of a call."""
        function = self._typed.function(node)
        if function == "string" and len(node.args) == 1:
            most = _TEXTS.get(self._types[node.args[0].id].kind)
            if most is not None:
                self._set_size(node, Range(1, most))
        elif function == "_?._" and len(node.args) == 2:
            source, name = node.args
            if isinstance(name, tree.Literal) and isinstance(name.value, str):
                self._paths[node.id] = self._path(source).appended(name.value)
        elif function == "dyn" and len(node.args) == 1:
            self._paths[node.id] = self._path(node.args[0])
        elif function in ("_[_]", "_[?_]") and self._types[node.args[0].id].kind in (Kind.DYN, Kind.OPAQUE):
            name = node.args[1]
            if isinstance(name, tree.Literal) and isinstance(name.value, str):
                self._paths[node.id] = self._path(node.args[0]).appended(name.value)
        elif function == "orValue" and node.target is not None:
            self._paths[node.id] = self._path(node.target)
            declared = self._declared_size(self._path(node.target).names())
            other = self.size(node.args[0])
            if declared is not None:
                self._sizes[node.id] = declared if other is None else declared.union(other)
        elif function == "value" and node.target is not None:
            self._paths[node.id] = self._path(node.target)


def _field(name: str) -> str:
    """Returns the name by which expressions select a field."""
    known = name.startswith("__") and name.endswith("__")
    return name if known or "__d" in name or "__s" in name else escape(name) or name


def _is_text(node: tree.Node) -> bool:
    return isinstance(node, tree.Literal) and isinstance(node.value, str)


def _ways(node: tree.Node) -> list[str]:
    """Returns the texts that a node can be; empty if that is not known."""
    if isinstance(node, tree.Literal):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, tree.Call) and node.function == "_?_:_":
        one, other = map(_ways, node.args[1:])
        return [*one, *other] if one and other else []
    return []
