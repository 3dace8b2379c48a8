"""An expression whose types are known."""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """An expression with the results of the checker, by the numbers of nodes.

    `static` are calls `a.b(c)` whose `a.b` is the name of a function, `names` are variables or types that are written
    as a field. `variables` are the names of all variables that occur.
    """

    expression: tree.Expression
    types: list[Type]
    overloads: dict[int, tuple[str, ...]]
    static: dict[int, str]
    names: dict[int, str]
    variables: frozenset[str]

    def function(self, node: tree.Call) -> str:
        """Returns the name of the function that a call calls."""
        return self.static.get(node.id) or node.function.removeprefix(".")

    @property
    def type(self) -> Type:
        """Type of the whole expression."""
        return self.types[self.expression.root.id]
