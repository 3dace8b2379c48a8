"""Reads the constraints of one schema on a value, without its children: types, limiting keywords, rules."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from validation_gen.commands.breaking.constraints import PRESERVES, Constraint, frozen
from validation_gen.commands.breaking.ranges import IsInteger, about_updates, normal, not_implied
from validation_gen.diagnostics import Span
from validation_gen.kubernetes.formats.valueformats import is_known
from validation_gen.runtime.goregex.pattern import includes

INT_OR_STRING = "x-kubernetes-int-or-string"
RULES = "x-kubernetes-validations"
#: Name of constraints that are rules in CEL.
RULE = "rule"

_INT32, LARGER, _FRACTION = "integers of 32 bits", "larger integers", "fractions"
_LEGAL = {
    "integer": frozenset({_INT32, LARGER}),
    "number": frozenset({_INT32, LARGER, _FRACTION}),
    "string": frozenset({"string"}),
    "boolean": frozenset({"boolean"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}
_ANYTHING = frozenset[str]().union(*_LEGAL.values())

#: Keywords that are compared one by one, as they are.
_PLAIN = (
    "default",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "pattern",
    PRESERVES,
    "x-kubernetes-embedded-resource",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
)
#: Keywords that have no effect if they are false or 0.
_FLAGS = (
    *("exclusiveMaximum", "exclusiveMinimum", PRESERVES, "x-kubernetes-embedded-resource"),
    *("minItems", "minLength", "minProperties"),
)

_Schema = Mapping[str, Any]
#: Name of a constraint, its operand, its path in the schema, and whether it applies to updates only.
_Keyword = tuple[str, Hashable, tuple["str | int", ...], bool]


def legal(schema: _Schema) -> frozenset[str]:
    """Returns the JSON types that a schema accepts, except null."""
    if schema.get(INT_OR_STRING):
        return _LEGAL["integer"] | _LEGAL["string"]
    if schema.get("type") == "integer" and schema.get("format") == "int32":
        return frozenset({_INT32})
    return _LEGAL.get(schema.get("type") or "", _ANYTHING)


def is_small(schema: _Schema) -> bool:
    """Returns whether limits keep an integer within 32 bits."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if schema.get("type") != "integer" or low is None or high is None:
        return False
    return bool(-(1 << 31) <= low <= high < 1 << 31)


def type_in_words(schema: _Schema) -> str:
    if schema.get(INT_OR_STRING):
        return "integer or string"
    type, format = schema.get("type") or "anything", schema.get("format")
    if type in ("integer", "number") and is_known(type, format or ""):
        return str(format)
    if type == "object" and schema.get("additionalProperties"):
        return "map"
    return "list" if type == "array" else type


def constraints(schema: _Schema, span: Callable[..., Span]) -> list[Constraint]:
    """Returns the constraints of a schema, with their locations."""
    return [
        Constraint((), name, operand, on_update=on_update, marker=True, span=span(*way), text=name)
        for name, operand, way, on_update in _read_keywords(schema)
    ]


def without_implied(
    old: list[Constraint], new: list[Constraint], is_integer: IsInteger
) -> tuple[list[Constraint], list[Constraint]]:
    """Returns both lists without rules that follow from the other side, except equal ones."""
    same = {(d.operand, d.on_update) for d in old} & {(d.operand, d.on_update) for d in new}
    return _find_remaining(old, new, same, is_integer), _find_remaining(new, old, same, is_integer)


def _find_remaining(
    rules: list[Constraint], others: list[Constraint], same: set[tuple[Hashable, bool]], is_integer: IsInteger
) -> list[Constraint]:
    found = [rule for rule in rules if (rule.operand, rule.on_update) in same]
    for on_update in (False, True):
        # Rules for all requests also apply to updates.
        known = [str(d.operand) for d in others if on_update or not d.on_update]
        own = [d for d in rules if d.on_update is on_update and d not in found]
        left = not_implied((str(d.operand) for d in own), known, is_integer)
        found += [d for d in own if d.operand in left]
    return found


def alternatives(name: str, schema: _Schema) -> frozenset[str]:
    """Returns the forms of `anyOf` or `oneOf` as texts, without those that `x-kubernetes-int-or-string` requires."""
    forms = schema.get(name) or ()
    found = frozenset(json.dumps(form, sort_keys=True) for form in forms)
    types = {form.get("type") for form in forms if isinstance(form, Mapping) and form.keys() == {"type"}}
    return frozenset() if schema.get(INT_OR_STRING) and types == {"integer", "string"} else found


def _read_keywords(schema: _Schema) -> Iterator[_Keyword]:
    for name in _PLAIN:
        if name in schema and not (name in _FLAGS and not schema[name]):
            yield name, _operand(name, schema[name]), (name,), False
    format = schema.get("format") or ""
    checked = schema.get("type") not in ("integer", "number") or (schema.get("type"), format) == ("number", "float")
    if checked and is_known(schema.get("type") or "", format):
        yield "format", format, ("format",), False
    for index, form in enumerate(schema.get("allOf") or ()):
        if not (isinstance(form, Mapping) and form.keys() == {"anyOf"} and schema.get(INT_OR_STRING)):
            yield "allOf", json.dumps(form, sort_keys=True), ("allOf", index), False
    for index, rule in enumerate(schema.get(RULES) or ()):
        text, optional = str(rule.get("rule")), bool(rule.get("optionalOldSelf"))
        shown = f"{normal(text)}{' (also on create)' if optional else ''}"
        yield RULE, shown, (RULES, index, "rule"), about_updates(text) and not optional


def _operand(name: str, value: object) -> Hashable:
    """Returns a keyword's value. Strings in an enum that look like JSON stay distinct from the JSON values."""
    if name != "enum" or not isinstance(value, list):
        return frozen(name, value)
    return tuple(sorted(json.dumps(each) if not isinstance(each, str) or _is_json(each) else each for each in value))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def follows_from(name: str, new: object, old: object) -> bool:
    """Returns whether a new operand admits all values that an old one admits."""
    if name == "pattern" and isinstance(new, str) and isinstance(old, str):
        return includes(new, old)
    if name == "multipleOf":
        step, before = _exact(new), _exact(old)
        return step is not None and step != 0 and before is not None and before % step == 0
    return False


def _exact(number: object) -> Fraction | None:
    """Returns a number exactly as written, `None` for other values."""
    if isinstance(number, float):
        return Fraction(str(number)) if math.isfinite(number) else None
    return Fraction(number) if isinstance(number, int) else None
