"""Explains a field of a definition: its type, its constraints, and the rules that read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from validation_gen.commands.explain.article import Article, Block, Listing, Prose, Rows, Section
from validation_gen.commands.explain.fields.address import AddressError, Step, closest, either
from validation_gen.diagnostics.visible import one_line
from validation_gen.ir import Program, TypePlan
from validation_gen.kubernetes.cel.schemas import escape

#: Descriptions of keywords, in the order of the table.
_DEMANDS = {
    "enum": "one of",
    "format": "format",
    "pattern": "matches",
    "minLength": "characters, at least",
    "maxLength": "characters, at most",
    "minimum": "at least",
    "maximum": "at most",
    "multipleOf": "multiple of",
    "minItems": "items, at least",
    "maxItems": "items, at most",
    "uniqueItems": "no item twice",
    "minProperties": "entries, at least",
    "maxProperties": "entries, at most",
    "x-kubernetes-list-type": "list type",
    "x-kubernetes-list-map-keys": "keys of items",
    "x-kubernetes-map-type": "map type",
    "default": "default",
}
_EXCLUSIVE = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
_FORMS = ("allOf", "anyOf", "oneOf", "not")
_RULES = "x-kubernetes-validations"
#: Fields that Kubernetes declares itself, independent of the definition.
_OF_OBJECTS = ("apiVersion", "kind", "metadata")

_Schema = Mapping[str, Any]


def explain_defined(plan: TypePlan, steps: Sequence[Step], program: Program) -> Article:
    """Explains a field of a kind in the definitions of a program.

    Raises:
        AddressError: there is no such field.
    """
    way = list(_follow(plan, steps, program.schemas[plan.id].schema))
    name, schema, required = way[-1]
    place = f"{plan.package}, as {one_line(str(plan.span))} defines it"
    presence = "" if len(way) == 1 else ", required" if required else ", optional"
    return Article(one_line(name), f"{describe_type(schema)}{presence}", tuple(_sections(way, place)))


def _follow(plan: TypePlan, steps: Sequence[Step], schema: _Schema) -> Iterator[tuple[str, _Schema, bool]]:
    """Yields the kind and each field below it: its name, its schema, and whether it is required."""
    name = plan.name
    yield name, schema, True
    for number, step in enumerate(steps):
        required = bool(step.name) and step.name in (schema.get("required") or ())
        schema = _below(schema, step, name, root=number == 0)
        name += str(step)
        yield name, schema, required


def _below(schema: _Schema, step: Step, name: str, *, root: bool) -> _Schema:
    properties: Mapping[str, _Schema | None] = schema.get("properties") or {}
    others = schema.get("additionalProperties")
    if step.name and step.name in properties:
        return properties[step.name] or {}
    if not step.name and isinstance(schema.get("items"), Mapping):
        return dict(schema["items"])
    if isinstance(others, Mapping):
        return dict(others)
    if root and step.name in _OF_OBJECTS:
        return {"type": "object" if step.name == "metadata" else "string"}
    if not step.name:
        raise AddressError(f"{name} is no list and no map", f"it is {describe_type(schema)}")
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        raise AddressError(f"{name} takes any fields, which the definition does not describe")
    if isinstance(schema.get("items"), Mapping):
        raise AddressError(f"{name} is a list", f"for a field of its items write {name}[*].{step.name}")
    if name.endswith(".metadata"):
        raise AddressError(f"Kubernetes declares {name} itself; the definition does not describe {step.name}")
    near = closest(step.name, properties)
    known = sorted(properties)[:5]
    help = f"did you mean {either(near)}?" if near else f"there is {either(known)}" if known else ""
    raise AddressError(f"{name} has no field {step.name}", help)


def describe_type(schema: _Schema) -> str:
    """Describes the type of a value: `list of string`, `integer or string`."""
    null = " or null" if schema.get("nullable") else ""
    if schema.get("x-kubernetes-int-or-string"):
        return f"integer or string{null}"
    type = schema.get("type") or "any value"
    items, others = schema.get("items"), schema.get("additionalProperties")
    if type == "array" and isinstance(items, Mapping):
        type = f"list of {describe_type(items)}"
    elif type == "object" and isinstance(others, Mapping):
        type = f"map of {describe_type(others)}"
    elif schema.get("x-kubernetes-embedded-resource"):
        type = "object of any kind"
    return f"{type}{null}"


def _sections(way: Sequence[tuple[str, _Schema, bool]], place: str) -> Iterator[Section]:
    name, schema, _ = way[-1]
    text = schema.get("description")
    yield Section("Field", (*([Prose(_plain(text))] if text else []), Prose(f"It is in {place}.")))
    demands = tuple(_demands(schema))
    forms = {form: schema[form] for form in _FORMS if schema.get(form)}
    blocks: list[Block] = [Rows(("what", "value"), demands)] if demands else []
    if forms:
        blocks.append(Listing("json", json.dumps(forms, indent=2)))
    if blocks:
        yield Section("What a value must be", tuple(blocks))
    if rules := schema.get(_RULES):
        yield Section("Rules", tuple(_rules(rules)))
    word = _word(name.rpartition(".")[2].partition("[")[0])
    for above, part, _ in reversed(way[:-1]):
        naming = [rule for rule in part.get(_RULES) or () if word.search(str(rule.get("rule", "")))]
        if naming:
            yield Section(f"Rules of {one_line(above)} that name it", tuple(_rules(naming)))
    if properties := schema.get("properties"):
        header = ("field", "type", "required", "what it is")
        yield Section("Fields", (Rows(header, tuple(_fields(schema, properties))),))


def _word(field: str) -> re.Pattern[str]:
    """Returns a pattern for the name of a field in rules, where it may be escaped."""
    spellings = {field, escape(field) or field}
    return re.compile(rf"(?<![\w])(?:{'|'.join(map(re.escape, sorted(spellings)))})(?![\w])")


def _demands(schema: _Schema) -> Iterator[tuple[str, str]]:
    for keyword, says in _DEMANDS.items():
        if (value := schema.get(keyword)) is None or (value is False and keyword != "default"):
            continue
        exclusive = " (and not that itself)" if schema.get(_EXCLUSIVE.get(keyword, "")) is True else ""
        shown = value if isinstance(value, str) and keyword != "default" else json.dumps(value, ensure_ascii=False)
        yield says, f"{one_line(shown)}{exclusive}"
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        yield "unknown fields", "are kept"


def _rules(rules: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    for rule in rules:
        lines = str(rule.get("rule", "")).strip().splitlines()
        yield Listing("cel", "\n".join(map(one_line, lines)))
        message = rule.get("messageExpression") or rule.get("message")
        parts = [f"If it does not hold: {_plain(message)}" if message else ""]
        parts += [f"{key} {_plain(rule[key])}" for key in ("reason", "fieldPath") if rule.get(key)]
        if rule.get("optionalOldSelf"):
            parts.append("also on create")
        if any(parts):
            yield Prose("; ".join(filter(None, parts)))


def _fields(schema: _Schema, properties: Mapping[str, _Schema | None]) -> Iterator[tuple[str, ...]]:
    required = schema.get("required") or ()
    for name, message in properties.items():
        part = message or {}
        text = str(part.get("description") or "").strip()
        first = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
        yield one_line(name), describe_type(part), "yes" if name in required else "no", _plain(first)


def _plain(text: object) -> str:
    """Returns a text of a definition as one line that is safe for a terminal."""
    return one_line(" ".join(str(text).split()))
