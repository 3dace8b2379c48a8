"""Parser: the grammar (`grammar.lark`), and a builder that makes nodes while the parser runs.

Results are cached by text. The only exception for any text is `InvalidExpression`, also for text that is nested too
deeply for upstream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from validation_gen.kubernetes.cel import macros, tree
from validation_gen.kubernetes.cel.macros import MACROS, MacroError
from validation_gen.kubernetes.cel.mistakes import syntax_issues
from validation_gen.kubernetes.cel.tree import (
    RESERVED,
    Call,
    Depth,
    Expression,
    Ident,
    InvalidExpression,
    Issue,
    Node,
    Select,
)
from validation_gen.kubernetes.cel.types import BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT, Type

if TYPE_CHECKING:
    from lark import Lark, Token

#: Greatest length of an expression in characters.
LENGTH = 100_000

_WORDS: dict[str, tuple[bool | None, Any]] = {"TRUE": (True, BOOL), "FALSE": (False, BOOL), "NULL": (None, NULL)}

_SUMS = frozenset("+-*/%")


@lru_cache(maxsize=4096)
def parse(text: str, *, quoted: bool = True) -> Expression:
    """Returns the parsed expression, which is shared by equal texts.

    `quoted`: names can be quoted, as in a.`b.c`, which servers with cel-go 0.28 or later allow.

    Raises:
        InvalidExpression: with all mistakes of the text.
    """
    result = _outcome(text, quoted)
    if isinstance(result, Expression):
        return result
    raise InvalidExpression(result)


@lru_cache(maxsize=4096)
def _outcome(text: str, quoted: bool) -> Expression | tuple[Issue, ...]:
    from lark import UnexpectedCharacters, UnexpectedToken  # noqa: PLC0415 (slow, and not every run has expressions)

    if len(text) > LENGTH:
        return (Issue(f"expression code point size exceeds limit: size: {len(text)}, limit {LENGTH}", -1),)
    lark, builder = _lark()
    with _PARSING:
        builder.begin(quoted)
        try:
            root = lark.parse(text)
        except (UnexpectedCharacters, UnexpectedToken, _NoTypeError):
            return _mistakes(lark, text, builder.issues)
        except macros.TooLargeError:
            return (Issue(f"expression node limit exceeded: {macros.SIZE}", -1),)
        except RecursionError:  # raised where a macro copies a deeply nested node
            return (_TOO_DEEP,)
        if builder.issues:
            return tuple(builder.issues)
        if too_deep := tree.problem(builder.find_depth(root)):  # type: ignore[arg-type]
            return (Issue(too_deep, -1),)
        return Expression(text, root, len(builder.depths))  # type: ignore[arg-type]


def _mistakes(lark: Lark, text: str, others: list[Issue]) -> tuple[Issue, ...]:
    """Returns the mistakes of a text that breaks the grammar."""
    try:
        return tuple(sorted([*syntax_issues(lark, text), *others], key=lambda issue: issue.offset))
    except RecursionError:
        return (_TOO_DEEP,)


_PARSING = Lock()
_TOO_DEEP = Issue(tree.TOO_DEEP, -1)


class _NoTypeError(Exception):
    """Raised for a brace behind an expression that names no type."""


@cache
def _lark() -> tuple[Lark, _Builder]:
    from lark import Lark  # noqa: PLC0415

    builder = _Builder()
    return Lark.open("grammar.lark", rel_to=__file__, parser="lalr", lexer="basic", transformer=builder), builder


class _Builder(macros.NodeFactory):
    """Makes nodes: Lark calls the method with the name of the rule that it has recognized.

    A mistake that does not stop the parser is recorded, and a placeholder node replaces the missing one.
    """

    def begin(self, quoted: bool) -> None:
        self._quoted = quoted
        self.issues: list[Issue] = []
        self.depths = []

    def find_depth(self, node: Node) -> Depth:
        """Returns the nesting depth of a node's text. Macro expansions do not count."""
        return self.depths[node.id]

    def _nested(self, node: Node, found: Depth) -> Node:
        self.depths[node.id] = found
        return node

    def _around(self, level: int, nodes: Iterable[Node], inner: int = tree.EXPRESSION) -> Depth:
        return tree.nest_depth(level, map(self.find_depth, nodes), inner)

    def _linked(self, level: int, first: Node, others: Iterable[Node] = (), inner: int = tree.EXPRESSION) -> Depth:
        return tree.link(level, self.find_depth(first), map(self.find_depth, others), inner)

    def failed(self, message: str, offset: int) -> Node:
        self.issues.append(Issue(message, offset))
        return self.make(tree.Literal, offset, None, NULL)

    # --- rules of the grammar -----------------------------------------------------------------------------------------

    def start(self, children: list[Any]) -> Node:
        node: Node = children[0]
        return node

    def nested(self, children: list[Any]) -> Node:
        node: Node = children[1]
        return self._nested(node, self._around(tree.PRIMARY, [node]))

    def ternary(self, children: list[Any]) -> Node:
        condition, question, yes, _, no = children
        node = self._call("_?_:_", question.start_pos, condition, yes, no)
        return self._nested(node, tree.choice(self.find_depth(condition), self.find_depth(yes), self.find_depth(no)))

    def logic(self, children: list[Any]) -> Node:
        """Turns a chain of one operator into a balanced tree, so that long ones are not deep."""
        terms, operators = children[::2], children[1::2]

        def balanced(low: int, high: int) -> Node:
            middle = (low + high + 1) // 2
            left = terms[middle] if middle == low else balanced(low, middle - 1)
            right = terms[middle + 1] if middle == high else balanced(middle + 1, high)
            operator = operators[middle]
            return self._call(f"_{operator}_", operator.start_pos, left, right)

        return self._nested(balanced(0, len(operators) - 1), self._around(tree.RELATION, terms, tree.RELATION))

    def binary(self, children: list[Any]) -> Node:
        left, operator, right = children
        name = "@in" if operator == "in" else f"_{operator}_"
        level = tree.SUM if operator in _SUMS else tree.RELATION
        node = self._call(name, operator.start_pos, left, right)
        return self._nested(node, self._linked(level, left, [right], level))

    def prefixed(self, children: list[Any]) -> Node:
        """Removes pairs of prefixes: `!!x` and `--x` are `x`."""
        *operators, member = children
        if len(operators) % 2 == 0:
            node: Node = member
        else:
            node = self._call(f"{operators[0]}_", operators[0].start_pos, member)
        return self._nested(node, self._around(tree.MEMBER, [member], tree.MEMBER))

    def select(self, children: list[Any]) -> Node:
        operand, dot, question, field = children
        name = self._field_name(field, field.start_pos)
        if question:
            literal = self.make(tree.Literal, field.start_pos, name, STRING)
            node = self._call("_?._", dot.start_pos, operand, literal)
        else:
            node = self.make(Select, dot.start_pos, operand, name)
        return self._nested(node, self._linked(tree.MEMBER, operand))

    def method(self, children: list[Any]) -> Node:
        target, _, name, parenthesis, *arguments, _ = children
        return self._call_or_macro(str(name), parenthesis.start_pos, target, arguments[::2])

    def index(self, children: list[Any]) -> Node:
        operand, bracket, question, index, _ = children
        node = self._call("_[?_]" if question else "_[_]", bracket.start_pos, operand, index)
        return self._nested(node, self._linked(tree.MEMBER, operand, [index]))

    def object_literal(self, children: list[Any]) -> Node:
        named, brace, *fields, _ = children
        name = _join_qualified(named)
        if not name:
            raise _NoTypeError
        entries = tuple(field for field in fields if isinstance(field, tree.Entry))
        node = self.make(tree.ObjectLiteral, brace.start_pos, name, entries)
        return self._nested(node, self._around(tree.PRIMARY, (entry.value for entry in entries)))

    def field(self, children: list[Any]) -> tree.Entry:
        question, name, colon, value = children
        key = self.make(tree.Literal, name.start_pos, self._field_name(name, (question or name).start_pos), STRING)
        return self.make(tree.Entry, colon.start_pos, key, value, bool(question))

    def ident(self, children: list[Any]) -> Node:
        dot, name = children
        if name in RESERVED:
            return self.failed(f"reserved identifier: {name}", (dot or name).start_pos)
        return self.make(Ident, name.start_pos, f".{name}" if dot else str(name))

    def call(self, children: list[Any]) -> Node:
        dot, name, parenthesis, *arguments, _ = children
        if name in RESERVED:
            return self.failed(f"reserved identifier: {name}", (dot or name).start_pos)
        return self._call_or_macro(f".{name}" if dot else str(name), parenthesis.start_pos, None, arguments[::2])

    def list_literal(self, children: list[Any]) -> Node:
        bracket, *rest, _ = children
        elements = [part for part in rest if isinstance(part, tuple)]
        optional = frozenset(index for index, (question, _) in enumerate(elements) if question)
        values = tuple(element for _, element in elements)
        node = self.make(tree.ListLiteral, bracket.start_pos, values, optional)
        return self._nested(node, self._around(tree.PRIMARY, values))

    element = staticmethod(tuple)

    def map_literal(self, children: list[Any]) -> Node:
        brace, *rest, _ = children
        entries = tuple(part for part in rest if isinstance(part, tree.Entry))
        node = self.make(tree.MapLiteral, brace.start_pos, entries)
        parts = [part for entry in entries for part in (entry.key, entry.value)]
        return self._nested(node, self._around(tree.PRIMARY, parts))

    def entry(self, children: list[Any]) -> tree.Entry:
        question, key, colon, value = children
        return self.make(tree.Entry, colon.start_pos, key, value, bool(question))

    def number(self, children: list[Any]) -> Node:
        minus, token = children
        text = f"-{token}" if minus else str(token)
        read, type = (macros.integer, INT) if token.type == "NUM_INT" else (macros.double, DOUBLE)
        return self._literal((minus or token).start_pos, lambda: (read(text), type))

    def literal(self, children: list[Any]) -> Node:
        (token,) = children
        if token.type in _WORDS:
            return self._literal(token.start_pos, lambda: _WORDS[token.type])
        if token.type == "NUM_UINT":
            return self._literal(token.start_pos, lambda: (macros.integer(token[:-1], unsigned=True), UINT))
        return self._literal(token.start_pos, lambda: _string(token))

    def _field_name(self, token: Token, offset: int) -> str:
        if token.type != "ESC_IDENTIFIER":
            return str(token)
        if not self._quoted:
            self.issues.append(Issue("unsupported syntax: '`'", offset))
        return token[1:-1]

    # --- nodes --------------------------------------------------------------------------------------------------------

    def _literal(self, offset: int, read: Callable[[], tuple[Any, Type]]) -> Node:
        try:
            node = self.make(tree.Literal, offset, *read())
        except macros.BadLiteral as error:
            return self.failed(str(error), offset)
        return node

    def _call(self, function: str, offset: int, *args: Node) -> Node:
        return self.make(Call, offset, function, None, args)

    def _call_or_macro(self, name: str, offset: int, target: Node | None, args: list[Node]) -> Node:
        arguments = tuple(args)
        found = self._linked(tree.MEMBER, target, args) if target else self._around(tree.PRIMARY, args)
        if expand := MACROS.get((name, target is not None, len(args))):
            try:
                return self._nested(expand(macros.Maker(self, offset), target, arguments), found)
            except MacroError as error:
                return self.failed(error.message, error.node.offset)
        call = self.make(Call, offset, name, target, arguments)
        return self._nested(call, found)


def _string(token: Token) -> tuple[str | bytes, Type]:
    value = macros.string(token)
    return value, BYTES if isinstance(value, bytes) else STRING


def _join_qualified(node: Node) -> str:
    """Returns the name of a type, `a.b.C`, or nothing if the node is something else."""
    names = []
    while isinstance(node, Select) and not node.test_only:
        names.append(node.field)
        node = node.operand
    return ".".join([node.name, *reversed(names)]) if isinstance(node, Ident) else ""
