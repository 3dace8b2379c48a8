"""Which rules in CEL follow from others, as far as their form tells: `a || b` from `a`, `a` from `a && b`.

Errors do not matter: a rule that was kept had the value true, and so has all that it is a part of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.issues import InvalidExpression
from validation_gen.kubernetes.cel.parser import parsed
from validation_gen.kubernetes.cel.spelling import quantifier_of, spelled

_AND, _OR = "_&&_", "_||_"

#: A rule as alternatives of which one holds, for each of the parts that hold together.
_Parts = list[frozenset[str]]


def normal(rule: str) -> str:
    """A rule in the form that all have who mean the same and write it with other blanks, brackets and quotes.

    A rule of which such a form would not tell all, such as what a `filter` asks, stays as it is written.
    """
    try:
        root = parsed(rule).root
        return spelled(root) if _is_told(root) else rule.strip()
    except (InvalidExpression, RecursionError):
        return rule.strip()


def about_updates(rule: str) -> bool:
    """Whether a rule asks for the old value."""
    if "oldSelf" not in rule:
        return False
    try:
        waiting = [parsed(rule).root]
    except (InvalidExpression, RecursionError):
        return True
    while waiting:
        node = waiting.pop()
        if isinstance(node, tree.Ident) and node.name == "oldSelf":
            return True
        waiting += tree.children(node)
    return False


def not_implied(rules: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """The rules that do not follow from those that are known, in their normal form."""
    given = [part for rule in known for part in _parts(rule)]
    return frozenset(rule for rule in rules if not all(any(old <= part for old in given) for part in _parts(rule)))


def _parts(rule: str) -> _Parts:
    try:
        root = parsed(rule).root
        return [frozenset(map(_form, _split(part, _OR))) for part in _split(root, _AND)]
    except (InvalidExpression, RecursionError):
        return [frozenset({rule})]


def _split(node: tree.Node, operator: str) -> Iterator[tree.Node]:
    """The operands of an operator and of those within them, from left to right."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, tree.Call) and found.function == operator:
            waiting += found.args[::-1]
        else:
            yield found


def _form(node: object) -> str:
    """All of an expression but the blanks, brackets and quotes."""
    if isinstance(node, tuple):
        return f"({', '.join(map(_form, node))})"
    if not isinstance(node, tree.Node):
        return repr(sorted(node) if isinstance(node, frozenset) else node)
    inner = (getattr(node, field.name) for field in fields(node) if field.name not in ("id", "offset"))
    return f"{type(node).__name__}{_form(tuple(inner))}"


def _is_told(root: tree.Node) -> bool:
    """Whether an expression is all there when it is spelled."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        match node:
            case tree.Comprehension() if not quantifier_of(node):
                return False
            case tree.ListLiteral() if node.optional:
                return False
            case tree.Entry() if node.optional:
                return False
            case tree.ObjectLiteral():
                return False
            case tree.Select() if not node.field.isidentifier():
                return False
        waiting += tree.children(node)
    return True
