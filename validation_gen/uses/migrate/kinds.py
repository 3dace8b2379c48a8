"""Kinds of values that tags for limits distinguish."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.sources.model import Builtin, List, Map, Pointer, Struct, TypeExpr
from validation_gen.sources.typesystem import TypeSystem


def kind_of(types: TypeSystem, type: TypeExpr) -> str:
    """Returns `text`, `integer`, `list` or `map`; `""` for other types, also for those with their own JSON form."""
    for part in _chain(types, type):
        declaration = types.declaration(part)
        if declaration is not None and (declaration.custom_json or types.wire(declaration) is not None):
            return ""
    value = types.value(type)
    match value:
        case List(elem=elem):
            return "" if types.value(elem) == Builtin("uint8") else "list"
        case Map():
            return "map"
        case Struct():
            return ""
    if types.is_string(type):
        return "text"
    return "integer" if types.is_integer(type) else ""


def _chain(types: TypeSystem, type: TypeExpr) -> Iterator[TypeExpr]:
    """Yields the type and its underlying definitions, without pointers."""
    for _ in range(50):
        while isinstance(type, Pointer):
            type = type.elem
        yield type
        declaration = types.declaration(type)
        if declaration is None:
            return
        type = declaration.type
