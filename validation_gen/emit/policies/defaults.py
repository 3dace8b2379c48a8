"""Policies that fill in defaults: a patch for each default, which sets a value only where a field is absent.

Defaults come from the schema of a kind, as a definition has it, so that a cluster without that schema fills them in as
well. They are filled in as the API server does it: the default of a struct includes those of its fields, and nothing is
filled in inside an absent value without a default. Policies are idempotent.

An update fills in nothing that the old object lacks, too. A policy can change the new object alone: its additions would
look to all rules like changes of the client, and removing a finalizer from an old object would fail because an
immutable field has changed. Old lists and maps are compared as a whole: to look for the counterpart of each item would
cost the square of their length.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.emit.policies import fields
from validation_gen.emit.policies.messages import join_texts
from validation_gen.emit.schema.expressions import Member, join_all, join_any, literal, negate
from validation_gen.ir import Wire

_ANY, _OLD = Wire("any"), "oldObject"


@dataclass(frozen=True, slots=True)
class Default:
    """A default: its path in messages, and its patch as a CEL expression."""

    path: str
    expression: str


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop around a value: its collection, and the names of its variables.

    `unchanged` is a condition that an update has left all items unchanged.
    """

    items: str
    index: str
    variable: str
    unchanged: str


@dataclass(frozen=True, slots=True)
class _Here:
    """A struct: its variable and field names, the surrounding loops, and its JSON pointer in pieces.

    `gates`: the conditions under which the struct exists.
    """

    base: str = "object"
    steps: tuple[str, ...] = ()
    loops: tuple[_Loop, ...] = ()
    pointer: tuple[str, ...] = ()
    path: str = ""

    @property
    def member(self) -> Member:
        return Member(self.steps, _ANY)

    @property
    def there(self) -> str:
        return fields.there(self.member, self.base) if self.steps else ""


def defaults(schema: Mapping[str, Any]) -> list[Default]:
    """Returns the defaults of a schema, those of structs before those of their fields."""
    return [*_defaults(schema, _Here())]


def _defaults(schema: Mapping[str, Any], here: _Here) -> Iterator[Default]:
    for name, part in (schema.get("properties") or {}).items():
        if not here.steps and not here.loops and name in ("apiVersion", "kind", "metadata"):
            continue
        if part.get("default") is not None:
            yield _default(name, part, here)
        yield from _inside(part, _below(here, name))


def _below(here: _Here, name: str) -> _Here:
    pointer = (*here.pointer, literal(f"/{_escape(name)}"))
    return replace(here, steps=(*here.steps, name), pointer=pointer, path=f"{here.path}.{name}")


def _inside(schema: Mapping[str, Any], here: _Here) -> Iterator[Default]:
    """Yields the defaults of the children of a value."""
    items, values = schema.get("items"), schema.get("additionalProperties")
    number = str(len(here.loops) + 1) if here.loops else ""
    found = fields.optional(here.member, here.base)
    unchanged = f"{_OLD} != null && {found} == {fields.optional(here.member, _OLD)}"
    if isinstance(items, Mapping) and _has_defaults(items):
        loop = _Loop(f"{found}.orValue([])", f"n{number}", f"i{number}", unchanged)
        yield from _inside_each(items, here, loop, f"string({loop.index})")
    elif isinstance(values, Mapping) and _has_defaults(values):
        loop = _Loop(f"{found}.orValue({{}})", f"k{number}", f"v{number}", unchanged)
        yield from _inside_each(values, here, loop, f"jsonpatch.escapeKey({loop.index})")
    elif schema.get("properties"):
        yield from _defaults(schema, here)


def _inside_each(schema: Mapping[str, Any], here: _Here, loop: _Loop, step: str) -> Iterator[Default]:
    """Yields the defaults of each item or entry."""
    inner = _Here(loop.variable, (), (*here.loops, loop), (*here.pointer, "'/'", step), f"{here.path}[*]")
    yield from _defaults(schema, inner) if schema.get("properties") else _inside(schema, inner)


def _has_defaults(schema: Mapping[str, Any]) -> bool:
    parts = (schema.get("properties") or {}).values()
    if any(part.get("default") is not None or _has_defaults(part) for part in parts):
        return True
    inner = (schema.get("items"), schema.get("additionalProperties"))
    return any(isinstance(part, Mapping) and _has_defaults(part) for part in inner)


def _default(name: str, schema: Mapping[str, Any], here: _Here) -> Default:
    whole = apply_defaults(copy.deepcopy(schema["default"]), schema)
    pointer = " + ".join(join_texts((*here.pointer, literal(f"/{_escape(name)}"))))
    patch = f"JSONPatch{{op: 'add', path: {pointer}, value: {_render(whole)}}}"
    absent = negate(fields.there(Member((name,), _ANY), fields.plain(here.member, here.base)))
    condition = f"{here.there} && {absent}" if here.there else absent
    if not here.loops:
        condition = join_all(condition, _not_left_out(name, here))
        return Default(f"{here.path}.{name}".removeprefix("."), f"{condition} ?\n[{patch}] : []")
    return Default(f"{here.path}.{name}".removeprefix("."), _patch_items(here, condition, patch))


def _patch_items(here: _Here, condition: str, patch: str) -> str:
    """Returns a patch for each item that lacks the field."""
    *outer, inner = here.loops
    found = f"{inner.items}.transformList({inner.index}, {inner.variable}, {condition},\n  {patch})"
    for loop in reversed(outer):
        found = f"{loop.items}.transformList({loop.index}, {loop.variable},\n{found}).flatten()"
    return f"{here.loops[0].unchanged} ? [] :\n{found}"


def _not_left_out(name: str, here: _Here) -> str:
    """Returns the condition that no old object has the struct without the field."""
    before = Member((name,), _ANY)
    outer = negate(fields.there(here.member, _OLD)) if here.steps else ""
    return join_any(f"{_OLD} == null", outer, fields.there(before, fields.plain(here.member, _OLD)))


def apply_defaults(value: Any, schema: Mapping[str, Any]) -> Any:
    """Returns a value with the defaults of its parts, as the API server completes a default."""
    if isinstance(value, dict):
        properties, values = schema.get("properties") or {}, schema.get("additionalProperties")
        for name, part in properties.items():
            if name not in value and part.get("default") is not None:
                value[name] = copy.deepcopy(part["default"])
            if name in value:
                value[name] = apply_defaults(value[name], part)
        if isinstance(values, Mapping):
            return {name: each if name in properties else apply_defaults(each, values) for name, each in value.items()}
    elif isinstance(value, list) and isinstance(schema.get("items"), Mapping):
        return [apply_defaults(each, schema["items"]) for each in value]
    return value


def _render(value: Any) -> str:
    """Renders a value in CEL. Its parts may have several types, which lists and maps of CEL may not."""
    match value:
        case bool() | str() | int():
            return literal(value)
        case float():
            return json.dumps(value)
        case list():
            mixed = len({_kind(each) for each in value}) > 1
            return f"[{', '.join(_part(each, mixed=mixed) for each in value)}]"
        case dict():
            mixed = len({_kind(each) for each in value.values()}) > 1
            entries = (f"{literal(key)}: {_part(each, mixed=mixed)}" for key, each in value.items())
            return f"{{{', '.join(entries)}}}"
    return "null"


def _part(value: Any, *, mixed: bool) -> str:
    return f"dyn({_render(value)})" if mixed else _render(value)


def _kind(value: Any) -> str:
    return json.dumps(value)[:1] if isinstance(value, dict | list) else type(value).__name__


def _escape(name: str) -> str:
    """Returns a name as a step of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")
