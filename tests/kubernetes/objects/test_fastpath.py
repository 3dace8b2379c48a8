"""The fast path gives the answers of the exact one, or none."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from types import TracebackType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import thorough
from tests.kubernetes.objects.answers import (
    Object,
    robot,
    root,
    scheme_of,
    takes_fast_path,
    with_tables,
    without_fast_path,
)
from tests.tables import each
from validation_gen.kubernetes.objects import Outcome, Scheme
from validation_gen.kubernetes.objects.judging import Judge

STRING: Object = {"type": "string"}
SPEC: Object = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 4, "pattern": "^[a-z]+$"},
        "mode": {"type": "string", "enum": ["on", "off"], "default": "on"},
        "address": {"type": "string", "format": "ipv4"},
        "count": {"type": "integer", "minimum": 0, "maximum": 10, "format": "int32"},
        "odd": {"type": "integer", "multipleOf": 3},
        "share": {"type": "number", "maximum": 2},
        "is": {"type": "boolean"},
        "port": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
        "maybe": {"type": "string", "nullable": True},
        "tags": {"type": "array", "items": STRING, "x-kubernetes-list-type": "set", "maxItems": 2},
        "labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 2}, "maxProperties": 2},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"a": STRING}},
        "anything": {"type": "object", "additionalProperties": {"x-kubernetes-preserve-unknown-fields": True}},
        "either": {
            "type": "object",
            "properties": {"a": STRING, "b": STRING},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        "ports": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": STRING,
                    "number": {"type": "integer", "default": 80},
                    "fixed": {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]},
                },
                "x-kubernetes-validations": [{"rule": "self.number < 90 || self.name == 'a'"}],
            },
        },
    },
    "x-kubernetes-validations": [
        {"rule": "!has(self.count) || self.count != 5"},
        {"rule": "self.name != 'bad' || has(self.is)"},
        {"rule": "!has(self.tags) || self.tags.all(t, t.startsWith('a') || size(t) < 3)"},
        {"rule": "!has(self.ports) || self.ports.exists_one(p, p.name == 'a') || size(self.ports) < 3"},
        {"rule": "!has(oldSelf.count) || has(self.count)", "message": "count stays"},
        {"rule": "!oldSelf.hasValue() || oldSelf.value().name == self.name", "optionalOldSelf": True},
        {"rule": "!has(self.maybe) || self.maybe != 'no'"},
        {"rule": "!has(self.labels) || !('x' in self.labels) || self.labels['x'] == 'y'"},
        {"rule": "!has(self.share) || self.share * 2.0 >= 0.5"},
        {"rule": "!has(self.tags) || self.tags.filter(t, t != 'a').map(t, t + 'b').size() < 2"},
    ],
}
STATUS: Object = {"type": "object", "default": {"phase": "new"}, "properties": {"phase": STRING}}

_words = st.sampled_from(["a", "b", "ab", "bad", "abc", "on", "off", "x", "", "127.0.0.1", "no"])
_junk = st.none() | st.booleans() | st.integers(-1, 12) | st.sampled_from([0.5, 1.0, 1e30, 1 << 70]) | _words


def drawn(schema: Object) -> st.SearchStrategy[Any]:
    """Values that are mostly what a schema wants."""
    valid = _valid(schema)
    return st.integers(0, 14).flatmap(lambda dice: valid if dice else _junk | st.lists(_junk, max_size=2))


def _valid(schema: Object) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object":
            fields = {name: drawn(part) for name, part in schema.get("properties", {}).items()}
            required = schema.get("required", [])
            known: st.SearchStrategy[Object] = st.fixed_dictionaries(
                {name: fields[name] for name in required},
                optional={name: part for name, part in fields.items() if name not in required},
            )
            extra = schema.get("additionalProperties")
            if extra is not None:
                return st.dictionaries(_words, drawn(extra), max_size=3)
            if schema.get("x-kubernetes-preserve-unknown-fields"):
                return st.tuples(known, st.dictionaries(_words, _junk, max_size=2)).map(lambda two: two[1] | two[0])
            return known
        case "array":
            return st.lists(drawn(schema["items"]), max_size=3)
        case "integer":
            return st.integers(0, 9)
        case "number":
            return st.sampled_from([0, 1, 0.25, 1.0, 1.5])
        case "boolean":
            return st.booleans()
        case "string":
            return _words
    return _junk


_specs = drawn(SPEC)
_versions = st.sampled_from(["example.com/v1", "example.com/v2"])


def two_versions() -> Scheme:
    """Defines a kind with a status, in two versions of which the stored one knows less."""
    less = {name: part for name, part in SPEC["properties"].items() if name != "odd"}
    versions = [
        {
            "name": name,
            "served": True,
            "storage": name == "v2",
            "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": root({**SPEC, "properties": properties}, status=STATUS)},
        }
        for name, properties in (("v1", SPEC["properties"]), ("v2", less))
    ]
    return scheme_of({}, versions=versions)


FAST = with_tables(two_versions())
EXACT = without_fast_path(two_versions())


def told(outcome: Outcome) -> Any:
    parts = (outcome.code, list(map(str, outcome.errors)), outcome.problems, outcome.warnings, outcome.object)
    return repr((*parts, outcome.cost))


@settings(
    max_examples=thorough.drawn(400),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    *(_specs, st.none() | _specs, st.sampled_from(["Strict", "Warn", "Ignore"]), drawn(STATUS) | st.none()),
    *(_versions, _versions, st.booleans()),
)
def test_both_paths_agree(
    spec: Any, old: Any, level: str, status: Any, version: str, stored: str, is_status: bool
) -> None:
    new = {**robot(spec, **({} if status is None else {"status": status})), "apiVersion": version}
    before = None if old is None else {**robot(old), "apiVersion": stored}
    subresource = "status" if is_status and before is not None else ""
    answers = [
        scheme.admit(deepcopy(new), deepcopy(before), field_validation=level, subresource=subresource)
        for scheme in (FAST, EXACT)
    ]
    assert told(answers[0]) == told(answers[1])


GOOD: Object = {
    "name": "ab",
    "address": "127.0.0.1",
    "count": 4,
    "share": 1.0,
    "is": True,
    "port": "http",
    "tags": ["a", "b"],
    "labels": {"x": "y"},
    "free": {"a": "a", "b": {"c": [None, 1]}},
    "anything": {"a": 1},
    "either": {"a": "a"},
    "ports": [{"name": "a", "number": 99}, {"name": "b", "fixed": "c"}],
}


@each("old", [None, {**GOOD, "count": 3}, {"name": "ab"}])
@each("options", [{}, {"field_validation": "Ignore"}, {"url": ("default", "talos")}])
@each("status", [{}, {"status": {"phase": "a"}}])
def test_valid_objects_take_the_fast_path(old: Object | None, options: Object, status: Object) -> None:
    before = None if old is None else robot(old, **status)
    assert takes_fast_path(FAST, robot(GOOD, **status), before, **options)


def test_valid_statuses_take_the_fast_path() -> None:
    old = robot(GOOD, status={"phase": "a"})
    for new in (robot({"name": "ab"}, status={"phase": "b"}), robot(GOOD)):
        assert takes_fast_path(FAST, new, old, subresource="status")
        answers = [scheme.admit(new, old, subresource="status") for scheme in (FAST, EXACT)]
        assert told(answers[0]) == told(answers[1])


@each("changed", [{"more": 1}, {"is": None}, {"either": {"a": "a", "c": {"d": 1}}}], ids=repr)
def test_pruned_objects_are_checked_on_the_fast_path(changed: Object) -> None:
    for new, old in ((GOOD | changed, None), (GOOD, GOOD | changed)):
        before = None if old is None else robot(old)
        requests = robot(new), before
        assert not takes_fast_path(FAST, *requests, field_validation="Ignore")
        assert takes_fast_path(FAST, *requests, is_pruned=True, field_validation="Ignore")
        answers = [scheme.admit(*requests, field_validation="Ignore") for scheme in (FAST, EXACT)]
        assert told(answers[0]) == told(answers[1])


@each(
    "changed",
    [
        {"name": "toolong"},
        {"name": "A"},
        {"name": None},
        {"mode": "on?"},
        {"address": "1.2.3"},
        {"count": 11},
        {"count": 5},
        {"odd": 4},
        {"odd": 6},
        {"share": 3.0},
        {"port": 1.5},
        {"maybe": None},
        {"tags": ["a", "a"]},
        {"labels": {"x": "z"}},
        {"either": {}},
        {"ports": [{"name": "a"}, {"name": "a"}]},
        {"ports": [{"name": "b", "number": 90}]},
        {"more": 1},
    ],
    ids=repr,
)
def test_objects_that_may_be_invalid_take_the_exact_path(changed: Object) -> None:
    assert not takes_fast_path(FAST, robot(GOOD | changed))


def test_nothing_of_what_was_sent_is_changed_or_shared() -> None:
    new = robot(GOOD)
    kept = deepcopy(new)
    outcome = FAST.admit(new)
    assert outcome.object is not None
    outcome.object["spec"]["ports"][0]["name"] = "z"
    outcome.object["spec"]["free"]["b"]["c"].append(2)
    outcome.object["spec"]["tags"].append("z")
    assert new == kept
    assert FAST.admit(new).object == EXACT.admit(new).object


def version_of(name: str, schema: Object, *, storage: bool = False) -> Object:
    return {"name": name, "served": True, "storage": storage, "schema": {"openAPIV3Schema": schema}}


@each("old", [None, {}, {"a": {}}])
@each("stored", ["example.com/v1", "example.com/v2"])
def test_defaults_of_versions_that_are_not_stored_are_of_requests_alone(old: Object | None, stored: str) -> None:
    """The storage makes `a`, in which the other version would have a default."""
    inner: Object = {"type": "object", "properties": {"b": {"type": "integer"}}}
    filled: Object = {"type": "object", "properties": {"b": {"type": "integer", "default": 1}}}
    specs = ({"a": filled}, {"a": {**inner, "default": {}}})
    first, second = (root({"type": "object", "properties": properties}) for properties in specs)
    versions = [version_of("v1", first), version_of("v2", second, storage=True)]
    before = None if old is None else {**robot(old), "apiVersion": stored}
    exact = without_fast_path(scheme_of({}, versions=versions))
    outcome = with_tables(scheme_of({}, versions=versions)).admit(robot({}), before)
    assert told(outcome) == told(exact.admit(robot({}), before))
    assert outcome.object is not None
    assert outcome.object["spec"] == {"a": {}}


@each("more", [{"required": ["status"]}, {"minProperties": 5}, {"maxProperties": 3}], ids=repr)
@each("status", [{}, {"status": {"phase": "a"}}])
def test_keywords_of_the_whole_object_take_the_exact_path(more: Object, status: Object) -> None:
    schema = {**root(STRING, status={**STATUS, "default": {}}), **more}
    versions = [{**version_of("v1", schema, storage=True), "subresources": {"status": {}}}]
    fast, exact = (scheme_of({}, versions=versions) for _ in range(2))
    for old in (None, robot("a", **status)):
        for subresource in ("", "status") if old is not None else ("",):
            new = robot("b", **status)
            answers = [
                scheme.admit(new, old, subresource=subresource)
                for scheme in (with_tables(fast), without_fast_path(exact))
            ]
            assert told(answers[0]) == told(answers[1])


def test_fields_without_a_name_are_no_status() -> None:
    schema = root(STRING, **{"": {**STRING, "default": "a"}})
    outcome = scheme_of(schema).admit(robot("b"))
    assert outcome.object == {**robot("b"), "metadata": {"name": "talos", "namespace": "default"}, "": "a"}


def test_generations_that_become_nothing_are_left_out() -> None:
    """A server counts on from -1, and does not write 0."""
    new, old = ({**robot({"name": "a", "count": n}), "metadata": {"name": "a", "generation": -1}} for n in (1, 2))
    assert told(FAST.admit(new, old)) == told(EXACT.admit(new, old))


# --- what is too large ------------------------------------------------------------------------------------------------

_LOOPS = 30
LARGE = {
    "loops": "".join(f"self.all(a{n}, " for n in range(_LOOPS)) + "true" + ")" * _LOOPS,
    "alternatives": " || ".join(["self.exists(a, a == 'a')"] * 200),
    "conditions": "true ? true : " * 150 + "true",
    "sums": "size(self) + " * 240 + "0 > 0",
}


@pytest.mark.parametrize("rule", LARGE.values(), ids=LARGE)
def test_rules_that_python_cannot_take_as_source_run_as_plans(rule: str) -> None:
    items = {"type": "array", "maxItems": 1, "items": {"type": "string", "maxLength": 1}}
    schema = root({**items, "x-kubernetes-validations": [{"rule": rule}]})
    scheme, exact = with_tables(scheme_of(schema)), without_fast_path(scheme_of(schema))
    for value in (["a"], ["b"], []):
        assert told(scheme.admit(robot(value))) == told(exact.admit(robot(value)))


def test_schemas_of_many_levels() -> None:
    schema: Object = {"type": "string"}
    value: Any = "a"
    for _ in range(150):
        schema = {"type": "object", "properties": {"a": schema}}
        value = {"a": value}
    assert with_tables(scheme_of(root(schema))).admit(robot(value)).ok


# --- generated validators ---------------------------------------------------------------------------------------------

RAW: Object = root(SPEC, status=STATUS, metadata={"type": "object", "properties": {"name": {**STRING, "maxLength": 4}}})


JUDGES = (Judge(RAW, status=True), Judge(RAW, status=True))
JUDGES[0]._fast.make_table()
JUDGES[1]._fast.disable()


@settings(
    max_examples=thorough.drawn(200),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    _specs,
    st.none() | _specs,
    drawn(STATUS) | st.none(),
    _junk | st.just({"name": "a"}),
    st.sampled_from("/ /status".split()),
)
def test_generated_validators_say_the_same(spec: Any, old: Any, status: Any, metadata: Any, subresource: str) -> None:
    new = robot(spec, status=status, metadata=metadata)
    before = None if old is None else robot(old)
    first, second = (list(map(str, judge(deepcopy(new), deepcopy(before), subresource))) for judge in JUDGES)
    assert first == second


def test_threads_make_functions_once() -> None:
    scheme = with_tables(two_versions())
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: scheme.admit(robot(GOOD | {"count": number % 5})).ok, range(64)))
    assert all(found)
    assert scheme.admit(robot(GOOD)).object == EXACT.admit(robot(GOOD)).object


def test_limits_of_texts_do_not_bound_integers() -> None:
    number: Object = {"type": "integer", "maxLength": 3}
    spec: Object = {"type": "object", "properties": {"a": number, "b": number}}
    scheme = with_tables(scheme_of(root({**spec, "x-kubernetes-validations": [{"rule": "self.a + self.b > 0"}]})))
    outcome = scheme.admit(robot({"a": (1 << 63) - 1, "b": 1}))
    assert [str(error) for error in outcome.errors] == [
        'spec: Invalid value: "object": integer overflow evaluating rule: self.a + self.b > 0'
    ]


@pytest.mark.usefixtures("small_heap")
@each(
    "spec",
    [
        {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}},
        {
            "type": "object",
            "properties": {"a": {"type": "integer"}},
            "x-kubernetes-validations": [{"rule": "[1, 2][self.a + 5] == 1"}],
        },
        {
            "type": "object",
            "properties": {"a": {"type": "integer"}},
            "x-kubernetes-validations": [{"rule": "dyn('a') < dyn(self.a)"}],
        },
    ],
)
def test_doubts_keep_nothing_of_requests(spec: Object) -> None:
    """An error that is made once and raised for each request would keep the frames of all of them."""
    scheme = with_tables(scheme_of(root(spec)))
    for _ in range(3):
        assert scheme.admit(robot({"a": 0}), None).errors
    gc.collect()
    before = sum(isinstance(each, TracebackType) for each in gc.get_objects())
    for _ in range(100):
        scheme.admit(robot({"a": 0}), None)
    gc.collect()
    after = sum(isinstance(each, TracebackType) for each in gc.get_objects())
    assert after - before < 20
