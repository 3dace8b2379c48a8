"""CEL rules that follow from others by their form: `a || b` from `a`, `a` from `a && b`, `a <= 5` from `a < 5`.

A comparison consists of the form of the expression and the range of numbers that it admits, independent of the side of
the number and of negations. `in` with a list of constants is read as an equality with each of them.

Errors do not matter: a stored object evaluated the old rule, and so all its parts, without an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.spelling import find_predicate, find_quantifier, spell_expression
from validation_gen.kubernetes.cel.tree import InvalidExpression

#: Each operator with its function, its negation, and with the operator after its sides are swapped.
_HOLDS: dict[str, Callable[[Fraction, Fraction], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_EQUALITY = ("==", "!=")
_NOT, _MINUS, _SIZE, _IN = "!_", "-_", "size", "@in"
_AND, _OR = "_&&_", "_||_"
_OTHER = {_AND: _OR, _OR: _AND}
#: Loops that are monotone in their predicate.
_MONOTONE = ("all", "exists")

#: Returns whether the value at a path below `self` is always an integer.
IsInteger = Callable[[tuple[str, ...]], bool]


@dataclass(frozen=True, slots=True)
class Alternative:
    """A part of a rule: its form or, for a comparison with a constant, the form of the compared expression.

    Strings are compared by `==` and `!=` alone.

    For `all` and `exists` the form consists of the list and the variable, and `parts` has the predicate of an item.
    """

    form: str
    operator: str = ""
    constant: Fraction | str = Fraction(0)
    parts: Parts = ()

    def implies(self, other: Alternative) -> bool:
        """Returns whether the other part is true wherever this one is."""
        if self == other:
            return True
        if self.parts and other.parts and self.form == other.form:
            return follows(other.parts, self.parts)
        if not self.operator or not other.operator or self.form != other.form:
            return False
        mine, its = self.constant, other.constant
        if self.operator == "==" and other.operator in _EQUALITY:
            return (mine == its) is (other.operator == "==")
        if isinstance(mine, str) or isinstance(its, str):
            return False
        if self.operator == "==":
            return _HOLDS[other.operator](mine, its)
        side = self.operator[0]
        if side not in "<>" or other.operator[0] not in (side, "!"):
            return False
        if mine == its:  # a limit that is included implies no other one at the same number
            return self.operator in (side, other.operator)
        return mine < its if side == "<" else mine > its


#: A rule as a conjunction of parts, each a disjunction of alternatives.
Parts = tuple[frozenset[Alternative], ...]


def follows(parts: Parts, given: Iterable[frozenset[Alternative]]) -> bool:
    """Returns whether each part of a rule follows from one of the given parts."""
    known = frozenset(given)
    return all(part in known or any(_admits(part, old) for old in known) for part in parts)


def _admits(part: frozenset[Alternative], old: frozenset[Alternative]) -> bool:
    """Returns whether an alternative of a part is true wherever one of the older part is."""
    return all(any(one.implies(its) for its in part) for one in old - part)


def read_parts(node: tree.Node, is_integer: IsInteger) -> Parts:
    """Returns the parts of a rule."""
    return tuple(frozenset(read_alternative(each, is_integer) for each in part) for part in split_expression(node))


def split_expression(node: tree.Node) -> list[list[tree.Node]]:
    """Splits an expression at `&&` into parts, each a list of alternatives split at `||`."""
    return [list(_operands(part, _OR)) for part in _operands(node, _AND)]


def _operands(node: tree.Node, operator: str) -> Iterator[tree.Node]:
    """Yields the operands of an operator and of nested ones, from left to right.

    The operands of a negated `||` are the negated operands of an `&&`, and vice versa.
    """
    waiting = [(node, False)]
    while waiting:
        found, negated = waiting.pop()
        function = found.function if isinstance(found, tree.Call) else ""
        if isinstance(found, tree.Call) and function == _NOT:
            waiting.append((found.args[0], not negated))
        elif isinstance(found, tree.Call) and function == (_OTHER[operator] if negated else operator):
            waiting += [(arg, negated) for arg in found.args[::-1]]
        elif isinstance(found, tree.Call) and _is_choice(found) and (operator == _AND) is negated:
            yield from (_negate(each) if negated else each for each in _equalities(found))
        else:
            yield _negate(found) if negated else found


def _negate(node: tree.Node) -> tree.Node:
    return tree.Call(node.id, node.offset, _NOT, None, (node,))


def _is_choice(node: tree.Call) -> bool:
    """Returns whether an expression checks that a value is in a list of constants."""
    if node.function != _IN or not isinstance(node.args[1], tree.ListLiteral):
        return False
    items = node.args[1]
    return bool(items.elements) and not items.optional and all(_constant(each) is not None for each in items.elements)


def _equalities(node: tree.Call) -> Iterator[tree.Node]:
    value, items = node.args
    assert isinstance(items, tree.ListLiteral)
    for each in items.elements:
        yield tree.Call(node.id, node.offset, "_==_", None, (value, each))


def read_alternative(node: tree.Node, is_integer: IsInteger) -> Alternative:
    """Returns a part of a rule. Equivalent comparisons of integers get the same form."""
    negated = False
    while isinstance(node, tree.Call) and node.function == _NOT:
        negated, node = not negated, node.args[0]
    if isinstance(node, tree.Comprehension) and not negated and find_quantifier(node) in _MONOTONE:
        predicate = find_predicate(node)
        if predicate is not None:
            form = f"{find_quantifier(node)} {node.var} {node.var2} {normalize(node.range)}"
            return Alternative(form, parts=read_parts(predicate, is_integer))
    found = _comparison(node, negated=negated)
    if found is None:
        form = normalize(node)
        return Alternative(f"!{form}" if negated else form)
    compared, operator, constant = found
    path = to_path(compared)
    if not isinstance(constant, str) and (_is_size(compared) or (path is not None and is_integer(path))):
        operator, constant = _of_integers(operator, constant, least=0 if _is_size(compared) else None)
    return Alternative(normalize(compared), operator, constant)


def to_path(node: tree.Node) -> tuple[str, ...] | None:
    """Returns the steps from `self` to a value that is selected by names alone; None for another expression."""
    steps: list[str] = []
    while isinstance(node, tree.Select) and not node.test_only:
        steps.append(node.field)
        node = node.operand
    return tuple(reversed(steps)) if isinstance(node, tree.Ident) and node.name == "self" else None


def normalize(node: object) -> str:
    """Returns the form of an expression, without blanks, brackets and quotes."""
    if isinstance(node, tuple):
        return f"({', '.join(map(normalize, node))})"
    if not isinstance(node, tree.Node):
        return repr(sorted(node) if isinstance(node, frozenset) else node)
    inner = (getattr(node, field.name) for field in fields(node) if field.name not in ("id", "offset"))
    return f"{type(node).__name__}{normalize(tuple(inner))}"


def _comparison(node: tree.Node, *, negated: bool) -> tuple[tree.Node, str, Fraction | str] | None:
    if not isinstance(node, tree.Call) or len(node.args) != 2:
        return None
    operator = node.function.strip("_")
    if operator not in _NEGATED:
        return None
    left, right = node.args
    constant, compared = _constant(right), left
    if constant is None:
        constant, compared, operator = _constant(left), right, _MIRRORED[operator]
    if constant is None or (isinstance(constant, str) and operator not in _EQUALITY):
        return None
    return compared, _NEGATED[operator] if negated else operator, constant


def _constant(node: tree.Node) -> Fraction | str | None:
    if isinstance(node, tree.Literal) and isinstance(node.value, str):
        return node.value
    if isinstance(node, tree.Call) and node.function == _MINUS:
        inner = _constant(node.args[0])
        return None if inner is None or isinstance(inner, str) else -inner
    if not isinstance(node, tree.Literal) or isinstance(node.value, bool) or not isinstance(node.value, int | float):
        return None
    return Fraction(node.value) if math.isfinite(node.value) else None


def _is_size(node: tree.Node) -> bool:
    return isinstance(node, tree.Call) and node.function == _SIZE


def _of_integers(operator: str, number: Fraction, *, least: int | None) -> tuple[str, Fraction]:
    """Returns a comparison of integers, all at least `least`, by `<=`, `>=`, `==` or `!=`."""
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


def normal(rule: str) -> str:
    """Returns a rule in a normal form, independent of blanks, brackets and quotes.

    A rule that the form cannot represent, such as one with `filter`, stays as written.
    """
    try:
        root = parse(rule).root
        return spell_expression(root) if is_spelled(root) else rule.strip()
    except (InvalidExpression, RecursionError):
        return rule.strip()


def about_updates(rule: str) -> bool:
    """Returns whether a rule reads the old value."""
    if "oldSelf" not in rule:
        return False
    try:
        nodes = tree.walk(parse(rule).root)
    except (InvalidExpression, RecursionError):
        return True
    return any(isinstance(node, tree.Ident) and node.name == "oldSelf" for node in nodes)


def not_implied(rules: Iterable[str], known: Iterable[str], is_integer: IsInteger) -> frozenset[str]:
    """Returns the rules that do not follow from the known ones."""
    given = [part for rule in known for part in _parts(rule, is_integer)]
    return frozenset(rule for rule in rules if not follows(_parts(rule, is_integer), given))


def _parts(rule: str, is_integer: IsInteger) -> Parts:
    try:
        return read_parts(parse(rule).root, is_integer)
    except (InvalidExpression, RecursionError):
        return (frozenset({Alternative(rule)}),)


def split_rule(rule: str) -> list[list[tree.Node]]:
    """Splits a rule at `&&` into parts, each a list of alternatives split at `||`.

    Raises:
        InvalidExpression: the rule is no valid CEL.
    """
    return split_expression(parse(rule).root)


def is_spelled(root: tree.Node) -> bool:
    """Returns whether an expression can be rendered without a loss."""
    for node in tree.walk(root):
        match node:
            case tree.Comprehension() if not find_quantifier(node):
                return False
            case tree.ListLiteral() | tree.Entry() if node.optional:
                return False
            case tree.ObjectLiteral():
                return False
            case tree.Select() if not node.field.isidentifier():
                return False
    return True
