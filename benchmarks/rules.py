"""The rules of a kind, read from the OpenAPI document that is made of the declarations in `apis`.

Every rival gets its rules from here, so that none has fewer than the others. What is said differently in schemas than
in validators is put right: widths of integers become bounds, times and quantities become patterns, and members of
well-known types that are only always written are not demanded. Nothing here knows a rival.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

INT32 = (-(2**31), 2**31 - 1)
INT64 = (-(2**63), 2**63 - 1)
_NUMBER = r"([0-9]+(\.[0-9]*)?|\.[0-9]+)"
QUANTITY = rf"^[+-]?{_NUMBER}([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$"
TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"
#: Types of ours that are declared without a rule.
_WELL_KNOWN = "io.k8s.apimachinery."


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Truth:
    """A bool."""


@dataclass(frozen=True, slots=True)
class WholeOrText:
    """A number of 32 bits, or a string."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity: a number, or a string of the pattern."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any value: Go keeps the raw text."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list. With `keys` it is a list-map: no two items have the same values of them."""

    item: Rule
    least: int | None = None
    most: int | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mapped:
    """A map with string keys."""

    value: Rule


@dataclass(frozen=True, slots=True)
class Struct:
    """An object with known members. Others are ignored."""

    name: str
    members: dict[str, Rule]
    required: frozenset[str] = field(default_factory=frozenset)

    def __hash__(self) -> int:
        return hash(self.name)


Rule: TypeAlias = "Text | Whole | Truth | WholeOrText | Amount | Anything | Items | Mapped | Struct"


class Reader:
    """Reads one OpenAPI document."""

    def __init__(self, document: Any) -> None:
        self._schemas: dict[str, Any] = document["components"]["schemas"]
        self._structs: dict[str, Struct] = {}

    def struct(self, kind: str) -> Struct:
        """The struct whose name ends so."""
        (name,) = (each for each in self._schemas if each.endswith(f".{kind}"))
        found = self._named(name)
        assert isinstance(found, Struct)
        return found

    def _named(self, name: str) -> Rule:
        short = name.rpartition(".")[2]
        match short:
            case "Quantity":
                return Amount()
            case "Time" | "MicroTime":
                return Text(pattern=TIME)
            case "Duration":
                return Text()
            case "IntOrString":
                return WholeOrText()
            case "FieldsV1":
                return Anything()
        if name not in self._structs:
            schema = self._schemas[name]
            required = () if name.startswith(_WELL_KNOWN) else schema.get("required", ())
            members = {each: self._rule(member) for each, member in schema["properties"].items()}
            self._structs[name] = Struct(short, members, frozenset(required))
        return self._structs[name]

    def _rule(self, schema: Any) -> Rule:
        if "allOf" in schema:
            (base,) = schema["allOf"]
            return self._narrowed(self._rule(base), schema.get("properties", {}))
        if "$ref" in schema:
            return self._named(schema["$ref"].rpartition("/")[2])
        match schema["type"]:
            case "string":
                pattern = TIME if schema.get("format") == "date-time" else schema.get("pattern")
                values = tuple(schema.get("enum", ()))
                # The names of a list rule out what is shorter.
                least = None if values else schema.get("minLength")
                return Text(least, schema.get("maxLength"), pattern, values)
            case "integer":
                least, most = INT32 if schema["format"] == "int32" else INT64
                return Whole(max(least, schema.get("minimum", least)), min(most, schema.get("maximum", most)))
            case "boolean":
                return Truth()
            case "array":
                keys = tuple(schema.get("x-kubernetes-list-map-keys", ()))
                return Items(self._rule(schema["items"]), schema.get("minItems"), schema.get("maxItems"), keys)
            case "object":
                assert "properties" not in schema
                return Mapped(self._rule(schema["additionalProperties"]))
        raise ValueError(f"no rule is known for {schema}")

    def _narrowed(self, base: Rule, members: Any) -> Rule:
        """A struct some of whose members have further limits in this place."""
        if not members:
            return base
        assert isinstance(base, Struct)
        told = dict(base.members)
        for name, more in members.items():
            told[name] = _limited(told[name], more)
        return Struct(f"Named{base.name}", told, base.required)


def _limited(rule: Rule, more: Any) -> Rule:
    """A rule with further limits."""
    if isinstance(rule, Whole):
        assert more.keys() <= {"minimum", "maximum"}, more
        return Whole(max(rule.least, more.get("minimum", rule.least)), min(rule.most, more.get("maximum", rule.most)))
    assert isinstance(rule, Text)
    assert more.keys() <= {"maxLength", "pattern"}, more
    return replace(rule, max_length=more["maxLength"], pattern=more["pattern"])


def read(directory: Path, api_version: str, kind: str) -> Struct:
    """The rules of a kind, from the documents that `validation-gen openapi` has written to a directory.

    The `apiVersion` and the `kind` choose a validator, so they are no rules of it.
    """
    group, _, version = api_version.rpartition("/")
    document = directory / "openapi" / "v3" / f"apis__{group}__{version}_openapi.json"
    return Reader(json.loads(document.read_text(encoding="utf-8"))).struct(kind)


def structs(rule: Rule) -> list[Struct]:
    """All structs below a rule, each behind those that it needs."""
    found: dict[str, Struct] = {}

    def visit(rule: Rule) -> None:
        match rule:
            case Items(item=inner) | Mapped(value=inner):
                visit(inner)
            case Struct(name=name, members=members) if name not in found:
                for each in members.values():
                    visit(each)
                found[name] = rule

    visit(rule)
    return list(found.values())


def places(rule: Rule, value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Rule]]:
    """Every place in a value that has a rule, with that rule, the outer before the inner."""
    yield path, rule
    match rule:
        case Struct(members=members) if isinstance(value, dict):
            for name, each in value.items():
                if name in members:
                    yield from places(members[name], each, (*path, name))
        case Mapped(value=inner) if isinstance(value, dict):
            for name, each in value.items():
                yield from places(inner, each, (*path, name))
        case Items(item=inner) if isinstance(value, list):
            for index, each in enumerate(value):
                yield from places(inner, each, (*path, index))
