"""Converts a schema to `ValueSpec`s, so that its objects can be drawn like those of tagged types.

Constraints on single values are tested here, for a few dozen values each; constraints on several values, and rules in
CEL, are left to the validation of the drawn objects. Texts for a regular expression are a few short ones, from Python's
parse of it; Go reads some expressions differently, so callers validate them.
"""

from __future__ import annotations

import importlib
import itertools
import math
import re
import string
from collections.abc import Iterable, Iterator
from typing import Any

from validation_gen.commands.edgecases import ValueSpec, ValueSpecs
from validation_gen.commands.edgecases.texts import FORMAT_SAMPLES, USUAL, of_length
from validation_gen.commands.edgecases.value_specs import Fact
from validation_gen.diagnostics import Span
from validation_gen.ir import (
    Check,
    FieldPlan,
    ListOf,
    MapOf,
    Member,
    PointerTo,
    Predicate,
    Program,
    Scalar,
    Shape,
    StructRef,
    TagRef,
    TypePlan,
    Wire,
    predicates,
)
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.values import judge

#: Maximum repetitions, unless more are required, and maximum length of a text.
_REPEATS, _LONGEST_TEXT = 3, 400
_TRIES = 6
_USUAL = string.ascii_lowercase + string.ascii_uppercase + string.digits + "-_./: @"
_CATEGORIES = {"CATEGORY_DIGIT": "1", "CATEGORY_WORD": "a", "CATEGORY_SPACE": " "}
_OUTSIDE = {"CATEGORY_NOT_DIGIT": "a", "CATEGORY_NOT_WORD": "-", "CATEGORY_NOT_SPACE": "a"}


def generate_texts(pattern: str) -> Iterator[str]:
    """Yields texts for an expression, without duplicates; none if it cannot be parsed."""
    try:
        parser: Any = importlib.import_module("re._parser" if hasattr(re, "_parser") else "sre_parse")
        tree = parser.parse(pattern)
    except (re.error, ImportError, RecursionError, OverflowError, ValueError):
        return
    seen: set[str] = set()
    for turn in range(_TRIES):
        try:
            text = _text(tree, itertools.count(turn), turn)
        except RecursionError:
            return
        if len(text) <= _LONGEST_TEXT and text not in seen:
            seen.add(text)
            yield text


def _text(tree: Any, counter: Iterator[int], turn: int) -> str:
    return "".join(_part(str(kind), value, counter, turn) for kind, value in tree)


def _part(kind: str, value: Any, counter: Iterator[int], turn: int) -> str:
    match kind:
        case "LITERAL":
            return chr(value)
        case "NOT_LITERAL":
            return next(char for char in _USUAL if ord(char) != value)
        case "ANY":
            return "a"
        case "IN":
            return _pick_char(value, next(counter))
        case "BRANCH":
            branches = value[1]
            return _text(branches[next(counter) % len(branches)], counter, turn)
        case "SUBPATTERN":
            return _text(value[-1], counter, turn)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, inside = value
            times = min(int(most), max(int(least), min(turn, _REPEATS)))
            return "".join(_text(inside, counter, turn) for _ in range(min(times, _LONGEST_TEXT)))
    return ""  # matches between characters


def _pick_char(items: Any, number: int) -> str:
    """Returns a character of a set, a different one for each number."""
    if str(items[0][0]) == "NEGATE":
        return next((char for char in _USUAL if not any(_has(item, char) for item in items[1:])), "~")
    kind, value = items[number % len(items)]
    match str(kind):
        case "LITERAL":
            return chr(value)
        case "RANGE":
            low, high = value
            return chr(low + number % (high - low + 1))
    return {**_CATEGORIES, **_OUTSIDE}.get(str(value), "a")


def _has(item: Any, char: str) -> bool:
    kind, value = item
    match str(kind):
        case "LITERAL":
            return bool(ord(char) == value)
        case "RANGE":
            return bool(value[0] <= ord(char) <= value[1])
    tests = {"CATEGORY_DIGIT": char.isdigit(), "CATEGORY_WORD": char.isalnum() or char == "_"}
    return tests.get(str(value), char.isspace())


#: Maximum depth of schemas.
_DEEPEST = 40
#: Maximum number of tried values for a place.
_MOST = 40
_LONGEST = 5000
_NOWHERE = Span("schema")
_NO_TAG = TagRef("", _NOWHERE)
#: Typical texts for fields with a pattern or a format.
_TEXTS = (
    *("1h", "10m", "5m0s", "100ms", "1.5h", "0s", "Foo", "FooBar", "foo_bar", "FOO", "GET", "HTTP", "A", "Zz9"),
    *("10.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32", "example.com", "*.example.com", "example.com/a.b", "a.b/c"),
    *("https://example.com/a", "http://a", "oci://a/b", "spiffe://a/b", "v1.2.3", "1.2.3", "v1", "100", "50%", "0"),
    *("1Gi", "500m", "1", "1.5", "sha256:" + "a" * 64, "a" * 64, "0" * 40, "2024-05-06T07:08:09Z", "2024-05-06"),
    *("/a/b", "/", "/a", "a:b", "a:8080", "abc:123", "YQ==", "a/b/c", "example.com/v1", "Example.com/Type", "a@b.c"),
    *("00000000-0000-0000-0000-000000000000", "12:00", "Mon", "* * * * *", "a=b", "{{ a }}", "$a", "a.a.a", "#"),
)
_WIRES: dict[str, tuple[Any, ...]] = {
    "any": ({"a": 1}, "x", 5, True, [1]),
    "object": ({"a": 1}, {}),
    "intorstring": (1, 0, "1", "50%", "a", -1, 2**31 - 1),
    "embedded": ({"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "a"}},),
}


class SchemaValueSpecs(ValueSpecs):
    """The places of schemas. Each knows values that its schema accepts."""

    def __init__(self) -> None:
        super().__init__(Program())
        self._schemas: dict[str, Schema] = {}

    def of_schema(self, id: str, schema: Schema) -> ValueSpec:
        """Returns the place of objects of a schema, without the standard fields of all objects."""
        own = {name: part for name, part in schema.properties.items() if name not in _OF_ALL}
        self._struct(id, schema, own, _DEEPEST)
        return self.of_type(id)

    def find_schema(self, spec: ValueSpec) -> Schema | None:
        """Returns the schema of a place."""
        return self._schemas.get(spec.value.type)

    def at(self, shape: Shape, facts: Iterable[Fact] = (), **named: Any) -> ValueSpec:
        place = super().at(shape, facts, **named)
        plain = place.value
        schema = self._schemas.get(plain.type)
        if schema is not None and isinstance(plain, Scalar | Wire) and "edges" not in place.notes:
            values = _values(schema, plain)
            place.notes["edges"] = values
            place.notes[tuple(None for _ in place.names)] = values
        return place

    # --- shapes -------------------------------------------------------------------------------------------------------

    def _struct(self, id: str, schema: Schema, properties: dict[str, Schema], left: int) -> None:
        members = []
        plan = TypePlan(id, "", id, StructRef(id), _NOWHERE)
        for name, part in properties.items():
            shape = PointerTo(self._shape(f"{id}.{name}", part, left - 1))
            members.append(Member(name, shape, ""))
            checks = list(_sizes(part))
            if name in schema.required:
                checks.append(Check(Predicate(predicates.REQUIRED_POINTER), _NO_TAG))
            plan.fields.append(FieldPlan(name, name, name, shape, _NOWHERE, checks=checks))
        self._schemas[id] = schema
        self.program.structs[id] = tuple(members)
        self.program.types[id] = plan

    def _shape(self, id: str, schema: Schema, left: int) -> Shape:
        self._schemas[id] = schema
        if schema.int_or_string:
            return Wire("intorstring", id)
        if schema.embedded_resource:
            return Wire("embedded", id)
        match schema.type:
            case "object" if schema.properties and left:
                self._struct(id, schema, dict(schema.properties), left)
                return StructRef(id)
            case "object" if schema.additional is not None and left:
                return MapOf(self._shape(f"{id}[*]", schema.additional, left - 1), Scalar("string", type=f"{id}#"), id)
            case "array" if schema.item is not None and left:
                return ListOf(self._shape(f"{id}[*]", schema.item, left - 1), type=id)
            case "string":
                return Scalar("string", type=id)
            case "integer":
                return Scalar("int64", type=id)
            case "number":
                return Scalar("float64", type=id)
            case "boolean":
                return Scalar("bool", type=id)
        return Wire("object" if schema.type == "object" else "any", id)


_OF_ALL = ("apiVersion", "kind", "metadata")


def _sizes(schema: Schema) -> Iterator[Check]:
    """Yields the limits of a schema on the number of items."""
    limits = (
        (predicates.MIN_ITEMS, schema.min_items if schema.type == "array" else None),
        (predicates.MAX_ITEMS, schema.max_items if schema.type == "array" else None),
        (predicates.MIN_PROPERTIES, schema.min_properties if schema.additional is not None else None),
        (predicates.MAX_PROPERTIES, schema.max_properties if schema.additional is not None else None),
    )
    yield from (Check(Predicate(record, (limit,)), _NO_TAG) for record, limit in limits if limit is not None)


# --- values ----------------------------------------------------------------------------------------------------------


def _values(schema: Schema, shape: Shape) -> list[Any]:
    """Returns values that a schema accepts, the usual ones first."""
    found: list[Any] = []
    for value in _candidates(schema, shape):
        if len(found) == _MOST:
            break
        if not any(type(each) is type(value) and each == value for each in found) and not judge(schema, value):
            found.append(value)
    return found or [each.value for each in schema.enum] or list(_candidates(schema, shape))[:1]


def _candidates(schema: Schema, shape: Shape) -> Iterator[Any]:
    yield from (each.value for each in schema.enum)
    for text in (schema.default, schema.example):
        if text is not None:
            yield text.value
    match shape:
        case Scalar(go="bool"):
            yield from (True, False)
        case Scalar(go="string"):
            yield from _texts(schema)
        case Scalar():
            yield from _numbers(schema)
        case Wire(form="object") if not schema.preserves:
            yield {}
        case Wire(form=form):
            yield from _WIRES[form]


def _texts(schema: Schema) -> Iterator[str]:
    bounds = [size for size in (schema.min_length, schema.max_length) if size is not None and size <= _LONGEST]
    if schema.pattern:
        yield from generate_texts(schema.pattern)
    if schema.pattern or schema.format:
        yield from (text for good, _ in FORMAT_SAMPLES.values() for text in good)
        yield from _TEXTS
    yield "a"
    yield from (text for size in bounds for text in of_length(size))
    yield from USUAL
    yield from ("é" * size for size in bounds if size)


def _numbers(schema: Schema) -> Iterator[int | float]:
    bounds = [number for number in (schema.minimum, schema.maximum) if number is not None]
    step = schema.multiple_of or 1
    for number in (1, *bounds, *(bound + step for bound in bounds), *(bound - step for bound in bounds), 0, -1, 2):
        yield _whole(number)
    yield from (10, 100, 1000, 65535, step if not float(step).is_integer() else int(step))
    yield from (2**31 - 1, -(2**31)) if schema.format == "int32" else (2**53 - 1, -(2**53) + 1)
    if schema.type == "number":
        yield from (0.5, -0.25)


def _whole(number: float) -> int | float:
    return int(number) if math.isfinite(number) and float(number).is_integer() else number
