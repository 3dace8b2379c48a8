"""Defaults of fields: the values in Python that are absent in JSON."""

from __future__ import annotations

import dataclasses
import typing

from validation_gen.sources.model import Builtin, Field, Interface, List, Map, Named, Pointer, Struct, TypeExpr
from validation_gen.types import meta
from validation_gen.uses.convert.layout import META_NAMES
from validation_gen.uses.convert.pynames import DATACLASSES, META
from validation_gen.uses.convert.pytypes import BYTE, Scope, inherited, is_enum, meta_value

_ZEROS = {"string": '""', "bool": "False", "float32": "0.0", "float64": "0.0"}


def default(field: Field, scope: Scope) -> str | None:
    """Returns the default that represents `omitempty` alone; `None` when no default does.

    An empty list would be the field's `+default` too, unless it is optional: beside `+k8s:optional` it means an absent
    one. Elsewhere `None` is the absent list, which Go does not tell from an empty one.
    """
    if not field.omit:
        return None
    zero = _zero(field.type, scope)
    if zero is None or not zero.endswith(("=list)", "=dict)")):
        return zero
    if any(line.text.strip() == "+k8s:optional" for line in field.comments):
        return zero
    return "None" if isinstance(field.type, List | Map) or scope.is_alias(field.type) else None


def _zero(type: TypeExpr, scope: Scope) -> str | None:
    """Returns the empty value of a type, `None` if it has none. Lists, maps and objects are made by a factory."""
    if isinstance(type, Named) and (name := META_NAMES.get((type.package, type.name))):
        return _zero_of_meta(getattr(meta, name), scope.names.imported(META, name, "Meta"), scope)
    if _is_enum(type, scope):
        return None
    if declaration := scope.class_of(type):
        if not _can_be_empty(type, scope):
            return None
        text = scope.text(type, declaration.span)
        later = text in scope.names.own.values() and text not in scope.defined
        return _factory(f"lambda: {text}()" if later else text, scope)
    match scope.types.underlying(type):
        case Builtin(name=name):
            return _ZEROS.get(name, "0" if "int" in name else None)
        case List(elem=elem):
            return 'b""' if elem == BYTE else _factory("list", scope)
        case Map(key=key) if scope.is_key(key):
            return _factory("dict", scope)
        case Interface() | Pointer(elem=Builtin() | Named() | Interface()):
            return "None"
    return None


def _factory(maker: str, scope: Scope) -> str:
    return f"{scope.names.imported(DATACLASSES, 'field')}(default_factory={maker})"


def _zero_of_meta(value: object, name: str, scope: Scope) -> str | None:
    if dataclasses.is_dataclass(value):
        return _factory(name, scope) if _all_have_defaults(value) else None
    if value is typing.Any:
        return "None"
    origin = typing.get_origin(value) or value
    if origin in (list, dict) and isinstance(origin, type):
        return _factory(origin.__name__, scope)
    return '""' if value is str else None


def _is_enum(type: TypeExpr, scope: Scope) -> bool:
    declaration = scope.types.declaration(type)
    package = scope.types.universe.package(declaration.package) if declaration else None
    return declaration is not None and package is not None and is_enum(declaration, package)


def _can_be_empty(type: TypeExpr, scope: Scope) -> bool:
    """Returns whether all fields of a class have defaults, so that it can be made without arguments."""
    declaration = scope.types.declaration(type)
    if declaration is None or not isinstance(declaration.type, Struct):
        return False
    if META_NAMES.get((declaration.package, declaration.name)):
        return _all_have_defaults(meta_value(declaration))
    known, key = scope.can_be_empty, Named(declaration.package, declaration.name)
    if key not in known:
        known[key] = False  # for a recursive type, which no Go program has
        bases = inherited(declaration, scope)
        known[key] = all(
            _can_be_empty(f.type, scope) if index < len(bases) else default(f, scope) is not None
            for index, f in enumerate(declaration.type.fields)
        )
    return known[key]


def _all_have_defaults(value: object) -> bool:
    missing = dataclasses.MISSING
    return dataclasses.is_dataclass(value) and all(
        f.default is not missing or f.default_factory is not missing for f in dataclasses.fields(value)
    )
