"""The line protocol for custom objects: what a line may hold, and what comes back."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition, with_properties
from tests.kubernetes.objects.answers import robot, root
from tests.tables import each
from validation_gen.commands.stdio import answer_objects

DEFINE = json.dumps({"id": 0, "op": "define", "name": "r", "definition": definition(root({"type": "object"}))})


def ask(*lines: str | bytes) -> list[Any]:
    return list(map(json.loads, answer_objects(lines)))


def admit(**more: Any) -> str:
    return json.dumps({"id": 1, "op": "admit", "definition": "r", "version": "v1", "obj": robot({}), **more})


def test_a_session() -> None:
    defined, created, refused = ask(DEFINE, "", admit(), admit(obj=robot({"a": 1})))
    assert defined == {"id": 0, "ok": True, "errors": []}
    stored = robot({}) | {"metadata": {"name": "talos", "namespace": "default"}}
    assert created == {"id": 1, "ok": True, "code": 201, "errors": [], "warnings": [], "object": stored}
    cause = {"type": "BadRequest", "field": "", "detail": 'unknown field "spec.a"'}
    assert refused == {"id": 1, "ok": False, "code": 400, "errors": [cause], "warnings": []}


def test_names_that_are_there_twice_survive() -> None:
    line = admit(fieldValidation="Warn").replace('"spec": {}', '"spec": {}, "spec": {}')
    assert ask(DEFINE, line)[1]["warnings"] == ['duplicate field "spec"']


def test_definitions_that_the_server_refuses() -> None:
    wrong = {"id": 0, "op": "define", "name": "r", "definition": with_properties(a={})}
    answer = ask(json.dumps(wrong))[0]
    assert (answer["ok"], len(answer["errors"])) == (False, 1)


@each(
    ("line", "said"),
    [
        ("{", "not JSON"),
        (b"\xff", "not JSON"),
        ("[]", "a request is a JSON object"),
        ('{"op": "x"}', 'op is "define" or "admit", not "x"'),
        ('{"op": "define", "definition": {}}', "definition is a CustomResourceDefinition"),
        (admit(definition="x"), 'there is no definition "x"'),
        (admit(version="v9"), 'Robot has no version "v9"'),
        (admit(fieldValidation="Loud"), 'fieldValidation is one of "Strict", "Warn", "Ignore"'),
        (admit(subresource="log"), 'subresource is one of "", "status", "scale"'),
        *((admit(oldObj=old), "oldObj is an object") for old in ([1], 5, "x", False)),
        (admit(subresource="status"), "example.com/v1 Robot has no status subresource"),
        (admit(subresource="scale"), "example.com/v1 Robot has no scale subresource"),
        (json.dumps({"op": "admit", "definition": "r", "version": "v1"}), "obj is missing"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
    ],
)
def test_lines_that_cannot_be_answered(line: str | bytes, said: str) -> None:
    assert said in ask(DEFINE, line)[1]["error"]


@pytest.mark.slow  # 6,000 objects
def test_memory_stays_flat() -> None:
    """A pattern, a rule and texts that are all different: nothing of them is kept but what is bounded."""
    spec = {
        "type": "object",
        "properties": {"name": {"type": "string", "pattern": "^[a-z0-9-]+$"}},
        "x-kubernetes-validations": [{"rule": "self.name.matches('^a') || self.name.size() < 40"}],
    }
    define = json.dumps({"id": 0, "op": "define", "name": "r", "definition": definition(root(spec))})
    kept: list[int] = []

    def lines() -> Iterator[str]:
        yield define
        for number in range(6_000):
            yield admit(obj=robot({"name": f"some-name-{number}" + "x" * (number % 7)}))
            if number in (2_000, 5_999):
                gc.collect()
                kept.append(tracemalloc.get_traced_memory()[0])

    tracemalloc.start()
    try:
        answers = sum('"ok":true' in answer for answer in answer_objects(lines()))
    finally:
        tracemalloc.stop()
    assert answers == 6_001
    assert kept[1] - kept[0] < 50_000


ANOTHER_UID = (
    'Operation cannot be fulfilled on robots.example.com "talos": StorageError: invalid object, Code: 4, Key: '
    "/registry/example.com/robots/near/talos, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in "
    "precondition: 2, UID in object meta: 1"
)


@each(
    ("url", "metadata", "code", "told"),
    [
        ({}, {"name": "other", "uid": "2"}, 200, ""),
        ({"name": "talos"}, {"name": "talos", "uid": "1"}, 200, ""),
        ({"name": "talos"}, {"name": "talos"}, 200, ""),
        (
            {"name": "talos"},
            {"name": "q"},
            400,
            "the name of the object (q) does not match the name on the URL (talos)",
        ),
        (
            {"name": "talos"},
            {},
            400,
            "the name of the object (talos based on URL) was undeterminable: name must be provided",
        ),
        (
            {"name": "talos", "namespace": "near"},
            {"name": "talos", "namespace": "far"},
            400,
            "the namespace of the provided object does not match the namespace sent on the request",
        ),
        (
            {"name": "talos", "namespace": "near"},
            {"name": "talos", "uid": "2"},
            409,
            ANOTHER_UID,
        ),
    ],
)
@each("subresource", ["status", "scale"])
def test_the_url_of_an_update(
    url: dict[str, str], metadata: dict[str, str], code: int, told: str, subresource: str
) -> None:
    part = {"type": "object", "properties": {"replicas": {"type": "integer"}}}
    kind = definition(root(part, status=part))
    paths = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
    kind["spec"]["versions"][0]["subresources"] = {"status": {}, "scale": paths}
    define = json.dumps({"id": 0, "op": "define", "name": "r", "definition": kind})
    old = robot({"replicas": 1}, metadata={"name": "talos", "namespace": url.get("namespace", "default"), "uid": "1"})
    sent = robot({}) | {"metadata": metadata}
    if subresource == "scale":
        sent |= {"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": 2}}
    answer = ask(define, admit(obj=sent, oldObj=old, subresource=subresource, **url))[1]
    assert (answer["code"], [error["detail"] for error in answer["errors"]]) == (code, [told] if told else [])
    if told:
        assert {error["type"] for error in answer["errors"]} == {"BadRequest" if code == 400 else "Conflict"}


@pytest.mark.parametrize("metadata", [None, 5, [1], "talos"])
def test_an_old_object_with_metadata_of_another_type(metadata: object) -> None:
    sent = robot({}, metadata={"name": "talos", "uid": "1"})
    answer = ask(DEFINE, admit(obj=sent, oldObj={"metadata": metadata}, name="talos"))[1]
    assert answer["code"] == 409  # the old object has no uid
