"""Evaluates Python expressions as far as possible without running anything."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from validation_gen.sources.python.scope import ModuleScope
from validation_gen.sources.python.values import literal

_MOST_LEVELS = 20
_MOST_BITS = 256  # more than any limit needs, and cheap to compute
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}


def known(scope: ModuleScope, expression: ast.expr, level: int = 0) -> Any:
    """Returns the value of a literal, a constant of a module, or an integer computation such as `2**31 - 1`.

    Raises:
        NotLiteralError: the value depends on code that would have to run.
    """
    if level > _MOST_LEVELS:
        return literal(expression)
    if isinstance(expression, ast.Name | ast.Attribute):
        meaning = scope.meaning(expression)
        if isinstance(meaning.node, ast.expr) and meaning.scope is not None:
            return known(meaning.scope, meaning.node, level + 1)
    if isinstance(expression, ast.BinOp) and (operate := _OPERATORS.get(type(expression.op))):
        left, right = known(scope, expression.left, level + 1), known(scope, expression.right, level + 1)
        if _is_small(left) and _is_small(right) and (right >= 0 or isinstance(expression.op, ast.Add | ast.Sub)):
            is_power = isinstance(expression.op, ast.Pow | ast.LShift)
            if not is_power or right <= _MOST_BITS:
                return operate(left, right)
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        inside = known(scope, expression.operand, level + 1)
        if isinstance(inside, int | float):
            return -inside
    return literal(expression)


def _is_small(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= _MOST_BITS
