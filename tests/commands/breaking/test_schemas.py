"""What a change of a definition's schema breaks, keyword by keyword, and whether what is called safe is."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.breaking.changes import SAFE
from validation_gen.commands.breaking.schemas import differences
from validation_gen.commands.breaking.states import Defined
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.kubernetes.crd.run import check
from validation_gen.kubernetes.manifests import parse
from validation_gen.kubernetes.objects import Scheme

Schema = dict[str, Any]
STRING: Schema = {"type": "string"}
REFUSED_BY_COUNT = "maxProperties 1 may refuse objects that leave the value out"
KEEPS: Schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
A: Schema = {"type": "object", "properties": {"a": STRING}}


def _defined(schema: Schema) -> Defined:
    return _whole(root(schema))


def _whole(schema: Schema) -> Defined:
    manifest = parse("crd.json", json.dumps(definition(schema)).encode(), Diagnostics())[0]
    return Defined(schema, manifest, ("spec", "versions", 0, "schema", "openAPIV3Schema"))


def _changes(old: Schema, new: Schema) -> list[str]:
    found = differences(_defined(old), _defined(new))
    return [f"{change.severity.value} {change.code} {path.removeprefix('.')}: {change.text}" for change, path in found]


def _with(**keywords: Any) -> Schema:
    """The schema of a text, with keywords behind the type; `__` stands for a dash."""
    return {"type": "string", **keywords}


def _object(*required: str, **properties: Schema) -> Schema:
    return {"type": "object", "required": list(required), "properties": properties}


def _rules(*rules: str, **more: Any) -> Schema:
    return {**A, "x-kubernetes-validations": [{"rule": rule, **more} for rule in rules]}


@each(
    ("old", "new", "wanted"),
    [
        (STRING, {**STRING, "description": "told"}, []),
        (STRING, {"type": "integer"}, ["error VG704 spec: the type is integer, it was string"]),
        ({"type": "integer"}, {"type": "number"}, ["warning VG704 spec: the type is number, it was integer"]),
        (
            {"type": "integer", "format": "int64"},
            {"type": "integer", "format": "int32"},
            ["error VG704 spec: the type is int32, it was int64"],
        ),
        (
            {"type": "integer", "minimum": 0, "maximum": 9},
            {"type": "integer", "minimum": 0, "maximum": 9, "format": "int32"},
            [],
        ),
        (
            {"type": "integer"},
            {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
            ["warning VG704 spec: the type is integer or string, it was integer"],
        ),
        (_with(nullable=True), STRING, ["error VG704 spec: the value cannot be null any more"]),
        (STRING, _with(nullable=True), ["warning VG714 spec: the value may be null"]),
        (_with(maxLength=9), _with(maxLength=8), ["error VG705 spec: maxLength is 8, it was 9"]),
        (_with(maxLength=8), _with(maxLength=9), ["info VG706 spec: maxLength is 9, it was 8"]),
        (STRING, _with(minLength=0), []),
        (_with(enum=["a", "b"]), _with(enum=["b", "c"]), [
            'error VG707 spec: "a" is no legal value any more',
            'warning VG708 spec: "c" is a new legal value',
        ]),
        (STRING, _with(pattern="^a"), ['error VG705 spec: pattern "^a" is new']),
        (STRING, _with(format="date"), ['error VG705 spec: format "date" is new']),
        (STRING, _with(format="nobody-knows"), []),
        (STRING, _with(default="x"), ['warning VG712 spec: there is a default, "x"']),
        (_with(default="x"), _with(default="y"), ['error VG712 spec: the default is "y", it was "x"']),
        (A, _object("a", a=STRING), ["error VG703 spec.a: the field must be set, it was optional"]),
        (A, _object("a", a=_with(default="x")), [
            "info VG703 spec.a: the field must be set, it was optional",
            'warning VG712 spec.a: there is a default, "x"',
        ]),
        (_object("a", a=STRING), A, ["warning VG714 spec.a: the field may be absent, it had to be set"]),
        (A, _object("b", a=STRING, b=STRING), ["error VG703 spec.b: the field is new and must be set"]),
        (A, _object(a=STRING, b=STRING), ["info VG715 spec.b: the field is new"]),
        (_object(a=STRING, b=STRING), A, ["error VG702 spec.b: the field is gone"]),
        (_object(nickName=STRING), _object(nickname=STRING), [
            "error VG702 spec.nickName: the field is gone; `nickname` looks like its new name",
            "info VG715 spec.nickname: the field is new",
        ]),
        (KEEPS, {"type": "object"}, [
            "error VG704 spec: fields that the schema does not know are dropped, they were kept",
        ]),
        ({"type": "object"}, KEEPS, ["info VG706 spec: fields that the schema does not know are kept"]),
        (A, {**KEEPS}, [
            "info VG706 spec: fields that the schema does not know are kept",
            "info VG706 spec.a: the field has no schema any more; any value is kept",
        ]),
        (KEEPS, {**KEEPS, "properties": {"a": STRING}}, [
            "error VG705 spec.a: the field has a schema, it took any value",
        ]),
        (
            {"type": "object", "additionalProperties": STRING},
            A,
            ["error VG704 spec: the type is object, it was map: keys that the schema does not know are dropped"],
        ),
        (A, {"type": "object", "additionalProperties": STRING}, []),
        (
            {"type": "object", "additionalProperties": STRING},
            {"type": "object", "additionalProperties": _with(maxLength=1)},
            ["error VG705 spec[*]: maxLength=1 is new"],
        ),
        (
            {"type": "array", "items": STRING},
            {"type": "array", "items": _with(maxLength=1), "x-kubernetes-list-type": "set"},
            ["error VG709 spec: listType is \"set\", it was not set", "error VG705 spec[*]: maxLength=1 is new"],
        ),
        (_rules("self.a=='x'"), _rules("(self.a)  == \"x\""), []),
        (_rules("has(self.a)"), _rules("has(self.a)", message="told"), []),
        (_rules("has(self.a)", "self.a > 'b'"), _rules("self.a > 'b'", "has(self.a)"), []),
        (A, _rules("has(self.a)"), ['error VG705 spec: rule "has(self.a)" is new']),
        (_rules("has(self.a)"), A, ['info VG706 spec: rule "has(self.a)" is gone']),
        (A, _rules("self == oldSelf"), ['error VG711 spec: rule "self == oldSelf" is new']),
        (
            _rules("has(self.a)"),
            _rules("!has(self.a)"),
            ['error VG705 spec: rule is "!has(self.a)", it was "has(self.a)"'],
        ),
        (_rules("has(self.a)"), _rules("self.a == 'x' || has(self.a)"), [
            'info VG706 spec: rule "has(self.a)" is gone',
        ]),
        (_rules("has(self.a) && self.a != 'y'"), _rules("self.a != 'y'", "has(self.a)"), []),
        (
            _rules("has(self.a) && self.a != 'y'"),
            _rules("has(self.a)", "self.a != 'z'"),
            [
                "error VG705 spec: rule is \"self.a != 'z'\", it was \"has(self.a) && self.a != 'y'\"",
            ],
        ),
        (_rules(r"self.a.matches(r'^\d+$')"), _rules(r"self.a == 'x' || self.a.matches('^\\d+$')"), [
            r"""info VG706 spec: rule "self.a.matches(r'^\\d+$')" is gone""",
        ]),
        (_rules("!(has(self.a) && self.a == 'x')"), _rules("!has(self.a)"), [
            'error VG705 spec: rule "!has(self.a)" is new',
        ]),
        (_rules("self.a in ['x', 'y']"), _rules("self.a in ['z', 'y', 'x']"), [
            "info VG706 spec: rule \"self.a in ['x', 'y']\" is gone",
        ]),
        (_rules("self.a in ['x', 'y']"), _rules("self.a == 'y'"), [
            "error VG705 spec: rule \"self.a == 'y'\" is new",
        ]),
        (_rules("self == oldSelf && self.a != 'oldSelf'"), _rules("self.a != 'oldSelf'"), [
            "error VG705 spec: rule is \"self.a != 'oldSelf'\", it was \"self == oldSelf && self.a != 'oldSelf'\"",
        ]),
        (
            {"x-kubernetes-int-or-string": True, "enum": ["1", 2]},
            {"x-kubernetes-int-or-string": True, "enum": [1, 2]},
            [
                'error VG707 spec: "1" is no legal value any more',
                'warning VG708 spec: "1" is a new legal value',
            ],
        ),
        (
            {"type": "number"},
            {"type": "number", "format": "float"},
            ['error VG705 spec: format "float" is new'],
        ),
        ({"type": "number"}, {"type": "number", "format": "double"}, []),
        (
            {"type": "object", "maxProperties": 1, "properties": {"a": STRING}},
            {"type": "object", "maxProperties": 1, "properties": {"a": STRING, "b": _with(default="x")}},
            [f"error VG712 spec.b: the field is new, and has a default: {REFUSED_BY_COUNT}"],
        ),
        (
            {"type": "object", "additionalProperties": _object(a=_with(default="x"))},
            KEEPS,
            [
                "info VG706 spec: fields that the schema does not know are kept",
                "error VG712 spec[*]: the defaults within are gone, with the schema of entries",
            ],
        ),
        (_object(b=_object(a=_with(default="x"))), KEEPS, [
            "info VG706 spec: fields that the schema does not know are kept",
            "error VG712 spec.b: the default is gone, with the schema of the field",
        ]),
        (A, {**A, "anyOf": [{"required": ["a"]}]}, ["error VG705 spec: anyOf is new"]),
        ({**A, "anyOf": [{"required": ["a"]}]}, A, ["info VG706 spec: anyOf is gone"]),
        (
            {**A, "anyOf": [{"required": ["a"]}]},
            {**A, "anyOf": [{"required": ["a"]}, {"maxProperties": 1}]},
            ["info VG706 spec: anyOf has more forms"],
        ),
        (
            {**A, "oneOf": [{"required": ["a"]}]},
            {**A, "oneOf": [{"required": ["a"]}, {"maxProperties": 1}]},
            ["warning VG705 spec: oneOf has more forms, of which a value may have one beside its own"],
        ),
        (
            {**A, "oneOf": [{"required": ["a"]}, {"maxProperties": 1}]},
            {**A, "oneOf": [{"required": ["a"]}]},
            ["error VG705 spec: oneOf has other forms than before"],
        ),
    ],
)  # fmt: skip
def test_changes(old: Schema, new: Schema, wanted: list[str]) -> None:
    assert _changes(old, new) == wanted


def test_what_all_objects_have_is_no_demand() -> None:
    old = root(STRING, metadata={"type": "object"})
    new = {**old, "required": ["metadata", "spec"]}
    found = [change.text for change, _ in differences(_whole(old), _whole(new))]
    assert found == ["the field must be set, it was optional"]  # the spec


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.a.split('').filter(c, c > 'b').size() < 1", "self.a.split('').filter(c, c > 'a').size() < 1"),
        ("self.a.split('').map(c, c + 'b') != []", "self.a.split('').map(c, c + 'a') != []"),
        ("[?self.?a].size() < 1", "[self.?a].size() < 1"),
        ("self.?a.optMap(a, a < 'b').orValue(true)", "self.?a.optMap(a, a < 'a').orValue(true)"),
    ],
)
def test_rules_that_differ_within_a_loop_are_others(old: str, new: str) -> None:
    assert any(change.startswith("error VG705") for change in _changes(_rules(old), _rules(new)))
    assert _changes(_rules(old), _rules(f" ({old.replace(' ', '  ')}) ")) == []


def test_names_of_objects_are_compared_though_only_one_state_tells_of_them() -> None:
    old = root(STRING)
    new = root(STRING, metadata={"type": "object", "properties": {"name": _with(maxLength=2)}})
    found = [(change.severity.value, path, change.text) for change, path in differences(_whole(old), _whole(new))]
    assert found == [("error", ".metadata.name", "maxLength=2 is new")]
    found = [(change.severity.value, path, change.text) for change, path in differences(_whole(new), _whole(old))]
    assert found == [("info", ".metadata.name", "maxLength=2 is gone")]


EMBEDDED: Schema = {**A, "x-kubernetes-embedded-resource": True}


@pytest.mark.parametrize(
    ("new", "wanted"),
    [
        ({"kind": _with(enum=["Pod"])}, ['error VG705 spec.kind: enum "Pod" is new']),
        ({"metadata": {"type": "object"}}, []),
    ],
)
def test_what_embedded_objects_have_is_compared_though_only_one_state_tells_of_it(
    new: Schema, wanted: list[str]
) -> None:
    assert _changes(EMBEDDED, {**EMBEDDED, "properties": {"a": STRING, **new}}) == wanted


def test_embedded_objects_that_are_none_any_more_lose_what_they_have() -> None:
    assert _changes(EMBEDDED, A) == [
        "info VG706 spec: x-kubernetes-embedded-resource true is gone",
        "error VG702 spec.apiVersion: the field is gone",
        "error VG702 spec.kind: the field is gone",
        "error VG702 spec.metadata: the field is gone",
    ]


def test_embedded_objects_have_a_kind_whether_it_is_demanded_or_not() -> None:
    assert _changes(EMBEDDED, {**EMBEDDED, "required": ["apiVersion", "kind"]}) == []
    assert _changes(EMBEDDED, {**EMBEDDED, "required": ["metadata"]}) == [
        "error VG703 spec.metadata: the field must be set, it was optional"
    ]


def test_forms_in_lists_are_looked_at_when_the_list_changes() -> None:
    old: Schema = {"type": "array", "items": A}
    new: Schema = {"type": "array", "items": {**A, "anyOf": [{"required": ["a"]}]}}
    effects = [change.effect for change, _ in differences(_defined(old), _defined(new))]
    told = "stored objects that break it stay valid until anything in the list around it changes"
    assert effects == [f"{told} (API servers from 1.30 on)"]


def test_fields_with_strange_names_stay_in_one_line() -> None:
    found = _changes(_object(**{"a\nb\x1b": STRING}), _object())
    assert len(found) == 1
    assert found[0].isprintable()


# --- what is called safe ----------------------------------------------------------------------------------------------

SPEC: Schema = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 4, "pattern": "^[a-z]+$"},
        "mode": {"type": "string", "enum": ["on", "off"], "default": "on"},
        "count": {"type": "integer", "minimum": 0, "maximum": 10, "format": "int32"},
        "share": {"type": "number", "maximum": 2},
        "maybe": {"type": "string", "nullable": True},
        "tags": {"type": "array", "items": _with(maxLength=9), "x-kubernetes-list-type": "set", "maxItems": 2},
        "labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 2}, "maxProperties": 2},
        "free": {**KEEPS, "properties": {"a": STRING}},
        "either": {**_object(a=STRING, b=STRING), "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        "ports": {
            "type": "array",
            "maxItems": 5,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {
                **_object("name", name=_with(maxLength=9), number={"type": "integer", "default": 80}),
                "x-kubernetes-validations": [{"rule": "self.number < 90 || self.name == 'a'"}],
            },
        },
    },
    "x-kubernetes-validations": [{"rule": "!has(self.count) || self.count != 5"}, {"rule": "self.name != 'no'"}],
}
#: Keywords that a mutation adds, by the type.
POOL: dict[str, list[tuple[str, list[Any]]]] = {
    "string": [
        ("minLength", [0, 1, 2]),
        ("maxLength", [1, 2, 9]),
        ("pattern", ["^[a-z]+$", "^a", "."]),
        ("enum", [["on", "off"], ["a", "b"], ["on", "off", "x"]]),
        ("default", ["on", "a"]),
        ("nullable", [True, False]),
        ("type", ["integer", "boolean"]),
    ],
    "integer": [
        ("minimum", [0, 1, 5]),
        ("maximum", [5, 9, 10]),
        ("exclusiveMaximum", [True, False]),
        ("multipleOf", [1, 2, 3, 6]),
        ("format", ["int32", "int64"]),
        ("type", ["number", "string"]),
        ("enum", [[1, 2], [1, 2, 3]]),
    ],
    "number": [("minimum", [0, 0.5]), ("maximum", [1, 2]), ("type", ["integer"])],
    "array": [("minItems", [0, 1]), ("maxItems", [1, 2, 3]), ("x-kubernetes-list-type", ["set", "atomic"])],
    "object": [
        ("required", [["name"], ["a"], [], ["name", "mode"], ["count"]]),
        ("minProperties", [0, 1]),
        ("maxProperties", [1, 2]),
        ("additionalProperties", [STRING, True, {"type": "integer"}]),
        ("x-kubernetes-preserve-unknown-fields", [True]),
        ("oneOf", [[{"required": ["a"]}], [{"required": ["a"]}, {"required": ["b"]}]]),
        ("anyOf", [[{"required": ["a"]}], [{"required": ["a"]}, {"required": ["b"]}]]),
        ("x-kubernetes-validations", [[{"rule": "self.size() < 2"}], [{"rule": "!has(self.count) || self.count > 5"}]]),
    ],
}
_WORDS = ("a", "b", "ab", "on", "off", "x", "")


def _nodes(schema: Schema) -> Iterator[Schema]:
    yield schema
    inner = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
    for part in inner:
        if isinstance(part, dict):
            yield from _nodes(part)


def _mutated(schema: Schema, dice: random.Random) -> Schema:
    """A schema with something else in one place."""
    schema = deepcopy(schema)
    node = dice.choice(list(_nodes(schema)))
    keys = [key for key in node if key != "type"]
    if keys and dice.random() < 0.35:
        key = dice.choice(keys)
        if node[key] and isinstance(node[key], list | dict):
            node[key].pop(dice.choice(list(node[key]) if isinstance(node[key], dict) else range(len(node[key]))))
        else:
            del node[key]
    elif "properties" in node and dice.random() < 0.2:
        node["properties"][dice.choice(_WORDS[:3])] = dice.choice([STRING, {"type": "integer"}])
    else:
        name, values = dice.choice(POOL.get(node.get("type", ""), [("nullable", [True])]))
        node[name] = deepcopy(dice.choice(values))
        if name == "additionalProperties":
            node.pop("properties", None)
    return schema


def _value(schema: Schema, dice: random.Random) -> Any:
    """A value that is mostly what a schema wants."""
    if dice.random() < 0.05:
        return dice.choice([True, -1, 3, 0.5, "a", []])
    if "enum" in schema:
        return dice.choice(schema["enum"])
    match schema.get("type"):
        case "object":
            known = schema.get("properties", {})
            wanted = [name for name in known if name in schema.get("required", ()) or dice.random() < 0.3]
            more = schema.get("additionalProperties") or schema.get("x-kubernetes-preserve-unknown-fields")
            others = dice.sample(_WORDS[:4], dice.randrange(3)) if more else []
            inner = more if isinstance(more, dict) else {}
            return {name: _value(inner, dice) for name in others} | {name: _value(known[name], dice) for name in wanted}
        case "array":
            return [_value(schema["items"], dice) for _ in range(dice.randrange(4))]
        case "integer":
            return dice.randrange(-1, 12)
        case "number":
            return dice.choice([0, 1, 0.25, 1.0, 2])
        case "string":
            return dice.choice(_WORDS)
    return dice.choice(["a", 3, {"a": 1}, [1]])


def _refused(obj: Schema) -> bool:
    return any(finding.severity is Severity.ERROR for finding in check(obj))


def test_what_is_safe_lets_pass_what_was_legal_and_keeps_all_of_it() -> None:
    dice = random.Random(7)
    legal = 0
    for _ in range(drawn(600)):
        old = _mutated(SPEC, dice)
        new = _mutated(old, dice)
        before, after = definition(root(old)), definition(root(new))
        if _refused(before) or _refused(after):
            continue
        if any(change.severity is not SAFE for change, _ in differences(_defined(old), _defined(new))):
            continue
        was, now = Scheme(), Scheme()
        was.define(before)
        now.define(after)
        for _ in range(20):
            obj = robot(_value(old, dice))
            first = was.admit(deepcopy(obj))
            if first.code == 201:
                legal += 1
                second = now.admit(deepcopy(obj))
                assert (second.code, second.object) == (201, first.object), (old, new)
    assert legal > 100
