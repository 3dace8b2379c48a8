"""Which rules in CEL follow from others, as far as their form tells: `a || b` from `a`, `a` from `a && b`.

Of comparisons with a number the wider one follows from the narrower one: `a <= 5` from `a < 5` (`ranges`).

Errors do not matter: a rule that was kept had the value true, and so has all that it is a part of.
"""

from __future__ import annotations

from collections.abc import Iterable

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.issues import InvalidExpression
from validation_gen.kubernetes.cel.parser import parsed
from validation_gen.kubernetes.cel.spelling import quantifier_of, spelled
from validation_gen.uses.breaking.ranges import Alternative, IsInteger, Parts, follows, read_parts, split


def normal(rule: str) -> str:
    """A rule in the form that all have who mean the same and write it with other blanks, brackets and quotes.

    A rule of which such a form would not tell all, such as what a `filter` asks, stays as it is written.
    """
    try:
        root = parsed(rule).root
        return spelled(root) if is_spelled(root) else rule.strip()
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


def not_implied(rules: Iterable[str], known: Iterable[str], is_integer: IsInteger) -> frozenset[str]:
    """The rules that do not follow from those that are known."""
    given = [part for rule in known for part in _parts(rule, is_integer)]
    return frozenset(rule for rule in rules if not follows(_parts(rule, is_integer), given))


def _parts(rule: str, is_integer: IsInteger) -> Parts:
    try:
        return read_parts(parsed(rule).root, is_integer)
    except (InvalidExpression, RecursionError):
        return (frozenset({Alternative(rule)}),)


def split_rule(rule: str) -> list[list[tree.Node]]:
    """Returns the parts of a rule that hold together, each as alternatives of which one holds.

    Raises:
        InvalidExpression: it is none of CEL.
    """
    return split(parsed(rule).root)


def is_spelled(root: tree.Node) -> bool:
    """Tells whether an expression can be written again without a loss."""
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
