"""`metadata` of objects, and of objects within them, as a server of 1.36 reads, judges and keeps it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kubernetes.objects.answers import answer, robot, root, scheme_of, texts
from validation_gen.kubernetes.objects import Outcome, Scheme, read_json

EMBEDDED = root({"type": "object", "x-kubernetes-embedded-resource": True})


def named(**metadata: Any) -> dict[str, Any]:
    return robot(metadata={"name": "a", "namespace": "n", **metadata})


def with_status() -> Scheme:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root({})}}
    return scheme_of({}, versions=[{**version, "subresources": {"status": {}}}])


def kept(outcome: Outcome) -> Any:
    assert outcome.object is not None, texts(outcome)
    return outcome.object["metadata"]


def test_whole_floats_are_integers_once_metadata_is_written() -> None:
    sent, _ = read_json(json.dumps(named(generation=1.0, deletionGracePeriodSeconds=30.0)))
    assert kept(answer(root({}), sent)) == {"name": "a", "namespace": "n"}
    half, _ = read_json(json.dumps(named(generation=1.5)))
    assert answer(root({}), half).code == 400
    within = robot({"apiVersion": "v1", "kind": "Pod", "metadata": {"generation": 2.0}})
    outcome = answer(EMBEDDED, within)
    assert outcome.object is not None
    assert outcome.object["spec"]["metadata"] == {"generation": 2}


def test_no_seconds_are_not_nothing() -> None:
    old = named(deletionGracePeriodSeconds=0)
    assert kept(answer(root({}), named(), old)) == old["metadata"]
    told = "metadata.deletionGracePeriodSeconds: Invalid value: 0: field is immutable"
    assert texts(answer(root({}), old, named())) == [told] * 2


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({}, '.operation: Invalid value: "": must be `Apply` or `Update`'),
        ({"operation": "X"}, '.operation: Invalid value: "X": must be `Apply` or `Update`'),
        (
            {"operation": "Apply", "manager": "é\n"},
            '.manager: Invalid value: "é\\n": invalid character U+000A (at position 2)',
        ),
    ],
)
def test_entries_of_managers(entry: dict[str, Any], told: str) -> None:
    assert texts(answer(root({}), named(managedFields=[entry]))) == [f"metadata.managedFields[0]{told}"]


def test_metadata_within_objects_is_kept_and_judged_as_that_of_objects() -> None:
    metadata = {"name": "x", "labels": {"a": None}, "creationTimestamp": None, "ownerReferences": [{"kind": "A"}]}
    outcome = answer(EMBEDDED, robot({"apiVersion": "v1", "kind": "Pod", "metadata": metadata}))
    assert texts(outcome) == [
        'spec.metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'spec.metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'spec.metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ]
    del metadata["ownerReferences"]
    outcome = answer(EMBEDDED, robot({"apiVersion": "v1", "kind": "Pod", "metadata": metadata}))
    assert outcome.object is not None
    assert outcome.object["spec"]["metadata"] == {"name": "x", "labels": {"a": ""}}


def test_what_has_a_wrong_type_is_left_out_of_what_is_stored() -> None:
    old = robot({"apiVersion": 1, "kind": "Pod", "metadata": {"name": "x", "uid": 5}})
    outcome = answer(EMBEDDED, robot({"apiVersion": "v1", "kind": "Pod"}), old)
    assert outcome.ok, texts(outcome)


def test_managers_change_with_requests_about_the_status() -> None:
    entry = {"manager": "m", "operation": "Update"}
    old, new = named(managedFields=[entry]), named(managedFields=[{**entry, "manager": "n"}], labels={"a": "b"})
    assert (
        kept(with_status().admit(new, old, subresource="status"))
        == named(managedFields=new["metadata"]["managedFields"])["metadata"]
    )
    assert kept(with_status().admit(named(), old, subresource="status")) == named()["metadata"]


def test_changes_are_counted() -> None:
    schema = root({"type": "object", "x-kubernetes-preserve-unknown-fields": True})
    old = {**named(generation=-1), "spec": {"a": 1}}
    assert answer(schema, {**named(), "spec": {"a": 2}}, old).ok
    assert texts(answer(schema, {**named(), "spec": {"a": 1}}, old)) == [
        "metadata.generation: Invalid value: -1: must be greater than or equal to 0"
    ]


def test_what_the_server_owns_is_compared_where_schemas_tell_of_metadata() -> None:
    """A schema with the name alone does not know what else metadata has, so that nothing says that it is the same."""
    text = {"type": "string"}
    metadata = {"type": "object", "properties": {"name": text, "namespace": text}}
    parts = {"apiVersion": text, "kind": text, "spec": {"type": "object"}, "metadata": metadata}
    schema = {"type": "object", "required": ["spec"], "properties": parts}
    assert texts(answer(schema, named(), named())) == ["spec: Required value"]
