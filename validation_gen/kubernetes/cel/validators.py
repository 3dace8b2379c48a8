"""Mistakes in constants of a well-typed expression: each would fail at every evaluation.

These are the validators that Kubernetes adds to the checker: literal durations and timestamps, regular expressions,
lists and maps whose elements differ in type, and format strings.
"""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.kubernetes.cel import tree
from validation_gen.kubernetes.cel.constants import ConversionError, converted
from validation_gen.kubernetes.cel.formatting import format_issues
from validation_gen.kubernetes.cel.issues import Issue
from validation_gen.kubernetes.cel.patterns import problem_of
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.types import Type, spell, unwrapped


def constant_issues(typed: Typed) -> list[Issue]:
    """Returns all such mistakes; empty for an expression that the server accepts."""
    issues: list[Issue] = []
    pending: list[tuple[tree.Node, bool]] = [(typed.expression.root, False)]
    while pending:
        node, formatted = pending.pop()
        if isinstance(node, tree.Call):
            function = typed.function(node)
            issues += _literal_issues(node, function)
            if function == "format":
                issues += format_issues(typed, node)
                formatted = True  # the arguments of a format may be of many types
        elif isinstance(node, tree.ListLiteral) and not formatted:
            issues += _list_issues(typed, node)
        elif isinstance(node, tree.MapLiteral) and not formatted:
            issues += _map_issues(typed, node)
        pending += [(child, formatted) for child in tree.children(node)]
    return issues


def _literal_issues(node: tree.Call, function: str) -> Iterator[Issue]:
    if function not in ("duration", "timestamp", "matches") or not node.args:
        return
    argument = node.args[0]
    if not isinstance(argument, tree.Literal):
        return
    if function == "matches":
        wrong = isinstance(argument.value, str) and bool(problem_of(argument.value))
    else:
        wrong = False
        try:
            converted(function, argument)
        except ConversionError:
            wrong = True
    if wrong:
        yield Issue(f"invalid {function} argument", argument.offset)


def _list_issues(typed: Typed, node: tree.ListLiteral) -> Iterator[Issue]:
    expected: Type | None = None
    for index, element in enumerate(node.elements):
        found = typed.types[element.id]
        if index in node.optional:
            found, _ = unwrapped(found)
        if expected is None:
            expected = found
        elif found != expected:
            yield _mismatch(element, expected, found)
            return


def _map_issues(typed: Typed, node: tree.MapLiteral) -> Iterator[Issue]:
    expected: tuple[Type, Type] | None = None
    for entry in node.entries:
        key, value = typed.types[entry.key.id], typed.types[entry.value.id]
        if entry.optional:
            value, _ = unwrapped(value)
        if expected is None:
            expected = key, value
            continue
        if key != expected[0]:
            yield _mismatch(entry.key, expected[0], key)
        if value != expected[1]:
            yield _mismatch(entry.value, expected[1], value)


def _mismatch(node: tree.Node, expected: Type, found: Type) -> Issue:
    return Issue(f"expected type '{spell(expected)}' but found '{spell(found)}'", node.offset)
