"""Errors of Go's JSON decoder for a value: wrong types, which it refuses, and unknown fields, which it drops.

It knows types as data (`gotypes`) and does not convert the value; later stages may rely on its types.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.crd.gotypes import SCHEMA, GoType, ListOf, MapOf, Own, Scalar, Struct
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.runtime.gotext import render_bad_value

_INTEGERS = {"int32": 31, "int64": 63}
#: Python classes whose values always fit a kind.
_SURE = {"string": str, "bool": bool, "float64": float}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decoding error, in the decoder's words; or `unknown`, a field that no struct has.

    Not even a strict decoder finds a `hidden` one: it is in a part whose type decodes itself.
    """

    place: SchemaPath
    text: str
    unknown: str | None = None
    known: tuple[str, ...] = ()
    hidden: bool = False

    @property
    def in_words(self) -> str:
        """Formats an unknown field in the words of a strict decoder."""
        path = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.place.keys)
        return f'unknown field "{path.lstrip(".")}"'


@dataclass(frozen=True, slots=True)
class _Context:
    """The struct and the fields in the decoder's errors. Within types that decode themselves they no longer change."""

    struct: str = ""
    fields: tuple[str, ...] = ()
    frozen: bool = False

    def field(self, struct: Struct, name: str) -> _Context:
        return self if self.frozen else _Context(struct.name.rpartition(".")[2], (*self.fields, name))

    def freeze(self) -> _Context:
        return _Context(self.struct, self.fields, frozen=True)

    def refusal(self, value: Any, wanted: str) -> str:
        where = f"Go struct field {self.struct}.{'.'.join(self.fields)}" if self.struct else "Go value"
        return f"json: cannot unmarshal {_kind(value, wanted)} into {where} of type {wanted}"


def mistakes(value: Any, type: GoType, path: SchemaPath, right: Container[int] = ()) -> Iterator[Mistake]:
    """Yields all decoding errors of a value.

    Args:
        value: the value.
        type: its Go type.
        path: its path.
        right: the `id` of objects within it that are known to be correct as schemas. An alias of YAML may also put one
            where no schema is expected.
    """
    return iter(()) if _is_right(value, type, right) else _mistakes(value, type, path, _Context())


def _is_right(value: Any, type: GoType, right: Container[int]) -> bool:
    """Returns whether a value has no error. Most values have none, and then need no paths and messages."""
    if value is None:
        return True
    if isinstance(type, Struct):
        return isinstance(value, dict) and _are_right(value, type, right)
    if isinstance(type, Scalar):
        return _fits(value, type.kind)
    if isinstance(type, ListOf):
        return isinstance(value, list) and all(_is_right(item, type.item, right) for item in value)
    if isinstance(type, MapOf):
        return isinstance(value, dict) and all(_is_right(item, type.value, right) for item in value.values())
    if type.form is not None:
        return not type.form.check(value)
    if isinstance(value, dict) and type.struct:
        return _are_right(value, type.struct, right)
    if isinstance(value, list) and type.items:
        return all(_is_right(item, type.items, right) for item in value)
    return not type.strict or isinstance(value, bool)


def _are_right(value: dict[str, Any], type: Struct, right: Container[int]) -> bool:
    if type is SCHEMA and id(value) in right:
        return True
    fields = type.fields
    for name, item in value.items():
        wanted = fields.get(name)
        if wanted is None or not (_is_sure(item, wanted) or _is_right(item, wanted, right)):
            return False
    return True


def _mistakes(value: Any, type: GoType, path: SchemaPath, context: _Context) -> Iterator[Mistake]:
    if value is None:  # null leaves the field unchanged, whatever the type
        return
    if isinstance(type, Own):
        yield from _own(value, type, path, context)
    elif isinstance(type, Scalar):
        if not _fits(value, type.kind):
            yield Mistake(path, context.refusal(value, type.name))
    elif isinstance(type, ListOf):
        if not isinstance(value, list):
            yield Mistake(path, context.refusal(value, type.name))
            return
        for index, item in enumerate(value):
            if not _is_sure(item, type.item):
                yield from _mistakes(item, type.item, path.index(index), context)
    elif not isinstance(value, dict):
        yield Mistake(path, context.refusal(value, type.name))
    elif isinstance(type, MapOf):
        for key, item in value.items():
            yield from _mistakes(item, type.value, path.key(key), context)
    else:
        yield from _fields(value, type, path, context)


def _fields(value: dict[str, Any], type: Struct, path: SchemaPath, context: _Context) -> Iterator[Mistake]:
    for name, item in value.items():
        wanted = type.fields.get(name)
        if wanted is None:
            yield Mistake(path.child(name), "", name, tuple(type.fields), context.frozen)
        elif not _is_sure(item, wanted):
            yield from _mistakes(item, wanted, path.child(name), context.field(type, name))


def _is_sure(value: Any, type: GoType) -> bool:
    """Returns whether a value certainly has no error. Most values have none, and then need no path."""
    return type.__class__ is Scalar and value.__class__ is _SURE.get(type.kind)


def _own(value: Any, type: Own, path: SchemaPath, context: _Context) -> Iterator[Mistake]:
    if type.form is not None:
        if reason := type.form.check(value):
            yield Mistake(path, reason if type.describe is None else type.describe(value))
    elif isinstance(value, dict) and type.struct:
        yield from _mistakes(value, type.struct, path, context.freeze())
    elif isinstance(value, list) and type.items:
        for index, item in enumerate(value):
            yield from _mistakes(item, type.items, path.index(index), context.freeze())
    elif type.strict and not isinstance(value, bool):
        yield Mistake(path, "boolean or JSON schema expected")


def _fits(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "bool"
    if kind in _INTEGERS:
        return isinstance(value, int) and -(1 << _INTEGERS[kind]) <= value < 1 << _INTEGERS[kind]
    if kind == "float64":
        return isinstance(value, int | float)
    return kind == "string" and isinstance(value, str)


def _kind(value: Any, wanted: str) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        numeric = wanted in (*_INTEGERS, "float64")
        return f"number {render_bad_value(value, json_string=True)}" if numeric else "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"
