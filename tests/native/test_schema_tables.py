"""Tables of schemas: native code and the exact path give the same answers."""

from __future__ import annotations

import copy
import gc
import json
import random
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.engine import DEFINITION, route
from tests.kubernetes.objects import test_fastpath
from tests.kubernetes.objects.answers import (
    Object,
    robot,
    root,
    scheme_of,
    takes_fast_path,
    with_tables,
    without_fast_path,
)
from tests.native.damage import damaged
from tests.native.twoways import needs_native
from tests.tables import each
from tests.thorough import drawn
from validation_gen.kubernetes.crd.schema import read_schema
from validation_gen.kubernetes.objects import Outcome, Scheme, metadata, read_json
from validation_gen.kubernetes.objects.fastpath import tables
from validation_gen.kubernetes.objects.kinds import Kind
from validation_gen.runtime import native
from validation_gen.runtime.fastpath.nodes import Node
from validation_gen.runtime.goregex import compiled
from validation_gen.runtime.goregex.pattern import build_table

pytestmark = [needs_native, pytest.mark.usefixtures("small_heap")]

_fastpath: Any = native.accept
_WHOLE = {"type": "integer"}
_FORMATS = ["date-time", "ipv4", "uuid", "int32", "duration", "unknown"]
#: What `SPEC` of the tests of both paths lacks.
MORE: Object = {
    "type": "object",
    "minProperties": 1,
    "maxProperties": 8,
    "x-kubernetes-preserve-unknown-fields": True,
    "required": ["mode", "elsewhere"],
    "properties": {
        "mode": {"type": "integer", "enum": [1, 2, 3], "default": 2},
        "kept": {"x-kubernetes-preserve-unknown-fields": True},
        "whole": {"type": "integer", "minimum": 0, "exclusiveMinimum": True, "maximum": 9, "exclusiveMaximum": True},
        "flag": {"type": "boolean", "enum": [True]},
        "half": {"type": "number", "multipleOf": 0.5, "minimum": 0},
        "either": {"x-kubernetes-int-or-string": True, "pattern": "^[a-z]*$"},
        "texts": {"type": "object", "properties": {name: {"type": "string", "format": name} for name in _FORMATS}},
        "numbers": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer", "format": "int32"}},
        "pairs": {
            "type": "array",
            "minItems": 1,
            "default": [{"a": "x", "parts": [{}]}],
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["a", "b"],
            "items": {
                "type": "object",
                "required": ["a"],
                "properties": {
                    "a": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3},
                    "b": {"type": "integer", "default": 7},
                    "parts": {"type": "array", "items": {"type": "object", "properties": {"c": {"default": [1]}}}},
                },
            },
        },
        "named": {
            "type": "object",
            "maxProperties": 2,
            "additionalProperties": {
                "type": "object",
                "properties": {"deep": {"type": "string", "default": "é", "maxLength": 2}},
            },
        },
        "within": {"type": "object", "x-kubernetes-embedded-resource": True},
        "not": {"type": "string", "not": {"enum": ["a"]}, "anyOf": [{"minLength": 1}, {"maxLength": 0}]},
    },
}
MORE["properties"]["pairs"]["items"]["properties"]["parts"]["items"]["properties"]["c"] |= {
    "type": "array",
    "items": {"type": "integer"},
}
VALID: Object = {
    "elsewhere": [None, {"a": [1, True, "é"]}],
    "whole": 5,
    "half": 1.5,
    "texts": {"date-time": "2024-01-01T00:00:00Z", "ipv4": "10.0.0.1", "unknown": "x"},
    "numbers": [1, 2, -3],
    "named": {"a": {}, "b": {"deep": "x"}},
}


def told(outcome: Outcome) -> str:
    parts = (outcome.code, list(map(str, outcome.errors)), outcome.problems, outcome.warnings, outcome.object)
    return repr(parts)


class Subject:
    """A kind whose objects take either path, and valid objects of it."""

    def __init__(self, make: Callable[[], Scheme], objects: list[Object]) -> None:
        self.native, self.exact = with_tables(make()), without_fast_path(make())
        (self.kind,) = self.native.kinds.values()
        with patch.object(tables, "accept", None):
            table = tables.make_table(self.kind.storage.schema)
        assert table is not None
        self.walk = table.ready
        self.objects = objects

    def agree(self, new: Object, old: Object | None) -> bool:
        """Asks both paths, and Python as native code; returns whether these are sure of the new object's structure."""
        kept = copy.deepcopy((new, old))
        assert told(self.native.admit(new, old)) == told(self.exact.admit(new, old))
        assert repr(self.walk(new)) == repr(self.kind.storage.fast.normalize(new))
        assert repr((new, old)) == repr(kept)
        return is_sure(self.kind, new)


def is_sure(kind: Kind, obj: Object) -> bool:
    return kind.storage.fast.normalize(obj) is not None


def _routes() -> Scheme:
    scheme = Scheme()
    scheme.define(yaml.safe_load(Path(DEFINITION).read_text(encoding="utf-8")))
    return scheme


@cache
def subjects() -> list[Subject]:
    good = {name: value for name, value in test_fastpath.GOOD.items() if name != "maybe"}
    more = {name: value for name, value in VALID.items() if name != "half"}
    return [
        Subject(_routes, [route(number) for number in range(3)]),
        Subject(lambda: scheme_of(root(test_fastpath.SPEC)), [robot(good), robot({"name": "a"})]),
        Subject(lambda: scheme_of(root(MORE)), [robot(more), robot({"elsewhere": "x"})]),
        Subject(lambda: scheme_of(root(MORE), scope="Cluster"), [robot(VALID)]),
    ]


def decoded(value: Any) -> Any:
    """A value as it comes out of a request; None for what is not JSON."""
    try:
        return read_json(json.dumps(value, allow_nan=False))[0]
    except (TypeError, ValueError):
        return None


def _requests(subject: Subject, rng: random.Random) -> Iterator[tuple[Object, Object | None]]:
    for valid in subject.objects:
        yield valid, None
        yield valid, copy.deepcopy(valid)
        for _ in range(drawn(300)):
            new = decoded(damaged(valid, rng))
            old = rng.choice([None, valid, copy.deepcopy(new), decoded(damaged(valid, rng))])
            if isinstance(new, dict) and (new.get("apiVersion"), new.get("kind")) == (
                valid["apiVersion"],
                valid["kind"],
            ):
                yield new, old if isinstance(old, dict) and old.get("kind") == valid["kind"] else None


@pytest.mark.parametrize("number", range(4))
def test_both_ways_say_the_same_of_what_is_damaged(number: int) -> None:
    subject = subjects()[number]
    assert all(is_sure(subject.kind, obj) for obj in subject.objects)
    sure = [subject.agree(new, old) for new, old in _requests(subject, random.Random(number))]
    assert set(sure) == {True, False}


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=drawn(400), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(test_fastpath._specs, st.dictionaries(st.sampled_from([*MORE["properties"], "elsewhere"]), _ANY), _ANY)
def test_both_ways_say_the_same_of_what_is_drawn(spec: Any, more: Object, old: Any) -> None:
    subjects()[1].agree(robot(spec), None if old is None else robot(old))
    subjects()[2].agree(robot(more), None if old is None else robot({**more, "kept": old}))


_METADATA = st.fixed_dictionaries(
    {"name": st.sampled_from(["a", "a.b", "A", "", "a/b", "x" * 254, "1"]) | _ANY},
    optional={
        "namespace": st.sampled_from(["a", "default", "a.b", ""]) | _ANY,
        "labels": st.dictionaries(
            st.sampled_from(["a", "a/b", "A/b", "é", ""]), st.sampled_from(["", "x", "-"]) | _ANY
        ),
        "annotations": st.dictionaries(
            st.sampled_from(["a", "a/b", "A/B", "é", "x" * 64]), st.sampled_from(["", "{}", "é" * 5000]) | _ANY
        ),
        "uid": st.sampled_from(["", "u", "v"]),
        "resourceVersion": st.sampled_from(["", "1", "2"]),
        "generation": st.integers(-1, 2) | _ANY,
        "creationTimestamp": st.sampled_from(["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00", "2024-13-01"])
        | _ANY,
        "deletionTimestamp": st.sampled_from(["2024-01-01T00:00:00Z"]),
        "finalizers": st.lists(st.sampled_from(["a", "a/b"]), max_size=2),
        "more": _ANY,
    },
)


@settings(max_examples=drawn(800), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_METADATA, st.none() | _METADATA, st.integers(2, 3))
def test_metadata(new: Object, old: Object | None, number: int) -> None:
    before = None if old is None else {**robot({"elsewhere": 1}), "metadata": old}
    subjects()[number].agree({**robot({"elsewhere": 1}), "metadata": new}, before)


def test_valid_objects_take_the_fast_path(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(metadata, "decoded", fail)
    monkeypatch.setattr(metadata, "create_errors", fail)
    new = route(1)
    for old in (None, copy.deepcopy(new), {**copy.deepcopy(new), "spec": route(2)["spec"]}):
        assert takes_fast_path(subjects()[0].native, new, old)


@each("share", [1, 2, 4])
def test_a_table_is_made_after_objects_of_some_size(share: int) -> None:
    scheme = scheme_of(root(MORE))
    (kind,) = scheme.kinds.values()
    fast = kind.storage.fast
    obj = robot({"elsewhere": "x" * (fast._patience // share)})
    found = [fast.normalize(obj) is not None for _ in range(share)]
    assert found == [False] * (share - 1) + [True]


def test_what_comes_back_is_nobody_elses() -> None:
    subject = subjects()[2]
    new = robot({"elsewhere": {"a": [1]}})
    kept = copy.deepcopy(new)
    for _ in range(2):
        found = subject.native.admit(new).object
        assert found is not None
        found["spec"]["elsewhere"]["a"].append(2)
        found["spec"]["pairs"][0]["parts"].append(3)
        assert new == kept
    assert told(subject.native.admit(new)) == told(subject.exact.admit(new))


def test_generations_count_changes_whatever_their_type() -> None:
    subject = subjects()[2]
    old = {**robot({"elsewhere": 1}), "metadata": {"name": "a", "generation": 4}}
    for value, generation in ((1, 4), (True, 5), ("1", 5)):
        outcome = subject.native.admit({**old, "spec": {"elsewhere": value}}, old)
        assert outcome.object is not None
        assert outcome.object["metadata"]["generation"] == generation


def test_large_schemas_have_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = read_schema(root(MORE))
    assert tables.make_table(schema) is not None
    monkeypatch.setattr(tables, "_MOST_NODES", 10)
    assert tables.make_table(schema) is None


# --- the extension ----------------------------------------------------------------------------------------------------


def _ready(*nodes: Node) -> Callable[[Any], Any]:
    ready: Callable[[Any], Any] = _fastpath.Acceptor(tuple(node.spec() for node in nodes)).ready
    return ready


def _filling() -> Callable[[Any], Any]:
    """`a` has a default; so have the items of `l`, and the values of `m`."""
    default = Node(_fastpath.STRUCT, _fastpath.FILLS | _fastpath.CLOSED, members=[("a", 1, _fastpath.DEFAULT, ["x"])])
    members = [("a", 1, _fastpath.DEFAULT, ["x"]), ("l", 3, _fastpath.PARTS, None), ("m", 4, _fastpath.PARTS, None)]
    return _ready(
        Node(_fastpath.STRUCT, _fastpath.FILLS | _fastpath.OPEN, members=members),
        Node(_fastpath.LIST, item=2),
        Node(_fastpath.TEXT),
        Node(_fastpath.LIST, _fastpath.FILLS, item=5),
        Node(_fastpath.MAP, _fastpath.FILLS, item=5, key=2),
        default,
    )


def test_defaults_stand_in_copies() -> None:
    ready = _filling()
    sent = {"b": 1, "l": [{"a": []}, {}], "m": {"k": {"a": ["y"]}, "z": {}}}
    kept = copy.deepcopy(sent)
    found = ready(sent)
    assert found == {
        **sent,
        "a": ["x"],
        "l": [{"a": []}, {"a": ["x"]}],
        "m": {"k": {"a": ["y"]}, "z": {"a": ["x"]}},
    }
    assert list(found) == ["b", "l", "m", "a"]
    assert sent == kept
    found["a"].append("y")
    assert ready({})["a"] == ["x"]
    whole: Object = {"a": [], "l": [], "m": {}}
    assert ready(whole) is whole


def test_what_is_not_sure_is_none() -> None:
    ready = _filling()
    wrongs: list[Any] = [1, [], {"l": 1}, {"l": [1]}, {"l": [{"b": 1}]}, {"m": {1: {}}}, {"b": 1.0}, {"b": 1 << 64}]
    wrongs += [{1: 1}, {"b": "\ud800"}, {"\ud800": 1}, {"b": {"\ud800": 1}}, {"b": {1: 1}}, {"b": {"c"}}]
    for wrong in wrongs:
        assert ready(wrong) is None


def test_data_has_a_depth() -> None:
    ready = _filling()
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    assert ready({"b": deep}) is None
    circle: list[Any] = []
    circle.append(circle)
    assert ready({"b": circle}) is None
    assert ready({"l": circle}) is None
    assert not _fastpath.same(circle, [circle])
    assert _fastpath.copied(deep) == deep


def test_filling_leaks_nothing() -> None:
    ready = _filling()
    sent: list[Object] = [{"b": ["x" * 9], "l": [{}, {"a": ["z"]}], "m": {"k": {}}}, {"l": [{}, {"a": 1}]}, {"b": 1.5}]
    watched = [value for obj in sent for value in obj.values() if not isinstance(value, float)]

    def ask() -> None:
        for obj in sent:
            ready(obj)
            _fastpath.copied(obj)
            _fastpath.same(obj, copy.deepcopy(obj))

    for _ in range(20):  # caches of the interpreter fill up
        ask()
    gc.collect()
    before = [sys.getrefcount(value) for value in watched], len(gc.get_objects())
    for _ in range(4_000):
        ask()
    gc.collect()
    assert [sys.getrefcount(value) for value in watched] == before[0]
    assert abs(len(gc.get_objects()) - before[1]) < 1_000  # other threads of the process make a few


def test_names_with_code_of_their_own_do_no_harm() -> None:
    sent: dict[Any, Any] = {}
    inner: dict[Any, Any] = {}

    class Name:
        def __hash__(self) -> int:
            return hash("a")

        def __eq__(self, other: object) -> bool:
            sent.clear()
            inner.clear()
            gc.collect()
            return False

    ready = _filling()
    for _ in range(3):
        inner[Name()] = 1
        sent |= {"l": [inner, {}], "m": {"k": inner, "z": {}}}
        assert ready(sent) is None or sent == {}
        sent[Name()] = ["x"]
        assert ready(sent) is None or sent == {}
    assert _fastpath.copied({1: [2]}) == {1: [2]}


def test_copies_outlive_what_shrinks_while_garbage_is_collected() -> None:
    """To make a container may collect garbage, and whatever is called then may change what is copied."""
    sent: list[Any] = []

    def shrink(phase: str, _: object) -> None:
        if phase == "start":
            del sent[5:]

    for size in (50, 20_000):
        sent[:] = [{"x": [number], "y": {"z": "a"}} for number in range(size)]
        whole = copy.deepcopy(sent)
        gc.callbacks.append(shrink)
        try:
            found = _fastpath.copied(sent)
        finally:
            gc.callbacks.remove(shrink)
        assert found == whole


@each("limit", [-1, -(2**70), 0, 2**63, 2**70])
@each(
    ("schema", "part"),
    [
        ({"type": "string", "maxLength": 1}, "xy"),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 1}, ["x", "y"]),
        ({"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 1}, {"x": "", "y": ""}),
        ({"type": "object", "properties": {"x": _WHOLE, "y": _WHOLE}, "maxProperties": 1}, {"x": 3, "y": 3}),
        ({"type": "string", "minLength": 1}, "xy"),
        ({"type": "array", "items": {"type": "string"}, "minItems": 1}, ["x", "y"]),
        ({"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1}, {"x": "", "y": ""}),
    ],
)
def test_limits_may_be_any_numbers(schema: Object, part: Any, limit: int) -> None:
    schema = {name: limit if value == 1 else value for name, value in schema.items()}
    subject = Subject(lambda: scheme_of(root({"type": "object", "properties": {"part": schema}})), [])
    sure = subject.agree(robot({"part": part}), None)
    assert sure == (limit >= 2 if any(name.startswith("max") for name in schema) else limit < 2)


def test_the_empty_name_is_one_like_others() -> None:
    spec = {"type": "object", "properties": {"a": {"type": "string"}}}
    for inner, values in (({"type": "integer"}, [1, "text"]), ({"type": "integer", "default": 3}, [4, ...])):
        schema = root(spec, **{"": inner}) | {"x-kubernetes-preserve-unknown-fields": True}
        subject = Subject(partial(scheme_of, schema), [])
        for value in values:
            obj = robot({"a": "x"}, **({} if value is ... else {"": value}))
            assert subject.agree(obj, None) == (value != "text")


def test_integers_have_values() -> None:
    whole = Node(_fastpath.STRUCT, members=[("a", 1, 0, None)])
    ready = _ready(whole, Node(_fastpath.INTEGER, values=frozenset({1, 300})))
    assert [ready({"a": value}) is not None for value in (1, 300, 2, True, 1.0)] == [True, True, False, False, False]


def test_sameness_is_that_of_types() -> None:
    values: list[Any] = [1, 1.0, True, "1", None, [], {}, [1], [True], {"a": 1}, {"a": True}, {"a": 1, "b": 2}]
    for i, one in enumerate(values):
        for j, other in enumerate(copy.deepcopy(values)):
            assert _fastpath.same(one, other) == (i == j)
    assert _fastpath.same({"a": 1, "b": 2}, {"b": 2, "a": 1})
    with pytest.raises(TypeError):
        _fastpath.same(1)


# --- patterns ---------------------------------------------------------------------------------------------------------

_PATTERNS = [
    "",
    "a",
    "^a",
    "a$",
    "^$",
    "^a|b$",
    "(?i)aB",
    "^[a-b]{2,4}$",
    ".b.",
    r"\s$",
    "(^|x)a(b|$)",
    "a|^$",
    "[^a]b",
]
_PATTERNS += [r"^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", "^(?:[-a1]|%[0-9a-f]{2})+$"]


def _walk(table: bytes, text: str) -> bool:
    state = 1
    for char in text:
        state = table[state * 128 + ord(char)]
    return bool(table[len(table) // 129 * 128 + state])


@each("pattern", _PATTERNS)
def test_a_table_finds_what_the_automaton_finds(pattern: str) -> None:
    table, rng = build_table(pattern), random.Random(pattern)
    assert table is not None
    for _ in range(drawn(2_000)):
        text = "".join(rng.choices("abB.-x1%f* \n", k=rng.randrange(8)))
        assert _walk(table, text) == compiled(pattern).matches(text), text


@pytest.mark.parametrize("pattern", ["(?m)^a$", r"\bab\b", "^[a-z]{1,300}$", "(a|b)*a(a|b){12}"])
def test_some_have_none(pattern: str) -> None:
    assert build_table(pattern) is None
