"""Finds CEL rules that follow from others by their form: `a || b` from `a`, `a` from `a && b`.

Of comparisons with a number the wider one follows from the narrower one: `a <= 5` from `a < 5` (`ranges`).

Errors do not matter: a stored object evaluated the old rule, and so all its parts, without an error.
"""

from __future__ import annotations

from collections.abc import Iterable

from validation_gen.commands.breaking.ranges import Alternative, IsInteger, Parts, follows, read_parts, split
from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.issues import InvalidExpression
from validation_gen.kubernetes.cel.parser import parsed
from validation_gen.kubernetes.cel.spelling import quantifier_of, spelled


def normal(rule: str) -> str:
    """Returns a rule in a normal form, independent of blanks, brackets and quotes.

    A rule that the form cannot represent, such as one with `filter`, stays as written.
    """
    try:
        root = parsed(rule).root
        return spelled(root) if is_spelled(root) else rule.strip()
    except (InvalidExpression, RecursionError):
        return rule.strip()


def about_updates(rule: str) -> bool:
    """Returns whether a rule reads the old value."""
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
    """Returns the rules that do not follow from the known ones."""
    given = [part for rule in known for part in _parts(rule, is_integer)]
    return frozenset(rule for rule in rules if not follows(_parts(rule, is_integer), given))


def _parts(rule: str, is_integer: IsInteger) -> Parts:
    try:
        return read_parts(parsed(rule).root, is_integer)
    except (InvalidExpression, RecursionError):
        return (frozenset({Alternative(rule)}),)


def split_rule(rule: str) -> list[list[tree.Node]]:
    """Splits a rule at `&&` into parts, each a list of alternatives split at `||`.

    Raises:
        InvalidExpression: the rule is no valid CEL.
    """
    return split(parsed(rule).root)


def is_spelled(root: tree.Node) -> bool:
    """Returns whether an expression can be rendered without a loss."""
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
