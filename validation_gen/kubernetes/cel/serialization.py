"""Writes parsed expressions as text and reads them, so that programs can run rules without the parser.

The text is JSON: the number of nodes, then the nodes, each after those that it refers to by their position in the list.
Neither writing nor reading is recursive, as trees can be deep.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from typing import Any

from validation_gen.kubernetes.cel import tree, types
from validation_gen.kubernetes.cel.tree import Expression, InvalidExpression, Issue, Node
from validation_gen.kubernetes.cel.types import Type

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
