"""Compares two schemas of a definition: values that are no longer legal, dropped fields, new fields.

Schemas are compared from the top down, without a memo: unlike types of sources they cannot be recursive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.commands.breaking import groups
from validation_gen.commands.breaking.changes import (
    BREAKING,
    DANGEROUS,
    NONE,
    NOT_DECODED,
    NOT_READ,
    SAFE,
    Change,
    add_field,
    change_type,
    find_effect,
    remove_field,
)
from validation_gen.commands.breaking.constraints import EACH, PRESERVES, Constraint
from validation_gen.commands.breaking.keywords import (
    LARGER,
    alternatives,
    constraints,
    is_small,
    legal,
    type_in_words,
)
from validation_gen.commands.breaking.newdefaults import find_refusal
from validation_gen.commands.breaking.states import Defined
from validation_gen.diagnostics import Span
from validation_gen.diagnostics.visible import one_line
from validation_gen.runtime.words import nearest

#: Types that Kubernetes declares itself, independent of the schema.
_TEXT = {"type": "string"}
_OF_METADATA = {"name": _TEXT, "generateName": _TEXT}
_OF_OBJECTS: Mapping[str, Mapping[str, Any]] = {
    "apiVersion": _TEXT,
    "kind": _TEXT,
    "metadata": {"type": "object", "properties": _OF_METADATA},
}
_WITHOUT = "not ratcheted: any update of a stored object without it is refused"

#: Effect and help for a schema where there was none.
_JUDGED = (NOT_DECODED, "be sure that no object has another value")
#: Effect and help for a default that is gone.
_UNDEFAULTED = ("values that were left out stay so", "change defaults in a new version only")

_Schema = Mapping[str, Any]
#: A change and its path from the object.
Found = tuple[Change, str]


@dataclass(frozen=True, slots=True)
class _Node:
    """A schema in a definition."""

    defined: Defined
    schema: _Schema
    way: tuple[str | int, ...] = ()

    def span(self, *way: str | int) -> Span:
        return self.defined.span([*self.way, *way])

    def below(self, *way: str) -> _Node:
        schema: Any = self.schema
        for step in way:
            schema = schema[step]
        return _Node(self.defined, schema if isinstance(schema, Mapping) else {}, (*self.way, *way))

    @property
    def is_object(self) -> bool:
        """True for a schema of objects with a kind of their own."""
        return not self.way or bool(self.schema.get("x-kubernetes-embedded-resource"))

    @property
    def declared(self) -> Mapping[str, Any]:
        """Fields that the schema names."""
        return self.schema.get("properties") or {}

    @property
    def properties(self) -> Mapping[str, Any]:
        """Fields that the schema names, and the standard fields of all objects."""
        if not self.is_object:
            return self.declared
        metadata = self.declared.get("metadata") or _OF_OBJECTS["metadata"]
        whole = {**metadata, "properties": {**_OF_METADATA, **(metadata.get("properties") or {})}}
        others = {name: schema for name, schema in _OF_OBJECTS.items() if name not in self.declared}
        return {**self.declared, **others, "metadata": whole}

    @property
    def always(self) -> Sequence[str]:
        """Fields that a server requires in every object, independent of the schema."""
        return tuple(_OF_OBJECTS) if not self.way else ("apiVersion", "kind") if self.is_object else ()

    @property
    def required(self) -> Sequence[str]:
        return self.schema.get("required") or ()

    @property
    def is_map(self) -> bool:
        return self.schema.get("additionalProperties") not in (None, False)

    @property
    def keeps(self) -> bool:
        """True if the schema keeps unknown fields."""
        return bool(self.schema.get(PRESERVES))

    def field(self, name: str) -> _Node | None:
        """Returns the schema of a field, `None` for a dropped field."""
        if name in self.properties:
            return _Node(self.defined, self.properties[name], (*self.way, "properties", name))
        return self.below("additionalProperties") if self.is_map else None


@dataclass(frozen=True, slots=True)
class _SchemaPair:
    """Two schemas of one value. `loose`: it is in a list whose items have no old values."""

    old: _Node
    new: _Node
    path: str = ""
    loose: bool = False
    parent: _SchemaPair | None = None
    step: str = ""

    def at(self, name: str) -> str:
        return f"{self.path}.{one_line(name)}"

    def around(self) -> list[tuple[_Schema, tuple[str, ...]]]:
        """Returns the new schemas of all parents of the value, each with the steps from the parent to the value."""
        found: list[tuple[_Schema, tuple[str, ...]]] = []
        place, way = self, tuple[str, ...]()
        while place.parent is not None:
            way = (place.step, *way)
            place = place.parent
            found.append((place.new.schema, way))
        return found

    def is_integer(self, path: tuple[str, ...]) -> bool:
        """Returns whether both schemas have an integer, and nothing else, at a path below the value."""
        old: _Node | None = self.old
        new: _Node | None = self.new
        for name in path:
            old, new = (None if node is None else node.field(name) for node in (old, new))
        return all(node is not None and node.schema.get("type") == "integer" for node in (old, new))


def differences(old: Defined, new: Defined) -> Iterator[Found]:
    """Yields the changes of a new schema of a kind."""
    waiting = [_SchemaPair(_Node(old, old.schema), _Node(new, new.schema))]
    while waiting:
        place = waiting.pop()
        if place.old.schema == place.new.schema:
            continue
        for change in (*_types(place), *_values(place)):
            yield change, place.path
        yield from _presence(place)
        yield from _fields(place)
        waiting += _inner(place)


# --- values -----------------------------------------------------------------------------------------------------------


def _types(pair: _SchemaPair) -> Iterator[Change]:
    old, new = pair.old, pair.new
    before, after = legal(old.schema), legal(new.schema)
    if is_small(old.schema):
        before -= {LARGER} - after  # no value was as large as the wider type allows
    if before != after:
        words = type_in_words(new.schema), type_in_words(old.schema)
        yield change_type(*words, new.span("type"), old.span("type"), is_wider=before < after)
    was, now = bool(old.schema.get("nullable")), bool(new.schema.get("nullable"))
    if was and not now:
        text, effect = "the value cannot be null any more", "stored nulls are dropped where the field has a default"
        yield Change("VG704", BREAKING, text, new.span(), old.span("nullable"), effect, "keep `nullable: true`")
    elif now and not was:
        effect = f"{NONE}; {NOT_READ}"
        yield Change("VG714", DANGEROUS, "the value may be null", new.span("nullable"), old.span(), effect)


def _values(pair: _SchemaPair) -> Iterator[Change]:
    """Yields changes of the constraints on the value itself."""
    old, new = pair.old, pair.new
    if not legal(old.schema) & legal(new.schema):
        return
    site = groups.ComparisonContext(old.span(), new.span(), pair.loose, not pair.path, pair.is_integer)
    was, now = (constraints(node.schema, node.span) for node in (old, new))
    for change in groups.differences(was, now, site):
        is_fresh = change.code == "VG712" and "default" not in old.schema
        yield _refusing(change, pair) if is_fresh else change
    for name in ("anyOf", "oneOf"):
        yield from _alternatives(name, pair)


def _refusing(change: Change, pair: _SchemaPair) -> Change:
    """Marks a new default as breaking if the schema of a parent may refuse objects with this value."""
    if pair.parent is not None and pair.step in pair.parent.old.required:
        return change  # every legal object has a value
    refusal = find_refusal(pair.around(), pair.new.schema)
    return change.refused(refusal) if refusal else change


def _alternatives(name: str, pair: _SchemaPair) -> Iterator[Change]:
    """Yields changes of the forms of `anyOf` or `oneOf`."""
    old, new = pair.old, pair.new
    was, now = alternatives(name, old.schema), alternatives(name, new.schema)
    if was == now:
        return
    if not now:
        yield Change("VG706", SAFE, f"{name} is gone", new.span(), old.span(name), NONE)
        return
    help = "keep the old rule in this version, or be sure that no object breaks the new one"
    ratcheted = find_effect(Constraint((), name, marker=True), loose=pair.loose, root=not pair.path)
    if not was:
        yield Change("VG705", BREAKING, f"{name} is new", new.span(name), old.span(), ratcheted, help)
    elif was - now:
        text = f"{name} has other forms than before"
        yield Change("VG705", BREAKING, text, new.span(name), old.span(name), ratcheted, help)
    elif name == "anyOf":
        yield Change("VG706", SAFE, "anyOf has more forms", new.span(name), old.span(name), NONE)
    else:
        text = "oneOf has more forms, of which a value may have one beside its own"
        yield Change("VG705", DANGEROUS, text, new.span(name), old.span(name), ratcheted, help)


# --- fields -----------------------------------------------------------------------------------------------------------


def _presence(pair: _SchemaPair) -> Iterator[Found]:
    """Yields fields of both schemas that are newly required, or no longer required."""
    old, new = pair.old, pair.new
    for index, name in enumerate(new.required):
        is_new = name in new.properties and old.field(name) is None and not old.keeps
        if name in old.required or name in old.always or is_new:
            continue
        text, help = "the field must be set, it was optional", "keep it optional in this version, or give it a default"
        severity, effect = BREAKING, _WITHOUT
        if "default" in (new.properties.get(name) or ()):
            severity, effect = SAFE, f"{NONE}: the default is filled in"
        before = (old.field(name) or old).span()
        yield Change("VG703", severity, text, new.span("required", index), before, effect, help), pair.at(name)
    for index, name in enumerate(old.required):
        field = new.field(name)
        if name not in new.required and name not in new.always and (field is not None or new.keeps):
            text, effect = "the field may be absent, it had to be set", f"{NONE}; older clients may rely on it"
            after = (field or new).span()
            yield Change("VG714", DANGEROUS, text, after, old.span("required", index), effect), pair.at(name)


def _fields(pair: _SchemaPair) -> Iterator[Found]:
    """Yields removed and new fields."""
    old, new = pair.old, pair.new
    removed = [name for name in old.properties if new.field(name) is None]
    fresh = [name for name in new.declared if old.field(name) is None]
    for name in removed:
        span = old.span("properties", name)
        if new.keeps and _fills(old.properties[name]):
            text = "the default is gone, with the schema of the field"
            yield Change("VG712", BREAKING, text, new.span(PRESERVES), span, *_UNDEFAULTED), pair.at(name)
        elif new.keeps:
            text = "the field has no schema any more; any value is kept"
            yield Change("VG706", SAFE, text, new.span(PRESERVES), span, NONE), pair.at(name)
        else:
            yield _report_removed(pair, name, fresh), pair.at(name)
    for name in fresh:
        yield _fresh(pair, name), pair.at(name)
    if old.keeps and not old.is_map and new.is_map and _says(new.below("additionalProperties").schema):
        text, span = "entries have a schema, they took any value", new.span("additionalProperties")
        yield Change("VG705", BREAKING, text, span, old.span(PRESERVES), *_JUDGED), f"{pair.path}{EACH}"
    if old.is_map and not new.is_map and new.keeps and _fills(old.schema["additionalProperties"]):
        text, span = "the defaults within are gone, with the schema of entries", old.span("additionalProperties")
        yield Change("VG712", BREAKING, text, new.span(PRESERVES), span, *_UNDEFAULTED), f"{pair.path}{EACH}"
    if old.is_map and not new.is_map and not new.keeps and legal(old.schema) & legal(new.schema):
        text = "the type is object, it was map: keys that the schema does not know are dropped"
        effect = "stored objects lose such keys when they are read"
        span = old.span("additionalProperties")
        yield Change("VG704", BREAKING, text, new.span(), span, effect, "keep `additionalProperties`"), pair.path


def _report_removed(pair: _SchemaPair, name: str, fresh: Sequence[str]) -> Change:
    old, new = pair.old, pair.new
    alike = {each.lower(): each for each in fresh if legal(new.properties[each]) == legal(old.properties[name])}
    near = nearest(name.lower(), list(alike))
    twin = one_line(alike[near[0]]) if near else ""
    after = new.span("properties") if new.declared else new.span()
    return remove_field(one_line(name), twin, after, old.span("properties", name))


def _fresh(pair: _SchemaPair, name: str) -> Change:
    old, new = pair.old, pair.new
    span, before = new.span("properties", name), old.span()
    field = new.below("properties", name)
    if name in new.required and "default" not in field.schema and not old.keeps:
        text, help = "the field is new and must be set", "make it optional, or give it a default"
        return Change("VG703", BREAKING, text, span, before, _WITHOUT, help)
    if old.keeps and _says(field.schema):
        return Change("VG705", BREAKING, "the field has a schema, it took any value", span, before, *_JUDGED)
    if "default" in field.schema:
        around = [(new.schema, (name,)), *((schema, (*way, name)) for schema, way in pair.around())]
        if refusal := find_refusal(around, field.schema):
            return add_field(span, before, has_default=True).refused(refusal)
    return add_field(span, before)


def _fills(schema: Any) -> bool:
    """Returns whether a schema contains a default."""
    waiting = [schema]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Mapping):
            if "default" in found:
                return True
            parts = found.get("items"), found.get("additionalProperties")
            waiting += [*(found.get("properties") or {}).values(), *parts]
    return False


def _says(schema: _Schema) -> bool:
    """Returns whether a schema has keywords other than documentation."""
    return bool(schema.keys() - {"description", "title", "example", "externalDocs", PRESERVES})


# --- children --------------------------------------------------------------------------------------------------------


def _inner(pair: _SchemaPair) -> list[_SchemaPair]:
    """Returns the pairs of schemas of fields, map values and items that both schemas have, in reverse order."""
    old, new = pair.old, pair.new
    found: list[_SchemaPair] = []
    for name in dict.fromkeys((*old.properties, *new.properties)):
        was, now = old.field(name), new.field(name)
        if was is not None and now is not None:
            found.append(_SchemaPair(was, now, pair.at(name), pair.loose, pair, name))
    if old.is_map and new.is_map:
        was, now = old.below("additionalProperties"), new.below("additionalProperties")
        found.append(_SchemaPair(was, now, f"{pair.path}{EACH}", pair.loose, pair, EACH))
    if isinstance(old.schema.get("items"), Mapping) and isinstance(new.schema.get("items"), Mapping):
        # A server finds the old value of an item in a map list by its keys; items of sets have none.
        loose = pair.loose or new.schema.get("x-kubernetes-list-type") != "map"
        found.append(_SchemaPair(old.below("items"), new.below("items"), f"{pair.path}{EACH}", loose, pair, EACH))
    return found[::-1]
