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
#: Kinds of values: those with characters, items or names, and those of which null alone is unset.
_SIZED = ("TEXT", "LIST", "MAP")
_PLAIN = (*_SIZED, "INTEGER", "BOOLEAN")


def _at_most(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    node.max = min(node.max, operands[0])
    return True


def _at_least(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    node.min = max(node.min, operands[0])
    return True


def _bytes(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    node.bytes = min(node.bytes, operands[0])
    return True


def _minimum(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    if not LEAST <= operands[0] <= MOST:
        return False
    node.low = max(node.low, operands[0])
    return True


def _maximum(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    # `MOST` as a limit would be none for numbers without a sign.
    if not LEAST <= operands[0] < MOST:
        return False
    node.high = min(node.high, operands[0])
    return True


def _one_of(node: Node, values: Iterable[str]) -> bool:
    node.values = frozenset(values) if node.values is None else node.values & frozenset(values)
    return True


def _enum(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    return _one_of(node, operands[0])


def _enum_with_options(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    return _one_of(node, [value for value in operands[0] if resolver.passes("enum_with_options", operands, value)])


def _format(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    (name,) = operands
    pattern, longest = SURE.get(name, ("", 0))
    node.patterns.append(
        (build_whole_table(pattern) if pattern else None, longest, KNOWN[name], *resolver.bind("format", operands))
    )
    return True


def _required(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    node.flags |= _CODE.FILLED
    return True


def _unique(node: Node, resolver: Resolver, operands: list[Any]) -> bool:
    (items,) = operands
    if node.unique is not None:
        return False
    if isinstance(items, KeyedItems):
        node.unique = tuple(items.keys)
        return True
    shape = items.shape.elem if isinstance(items.shape, Pointer) else items.shape
    if shape is STRING or isinstance(shape, Integer):
        node.unique = ()
        return True
    return False


#: Limits by the name of a check, each with the kinds of values for which it is one. Where a function returns false,
#: native code calls the check.
_LIMITS: dict[str, tuple[tuple[str, ...], _Limit]] = {
    "enum": (("TEXT",), _enum),
    "enum_with_options": (("TEXT",), _enum_with_options),
    "format": (("TEXT",), _format),
    "max_bytes": (("TEXT",), _bytes),
    "max_items": (_SIZED, _at_most),
    "max_length": (_SIZED, _at_most),
    "max_properties": (_SIZED, _at_most),
    "maximum": (("INTEGER",), _maximum),
    "min_items": (_SIZED, _at_least),
    "min_length": (_SIZED, _at_least),
    "min_properties": (_SIZED, _at_least),
    "minimum": (("INTEGER",), _minimum),
    "required": (_PLAIN, _required),
    "unique": (("LIST",), _unique),
}
#: Checks that null alone can fail: native code is never sure of null.
_OF_NULL = ("no_nulls", "required_pointer")


def put_limit(node: Node, resolver: Resolver, name: str, operands: list[Any]) -> bool:
    """Adds a check to a node as its limit. Returns whether native code supports it there."""
    if name not in _LIMITS:
        return name in _OF_NULL
    kinds, limit = _LIMITS[name]
    return any(node.op == getattr(_CODE, kind) for kind in kinds) and limit(node, resolver, operands)
