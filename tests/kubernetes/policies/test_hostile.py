"""Whatever a manifest or a request holds: it is judged, or refused in words, within bounds."""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.kubernetes.policies.samples import binding, mutating, policy, robot
from tests.tables import each
from tests.thorough import drawn
from validation_gen.kubernetes.policies.checking import binding_errors, policy_errors
from validation_gen.kubernetes.policies.mutating import Mutator
from validation_gen.kubernetes.policies.reading import PolicyError, read_binding, read_policy
from validation_gen.kubernetes.policies.requests import GroupVersionResource, Request
from validation_gen.kubernetes.policies.validating import Validator, answered

_ODD: list[Any] = [
    *(None, True, 0, -1, 2**70, 1.5, float("inf"), "", "\ud800", "x" * 9000, "\n", "object", "true", "1 / 0", "{"),
    *([], {}, [[]], [None], {"": ""}, {"a": {"a": {"a": []}}}, ["CREATE"], "'a'", "[" * 300, "a.b.c == d", "{'a': 1}"),
]


def _parts(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += _parts(part, (*path, key))
    return found


def _changed(value: Any, chance: random.Random) -> Any:
    """A value with something odd in one or two places."""
    found = copy.deepcopy(value)
    for _ in range(chance.choice([1, 1, 2])):
        path = chance.choice(_parts(found))
        if not path:
            continue
        parent = found
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = copy.deepcopy(chance.choice(_ODD))
    return found


_WHOLE = policy(
    paramKind={"apiVersion": "v1", "kind": "ConfigMap"},
    matchConditions=[{"name": "a", "expression": "object != null"}],
    variables=[{"name": "v", "expression": "object.spec"}],
    validations=[{"expression": "variables.v.wheels < 8", "messageExpression": "string(object.spec.wheels)"}],
    auditAnnotations=[{"key": "k", "valueExpression": "string(object.spec.wheels)"}],
)
_BOUND = binding(
    paramRef={"name": "x", "parameterNotFoundAction": "Deny"},
    matchResources={"namespaceSelector": {"matchLabels": {"a": "b"}}, "objectSelector": {}},
)
_PATCH = mutating("[JSONPatch{op: 'add', path: '/spec/a', value: object.spec.wheels}]")


@each("seed", range(drawn(400)))
def test_anything_is_judged_or_refused(seed: int) -> None:
    chance = random.Random(seed)
    try:
        read = read_policy(_changed(_WHOLE, chance))
        bound = read_binding(_changed(_BOUND, chance))
        patch = read_policy(_changed(_PATCH, chance))
    except PolicyError:
        return
    for error in (*policy_errors(read), *binding_errors(bound), *policy_errors(patch)):
        assert str(error)
    resource = GroupVersionResource("fleet.example.com", "v1", "robots")
    new, old = _changed(robot(wheels=4), chance), chance.choice([None, _changed(robot(wheels=4), chance)])
    request = Request(
        new, old, resource=resource, namespace="depot", namespace_object=_changed({"metadata": {}}, chance)
    )
    answer = answered(Validator(read), bound, request, [chance.choice(_ODD)])
    assert answer.allowed is (answer.status is None)
    result = Mutator(patch).mutate(request)
    assert result.errors or result.object is not None or new is None


def test_deep_objects_are_errors_of_expressions() -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"a": deep}
    spec = {"validations": [{"expression": "object.spec == oldObject.spec"}]}
    evaluation = Validator(read_policy(policy(**spec))).evaluate(
        Request(robot(x=deep), robot(x=copy_of(deep)), "UPDATE")
    )
    assert evaluation.decisions[0].denied in (True, False)


def copy_of(deep: Any) -> Any:
    """A copy without recursion."""
    found: Any = {}
    while deep:
        found, deep = {"a": found}, deep["a"]
    return found
