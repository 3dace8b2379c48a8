"""The program answers as a server does, and its absence or death is told in plain words."""

from __future__ import annotations

import copy
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.apiserver import ApiServer, ApiServerError, NotAcceptedError, Object, Program
from tests.apiserver.recording import Recorder, Recording
from tests.tables import each

SPEC = "spec.validation.openAPIV3Schema.properties[spec]"


def definition(**spec: Any) -> dict[str, Any]:
    """A definition of widgets, with a schema for their spec."""
    schema = {
        "type": "object",
        "properties": {
            "spec": {"type": "object", **spec},
            "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
        },
    }
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": schema},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [version],
        },
    }


def widget(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Widget", **fields}


NAMES = {"names": {"type": "array", "items": {"type": "string"}}}
IMMUTABLE = definition(
    required=["size"],
    properties={"size": {"type": "integer", "format": "int32"}, "color": {"type": "string", "default": "red"}},
    **{"x-kubernetes-validations": [{"rule": "self.size == oldSelf.size", "message": "size is immutable"}]},
)


def test_a_good_definition_is_accepted(apiserver: ApiServer) -> None:
    assert apiserver.check_crd(IMMUTABLE) == ()
    assert apiserver.warnings(IMMUTABLE) == ()


@each(
    ("change", "field", "detail"),
    [
        ({"type": ""}, f"{SPEC}.type", "must not be empty for specified object fields"),
        ({"uniqueItems": True}, f"{SPEC}.uniqueItems", "uniqueItems cannot be set to true since"),
        ({"$ref": "#/x"}, f"{SPEC}.$ref", "$ref is not supported"),
        (
            {"x-kubernetes-validations": [{"rule": "self.absent"}]},
            f"{SPEC}.x-kubernetes-validations[0].rule",
            "undefined field 'absent'",
        ),
        (
            {"x-kubernetes-validations": [{"rule": "true", "fieldPath": ".absent"}]},
            f"{SPEC}.x-kubernetes-validations[0].fieldPath",
            "must be a valid path",
        ),
        (
            {
                "properties": NAMES,
                "x-kubernetes-validations": [{"rule": "self.names.all(a, self.names.all(b, a <= b))"}],
            },
            f"{SPEC}.x-kubernetes-validations[0].rule",
            "estimated rule cost exceeds budget by factor of more than 100x",
        ),
    ],
)
def test_a_bad_definition_is_refused(
    apiserver: ApiServer,
    change: dict[str, Any],
    field: str,
    detail: str,
) -> None:
    errors = apiserver.check_crd(definition(**change))
    assert any(error.field == field and detail in error.detail for error in errors), errors


def test_fields_that_nobody_knows_are_told(apiserver: ApiServer) -> None:
    (error,) = apiserver.check_crd(definition(colour="red"))
    assert (error.type, 'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.colour"') == (
        "StrictDecoding",
        error.detail,
    )


def test_the_scope_of_a_served_definition_is_immutable(apiserver: ApiServer) -> None:
    new = copy.deepcopy(IMMUTABLE)
    new["spec"]["scope"] = "Cluster"
    assert apiserver.check_crd(IMMUTABLE, IMMUTABLE) == ()
    assert apiserver.check_crd(new) == ()
    assert [(e.field, e.detail) for e in apiserver.check_crd(new, IMMUTABLE)] == [("spec.scope", "field is immutable")]


def test_formats_that_a_server_does_not_know_are_warned_of(apiserver: ApiServer) -> None:
    odd = definition(properties={"a": {"type": "string", "format": "made-up"}})
    assert apiserver.warnings(odd) == ('unrecognized format "made-up"',)


def test_limits_make_rules_cheaper(apiserver: ApiServer) -> None:
    rule = {"x-kubernetes-validations": [{"rule": "self.names.all(n, n.size() < 3)"}]}
    few = {"names": {"type": "array", "maxItems": 10, "items": {"type": "string", "maxLength": 10}}}
    dear, cheap = (apiserver.costs(definition(properties=names, **rule)) for names in (NAMES, few))
    assert dear.errors == cheap.errors == ()
    assert [(r.rule, r.cardinality, r.error, r.old_self) for r in cheap.rules] == [
        ("self.names.all(n, n.size() < 3)", 1, "", False)
    ]
    assert cheap.total == cheap.rules[0].cost < 1000 < dear.rules[0].cost < dear.rules[0].limit < dear.limit


def test_a_rule_below_a_list_costs_once_for_each_item(apiserver: ApiServer) -> None:
    item = {"type": "string", "maxLength": 10, "x-kubernetes-validations": [{"rule": "self != ''"}]}
    costs = apiserver.costs(definition(properties={"names": {"type": "array", "maxItems": 7, "items": item}}))
    (rule,) = costs.rules
    assert (rule.cardinality, rule.cost) == (7, 7 * rule.base)


def test_an_object_is_pruned_and_defaulted(apiserver: ApiServer) -> None:
    verdict = apiserver.validate(IMMUTABLE, widget(spec={"size": 1, "colour": "blue"}, status={"ready": True}))
    assert verdict.errors == ()
    assert verdict.object == widget(spec={"size": 1, "color": "red"})
    assert verdict.unknown == ("spec.colour",)


def test_a_transition_rule_is_about_updates(apiserver: ApiServer) -> None:
    small, big = widget(spec={"size": 1}), widget(spec={"size": 2})
    created, kept, changed = apiserver.validate_all(IMMUTABLE, [(big, None), (big, big), (big, small)])
    assert created.errors == kept.errors == ()
    (error,) = changed.errors
    assert (error.type, error.field, error.detail) == ("FieldValueInvalid", "spec", "size is immutable")


def test_what_is_wrong_and_stays_so_is_let_through(apiserver: ApiServer) -> None:
    crd = definition(properties={"a": {"type": "string", "maxLength": 2}, "b": {"type": "string"}})
    old, new = widget(spec={"a": "long", "b": "1"}), widget(spec={"a": "long", "b": "2"})
    assert [e.field for e in apiserver.validate(crd, new).errors] == ["spec.a"]
    assert apiserver.validate(crd, new, old).errors == ()


def test_rules_wait_until_the_object_has_the_right_shape(apiserver: ApiServer) -> None:
    new = widget(spec={"size": "big"})
    first, last = apiserver.validate(IMMUTABLE, new, widget(spec={"size": 1})).errors
    assert (first.type, first.field) == ("FieldValueTypeInvalid", "spec.size")
    assert last.field == ""
    assert last.detail.startswith("some validation rules were not checked because the object was invalid")


def test_status_goes_its_own_way(apiserver: ApiServer) -> None:
    new = widget(spec={"size": 1}, status={"ready": "yes"})
    assert apiserver.validate(IMMUTABLE, new).errors == ()
    for options in ({"subresource": "status"}, {"keep_status": True}):
        fields = [e.field for e in apiserver.validate(IMMUTABLE, new, **options).errors]
        assert fields[0] == "status.ready"


def test_what_is_not_an_object_of_the_kind_is_a_bad_request(apiserver: ApiServer) -> None:
    for wrong in ({}, widget(apiVersion="example.com/v2"), widget(metadata=1)):
        (error,) = apiserver.validate(IMMUTABLE, wrong).errors
        assert error.type == "BadRequest"


def test_what_is_published_has_the_kind(apiserver: ApiServer) -> None:
    v3, v2 = apiserver.openapi(IMMUTABLE, "v1")
    assert v3["properties"]["spec"]["properties"]["color"] == {"type": "string", "default": "red"}
    # Defaults are not published in v2.
    assert v2["properties"]["spec"]["properties"]["color"] == {"type": "string"}


def test_objects_of_a_bad_definition_are_not_judged(apiserver: ApiServer) -> None:
    with pytest.raises(NotAcceptedError, match="uniqueItems") as caught:
        apiserver.validate(definition(uniqueItems=True), widget())
    assert [error.field for error in caught.value.errors] == [f"{SPEC}.uniqueItems"]


def test_nonsense_is_answered(apiserver: ApiServer) -> None:
    with pytest.raises(ApiServerError, match="unknown op: sing"):
        apiserver.ask("sing")
    assert apiserver.ask("ping")["ok"]


@each("code", ["pass", "input()"])
def test_a_program_that_ends_is_told(code: str) -> None:
    with Program(sys.executable, "-c", code) as program:
        for _ in range(2):
            with pytest.raises(ApiServerError, match="ended without an answer"):
                ApiServer(program).ask("ping")


class Parrot:
    """Answers with what it is given to say."""

    def __init__(self, verdict: dict[str, Any]) -> None:
        self.verdict = verdict

    def answer(self, question: Object) -> dict[str, Any]:
        return {"results": [{"errors": [], "object": obj, **self.verdict} for obj in question["objs"]]}


def test_answers_are_recorded_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl.gz"
    ask = partial(ApiServer.validate_all, crd=IMMUTABLE, pairs=[(widget(), None)])
    with pytest.raises(AssertionError, match=r"answers\.jsonl\.gz has no answer .* tests/apiserver/README\.md"):
        ask(ApiServer(Recording(path)))
    recorder = Recorder(Parrot({"warnings": ["a"]}), path, update=True)
    (verdict,) = ask(ApiServer(recorder))
    recorder.close()
    assert (verdict.object, verdict.warnings) == (widget(), ("a",))
    assert ask(ApiServer(Recording(path))) == [verdict]
    assert ask(ApiServer(Recorder(Parrot({"warnings": ["a"]}), path, update=False))) == [verdict]
    with pytest.raises(AssertionError, match="otherwise than is recorded"):
        ask(ApiServer(Recorder(Parrot({"warnings": ["b"]}), path, update=False)))
