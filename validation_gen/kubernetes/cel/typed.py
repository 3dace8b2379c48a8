"""An expression whose types are known."""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """An expression with what the checker found, by the numbers of nodes.

    `static` are calls `a.b(c)` whose `a.b` is the name of a function, `names` what is a variable or a type although it
    is written as a field. `variables` are all names of variables that occur.
    """

    expression: tree.Expression
    types: list[Type]
    overloads: dict[int, tuple[str, ...]]
    static: dict[int, str]
    names: dict[int, str]
    variables: frozenset[str]

    def function(self, node: tree.Call) -> str:
        """The name of the function that a call calls."""
        return self.static.get(node.id) or node.function.removeprefix(".")

    @property
    def type(self) -> Type:
        """The type of the whole."""
        return self.types[self.expression.root.id]
