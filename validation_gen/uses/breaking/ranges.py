"""Comparisons of an expression in CEL with a number, and which of them follow from others.

A comparison is known by the form of the expression and by the range of numbers that it admits, whatever side the number
is on and whether it is negated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.spelling import predicate_of, quantifier_of

#: Each operator with its negation and with the one that says the same from the other side.
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NOT, _MINUS, _SIZE = "!_", "-_", "size"
_AND, _OR = "_&&_", "_||_"
#: Loops that hold of more if their predicate does.
_MONOTONE = ("all", "exists")

#: Tells whether the value at a path below `self` is always an integer.
IsInteger = Callable[[tuple[str, ...]], bool]


@dataclass(frozen=True, slots=True)
class Alternative:
    """A part of a rule: its form or, for a comparison with a number, the form of the expression that is compared.

    Of `all` and `exists` the form is that of the list and the variable, and `parts` is what holds of an item.
    """

    form: str
    operator: str = ""
    number: Fraction = Fraction(0)
    parts: Parts = ()

    def implies(self, other: Alternative) -> bool:
        """Tells whether the other part is true wherever this one is."""
        if self == other:
            return True
        if self.parts and other.parts and self.form == other.form:
            return follows(other.parts, self.parts)
        if not self.operator or not other.operator or self.form != other.form:
            return False
        mine, its = self.number, other.number
        match self.operator, other.operator:
            case "==", _:
                return _holds(mine, other.operator, its)
            case "<", "<" | "<=" | "!=":
                return mine <= its
            case "<=", "<" | "!=":
                return mine < its
            case "<=", "<=":
                return mine <= its
            case ">", ">" | ">=" | "!=":
                return mine >= its
            case ">=", ">" | "!=":
                return mine > its
            case ">=", ">=":
                return mine >= its
        return False


#: A rule as alternatives of which one holds, for each of the parts that hold together.
Parts = tuple[frozenset[Alternative], ...]


def follows(parts: Parts, given: Iterable[frozenset[Alternative]]) -> bool:
    """Tells whether each part of a rule follows from one of those that are given."""
    known = list(given)
    return all(any(all(any(one.implies(its) for its in part) for one in old) for old in known) for part in parts)


def read_parts(node: tree.Node, is_integer: IsInteger) -> Parts:
    """Returns the parts of a rule."""
    return tuple(frozenset(read_alternative(each, is_integer) for each in part) for part in split(node))


def split(node: tree.Node) -> list[list[tree.Node]]:
    """Returns the parts of an expression that hold together, each as alternatives of which one holds."""
    return [list(_operands(part, _OR)) for part in _operands(node, _AND)]


def _operands(node: tree.Node, operator: str) -> Iterator[tree.Node]:
    """Yields the operands of an operator and of those within them, from left to right."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, tree.Call) and found.function == operator:
            waiting += found.args[::-1]
        else:
            yield found


def read_alternative(node: tree.Node, is_integer: IsInteger) -> Alternative:
    """Returns a part of a rule. Comparisons of integers have the form that all have who mean the same."""
    negated = False
    while isinstance(node, tree.Call) and node.function == _NOT:
        negated, node = not negated, node.args[0]
    if isinstance(node, tree.Comprehension) and not negated and quantifier_of(node) in _MONOTONE:
        predicate = predicate_of(node)
        if predicate is not None:
            form = f"{quantifier_of(node)} {node.var} {node.var2} {form_of(node.range)}"
            return Alternative(form, parts=read_parts(predicate, is_integer))
    found = _comparison(node, negated=negated)
    if found is None:
        form = form_of(node)
        return Alternative(f"!{form}" if negated else form)
    compared, operator, number = found
    path = path_of(compared)
    if _is_size(compared) or (path is not None and is_integer(path)):
        operator, number = _of_integers(operator, number, least=0 if _is_size(compared) else None)
    return Alternative(form_of(compared), operator, number)


def path_of(node: tree.Node) -> tuple[str, ...] | None:
    """Returns the steps from `self` to a value that is selected by names alone; None for another expression."""
    steps: list[str] = []
    while isinstance(node, tree.Select) and not node.test_only:
        steps.append(node.field)
        node = node.operand
    return tuple(reversed(steps)) if isinstance(node, tree.Ident) and node.name == "self" else None


def form_of(node: object) -> str:
    """Returns all of an expression but the blanks, brackets and quotes."""
    if isinstance(node, tuple):
        return f"({', '.join(map(form_of, node))})"
    if not isinstance(node, tree.Node):
        return repr(sorted(node) if isinstance(node, frozenset) else node)
    inner = (getattr(node, field.name) for field in fields(node) if field.name not in ("id", "offset"))
    return f"{type(node).__name__}{form_of(tuple(inner))}"


def _comparison(node: tree.Node, *, negated: bool) -> tuple[tree.Node, str, Fraction] | None:
    if not isinstance(node, tree.Call) or len(node.args) != 2:
        return None
    operator = node.function.strip("_")
    if operator not in _NEGATED:
        return None
    left, right = node.args
    number, compared = _number(right), left
    if number is None:
        number, compared, operator = _number(left), right, _MIRRORED[operator]
    if number is None:
        return None
    return compared, _NEGATED[operator] if negated else operator, number


def _number(node: tree.Node) -> Fraction | None:
    if isinstance(node, tree.Call) and node.function == _MINUS:
        inner = _number(node.args[0])
        return None if inner is None else -inner
    if not isinstance(node, tree.Literal) or isinstance(node.value, bool) or not isinstance(node.value, int | float):
        return None
    return Fraction(node.value) if math.isfinite(node.value) else None


def _is_size(node: tree.Node) -> bool:
    return isinstance(node, tree.Call) and node.function == _SIZE


def _of_integers(operator: str, number: Fraction, *, least: int | None) -> tuple[str, Fraction]:
    """Returns a comparison of integers, none of which is less than `least`, by `<=`, `>=`, `==` or `!=`."""
    if operator == "<":
        operator, number = "<=", Fraction(math.ceil(number) - 1)
    elif operator == ">":
        operator, number = ">=", Fraction(math.floor(number) + 1)
    elif operator == "<=":
        number = Fraction(math.floor(number))
    elif operator == ">=":
        number = Fraction(math.ceil(number))
    if least is not None and number == least and operator in ("<=", "!="):
        return ("==", number) if operator == "<=" else (">=", number + 1)
    return operator, number


def _holds(value: Fraction, operator: str, number: Fraction) -> bool:
    match operator:
        case "<":
            return value < number
        case "<=":
            return value <= number
        case ">":
            return value > number
        case ">=":
            return value >= number
        case "==":
            return value == number
    return value != number
