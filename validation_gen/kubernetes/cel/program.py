"""Compiles one expression at its place in the schema to a plan that can run, and stores parsed expressions as text.

Programs can run such rules without the parser. The text is JSON: the number of nodes, then the nodes, each after those
that it refers to by their position in the list. Neither writing nor reading is recursive, as trees can be deep.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from validation_gen.kubernetes.cel import tree, types
from validation_gen.kubernetes.cel.check import check_expression
from validation_gen.kubernetes.cel.declarations import Environment
from validation_gen.kubernetes.cel.plan import Plan, make_plan
from validation_gen.kubernetes.cel.scope import Scope
from validation_gen.kubernetes.cel.tree import (
    TOO_DEEP,
    Expression,
    InvalidExpression,
    Issue,
    Node,
    Typed,
    render_issues,
)
from validation_gen.kubernetes.cel.types import BOOL, STRING, Type
from validation_gen.kubernetes.cel.validators import constant_issues
from validation_gen.kubernetes.cel.values import EvaluationError

#: Classes of nodes by their names in the text.
_CLASSES: dict[str, type[Node]] = {
    "literal": tree.Literal,
    "ident": tree.Ident,
    "select": tree.Select,
    "call": tree.Call,
    "list": tree.ListLiteral,
    "entry": tree.Entry,
    "map": tree.MapLiteral,
    "object": tree.ObjectLiteral,
    "loop": tree.Comprehension,
}
_NAMES = {kind: name for name, kind in _CLASSES.items()}
#: Types of literals by their names.
_TYPES = {
    str(type): type for type in (types.BOOL, types.BYTES, types.DOUBLE, types.INT, types.NULL, types.STRING, types.UINT)
}
#: Fields that hold one node, and those that hold a tuple of them.
_NODES = frozenset({"operand", "target", "key", "value", "range", "init", "condition", "step", "result"})
_LISTS = frozenset({"args", "elements", "entries"})


def serialize(outcome: Expression | InvalidExpression) -> str:
    """Returns a parsed expression, or the mistakes of one, as a text."""
    if isinstance(outcome, InvalidExpression):
        return _dump({"issues": [[issue.message, issue.offset] for issue in outcome.issues]})
    rows: list[list[Any]] = []
    places: dict[int, int] = {}
    waiting = [(outcome.root, False)]
    while waiting:
        node, is_ready = waiting.pop()
        if node.id in places:
            continue
        if not is_ready:
            waiting.append((node, True))
            waiting += [(child, False) for child in tree.children(node)]
            continue
        places[node.id] = len(rows)
        rows.append([_NAMES[type(node)], node.id, node.offset, *_parts(node, places)])
    return _dump([outcome.size, *rows])


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _parts(node: Node, places: dict[int, int]) -> Iterator[Any]:
    for field in fields(node)[2:]:
        part = getattr(node, field.name)
        if isinstance(part, Node):
            yield places[part.id]
        elif field.name in _LISTS:
            yield [places[each.id] for each in part]
        elif isinstance(part, frozenset):
            yield sorted(part)
        elif isinstance(part, bytes):
            yield part.hex()
        else:
            yield str(part) if isinstance(part, Type) else part


@lru_cache(maxsize=4096)
def deserialize(text: str, data: str) -> Expression:
    """Returns the parsed expression of a text.

    Raises:
        InvalidExpression: the text has mistakes.
    """
    found = json.loads(data)
    if isinstance(found, dict):
        raise InvalidExpression([Issue(message, offset) for message, offset in found["issues"]])
    size, *rows = found
    nodes: list[Node] = []
    for name, id, offset, *parts in rows:
        kind = _CLASSES[name]
        nodes.append(kind(id, offset, *_read(kind, parts, nodes)))
    return Expression(text, nodes[-1], size)


def _read(kind: type[Node], parts: list[Any], nodes: list[Node]) -> Iterator[Any]:
    if kind is tree.Literal:
        value, type = parts[0], _TYPES[parts[1]]
        yield from (bytes.fromhex(value) if type is types.BYTES else value, type)
        return
    for field, part in zip(fields(kind)[2:], parts, strict=True):
        if field.name in _NODES:
            yield None if part is None else nodes[part]
        elif field.name in _LISTS:
            yield tuple(nodes[each] for each in part)
        else:
            yield frozenset(part) if field.name == "optional" and isinstance(part, list) else part


#: First minor version with quoted names, as in a.`b.c`: they need cel-go 0.28, which no server up to 1.37.0-beta.0 has.
NAMES_QUOTED = 37

#: The answer to rules on a schema without a type that expressions could use.
NO_TYPE = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert "
    "structural schema to CEL declarations"
)


#: Variables of rules, in the order in which a plan takes their values.
VARIABLES = ("self", "oldSelf")


def compile_at(text: str, scope: Scope, *, optional_old_self: bool = False) -> tuple[Typed, Plan]:
    """Compiles an expression of any type at a place.

    Raises:
        InvalidExpression: it does not compile.
    """
    typed = _check_types(text, scope, optional_old_self)
    return typed, _plan(typed, "program")


def parse_at(text: str, scope: Scope) -> Expression:
    """Returns the parsed expression: the one that the scope has, else from the parser.

    Raises:
        InvalidExpression: with all mistakes of the text.
    """
    if text in scope.expressions:
        return deserialize(text, scope.expressions[text])
    from validation_gen.kubernetes.cel.parser import parse  # noqa: PLC0415 - generated validators need none

    return parse(text, quoted=scope.minor >= NAMES_QUOTED or scope.stored)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A rule that can run, and its checked expression."""

    plan: Plan
    typed: Typed

    @property
    def uses_old(self) -> bool:
        """True if the rule names the old value."""
        return "oldSelf" in self.typed.variables


def prepare(text: str, scope: Scope, *, optional_old_self: bool = False, message: bool = False) -> Prepared:
    """Compiles a rule, or a `messageExpression`.

    Raises:
        InvalidExpression: it does not compile, or has the wrong type. Then all of the server's text is one issue.
    """
    subject, prefix, wanted = ("messageExpression",) * 2 + (STRING,) if message else ("cel expression", "program", BOOL)
    try:
        typed = _check_types(text, scope, optional_old_self)
    except InvalidExpression as error:
        if scope.declared is None:
            raise
        before = "messageExpression " if message else ""
        problem = f"{before}compilation failed: {render_issues(text, error.issues)}"
        raise InvalidExpression([Issue(problem, -1)]) from error
    if typed.type != wanted:
        raise InvalidExpression([Issue(f"{subject} must evaluate to a {wanted}", 0)])
    return Prepared(_plan(typed, prefix), typed)


def _check_types(text: str, scope: Scope, optional: bool) -> Typed:
    """Returns the expression with its types."""
    declared = scope.declared
    if declared is None:
        raise InvalidExpression([Issue(NO_TYPE, -1)])
    return check_types(parse_at(text, scope), scope.environment(declared, optional=optional), scope.minor)


def check_types(expression: Expression, environment: Environment, minor: int) -> Typed:
    """Returns an expression with its types, as a server of the release after 1.`minor` runs it.

    Raises:
        InvalidExpression: it does not compile.
    """
    try:
        typed = check_expression(expression, environment)
        issues = constant_issues(typed)
    except RecursionError:  # the expansion of macros can be nested more deeply than the text
        raise InvalidExpression([Issue(TOO_DEEP, -1)]) from None
    if issues:
        raise InvalidExpression(issues)
    return typed.on_server(minor)


def _plan(typed: Typed, prefix: str) -> Plan:
    """Returns the plan; raises if a constant part fails."""
    try:
        return make_plan(typed, VARIABLES)
    except RecursionError:
        raise InvalidExpression([Issue(TOO_DEEP, -1)]) from None
    except EvaluationError as error:
        raise InvalidExpression([Issue(f"{prefix} instantiation failed: {error.message}", 0)]) from error
