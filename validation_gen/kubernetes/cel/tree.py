"""Syntax tree of expressions, with the macros already expanded to comprehensions; its types, its depth, its mistakes.

Nodes are numbered from 0 within their `Expression`, so that later stages can keep facts about a node in a list.
`offset` counts characters of the text; errors about the node point there.

The API server's parser counts depth twice. While it reads, it counts for each rule of its grammar how often that has
been entered and not left; of these, `expr`, `relation`, `calc` and `member` can be the greatest. A chain such as
`a.b.c` or `a + b + c` enters its rule once, and once more for an operand on the right. When it makes a tree of it, it
counts the links and operators on the way from the root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from validation_gen.kubernetes.cel.types import Type

#: The variable in which a comprehension collects its result. No text can spell it.
ACCUMULATOR = "@result"
#: Words that cannot be variables. They can be fields, except for the first four.
RESERVED = frozenset(
    "true false null in as break const continue else for function if import let loop package namespace return var void "
    "while".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Common base of all nodes."""

    id: int
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Node):
    """A constant. `value` is a Python value of the type; a `bytes` literal has `bytes`."""

    value: bool | int | float | str | bytes | None
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Ident(Node):
    """A variable or a type by its name, which begins with a dot if the text has one."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Select(Node):
    """`operand.field`; with `test_only` it is `has(operand.field)`."""

    operand: Node
    field: str
    test_only: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A function, an operator (`_+_`) or, with a target, a method."""

    function: str
    target: Node | None
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ListLiteral(Node):
    """`[a, ?b]`. `optional` has the positions of elements with a question mark."""

    elements: tuple[Node, ...]
    optional: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Node):
    """`key: value` of a map, or `field: value` of an object, where `key` is a string literal."""

    key: Node
    value: Node
    optional: bool


@dataclass(frozen=True, slots=True, eq=False)
class MapLiteral(Node):
    """`{k: v, ?k: v}`."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ObjectLiteral(Node):
    """`Type{field: value}`."""

    type_name: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension(Node):
    """A loop, to which `all`, `map` and the other macros expand.

    `accu` begins as `init`. For each item (`var`; with `var2` an index or key, and its value) `accu` becomes `step`,
    while `condition` holds. The value of the loop is `result`.
    """

    range: Node
    var: str
    var2: str
    accu: str
    init: Node
    condition: Node
    step: Node
    result: Node


#: Methods of visitors by the nodes that they visit.
_METHODS: dict[type[Node], str] = {
    Literal: "literal",
    Ident: "ident",
    Select: "select",
    Call: "call",
    ListLiteral: "list_literal",
    MapLiteral: "map_literal",
    ObjectLiteral: "object_literal",
    Comprehension: "comprehension",
}


def find_methods(visitor: type) -> dict[type[Node], Callable[[Any, Any], Any]]:
    """Returns the methods of a visitor by the nodes that they visit."""
    return {kind: getattr(visitor, name) for kind, name in _METHODS.items() if hasattr(visitor, name)}


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A parsed text: its root, and the number of its nodes."""

    text: str
    root: Node
    size: int


def walk(node: Node) -> Iterator[Node]:
    """Yields a node and all nodes below it, in no particular order."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += children(found)


def children(node: Node) -> tuple[Node, ...]:
    """Returns the nodes right below a node, in the order of upstream's walks."""
    match node:
        case Select():
            return (node.operand,)
        case Call():
            return (node.target, *node.args) if node.target else node.args
        case ListLiteral():
            return node.elements
        case Entry():
            return node.key, node.value
        case MapLiteral() | ObjectLiteral():
            return node.entries
        case Comprehension():
            return node.range, node.init, node.condition, node.step, node.result
    return ()


#: Greatest nesting depth of an expression.
LIMIT = 250
TOO_DEEP = f"expression recursion limit exceeded: {LIMIT}"

EXPRESSION, RELATION, SUM, MEMBER, PRIMARY = range(5)


class Depth(NamedTuple):
    """Nesting counts of a part of an expression.

    `level` is the grammar rule that reads the part. `entered` has the greatest nesting of each rule, without the rules
    above `level`, which must be entered to reach the part. `visits` is the second count.
    """

    level: int = PRIMARY
    entered: tuple[int, int, int, int] = (0, 0, 0, 0)
    visits: int = 0

    def entered_from(self, level: int) -> tuple[int, int, int, int]:
        """Returns the counts of the part as an operand that the rule of a level reads."""
        one, two, three, four = self.entered
        own = self.level
        return (
            one + (level <= EXPRESSION < own),
            two + (level <= RELATION < own),
            three + (level <= SUM < own),
            four + (level <= MEMBER < own),
        )


LEAF = Depth()


def nest_depth(level: int, parts: Iterable[Depth], part_level: int = EXPRESSION) -> Depth:
    """Returns the depth of a part that its rule reads without a chain, such as a list, a call, or `a && b`."""
    parts = list(parts)
    entered = _most(part.entered_from(part_level) for part in parts)
    return Depth(level, entered, max((part.visits for part in parts), default=0))


def choice(condition: Depth, yes: Depth, no: Depth) -> Depth:
    """Returns the depth of `condition ? yes : no`. Its grammar rule is recursive only in `no`."""
    early = (part.entered_from(RELATION) for part in (condition, yes))
    one, two, three, four = _most([*early, no.entered_from(EXPRESSION)])
    return Depth(EXPRESSION, (one + 1, two, three, four), 1 + max(condition.visits, yes.visits, no.visits))


def link(level: int, first: Depth, others: Iterable[Depth] = (), other_level: int = EXPRESSION) -> Depth:
    """Returns the depth of a chain with one more operand, from the chain so far and the parts of the operand."""
    others = list(others)
    inner = _most(part.entered_from(other_level) for part in others)
    counts = [count + (index == level) for index, count in enumerate(inner)]
    entered = _most([first.entered_from(level), (counts[0], counts[1], counts[2], counts[3])])
    return Depth(level, entered, 1 + max(part.visits for part in (first, *others)))


def problem(root: Depth) -> str:
    """Returns the server's error for a whole expression; empty if it is not too deep."""
    if max(root.entered_from(EXPRESSION)) > LIMIT:
        return TOO_DEEP
    return "max recursion depth exceeded" if root.visits > LIMIT else ""


def _most(each: Iterable[tuple[int, ...]]) -> tuple[int, int, int, int]:
    one, two, three, four = map(max, zip((0, 0, 0, 0), *each, strict=True))
    return one, two, three, four


#: Overloads with another implementation on servers after this minor release.
REPLACED = {"string_to_quantity": "string_to_exact_quantity", "is_quantity_string": "is_exact_quantity_string"}
_REPLACED_SINCE = 37


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """An expression with the results of the checker, by the numbers of nodes.

    `static` are calls `a.b(c)` whose `a.b` is the name of a function, `names` are variables or types that are written
    as a field. `variables` are the names of all variables that occur.
    """

    expression: Expression
    types: list[Type]
    overloads: dict[int, tuple[str, ...]]
    static: dict[int, str]
    names: dict[int, str]
    variables: frozenset[str]

    def on_server(self, minor: int) -> Typed:
        """Returns the expression with the overloads that a server of the release after 1.`minor` runs."""
        if minor < _REPLACED_SINCE:
            return self
        found = {node: tuple(REPLACED.get(name, name) for name in names) for node, names in self.overloads.items()}
        return replace(self, overloads=found)

    def function(self, node: Call) -> str:
        """Returns the name of the function that a call calls."""
        return self.static.get(node.id) or node.function.removeprefix(".")

    @property
    def type(self) -> Type:
        """Type of the whole expression."""
        return self.types[self.expression.root.id]


@dataclass(frozen=True, slots=True)
class Issue:
    """One mistake. `offset` counts characters of the text; it is -1 for the whole text."""

    message: str
    offset: int

    def location(self, text: str) -> tuple[int, int]:
        """Returns line and column, both from 1; a mistake without a position has line -1 and column 0, as upstream."""
        if self.offset < 0:
            return -1, 0
        return text.count("\n", 0, self.offset) + 1, self.offset - text.rfind("\n", 0, self.offset)


class InvalidExpression(Exception):  # noqa: N818 (what it says is no fault of this program)
    """Raised for an expression with mistakes. No other exception depends on the text."""

    def __init__(self, issues: Iterable[Issue]) -> None:
        self.issues = tuple(issues)
        super().__init__("; ".join(issue.message for issue in self.issues))


def render_issues(text: str, issues: Iterable[Issue]) -> str:
    """Renders issues as the API server does: a line for the sentence, the line of source, a mark below the position."""
    return "\n".join(_render_issue(text, issue) for issue in sorted(issues, key=lambda issue: issue.location(text)))


def _render_issue(text: str, issue: Issue) -> str:
    line, column = issue.location(text)
    head = f"ERROR: <input>:{line}:{column}: {issue.message}"
    if line < 1:
        return head
    source = text.split("\n")[line - 1].replace("\t", " ")
    dots = "".join("." if char.isascii() else "\uff0e" for char in source[: column - 1])
    marked = source[column - 1 : column]
    mark = "^" if not marked or marked.isascii() else "\uff3e"
    return f"{head}\n | {source}\n | {dots}{mark}"
