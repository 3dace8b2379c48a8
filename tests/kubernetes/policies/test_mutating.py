"""What a policy makes of objects, by patches and by objects that are applied."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.kubernetes.policies.samples import mutating, robot
from tests.tables import each
from validation_gen.kubernetes.policies.mutating import Mutated, Mutator, PatchError, TestFailedError, patch
from validation_gen.kubernetes.policies.reading import read_policy
from validation_gen.kubernetes.policies.requests import Request

_SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
                "arms": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"name": {"type": "string"}}},
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                },
                "plan": {"type": "array", "items": {"type": "string"}},
            },
        }
    },
}


def mutated(obj: Any, *expressions: str, patch_type: str = "JSONPatch", **spec: Any) -> Mutated:
    before = copy.deepcopy(obj)
    policy = read_policy(mutating(*expressions, patch_type=patch_type, **spec))
    found = Mutator(policy, schema=_SCHEMA).mutate(Request(obj))
    assert obj == before, "the object of the request is as it was"
    return found


def test_patches_follow_each_other() -> None:
    first = "!has(object.spec.wheels) ? [JSONPatch{op: 'add', path: '/spec/wheels', value: 4}] : []"
    second = "[JSONPatch{op: 'add', path: '/spec/twice', value: object.spec.wheels * 2}]"
    assert mutated(robot(), first, second).object["spec"] == {"wheels": 4, "twice": 8}
    assert mutated(robot(wheels=3), first, second).object["spec"] == {"wheels": 3, "twice": 6}


def test_values_are_json() -> None:
    value = "{'a': dyn([dyn(1), dyn(2.5), dyn(true), dyn(null)]), 'b': dyn({'c': 'd'})}"
    found = mutated(robot(), f"[JSONPatch{{op: 'add', path: '/spec/x', value: {value}}}]")
    assert found.object["spec"]["x"] == {"a": [1, 2.5, True, None], "b": {"c": "d"}}
    path = "'/metadata/' + jsonpatch.escapeKey('a/b~c')"
    assert mutated(robot(), f"[JSONPatch{{op: 'add', path: {path}, value: 1}}]").object["metadata"]["a/b~c"] == 1


def test_a_test_that_fails_leaves_the_object_alone() -> None:
    operations = "JSONPatch{op: 'add', path: '/spec/a', value: 1}, JSONPatch{op: 'test', path: '/spec/a', value: 2}"
    found = mutated(robot(), f"[{operations}]")
    assert (found.object, found.errors) == (robot(), ())


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("[JSONPatch{op: 'remove', path: '/spec/none'}]", "JSON Patch: remove operation does not apply"),
        ("[JSONPatch{op: 'jump', path: '/spec/none'}]", "JSON Patch: Unexpected kind: jump"),
        ("[JSONPatch{op: 'add', path: 'spec', value: 1}]", "is not a JSON pointer"),
        ("[JSONPatch{op: 'add', path: object.spec.none, value: 1}]", "resulted in error: no such key: none"),
        ("[JSONPatch{op: 'add', path: '', value: 1}]", "what it leaves is not an object"),
    ],
)
def test_errors_are_left_to_the_failure_policy(expression: str, said: str) -> None:
    found = mutated(robot(), expression)
    assert found.refused
    assert said in found.errors[0]
    ignored = mutated(robot(), expression, failurePolicy="Ignore")
    assert (ignored.object, ignored.refused) == (robot(), False)


def test_objects_are_merged_by_the_schema() -> None:
    applied = (
        "Object{spec: Object.spec{wheels: 4, tags: ['b'], "
        "arms: [Object.spec.arms{name: 'left', load: 3}, Object.spec.arms{name: 'top'}]}}"
    )
    obj = robot(tags=["a", "b"], arms=[{"name": "left", "reach": 2}])
    found = mutated(obj, applied, patch_type="ApplyConfiguration")
    assert found.errors == ()
    assert found.object["spec"] == {
        "wheels": 4,
        "tags": ["a", "b"],
        "arms": [{"name": "left", "reach": 2, "load": 3}, {"name": "top"}],
    }


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("Object{spec: Object.spec{plan: ['x']}}", "may not mutate atomic arrays, maps or structs: .spec.plan"),
        ("Object{spec: Object.other{wheels: 4}}", "type mismatch"),
    ],
)
def test_what_cannot_be_applied_is_told(expression: str, said: str) -> None:
    found = mutated(robot(), expression, patch_type="ApplyConfiguration")
    assert said in found.errors[0]


@each(
    ("document", "operations", "result"),
    [
        ({"a": [1, 2]}, [{"op": "add", "path": "/a/1", "value": 9}], {"a": [1, 9, 2]}),
        ({"a": [1]}, [{"op": "add", "path": "/a/-", "value": 9}], {"a": [1, 9]}),
        ({"a": 1}, [{"op": "replace", "path": "/a", "value": 2}], {"a": 2}),
        ({"a": 1}, [{"op": "move", "from": "/a", "path": "/b"}], {"b": 1}),
        ({"a": [1]}, [{"op": "copy", "from": "/a", "path": "/b"}], {"a": [1], "b": [1]}),
        ({"a~/b": 1}, [{"op": "remove", "path": "/a~0~1b"}], {}),
        ({"a": 1}, [{"op": "test", "path": "/a", "value": 1}], {"a": 1}),
    ],
)
def test_patches(document: Any, operations: list[dict[str, Any]], result: Any) -> None:
    assert patch(document, operations) == result


def test_truths_are_no_numbers() -> None:
    with pytest.raises(TestFailedError):
        patch({"a": True}, [{"op": "test", "path": "/a", "value": 1}])


@each("path", ["/a/2", "/a/01", "/a/x", "/b/c", "a", "/a/-1"])
def test_places_that_are_not_there(path: str) -> None:
    with pytest.raises(PatchError):
        patch({"a": [1]}, [{"op": "replace", "path": path, "value": 1}])
