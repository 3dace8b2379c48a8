"""Policies that fill in defaults: as the API server does, only where something is absent, and once for all."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from tests.case_folders import CASES
from tests.emit.policies.verdicts import SCHEMAS, requests, subject, without_nulls
from tests.emit.schema.drawn import Drawn
from tests.tables import each
from tests.thorough import drawn
from validation_gen.emit.policies.defaults import apply_defaults, defaults
from validation_gen.emit.schema.resources import ResourceEmitter
from validation_gen.kubernetes.crd.pruning import fill_absent
from validation_gen.kubernetes.crd.schema import read_schema
from validation_gen.kubernetes.policies.checking import binding_errors, policy_errors
from validation_gen.kubernetes.policies.mutating import Mutator
from validation_gen.kubernetes.policies.reading import read_binding, read_policy
from validation_gen.kubernetes.policies.requests import Request
from validation_gen.kubernetes.policies.validating import Validator

APIS = CASES.parent / "apis"
_DEEP = {
    "type": "object",
    "properties": {
        "apiVersion": {"type": "string"},
        "spec": {
            "type": "object",
            "properties": {
                "mode": {"type": "string", "default": "it's"},
                "limits": {
                    "type": "object",
                    "default": {"cpu": 1},
                    "properties": {
                        "cpu": {"type": "integer", "default": 2},
                        "memory": {"type": "string", "default": "1Gi"},
                    },
                },
                "a/b~c": {"type": "boolean", "default": False},
                "pools": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "size": {"type": "integer", "default": 3},
                            "nodes": {
                                "type": "array",
                                "items": {"type": "object", "properties": {"on": {"type": "boolean", "default": True}}},
                            },
                        },
                    },
                },
                "byName": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "properties": {"ratio": {"type": "number", "default": 0.5}},
                    },
                },
                "mixed": {"type": "object", "default": {"a": [1, "b", {"c": None}], "d": True}},
            },
        },
    },
}


def _filled(schema: Any, obj: Any, old: Any = None) -> Any:
    spec = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": []},
        "reinvocationPolicy": "IfNeeded",
        "mutations": [
            {"patchType": "JSONPatch", "jsonPatch": {"expression": each.expression}} for each in defaults(schema)
        ],
    }
    kind = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy"}
    policy = read_policy({**kind, "metadata": {"name": "x"}, "spec": spec})
    result = Mutator(policy).mutate(Request(obj, old, "CREATE" if old is None else "UPDATE"))
    assert result.errors == ()
    return result.object


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"limits": {}},
        {"limits": {"cpu": 7}, "mode": ""},
        {"pools": [{}, {"size": 1, "nodes": [{}, {"on": False}]}, {"nodes": [{}]}]},
        {"byName": {"a/b": {}, "c": {"ratio": 1}}, "a/b~c": True, "mixed": {}},
    ],
)
def test_what_is_absent_is_filled_in(spec: dict[str, Any]) -> None:
    wanted = apply_defaults({"spec": copy.deepcopy(spec)}, _DEEP)
    found = _filled(_DEEP, {"spec": spec})
    assert found == wanted
    assert _filled(_DEEP, found) == found


def test_nothing_is_filled_into_what_is_absent() -> None:
    assert _filled(_DEEP, {}) == {}
    assert [each.path for each in defaults(_DEEP)] == [
        "spec.mode",
        "spec.limits",
        "spec.limits.cpu",
        "spec.limits.memory",
        "spec.a/b~c",
        "spec.pools[*].size",
        "spec.pools[*].nodes[*].on",
        "spec.byName[*].ratio",
        "spec.mixed",
    ]


def test_defaults_of_types_are_filled_in_as_by_the_server() -> None:
    it = subject(APIS)
    emitter = ResourceEmitter(it.program, SCHEMAS)
    changed = 0
    for package, root in it.kinds():
        policies = it.policies(package, root)
        if not policies.mutating:
            continue
        policy, binding = policies.mutating
        assert policy_errors(read_policy(policy)) == []
        assert binding_errors(read_binding(binding)) == []
        schema = read_schema(emitter.schema(root).as_json())
        mutator = Mutator(read_policy(policy))
        objects = Drawn(it.program, random.Random(root.type))
        for _ in range(drawn(80)):
            obj = without_nulls(objects.root(root.type, root.kind, package.api_version))
            wanted = fill_absent(obj, schema)
            found = mutator.mutate(Request(obj))
            assert (found.object, found.errors) == (wanted, ())
            assert mutator.mutate(Request(found.object)).object == found.object
            changed += found.object != obj
    assert changed


_WITHOUT: dict[str, Any] = {"a": {}}
_FULL = {"spec": {"mode": "x", "limits": {"cpu": 1, "memory": "1"}, "a/b~c": True, "mixed": {}}}


@each(
    ("old", "new", "wanted"),
    [
        pytest.param({"spec": {}}, {"spec": {}}, {"spec": {}}, id="absent before, too"),
        pytest.param(_FULL, {"spec": {}}, None, id="taken away"),
        pytest.param({}, {"spec": {}}, None, id="in a struct that was not there"),
        pytest.param({"spec": {"limits": {}}}, {"spec": {"limits": {}}}, {"spec": {"limits": {}}}, id="deep within"),
        pytest.param(
            {"spec": {"pools": [{}], "byName": _WITHOUT}},
            {"spec": {"pools": [{}], "byName": _WITHOUT}},
            {"spec": {"pools": [{}], "byName": _WITHOUT}},
            id="lists and maps that are as before",
        ),
        pytest.param(
            {"spec": {"pools": [{}], "byName": _WITHOUT}},
            {"spec": {"pools": [{}, {}], "byName": {"b": {}}}},
            {"spec": {"pools": [{"size": 3}, {"size": 3}], "byName": {"b": {"ratio": 0.5}}}},
            id="lists and maps that are not",
        ),
    ],
)
def test_updates(old: Any, new: Any, wanted: Any) -> None:
    wanted = apply_defaults(copy.deepcopy(new), _DEEP) if wanted is None else wanted
    found = _filled(_DEEP, new, old)
    assert found == wanted
    assert _filled(_DEEP, found, old) == found


def test_defaults_are_no_changes_of_clients() -> None:
    """What is filled in gets no update refused: neither a label nor a finalizer, nor anything else that is right."""
    it = subject(APIS)
    labelled = refused = 0
    for package, root in it.kinds():
        policies = it.policies(package, root)
        if not policies.mutating:
            continue
        mutator = Mutator(read_policy(policies.mutating[0]))
        validators = [
            Validator(read_policy(each)) for each in policies.objects if each["kind"] == "ValidatingAdmissionPolicy"
        ]

        def errors(new: Any, old: Any, validators: list[Validator] = validators) -> list[str]:
            found = [d for each in validators for d in each.evaluate(Request(new, old, "UPDATE")).decisions]
            return [decision.message for decision in found if decision.denied]

        for new, old, _ in requests(it, package, root, drawn(160)):
            mutated = mutator.mutate(Request(new, old, "CREATE" if old is None else "UPDATE")).object
            if old is None:
                changed = {**new, "metadata": {**(new.get("metadata") or {}), "labels": {"a": "b"}}}
                assert mutator.mutate(Request(changed, new, "UPDATE")).object == changed
                labelled += mutated != new
            else:
                assert set(errors(mutated, old)) <= set(errors(new, old)), (new, old)
                refused += bool(errors(new, old))
    assert labelled
    assert refused
