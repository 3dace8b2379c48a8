"""Constraints of pydantic, annotated_types, msgspec and attrs, read from their calls; never run.

Expressions are evaluated as far as that is possible without running anything.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.diagnostics import Span
from validation_gen.sources.python.defaults import NotLiteralError, literal
from validation_gen.sources.python.scope import ModuleScope

_MOST_LEVELS = 20
_MOST_BITS = 256  # more than any limit needs, and cheap to compute
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}


def evaluate(scope: ModuleScope, expression: ast.expr, level: int = 0) -> Any:
    """Returns the value of a literal, a constant of a module, or an integer computation such as `2**31 - 1`.

    Raises:
        NotLiteralError: the value depends on code that would have to run.
    """
    if level > _MOST_LEVELS:
        return literal(expression)
    if isinstance(expression, ast.Name | ast.Attribute):
        meaning = scope.meaning(expression)
        if isinstance(meaning.node, ast.expr) and meaning.scope is not None:
            return evaluate(meaning.scope, meaning.node, level + 1)
    if isinstance(expression, ast.BinOp) and (operate := _OPERATORS.get(type(expression.op))):
        left, right = evaluate(scope, expression.left, level + 1), evaluate(scope, expression.right, level + 1)
        if _is_small(left) and _is_small(right) and (right >= 0 or isinstance(expression.op, ast.Add | ast.Sub)):
            is_power = isinstance(expression.op, ast.Pow | ast.LShift)
            if not is_power or right <= _MOST_BITS:
                return operate(left, right)
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        inside = evaluate(scope, expression.operand, level + 1)
        if isinstance(inside, int | float):
            return -inside
    return literal(expression)


def _is_small(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= _MOST_BITS


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint of a library on a value.

    Attributes:
        kind: `ge`, `gt`, `le`, `lt`, `min_length`, `max_length`, `pattern`, `in`, `each_val`, `each_key`; else the name
            of a constraint without a tag.
        value: the limit; the options of `in`; the constraints of `each_val` and `each_key`.
        text: its source text.
        library: the library, as patterns differ.
        passes_none: whether `None` passes.
        problem: why it cannot be known, `""` if it is.
    """

    kind: str
    value: object
    text: str
    span: Span
    library: str
    passes_none: bool = True
    problem: str = ""


#: Arguments about values. The others document, or control conversions.
_LIMITS = "ge gt le lt multiple_of min_length max_length pattern".split()
_UNSAID = {
    "pydantic": "allow_inf_nan max_digits decimal_places strip_whitespace to_upper to_lower ascii_only".split(),
    "msgspec": ["tz"],
}
_RENAMED = {"min_items": "min_length", "max_items": "max_length"}
#: Classes of annotated_types, with the names of their positional arguments.
_ANNOTATED = {
    "Ge": ("ge",),
    "Gt": ("gt",),
    "Le": ("le",),
    "Lt": ("lt",),
    "Interval": (),
    "MinLen": ("min_length",),
    "MaxLen": ("max_length",),
    "Len": ("min_length", "max_length"),
    "MultipleOf": ("multiple_of",),
}
_OPAQUE = {"annotated_types.Predicate", "annotated_types.Not", "annotated_types.Timezone", "annotated_types.Unit"}
#: Calls of pydantic that make a type, and the type.
TYPE_CALLS = {"conint": "int", "confloat": "float", "constr": "str", "conbytes": "bytes", "conlist": "list"}
#: Types of pydantic that are a type with one constraint.
TYPE_NAMES = {
    "PositiveInt": ("int", "gt"),
    "NegativeInt": ("int", "lt"),
    "NonNegativeInt": ("int", "ge"),
    "NonPositiveInt": ("int", "le"),
    "PositiveFloat": ("float", "gt"),
    "NegativeFloat": ("float", "lt"),
    "NonNegativeFloat": ("float", "ge"),
    "NonPositiveFloat": ("float", "le"),
    "StrictInt": ("int", ""),
    "StrictFloat": ("float", ""),
    "StrictStr": ("str", ""),
    "StrictBool": ("bool", ""),
    "StrictBytes": ("bytes", ""),
}


def read_constraints(scope: ModuleScope, value: ast.expr) -> list[Constraint]:
    """Returns the constraints of a value of `Annotated[…]`, or of a call such as `Field(…)` or `constr(…)`."""
    head = value.func if isinstance(value, ast.Call) else value
    name = scope.meaning(head).name
    if name in _OPAQUE:
        return [Constraint(name, None, scope.file.text(value), scope.file.span(value), "annotated_types")]
    if not isinstance(value, ast.Call):
        return []
    package, _, last = name.rpartition(".")
    if package == "annotated_types" and last in _ANNOTATED:
        return list(_of_call(scope, value, package, _ANNOTATED[last]))
    is_pydantic = package == "pydantic" and (last in ("Field", "StringConstraints") or last in TYPE_CALLS)
    if is_pydantic or name == "msgspec.Meta":
        return list(_of_call(scope, value, package, ()))
    return []


def _of_call(scope: ModuleScope, call: ast.Call, library: str, positional: tuple[str, ...]) -> Iterator[Constraint]:
    for name, argument in zip(positional, call.args, strict=False):
        if constraint := _of_argument(scope, name, argument, call, library):
            yield constraint
    for keyword in call.keywords:
        if keyword.arg is None:
            problem = "the arguments are not written out"
            text = f"**{scope.file.text(keyword.value)}"
            yield Constraint("**", None, text, scope.file.span(keyword.value), library, problem=problem)
            continue
        kind = _RENAMED.get(keyword.arg, keyword.arg)
        if kind not in _LIMITS and kind not in _UNSAID.get(library, ()):
            continue
        if constraint := _of_argument(scope, kind, keyword.value, keyword, library):
            yield constraint


def _of_argument(
    scope: ModuleScope, kind: str, value: ast.expr, node: ast.expr | ast.keyword, library: str
) -> Constraint | None:
    span, text = scope.file.span(node), scope.file.text(node)
    if isinstance(value, ast.Constant) and (value.value is None or (kind not in _LIMITS and value.value is False)):
        return None
    made = Constraint(kind, None, text, span, library)
    if kind not in _LIMITS:
        is_default = (kind, getattr(value, "value", None)) in (("tz", True), ("allow_inf_nan", True))
        return None if is_default else made
    return with_value(scope, made, value)


def with_value(scope: ModuleScope, made: Constraint, value: ast.expr) -> Constraint:
    """Returns a constraint with its limit, or with the reason why that is unknown."""
    if made.kind == "pattern" and isinstance(value, ast.Call) and scope.meaning(value.func).name == "re.compile":
        if len(value.args) != 1 or value.keywords:
            return made  # flags change its meaning
        value = value.args[0]
    try:
        return replace(made, value=evaluate(scope, value))
    except NotLiteralError:
        return replace(made, problem="its value cannot be known without running the module")


def is_broken(constraint: Constraint, value: object) -> bool:
    """Returns whether a value breaks a constraint, as far as that is known."""
    limit = constraint.value
    if constraint.kind in ("min_length", "max_length"):
        if not isinstance(value, str | bytes | list | dict):
            return False
        value = len(value)
    if not isinstance(value, int | float) or not isinstance(limit, int | float) or isinstance(value, bool):
        return False
    match constraint.kind:
        case "ge" | "min_length":
            return value < limit
        case "gt":
            return value <= limit
        case "le" | "max_length":
            return value > limit
        case "lt":
            return value >= limit
    return False
