"""Definitions in native code: sizes are those of what Go writes, and nothing is wrong with what is called plain."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition, with_properties
from tests.native.twoways import needs_native
from tests.tables import each
from tests.thorough import drawn
from validation_gen.kubernetes.crd import run
from validation_gen.kubernetes.crd import schema as schemas
from validation_gen.kubernetes.crd.run import check
from validation_gen.kubernetes.crd.schema import NOTHING_PLAIN, Schema, plain_schemas, read_schema
from validation_gen.runtime import native
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.names import byte_count

pytestmark = needs_native

_fastpath: Any = native.accept

# --- sizes ------------------------------------------------------------------------------------------------------------

_TEXTS = ("", "a", 'a"b\\c', "\b\f\n\r\t\v\0\x1f\x7f", "<a>&", "\u00e9\u20ac", "\u2028\u2029", "\U0001f600", "a\ud800")
_NUMBERS = (0, 7, -1, 10, 99, -100, 2**63 - 1, -(2**63), 2**63, 2**70, True, False, None, 1.5)


def _value(chosen: random.Random, depth: int = 4) -> Any:
    kind = chosen.randrange(8 if depth else 4)
    if kind < 3:
        return "".join(chosen.choice(_TEXTS[:-1]) for _ in range(chosen.randrange(4)))
    if kind == 3:
        return chosen.choice(_NUMBERS[:8] + _NUMBERS[-4:-1])
    if kind < 6:
        return [_value(chosen, depth - 1) for _ in range(chosen.randrange(4))]
    return {chosen.choice(_TEXTS[:-1]) + str(n): _value(chosen, depth - 1) for n in range(chosen.randrange(4))}


def test_sizes_are_those_of_what_go_writes() -> None:
    chosen = random.Random(1)
    for _ in range(drawn(300)):
        value = _value(chosen)
        assert _fastpath.json_size(value) == byte_count(go_json(value)), value


@each("value", [1.0, "a\ud800", 2**63, {1: 2}, {"a": [1.5]}, (), b"", type("Text", (str,), {})("a")])
def test_what_is_not_certain_has_no_size(value: Any) -> None:
    assert _fastpath.json_size(value) == -1


def test_what_is_nested_deeply_has_no_size() -> None:
    value: Any = 1
    for _ in range(100):
        value = [{"a": value}]
    assert _fastpath.json_size(value) > 0
    assert _fastpath.json_size([value]) == -1


# --- schemas ----------------------------------------------------------------------------------------------------------

_NAMES = ("a", "b", "name", "kind", "apiVersion", "metadata", "spec")
_TYPES = ("object", "object", "array", "string", "integer", "boolean", "number")
_FORMATS = ("", "int32", "int32", "int64", "date", "date-time", "byte", "odd", "double", "ipv4")
_DEFAULTS: tuple[Any, ...] = (
    *("", "abc", "b", 0, 5, -3, 2**31, 2**40, 2**63, True, False),
    *({}, [], {"a": 1}, ["a"], 1.5, None),
)
_DEFAULTS_OF: dict[str, tuple[Any, ...]] = {
    "object": ({}, {}, {"a": 1}),
    "array": ([], [], ["a"]),
    "string": ("", "abc", "b"),
    "integer": (0, 5, -3, 2**31, 2**40),
    "boolean": (True, False),
    "number": (0, 1.5),
}
_RULE = [{"rule": "self == self"}]


def _schema(chosen: random.Random, depth: int = 4) -> Any:
    """A schema that is mostly right, with a liking for what is plain in one place and wrong in another."""
    if chosen.random() < 0.002:
        return chosen.choice([None, [], True, "a", {}])
    kind = chosen.choice(_TYPES if depth else _TYPES[3:])
    found: dict[str, Any] = {"type": kind}
    if chosen.random() < 0.03:
        del found["type"]
        found["x-kubernetes-int-or-string"] = chosen.choice([True, True, False])
        if chosen.random() < 0.6:
            found["anyOf"] = [{"type": "integer"}, {"type": "string"}][:: chosen.choice([1, 1, 1, -1])]
    elif kind == "object":
        _say_of_object(found, chosen, depth)
    elif kind == "array":
        _say_of_list(found, chosen, depth)
    for name, values, share in _KEYWORDS:
        if chosen.random() < share:
            found[name] = copy.deepcopy(chosen.choice(values))
    if chosen.random() < 0.25:
        right = _DEFAULTS_OF[kind] if chosen.random() < 0.9 else _DEFAULTS
        found["default"] = copy.deepcopy(chosen.choice(right))
    if chosen.random() < 0.02:
        found[chosen.choice(["allOf", "anyOf", "oneOf"])] = [_schema(chosen, max(depth - 2, 0))]
    return found


def _say_of_object(found: dict[str, Any], chosen: random.Random, depth: int) -> None:
    if chosen.random() < 0.15:
        found["additionalProperties"] = _schema(chosen, depth - 1) if chosen.random() < 0.9 else True
    if chosen.random() < 0.85:
        names = chosen.sample(_NAMES, chosen.randrange(5))
        found["properties"] = {name: _schema(chosen, depth - 1) for name in names}
    if chosen.random() < 0.06:
        found["x-kubernetes-embedded-resource"] = True
    if chosen.random() < 0.1:
        found["x-kubernetes-map-type"] = chosen.choice(["atomic", "granular", "odd"])


def _say_of_list(found: dict[str, Any], chosen: random.Random, depth: int) -> None:
    found["items"] = _schema(chosen, depth - 1) if chosen.random() < 0.97 else [_schema(chosen, 0)]
    if chosen.random() < 0.5:
        found["x-kubernetes-list-type"] = chosen.choice(["atomic", "set", "set", "map", "map", "map", "odd"])
    if found.get("x-kubernetes-list-type") == "map" and chosen.random() < 0.9 and isinstance(found["items"], dict):
        names = list(found["items"].get("properties") or ())
        found["x-kubernetes-list-map-keys"] = [*chosen.sample(names, min(len(names), chosen.choice([1, 1, 2])))]
        if chosen.random() < 0.8:
            found["items"]["required"] = list(found["x-kubernetes-list-map-keys"])
        if chosen.random() < 0.1:
            found["x-kubernetes-list-map-keys"].append("a")


_KEYWORDS: tuple[tuple[str, tuple[Any, ...], float], ...] = (
    ("description", ("a text", "", None), 0.3),
    ("format", _FORMATS, 0.06),
    ("nullable", (True, False), 0.08),
    ("enum", (["abc", "b"], [], [1, 5], ["\u00e9"]), 0.03),
    ("required", (["a"], ["name"], []), 0.08),
    ("pattern", ("^a", "a(", ""), 0.03),
    ("minLength", (0, 1, 4), 0.03),
    ("maxLength", (0, 2, 100), 0.03),
    ("minimum", (-5, 0, 3, 2**33, 1.5), 0.03),
    ("maximum", (-5, 3, 9, 2**33, 7.5), 0.03),
    ("exclusiveMinimum", (True, False), 0.03),
    ("multipleOf", (2, 5, 0.5, 0), 0.02),
    ("minItems", (0, 1), 0.03),
    ("maxItems", (-1, 0, 5), 0.03),
    ("minProperties", (0, 1), 0.03),
    ("maxProperties", (-1, 0, 5), 0.03),
    ("x-kubernetes-preserve-unknown-fields", (True, True, False), 0.03),
    ("x-kubernetes-validations", (_RULE,), 0.03),
    ("title", ("a title", "", 1), 0.005),
    ("typo", (1,), 0.002),
    ("uniqueItems", (True, False), 0.01),
    ("example", ({"a": 1},), 0.01),
)


def _within(raw: Any) -> list[Any]:
    """A schema and all schemas in places where some are plain."""
    found = [raw]
    for item in found:
        if isinstance(item, dict):
            found += (item.get("properties") or {}).values()
            found += [part for part in (item.get("items"), item.get("additionalProperties")) if isinstance(part, dict)]
    return [item for item in found if isinstance(item, dict)]


def _definitions(seed: int, count: int) -> list[dict[str, Any]]:
    chosen = random.Random(seed)
    found = [definition(), definition()]
    while len(found) < count:
        root = {"type": "object", "properties": {name: _schema(chosen) for name in chosen.sample(_NAMES, 4)}}
        obj = definition()
        versions = obj["spec"]["versions"]
        versions[0]["schema"] = {"openAPIV3Schema": root}
        if chosen.random() < 0.3:
            other = copy.deepcopy(versions[0])
            other |= {"name": "v2", "storage": False}
            if chosen.random() < 0.5:
                other["schema"]["openAPIV3Schema"]["properties"]["a"] = {"type": "string"}
            versions.append(other)
        if chosen.random() < 0.05:
            obj["spec"]["preserveUnknownFields"] = True
        found.append(obj)
    return found


@each("seed", range(drawn(10)))
def test_nothing_is_missed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = _definitions(seed, 40)
    found = [check(copy.deepcopy(obj)) for obj in objects]
    assert sum(any(item.code == "VG511" for item in told) for told in found) < 20  # which would hide all else
    monkeypatch.setattr(schemas, "_is_simple", lambda **_: False)
    monkeypatch.setattr(run, "plain_schemas", lambda _: NOTHING_PLAIN)
    for obj, told in zip(objects, found, strict=True):
        assert told == check(obj), obj


@pytest.mark.parametrize(
    ("kind", "own", "other"), [("object", "Properties", "Items"), ("array", "Items", "Properties")]
)
def test_bounds_of_another_kind_say_nothing_of_a_default(kind: str, own: str, other: str) -> None:
    empty: Any = {} if kind == "object" else []
    inner: dict[str, Any] = {"type": kind, f"min{own}": 1, f"min{other}": 0, "default": empty}
    if kind == "array":
        inner["items"] = {"type": "string"}
    assert [item.code for item in check(with_properties(a=inner))] == ["VG506"]


@pytest.mark.parametrize("name", ["properties", "externalDocs", "example"])
def test_a_schema_that_also_stands_elsewhere_is_looked_at_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = {"type": "string"}  # as an alias of YAML gives it
    obj = with_properties(a=shared, b={"type": "object", name: shared})
    found = check(obj)
    monkeypatch.setattr(run, "plain_schemas", lambda _: NOTHING_PLAIN)
    assert found == check(obj)
    assert bool(found) == (name in ("properties", "externalDocs"))


def test_what_is_simple_for_certain_is_simple_and_much_is_plain() -> None:
    met = plain = settled = 0
    for obj in _definitions(77, drawn(200)):
        raw = obj["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
        known = plain_schemas([raw])
        assert known.settled <= known.all
        for item in _within(raw):
            met += 1
            if id(item) in known.all:
                plain += 1
                settled += id(item) in known.settled
                assert read_schema(item).simple or id(item) in known.settled, item
    assert plain > met / 4
    assert settled > met / 40


def test_what_is_read_late_is_the_same() -> None:
    for obj in _definitions(5, drawn(60)):
        raw = obj["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
        try:
            whole = read_schema(raw)
        except (AttributeError, TypeError):  # it does not decode
            continue
        assert read_schema(raw, plain_schemas([raw])) == whole
        assert whole == read_schema(raw, plain_schemas([raw]))
        assert read_schema(raw, plain_schemas([raw])) == read_schema(raw, plain_schemas([raw]))
        late, early = read_schema(raw, plain_schemas([raw])), copy.copy(whole)
        assert [part.description for part in schemas.parts(late)] == [part.description for part in schemas.parts(early)]


def test_two_that_differ_in_the_type_of_a_value_differ() -> None:
    def read(value: object) -> Schema:
        raw = {"type": "string", "enum": [value]}
        return read_schema(raw, plain_schemas([raw]))

    assert read(1) == read(1)
    assert read(1) != read(True)
    assert read(1) != read(1.0)


def test_nothing_is_said_of_what_is_nested_deeply() -> None:
    raw: Any = {"type": "string"}
    for _ in range(63):
        raw = {"type": "object", "properties": {"a": raw}}
    assert len(plain_schemas([raw]).all) == 64
    assert not plain_schemas([{"type": "array", "items": raw}]).all


def test_a_schema_that_contains_itself_has_an_end() -> None:
    raw: dict[str, Any] = {"type": "object"}
    raw["properties"] = {"a": raw, "b": raw}
    assert not plain_schemas([raw]).all
    assert [item.code for item in check(with_properties(a=raw))] == ["VG509"]


def test_whatever_is_asked_is_no_schema() -> None:
    values: list[Any] = [None, 1, "a", [], {}, {"type": 1}, {1: 2}, {"properties": {1: {}}}, {"items": []}]
    for value in values:
        assert not plain_schemas([value]).all


def test_an_error_of_what_is_asked_is_raised() -> None:
    def fails(*_: str) -> bool:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        _fastpath.plain_schemas({"type": "string", "pattern": "a"}, fails, fails)
    with pytest.raises(ValueError, match="no"):
        _fastpath.plain_schemas(
            {"type": "object", "properties": {"a": {"type": "string", "format": "date"}}}, fails, fails
        )
    with pytest.raises(TypeError):
        _fastpath.plain_schemas({})
