"""Requests about custom objects: the verdict, the words and the object of the API server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import Object, answer, robot, root, scheme_of, texts
from tests.tables import each
from validation_gen.kubernetes.objects import Outcome, Scheme, UndefinedError, read_json
from validation_gen.kubernetes.objects.admission import admit

TEXT = {"type": "string"}
INTEGER = {"type": "integer"}


def spec(**properties: Any) -> Object:
    """The schema of a `spec` with properties."""
    return root({"type": "object", "properties": properties})


def stored(outcome: Outcome) -> Any:
    assert outcome.object is not None, texts(outcome)
    return outcome.object.get("spec")


# --- decoding ---------------------------------------------------------------------------------------------------------


@each(
    ("obj", "said"),
    [
        ([], "json parse error"),
        ({"apiVersion": "example.com/v1", "kind": 5}, "cannot unmarshal number into Go struct field .kind"),
        ({"apiVersion": "example.com/v1", "kind": ""}, "Object 'Kind' is missing"),
        ({"apiVersion": None, "kind": "Robot"}, ".apiVersion accessor error"),
        ({"apiVersion": "x/v9", "kind": "Robot"}, "the API version in the data (x/v9) does not match"),
        (robot(metadata={"name": 5}), "cannot unmarshal number into Go struct field ObjectMeta.name of type string"),
    ],
)
def test_what_cannot_be_decoded(obj: Any, said: str) -> None:
    kind = scheme_of(spec()).kinds["example.com", "Robot"]
    outcome = admit(kind, kind.storage, obj)
    assert (outcome.code, outcome.errors, outcome.object) == (400, [], None)
    assert said in outcome.problems[0]


def test_what_nobody_has_defined() -> None:
    with pytest.raises(UndefinedError, match=r"Dog in example\.com/v1 is not defined"):
        scheme_of(spec()).admit({"apiVersion": "example.com/v1", "kind": "Dog"})
    with pytest.raises(UndefinedError, match=r"Robot in example\.com/v7 is not defined"):
        scheme_of(spec()).admit(robot(apiVersion="example.com/v7"))
    with pytest.raises(UndefinedError, match="no version that is stored"):
        Scheme().define(definition(spec(), versions=[{"name": "v1", "served": True, "storage": False}]))


def test_levels_of_unknown_and_duplicate_fields() -> None:
    text = json.dumps(robot({"a": "x", "b": 1, "c": [{}]}))[:-2] + ', "a": "y"}}'
    obj, duplicates = read_json(text)
    schema = spec(a=TEXT, c={"type": "array", "items": {"type": "object"}})
    slips = ['duplicate field "spec.a"', 'unknown field "spec.b"']
    strict = answer(schema, obj, duplicates=duplicates)
    assert (strict.code, strict.problems) == (400, slips)
    warned = answer(schema, obj, duplicates=duplicates, field_validation="Warn")
    assert (warned.code, warned.warnings, stored(warned)) == (201, slips, {"a": "y", "c": [{}]})
    ignored = answer(schema, obj, duplicates=duplicates, field_validation="Ignore")
    assert (ignored.warnings, stored(ignored)) == ([], stored(warned))


def test_duplicates_within_what_is_overwritten_are_told() -> None:
    text = json.dumps(robot({}))[:-2] + '"a": {"b": 1, "b": 2}, "a": {"c": 1, "c": 1, "c": 2}}}'
    obj, duplicates = read_json(text)
    slips = [f'duplicate field "spec.{path}"' for path in ("a", "a.b", "a.c")]
    free = root({"type": "object", "x-kubernetes-preserve-unknown-fields": True})
    warned = answer(free, obj, duplicates=duplicates, field_validation="Warn")
    assert (sorted(warned.warnings), stored(warned)) == (slips, {"a": {"c": 2}})


def test_unknown_fields_of_metadata_are_told() -> None:
    obj = robot(metadata={"name": "a", "zone": 1, "ownerReferences": [{"apiVersion": "v1", "color": 1}]})
    assert answer(spec(), obj).problems == [
        'unknown field "metadata.zone"',
        'unknown field "metadata.ownerReferences[0].color"',
    ]


def test_numbers_keep_their_form_until_they_are_stored() -> None:
    schema = spec(a={"type": "integer", "x-kubernetes-validations": [{"rule": "self > 0"}]})
    obj, _ = read_json(json.dumps(robot({"a": 1.0})))
    told = ['spec.a: Invalid value: "integer": invalid data, expected int, got float64 evaluating rule: self > 0']
    assert texts(answer(schema, obj)) == told
    assert repr(stored(answer(spec(a=INTEGER), obj))) == "{'a': 1}"
    huge, _ = read_json('{"a": 9223372036854775808}')
    assert huge == {"a": 9223372036854775808.0}
    with pytest.raises(ValueError, match="out of range"):
        read_json('{"b": 1e400}')
    assert stored(answer(spec(a={"type": "number"}), robot({"a": huge["a"]}))) == {"a": 9223372036854776000}


# --- nulls, defaults, pruning -----------------------------------------------------------------------------------------


def test_nulls() -> None:
    nullable = {"type": "string", "nullable": True, "default": "d"}
    schema = spec(a=TEXT, b=nullable, c={**TEXT, "default": "d"}, m={"type": "object", "additionalProperties": TEXT})
    assert stored(answer(schema, robot({"a": None, "b": None, "c": None, "m": {"x": None, "y": "z"}}))) == {
        "b": None,
        "c": "d",
        "m": {"y": "z"},
    }
    required = root({"type": "object", "required": ["a"], "properties": {"a": TEXT}})
    assert texts(answer(required, robot({"a": None}))) == ["spec.a: Required value"]


def test_defaults_need_their_parent() -> None:
    inner = {"type": "object", "properties": {"b": {**INTEGER, "default": 1}}}
    assert stored(answer(spec(a=inner), robot({}))) == {}
    assert stored(answer(spec(a={**inner, "default": {}}), robot({}))) == {"a": {"b": 1}}


def test_what_is_declared_in_a_free_object_is_pruned() -> None:
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = spec(a={**free, "properties": {"b": {"type": "object", "properties": {"c": TEXT}}}})
    sent = robot({"a": {"z": 1, "b": {"c": "x", "q": 1}}})
    assert answer(schema, sent).problems == ['unknown field "spec.a.b.q"']
    assert stored(answer(schema, sent, field_validation="Ignore")) == {"a": {"z": 1, "b": {"c": "x"}}}


def test_objects_of_another_kind_are_not_pruned() -> None:
    kind = scheme_of(spec(a=TEXT)).kinds["example.com", "Robot"]
    outcome = admit(kind, kind.storage, {**robot({"b": 1}), "kind": "Dog"})
    assert texts(outcome) == ['kind: Invalid value: "Dog": must be Robot']


# --- metadata ---------------------------------------------------------------------------------------------------------


def test_what_the_server_owns_is_left_out() -> None:
    owned = {"uid": "u", "resourceVersion": "1", "generation": 3, "creationTimestamp": "2020-01-01T00:00:00Z"}
    outcome = answer(spec(), robot(metadata={"name": "a", "labels": {}, "selfLink": "x", **owned}))
    assert outcome.object == robot(metadata={"name": "a", "namespace": "default"})
    cluster = scheme_of(spec(), scope="Cluster").admit(robot(metadata={"name": "a", "namespace": "n"}))
    assert cluster.object == robot() | {"metadata": {"name": "a"}}


def test_metadata_of_updates_is_judged_twice() -> None:
    old = robot(metadata={"name": "a", "namespace": "n"})
    outcome = answer(spec(), robot(metadata={"name": "b", "namespace": "n"}), old)
    assert texts(outcome) == ['metadata.name: Invalid value: "b": field is immutable'] * 2


def test_what_the_server_owns_stays_on_updates() -> None:
    """An old object out of a cluster has all of it."""
    owned = {"uid": "u", "resourceVersion": "7", "generation": 3, "creationTimestamp": "2020-01-01T00:00:00Z"}
    old = robot({}, metadata={"name": "a", "namespace": "n", **owned})
    for sent in ({}, {"creationTimestamp": "2021-01-01T00:00:00Z", "resourceVersion": "9"}):
        outcome = answer(spec(), robot({}, metadata={"name": "a", "namespace": "n", **sent}), old)
        assert outcome.object == old, texts(outcome)
    gone = {"deletionTimestamp": "2020-01-02T00:00:00Z", "deletionGracePeriodSeconds": 30}
    old["metadata"].update(gone)
    assert answer(spec(), robot({}, metadata={"name": "a", "namespace": "n"}), old).ok
    other = robot({}, metadata={"name": "a", "namespace": "n", "deletionGracePeriodSeconds": 5})
    told = "metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable"
    assert texts(answer(spec(), other, old)) == [told] * 2


def test_owners_without_what_they_need() -> None:
    outcome = answer(spec(), robot(metadata={"name": "a", "ownerReferences": [{"apiVersion": "v1", "kind": "A"}]}))
    assert texts(outcome) == [
        f'metadata.ownerReferences.{name}: Invalid value: "": must not be empty' for name in ("name", "uid")
    ]


def test_finalizers_of_others_are_warned_of() -> None:
    new, old = robot(metadata={"name": "a", "finalizers": ["mine", "b.c", "x.y/z"]}), robot(metadata={"name": "a"})
    told = "to avoid accidental conflicts with other finalizer writers"
    wanted = [
        f'metadata.finalizers: "b.c": prefer a domain-qualified finalizer name including a path (/) {told}',
        f'metadata.finalizers: "mine": prefer a domain-qualified finalizer name {told}',
    ]
    assert answer(spec(), new).warnings == answer(spec(), new, old).warnings == wanted
    assert answer(spec(), new, new).warnings == []


# --- status and scale -------------------------------------------------------------------------------------------------


def with_status(**subresources: Any) -> Scheme:
    schema = {
        "type": "object",
        "properties": {
            "spec": {"type": "object", "properties": {"replicas": INTEGER}},
            "status": {"type": "object", "properties": {"replicas": INTEGER, "phase": {**TEXT, "default": "new"}}},
        },
    }
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return scheme_of({}, versions=[{**version, "subresources": {"status": {}, **subresources}}])


def test_status_is_a_request_of_its_own() -> None:
    scheme = with_status()
    assert scheme.admit(robot({}, status={"replicas": "x"})).object == robot({}) | {
        "metadata": {"name": "talos", "namespace": "default"}
    }
    old = robot({"replicas": 1}, status={"replicas": 1})
    new = robot({"replicas": 2}, status={"replicas": 2})
    whole, status = scheme.admit(new, old), scheme.admit(new, old, subresource="status")
    assert whole.object is not None
    assert status.object is not None
    assert (whole.object["spec"], whole.object["status"]["replicas"]) == ({"replicas": 2}, 1)
    assert (status.object["spec"], status.object["status"]["replicas"]) == ({"replicas": 1}, 2)
    wrong = scheme.admit(robot({}, status={"replicas": "x"}), old, subresource="status")
    assert texts(wrong) == [
        'status.replicas: Invalid value: "string": replicas in body must be of type integer: "string"'
    ]


def test_replicas_of_scale() -> None:
    scheme = with_status(scale={"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"})
    assert texts(scheme.admit(robot({"replicas": -1}))) == [
        ".spec.replicas: Invalid value: -1: should be a non-negative integer"
    ]
    assert texts(scheme.admit(robot({"replicas": 2**31}))) == [
        ".spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647"
    ]
    assert scheme.admit(robot({})).ok
    told = ".spec.replicas accessor error: 1.23456789125e+08 is of the type float64, expected int64"
    assert f".spec.replicas: Invalid value: 0: {told}" in texts(scheme.admit(robot({"replicas": 123456789.125})))


def test_replicas_below_what_is_null() -> None:
    part = {"type": "object", "nullable": True, "properties": {"replicas": INTEGER}}
    scale = {"specReplicasPath": ".spec.part.replicas", "statusReplicasPath": ".status.replicas"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": spec(part=part)}}
    scheme = scheme_of({}, versions=[{**version, "subresources": {"scale": scale}}])
    assert scheme.admit(robot({"part": None})).ok


# --- versions ---------------------------------------------------------------------------------------------------------


def test_conversion_prunes_twice() -> None:
    """Without a word: what the stored version does not have is gone."""
    versions = [
        {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": spec(a=TEXT)}},
        {"name": "v2", "served": True, "storage": False, "schema": {"openAPIV3Schema": spec(a=TEXT, b=TEXT)}},
    ]
    outcome = scheme_of({}, versions=versions).admit(robot({"a": "x", "b": "y"}, apiVersion="example.com/v2"))
    assert outcome.warnings == []
    assert outcome.object is not None
    assert (outcome.object["apiVersion"], outcome.object["spec"]) == ("example.com/v2", {"a": "x"})


def two_versions(part: Object) -> Scheme:
    """Returns a kind whose stored version has another schema than the one that requests are about."""
    versions = [
        {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": spec(a=TEXT)}},
        {"name": "v2", "served": True, "storage": False, "schema": {"openAPIV3Schema": part}},
    ]
    return scheme_of({}, versions=versions)


COUNTED = {"type": "object", "properties": {"n": INTEGER, "mode": {**TEXT, "enum": ["x", "y"]}}}
LISTED = {"type": "array", "items": COUNTED, "x-kubernetes-list-type": "atomic"}
KEYED = {
    **LISTED,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["n"],
    "items": {**COUNTED, "required": ["n"]},
}


@each(
    ("schema", "value"),
    [
        (INTEGER, "x"),
        (COUNTED, 0),
        ({**TEXT, "enum": ["x"]}, "y"),
        ({"type": "object", "additionalProperties": INTEGER}, {"k": "x"}),
        (LISTED, [{"n": 1}, None]),
        (LISTED, [{"n": "x"}]),
        (KEYED, [{"n": 1, "mode": "z"}]),
        (COUNTED, {"mode": "z"}),
        ({"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"n": INTEGER}}, {"n": "x"}),
    ],
)
def test_what_was_wrong_before_may_stay(schema: Object, value: Any) -> None:
    """The storage holds it in the version that the old object names, whatever the version to store in has."""
    scheme = two_versions(spec(a=TEXT, b=schema, c=INTEGER))
    old = robot({"a": "x", "b": value}, apiVersion="example.com/v2")
    outcome = scheme.admit(robot({"a": "y", "b": value}, apiVersion="example.com/v2"), old)
    if "x-kubernetes-embedded-resource" in schema:  # it needs a type and a name in any case
        assert not any("b.n" in error for error in texts(outcome))
        return
    assert stored(outcome) == {"a": "y"}
    beside = scheme.admit(robot({"a": "y", "b": value, "c": "z"}, apiVersion="example.com/v2"), old)
    assert texts(beside) == ['spec.c: Invalid value: "string": spec.c in body must be of type integer: "string"']
    alone = scheme.admit(robot({"b": value}, apiVersion="example.com/v2"), robot({}, apiVersion="example.com/v2"))
    assert not alone.ok


def test_only_the_part_that_has_changed_is_judged() -> None:
    scheme = two_versions(spec(a=TEXT, b=COUNTED))
    old = robot({"b": {"n": 1, "mode": "z"}}, apiVersion="example.com/v2")
    outcome = scheme.admit(robot({"b": {"n": "x", "mode": "z"}}, apiVersion="example.com/v2"), old)
    assert texts(outcome) == ['spec.b.n: Invalid value: "string": spec.b.n in body must be of type integer: "string"']


@each(
    ("old", "ok"), [({}, True), ({"status": None}, True), ({"status": {}}, False), ({"status": {"phase": "x"}}, False)]
)
@each("kind", ["Dog", "Robot"])
def test_a_status_of_null(kind: str, old: Object, ok: bool) -> None:
    """An object of another kind is not pruned, so that null stays. It is as good as no status at all."""
    new = {**robot({}), "kind": kind, "status": None}
    robots = with_status().kinds["example.com", "Robot"]
    outcome = admit(robots, robots.storage, new, {**robot({}), **old}, subresource="status")
    assert outcome.ok is (ok or kind == "Robot")


@pytest.mark.parametrize(
    ("name", "more", "said"),
    [
        ("v1", {}, []),
        ("v1", {"deprecated": True}, ["example.com/v1 Robot is deprecated; use example.com/v2 Robot"]),
        ("v3", {"deprecated": True}, ["example.com/v3 Robot is deprecated"]),
        ("v3beta1", {"deprecated": True}, ["example.com/v3beta1 Robot is deprecated; use example.com/v2 Robot"]),
        ("v1", {"deprecated": True, "deprecationWarning": "go"}, ["go"]),
    ],
)
def test_deprecated_versions(name: str, more: Object, said: list[str]) -> None:
    schema = {"schema": {"openAPIV3Schema": spec()}, "served": True}
    versions = [{"name": "v2", "storage": True, **schema}, {"name": name, "storage": False, **schema, **more}]
    scheme = scheme_of({}, versions=versions)
    assert scheme.admit(robot({}, apiVersion=f"example.com/{name}")).warnings == said


def test_versions_that_are_not_served() -> None:
    version = {"name": "v1", "served": False, "storage": True, "schema": {"openAPIV3Schema": spec()}}
    with pytest.raises(UndefinedError):
        scheme_of({}, versions=[version]).admit(robot({}))


# --- lists ------------------------------------------------------------------------------------------------------------


def test_lists_that_were_wrong_before_may_stay_so() -> None:
    schema = spec(a={"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"})
    wrong, worse = robot({"a": ["x", "x"]}), robot({"a": ["x", "x", "y", "y"]})
    assert texts(answer(schema, wrong)) == ['spec.a[1]: Duplicate value: "x"']
    assert answer(schema, worse, wrong).ok
    assert texts(answer(schema, worse, robot({"a": []}))) == [
        'spec.a[1]: Duplicate value: "x"',
        'spec.a[3]: Duplicate value: "y"',
    ]


def test_keys_collide_after_defaulting() -> None:
    item = {"type": "object", "properties": {"k": TEXT, "p": {**TEXT, "default": "TCP"}}, "required": ["k"]}
    keyed = {"type": "array", "items": item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "p"]}
    outcome = answer(spec(a=keyed), robot({"a": [{"k": "x"}, {"k": "x", "p": "TCP"}]}))
    assert texts(outcome) == ['spec.a[1]: Duplicate value: {"k":"x","p":"TCP"}']


# --- expressions ------------------------------------------------------------------------------------------------------


def ruled(rule: str, type: str = "object", **more: Any) -> Object:
    """A schema with one rule."""
    return {"type": type, "x-kubernetes-validations": [{"rule": rule, **more}]}


@each(
    ("more", "wanted"),
    [
        ({}, "spec: Invalid value: failed rule: self.a > 1"),
        ({"message": " too few "}, "spec: Invalid value: too few"),
        ({"messageExpression": "'a is ' + string(self.a)"}, "spec: Invalid value: a is 1"),
        ({"messageExpression": "' '", "message": "m"}, "spec: Invalid value: m"),
        ({"messageExpression": "string(self.a / 0)"}, "spec: Invalid value: failed rule: self.a > 1"),
        ({"reason": "FieldValueForbidden"}, "spec: Forbidden: failed rule: self.a > 1"),
        ({"reason": "FieldValueRequired", "fieldPath": ".a"}, "spec.a: Required value: failed rule: self.a > 1"),
        ({"reason": "FieldValueDuplicate"}, "spec: Duplicate value"),
    ],
)
def test_words_of_rules(more: dict[str, str], wanted: str) -> None:
    schema = root({**ruled("self.a > 1", **more), "properties": {"a": {**INTEGER, "maximum": 9}}})
    assert texts(answer(schema, robot({"a": 1}))) == [wanted]


def test_rules_are_not_run_on_what_is_wrong() -> None:
    schema = root({**ruled("self.a > 1"), "properties": {"a": INTEGER, "b": {**TEXT, "maxLength": 1, "pattern": "x"}}})
    blocked = "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; "
    blocked += "correct the existing errors to complete validation"
    assert texts(answer(schema, robot({"a": 1, "b": "xx"}))) == [
        blocked,
        "spec.b: Too long: may not be more than 1 byte",
    ]
    assert len(texts(answer(schema, robot({"a": 1, "b": "y"})))) == 2


def test_what_has_not_changed_may_stay_wrong() -> None:
    schema = spec(a={**ruled("self > 5", "integer"), "maximum": 3}, b=ruled("self >= oldSelf", "integer"), c=TEXT)
    old, new = robot({"a": 4, "b": 1}), robot({"a": 4, "b": 2, "c": "x"})
    outcome = answer(schema, new, old)
    assert outcome.ok, texts(outcome)
    assert outcome.warnings == ["spec.a: Invalid value: 4: failed rule: self > 5"]
    assert texts(answer(schema, robot({"a": 4, "b": 0}), old)) == [
        "spec.b: Invalid value: 0: failed rule: self >= oldSelf"
    ]
    assert len(texts(answer(schema, new))) == 2


def test_items_with_keys_belong_together() -> None:
    item = {"type": "object", "properties": {"k": TEXT, "n": {**ruled("self > 0", "integer")}}, "required": ["k"]}
    keyed = {"type": "array", "items": item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    old = robot({"a": [{"k": "x", "n": 0}, {"k": "y", "n": 1}]})
    moved = robot({"a": [{"k": "y", "n": 2}, {"k": "x", "n": 0}]})
    assert answer(spec(a=keyed), moved, old).ok
    atomic = {"type": "array", "items": item}
    assert not answer(spec(a=atomic), moved, old).ok
    assert answer(spec(a=atomic), old, old).ok


def test_optional_old_values() -> None:
    once = ruled("!oldSelf.hasValue() || oldSelf.value() == self", "string", optionalOldSelf=True, message="set once")
    assert answer(spec(a=once), robot({"a": "x"})).ok
    assert texts(answer(spec(a=once), robot({"a": "y"}), robot({"a": "x"}))) == ['spec.a: Invalid value: "y": set once']
    created = ruled("oldSelf.hasValue()", "string", optionalOldSelf=True, message="not at first")
    assert texts(answer(spec(a=created), robot({"a": "x"}))) == ['spec.a: Invalid value: "x": not at first']


def test_budgets() -> None:
    """One evaluation has a limit, and all rules of an object together."""
    loop = "self.all(a, self.all(b, self.all(c, a + b + c >= 0)))"
    schema = spec(a={**ruled(loop, "array"), "items": INTEGER})
    told = (
        "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost "
    )
    assert texts(answer(schema, robot({"a": [0] * 60}))) == [
        f'spec.a: Invalid value: "array": {told}exceeds limit for rule: {loop}'
    ]
    assert answer(schema, robot({"a": [0] * 20})).ok
    rules = [{"rule": f"!self.matches('{'b' * 100}')"}] * 45
    many = spec(a={"type": "string", "x-kubernetes-validations": rules})
    text = "validation failed due to running out of cost budget, no further validation rules will be run"
    assert texts(answer(many, robot({"a": "a" * 99_999}))) == [f'spec.a: Invalid value: "string": {text}']


def test_rules_within_combinations() -> None:
    schema = root(
        {
            "type": "object",
            "properties": {"a": INTEGER},
            "allOf": [{"x-kubernetes-validations": [{"rule": "self.a > 1"}]}],
        }
    )
    assert texts(answer(schema, robot({"a": 1}))) == ["spec: Invalid value: failed rule: self.a > 1"]
