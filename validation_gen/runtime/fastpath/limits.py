"""Checks that native code runs itself: their operands become limits of a node.

An entry is optional: the function of a check without one is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from validation_gen.runtime.checks import KNOWN
from validation_gen.runtime.fastpath.compile_steps import Resolver
from validation_gen.runtime.fastpath.nodes import LEAST, MOST, Node
from validation_gen.runtime.formats import SURE
from validation_gen.runtime.goregex.pattern import build_whole_table
from validation_gen.runtime.items import KeyedItems
from validation_gen.runtime.native import accept
from validation_gen.runtime.scalars import STRING, Integer
from validation_gen.runtime.shapes import Pointer

_CODE: Any = accept
#: Puts a check into a node, or returns false where native code does not know it there.
_Limit = Callable[[Node, Resolver, list[Any]], bool]


def _is_sized(node: Node) -> bool:
    """Returns whether a value has characters, items or names."""
    return node.op in (_CODE.TEXT, _CODE.LIST, _CODE.MAP)


def _at_most(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    if not _is_sized(node):
        return False
    node.max = min(node.max, operands[0])
    return True


def _at_least(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    if not _is_sized(node):
        return False
    node.min = max(node.min, operands[0])
    return True


def _bytes(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    if node.op != _CODE.TEXT:
        return False
    node.bytes = min(node.bytes, operands[0])
    return True


def _minimum(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    if node.op != _CODE.INTEGER or not LEAST <= operands[0] <= MOST:
        return False
    node.low = max(node.low, operands[0])
    return True


def _maximum(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    # `MOST` as a limit would be none for numbers without a sign.
    if node.op != _CODE.INTEGER or not LEAST <= operands[0] < MOST:
        return False
    node.high = min(node.high, operands[0])
    return True


def _one_of(node: Node, values: Iterable[str]) -> bool:
    node.values = frozenset(values) if node.values is None else node.values & frozenset(values)
    return True


def _enum(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    return bool(node.op == _CODE.TEXT) and _one_of(node, operands[0])


def _enum_with_options(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    if node.op != _CODE.TEXT:
        return False
    return _one_of(node, [value for value in operands[0] if resolver.passes("enum_with_options", operands, value)])


def _format(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    if node.op != _CODE.TEXT:
        return False
    (name,) = operands
    pattern, longest = SURE.get(name, ("", 0))
    node.patterns.append(
        (build_whole_table(pattern) if pattern else None, longest, KNOWN[name], *resolver.bind("format", operands))
    )
    return True


def _required(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    if not (_is_sized(node) or node.op in (_CODE.INTEGER, _CODE.BOOLEAN)):
        return False
    node.flags |= _CODE.FILLED
    return True


def _unique(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    (items,) = operands
    if node.unique is not None or node.op != _CODE.LIST:
        return False
    if isinstance(items, KeyedItems):
        node.unique = tuple(items.keys)
        return True
    shape = items.shape.elem if isinstance(items.shape, Pointer) else items.shape
    if shape is STRING or isinstance(shape, Integer):
        node.unique = ()
        return True
    return False


def _nothing(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    """Ignores a check that null alone can fail: native code is never sure of null."""
    return True


#: Limits by the name of a check. Where a function returns false, native code calls the check.
LIMITS: dict[str, _Limit] = {
    "enum": _enum,
    "enum_with_options": _enum_with_options,
    "format": _format,
    "max_bytes": _bytes,
    "max_items": _at_most,
    "max_length": _at_most,
    "max_properties": _at_most,
    "maximum": _maximum,
    "min_items": _at_least,
    "min_length": _at_least,
    "min_properties": _at_least,
    "minimum": _minimum,
    "no_nulls": _nothing,
    "required": _required,
    "required_pointer": _nothing,
    "unique": _unique,
}
