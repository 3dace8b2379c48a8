"""Expressions that nobody has checked, made ready to run: each call may be any overload that its name has.

No server runs such an expression. The specification has tests of them, because what a checker refuses can still come
out of `dyn`: they show what our evaluator does with values that no overload fits.
"""

from __future__ import annotations

from dataclasses import replace

from validation_gen.kubernetes.cel import tree, types
from validation_gen.kubernetes.cel.declarations import TYPE_NAMES, Environment
from validation_gen.kubernetes.cel.tree import Node, Typed
from validation_gen.kubernetes.cel.types import Type


def unchecked(expression: tree.Expression, environment: Environment) -> Typed:
    """The expression with all types `dyn`. Its `variables` are the names that mean nothing."""
    found = _Unchecked(expression, environment)
    found.visit(expression.root, frozenset())
    return replace(found.typed, variables=frozenset(found.unknown))


class _Unchecked:
    def __init__(self, expression: tree.Expression, environment: Environment) -> None:
        self._environment = environment
        self.typed = Typed(expression, [types.DYN] * expression.size, {}, {}, {}, frozenset())
        self.unknown: set[str] = set()

    def visit(self, node: Node, names: frozenset[str]) -> None:
        """Args: names: the variables of the loops around."""
        match node:
            case tree.Ident():
                self._named(node, node.name.removeprefix("."), names)
                return
            case tree.Select() if dotted := _dotted(node):
                if dotted[0] not in names and self._global(".".join(dotted)) is not None:
                    name = ".".join(dotted)
                    self.typed.names[node.id] = name
                    self._named(node, name, names)
                    return
            case tree.Call():
                if self._call(node, names):
                    return
            case tree.Comprehension():
                self.visit(node.range, names)
                self.visit(node.init, names)
                inner = names | {node.accu}
                for part in (node.condition, node.step):
                    self.visit(part, inner | {node.var, node.var2})
                self.visit(node.result, inner)
                return
        for child in tree.children(node):
            self.visit(child, names)

    def _global(self, name: str) -> Type | None:
        return self._environment.variables.get(name) or TYPE_NAMES.get(name)

    def _named(self, node: Node, name: str, names: frozenset[str]) -> None:
        if name in names or name in self._environment.variables:
            return
        if name in TYPE_NAMES:
            self.typed.types[node.id] = types.type_type(TYPE_NAMES[name])
        else:
            self.unknown.add(name)

    def _call(self, node: tree.Call, names: frozenset[str]) -> bool:
        """Whether the call has been dealt with, with all below it."""
        prefix = _dotted(node.target) if node.target is not None else []
        function = self._environment.function(".".join([*prefix, node.function])) if prefix else None
        args, method = node.args, False
        if function is not None:
            self.typed.static[node.id] = function.name
        else:
            function = self._environment.function(node.function)
            args, method = (node.target, *args) if node.target is not None else args, node.target is not None
        overloads = function.overloads if function is not None else ()
        fitting = [each.name for each in overloads if each.method is method and len(each.args) == len(args)]
        self.typed.overloads[node.id] = tuple(fitting)
        for argument in args:
            self.visit(argument, names)
        return True


def _dotted(node: Node) -> list[str]:
    """The names of `a.b.c`, or nothing if the node is not of that form."""
    names: list[str] = []
    while isinstance(node, tree.Select) and not node.test_only:
        names.append(node.field)
        node = node.operand
    return [node.name.removeprefix("."), *reversed(names)] if isinstance(node, tree.Ident) else []
