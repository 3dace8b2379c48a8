"""Syntax tree of expressions, with the macros already expanded to comprehensions.

Nodes are numbered from 0 within their `Expression`, so that later stages can keep facts about a node in a list.
`offset` counts characters of the text; errors about the node point there.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A parsed text: its root, and the number of its nodes."""

    text: str
    root: Node
    size: int


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
