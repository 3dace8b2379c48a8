"""From text to tree: the grammar (`grammar.lark`), and a builder that makes nodes while the parser runs.

Texts are parsed once and remembered. Nothing but `InvalidExpression` comes out, whatever the text; what is nested too
deeply is refused as upstream refuses it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from validation_gen.cel import literals, tree
from validation_gen.cel.issues import InvalidExpression, Issue
from validation_gen.cel.macros import MACROS, MacroError
from validation_gen.cel.mistakes import token_issue, unknown_characters
from validation_gen.cel.tree import Call, Expression, Ident, Node, Select
from validation_gen.cel.types import BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT, Type

if TYPE_CHECKING:
    from lark import Lark, Token

#: How deep an expression may be nested, and how long it may be in characters.
DEPTH = 250
LENGTH = 100_000
#: How many nodes macros may make of it. `optMap` doubles what it stands on, so a chain of thirty would fill any memory.
SIZE = 200_000

#: Words that cannot be variables. They can be fields, apart from the first four.
RESERVED = frozenset(
    "true false null in as break const continue else for function if import let loop package namespace return var void "
    "while".split()
)
_WORDS: dict[str, tuple[bool | None, Any]] = {"TRUE": (True, BOOL), "FALSE": (False, BOOL), "NULL": (None, NULL)}


@lru_cache(maxsize=4096)
def parsed(text: str) -> Expression:
    """The expression that a text is; raises `InvalidExpression`. Equal texts share it."""
    result = _outcome(text)
    if isinstance(result, Expression):
        return result
    raise InvalidExpression(result)


@lru_cache(maxsize=4096)
def _outcome(text: str) -> Expression | tuple[Issue, ...]:
    from lark import UnexpectedCharacters, UnexpectedToken  # noqa: PLC0415 (slow, and not every run has expressions)

    if len(text) > LENGTH:
        return (Issue(f"expression code point size exceeds limit: size: {len(text)}, limit {LENGTH}", -1),)
    lark, builder = _lark()
    with _PARSING:
        builder.begin()
        try:
            root = lark.parse(text)
        except UnexpectedCharacters as error:
            return (unknown_characters(text, error.pos_in_stream or 0),)
        except UnexpectedToken as error:
            return (*builder.issues, token_issue(lark, text, error))
        except _TooLargeError:
            return (Issue(f"expression node limit exceeded: {SIZE}", -1),)
        except RecursionError:  # where a macro copies what is nested deeply
            return (_TOO_DEEP,)
        if builder.issues:
            return tuple(builder.issues)
        if builder.depth(root) > DEPTH:  # type: ignore[arg-type]
            return (_TOO_DEEP,)
        return Expression(text, root, builder.size)  # type: ignore[arg-type]


_PARSING = Lock()
_TOO_DEEP = Issue(f"expression recursion limit exceeded: {DEPTH}", -1)


class _TooLargeError(Exception):
    pass


@cache
def _lark() -> tuple[Lark, _Builder]:
    from lark import Lark  # noqa: PLC0415

    builder = _Builder()
    return Lark.open("grammar.lark", rel_to=__file__, parser="lalr", lexer="basic", transformer=builder), builder


class _Builder:
    """Makes nodes: Lark calls the method that has the name of the rule it has recognised.

    A mistake that does not stop the parser is noted, and some node takes the place of what cannot be made.
    """

    def begin(self) -> None:
        self.size = 0
        self.issues: list[Issue] = []
        self._depths: list[int] = []

    def make(self, kind: Callable[..., Any], offset: int, *parts: object) -> Any:
        if self.size >= SIZE:
            raise _TooLargeError
        node = kind(self.size, offset, *parts)
        self.size += 1
        self._depths.append(self._deepest(_children(parts)) + (kind is not tree.Entry))
        return node

    def depth(self, node: Node) -> int:
        """How deep the text of a node is nested. Parentheses count, what macros make of it does not."""
        return self._depths[node.id]

    def _deepest(self, nodes: Iterable[Node]) -> int:
        return max((self._depths[node.id] for node in nodes), default=0)

    def failed(self, message: str, offset: int) -> Node:
        self.issues.append(Issue(message, offset))
        node: Node = self.make(tree.Literal, offset, None, NULL)
        return node

    # --- rules of the grammar -----------------------------------------------------------------------------------------

    def start(self, children: list[Any]) -> Node:
        node: Node = children[0]
        return node

    def nested(self, children: list[Any]) -> Node:
        node: Node = children[1]
        self._depths[node.id] += 1
        return node

    def ternary(self, children: list[Any]) -> Node:
        condition, question, yes, _, no = children
        return self._call("_?_:_", question.start_pos, condition, yes, no)

    def logic(self, children: list[Any]) -> Node:
        """A chain of one operator becomes a balanced tree, so that long ones are not deep."""
        terms, operators = children[::2], children[1::2]

        def balanced(low: int, high: int) -> Node:
            middle = (low + high + 1) // 2
            left = terms[middle] if middle == low else balanced(low, middle - 1)
            right = terms[middle + 1] if middle == high else balanced(middle + 1, high)
            operator = operators[middle]
            return self._call(f"_{operator}_", operator.start_pos, left, right)

        return balanced(0, len(operators) - 1)

    def binary(self, children: list[Any]) -> Node:
        left, operator, right = children
        name = "@in" if operator == "in" else f"_{operator}_"
        return self._call(name, operator.start_pos, left, right)

    def prefixed(self, children: list[Any]) -> Node:
        """`!!x` and `--x` are `x`."""
        *operators, member = children
        if len(operators) % 2 == 0:
            node: Node = member
            return node
        return self._call(f"{operators[0]}_", operators[0].start_pos, member)

    def select(self, children: list[Any]) -> Node:
        operand, dot, question, field = children
        name = _field_name(field)
        if question:
            literal = self.make(tree.Literal, field.start_pos, name, STRING)
            return self._call("_?._", dot.start_pos, operand, literal)
        node: Node = self.make(Select, dot.start_pos, operand, name)
        return node

    def method(self, children: list[Any]) -> Node:
        target, _, name, parenthesis, *arguments, _ = children
        return self._call_or_macro(str(name), parenthesis.start_pos, target, arguments[::2])

    def index(self, children: list[Any]) -> Node:
        operand, bracket, question, index, _ = children
        return self._call("_[?_]" if question else "_[_]", bracket.start_pos, operand, index)

    def object_literal(self, children: list[Any]) -> Node:
        named, brace, *fields, _ = children
        name = _qualified(named)
        if not name:
            return self.failed("Syntax error: mismatched input '{' expecting <EOF>", brace.start_pos)
        entries = tuple(field for field in fields if isinstance(field, tree.Entry))
        node: Node = self.make(tree.ObjectLiteral, brace.start_pos, name, entries)
        return node

    def field(self, children: list[Any]) -> tree.Entry:
        question, name, colon, value = children
        key = self.make(tree.Literal, name.start_pos, _field_name(name), STRING)
        entry: tree.Entry = self.make(tree.Entry, colon.start_pos, key, value, bool(question))
        return entry

    def ident(self, children: list[Any]) -> Node:
        dot, name = children
        if name in RESERVED:
            return self.failed(f"reserved identifier: {name}", (dot or name).start_pos)
        node: Node = self.make(Ident, name.start_pos, f".{name}" if dot else str(name))
        return node

    def call(self, children: list[Any]) -> Node:
        dot, name, parenthesis, *arguments, _ = children
        if name in RESERVED:
            return self.failed(f"reserved identifier: {name}", (dot or name).start_pos)
        return self._call_or_macro(f".{name}" if dot else str(name), parenthesis.start_pos, None, arguments[::2])

    def list_literal(self, children: list[Any]) -> Node:
        bracket, *rest, _ = children
        elements = [part for part in rest if isinstance(part, tuple)]
        optional = frozenset(index for index, (question, _) in enumerate(elements) if question)
        node: Node = self.make(tree.ListLiteral, bracket.start_pos, tuple(element for _, element in elements), optional)
        return node

    element = staticmethod(tuple)

    def map_literal(self, children: list[Any]) -> Node:
        brace, *rest, _ = children
        entries = tuple(part for part in rest if isinstance(part, tree.Entry))
        node: Node = self.make(tree.MapLiteral, brace.start_pos, entries)
        return node

    def entry(self, children: list[Any]) -> tree.Entry:
        question, key, colon, value = children
        entry: tree.Entry = self.make(tree.Entry, colon.start_pos, key, value, bool(question))
        return entry

    def number(self, children: list[Any]) -> Node:
        minus, token = children
        text = f"-{token}" if minus else str(token)
        read, type = (literals.integer, INT) if token.type == "NUM_INT" else (literals.double, DOUBLE)
        return self._literal((minus or token).start_pos, lambda: (read(text), type))

    def literal(self, children: list[Any]) -> Node:
        (token,) = children
        if token.type in _WORDS:
            return self._literal(token.start_pos, lambda: _WORDS[token.type])
        if token.type == "NUM_UINT":
            return self._literal(token.start_pos, lambda: (literals.integer(token[:-1], unsigned=True), UINT))
        return self._literal(token.start_pos, lambda: _string(token))

    # --- nodes --------------------------------------------------------------------------------------------------------

    def _literal(self, offset: int, read: Callable[[], tuple[Any, Type]]) -> Node:
        try:
            node: Node = self.make(tree.Literal, offset, *read())
        except literals.BadLiteral as error:
            return self.failed(str(error), offset)
        return node

    def _call(self, function: str, offset: int, *args: Node) -> Node:
        node: Node = self.make(Call, offset, function, None, args)
        return node

    def _call_or_macro(self, name: str, offset: int, target: Node | None, args: list[Node]) -> Node:
        arguments = tuple(args)
        if expand := MACROS.get((name, target is not None, len(args))):
            depth = 1 + self._deepest(arguments if target is None else (target, *arguments))
            try:
                node = expand(_Expansion(self, offset), target, arguments)
                self._depths[node.id] = depth
                return node
            except MacroError as error:
                return self.failed(error.message, error.node.offset)
        call: Node = self.make(Call, offset, name, target, arguments)
        return call


class _Expansion:
    """What a macro makes stands where the macro stands."""

    def __init__(self, builder: _Builder, offset: int) -> None:
        self._builder = builder
        self._offset = offset

    def make(self, kind: Callable[..., Any], *parts: object) -> Any:
        return self._builder.make(kind, self._offset, *parts)

    def copy(self, node: Node) -> Node:
        """The same tree with numbers of its own. Nodes stay where they are in the text."""
        parts = [self._copied(getattr(node, field.name)) for field in dataclasses.fields(node)[2:]]
        copied: Node = self._builder.make(type(node), node.offset, *parts)
        return copied

    def _copied(self, part: object) -> object:
        if isinstance(part, Node):
            return self.copy(part)
        return tuple(self._copied(inner) for inner in part) if isinstance(part, tuple) else part


def _children(parts: tuple[object, ...]) -> Iterator[Node]:
    for part in parts:
        if isinstance(part, Node):
            yield part
        elif isinstance(part, tuple):
            yield from part


def _field_name(token: Token) -> str:
    return token[1:-1] if token.type == "ESC_IDENTIFIER" else str(token)


def _string(token: Token) -> tuple[str | bytes, Type]:
    value = literals.string(token)
    return value, BYTES if isinstance(value, bytes) else STRING


def _qualified(node: Node) -> str:
    """The name of a type, `a.b.C`, or nothing if the node is something else."""
    names = []
    while isinstance(node, Select) and not node.test_only:
        names.append(node.field)
        node = node.operand
    return ".".join([node.name, *reversed(names)]) if isinstance(node, Ident) else ""
