"""What a policy says of a request, in the words and with the codes of the API server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kubernetes.policies.samples import binding, policy, robot
from tests.tables import each
from validation_gen.kubernetes.cel.functions.authorizers import Attributes, Decision
from validation_gen.kubernetes.policies.reading import read_binding, read_policy
from validation_gen.kubernetes.policies.requests import GroupVersionKind, GroupVersionResource, Request, UserInfo
from validation_gen.kubernetes.policies.validating import FAILURES_KEY, Answer, Validator, answered


def request(obj: Any, old: Any = None, **more: Any) -> Request:
    given: dict[str, Any] = {
        "operation": "CREATE" if old is None else "UPDATE",
        "kind": GroupVersionKind("fleet.example.com", "v1", "Robot"),
        "resource": GroupVersionResource("fleet.example.com", "v1", "robots"),
        "name": "r2",
        "namespace": "depot",
    }
    return Request(obj, old, **(given | more))


def asked(spec: dict[str, Any], it: Request, *, params: Any = (None,), **bound: Any) -> Answer:
    return answered(Validator(read_policy(policy(**spec))), read_binding(binding(**bound)), it, params)


def messages(spec: dict[str, Any], it: Request) -> list[str]:
    return [decision.message for decision in Validator(read_policy(policy(**spec))).evaluate(it).denied]


def test_a_refusal_has_the_status_of_the_server() -> None:
    answer = asked({}, request(robot(wheels=9)))
    said = "ValidatingAdmissionPolicy 'wheels' with binding 'everywhere' denied request: "
    said += "failed expression: object.spec.wheels < 8"
    assert not answer.allowed
    assert answer.status == {
        "status": "Failure",
        "message": f'robots.fleet.example.com "r2" is forbidden: {said}',
        "reason": "Invalid",
        "details": {
            "name": "r2",
            "group": "fleet.example.com",
            "kind": "robots",
            "causes": [{"message": said}],
        },
        "code": 422,
    }
    assert asked({}, request(robot(wheels=4))) == Answer(True, cost=4)


@each(
    ("validation", "said"),
    [
        ({"message": " too many wheels "}, "too many wheels"),
        ({"messageExpression": "'found ' + string(object.spec.wheels)"}, "found 9"),
        ({"messageExpression": "' '", "message": "too many"}, "too many"),
        ({"messageExpression": r"'a\nb'", "message": "too many"}, "too many"),
        ({"messageExpression": "object.spec.none", "message": "too many"}, "too many"),
        ({"messageExpression": "'x'.replace('x', 'y') + string(object.spec.none)"}, "failed expression: false"),
    ],
)
def test_messages_fall_back(validation: dict[str, str], said: str) -> None:
    spec = {"validations": [{"expression": "false", **validation}]}
    if validation.get("messageExpression") == "object.spec.none":
        spec["validations"][0]["messageExpression"] = "string(object.spec.none)"
    assert messages(spec, request(robot(wheels=9))) == [said]


def test_long_messages_are_not_said() -> None:
    spec = {"validations": [{"expression": "false", "messageExpression": "object.spec.name + ''", "message": "long"}]}
    assert messages(spec, request(robot(name="a" * 5120))) == ["a" * 5120]
    assert messages(spec, request(robot(name="a" * 5121))) == ["long"]


@pytest.mark.parametrize(("reason", "code"), [("Forbidden", 403), ("RequestEntityTooLarge", 413), ("Invalid", 422)])
def test_reasons_have_codes(reason: str, code: int) -> None:
    answer = asked({"validations": [{"expression": "false", "reason": reason}]}, request(robot()))
    assert answer.status is not None
    assert (answer.status["reason"], answer.status["code"]) == (reason, code)


def test_errors_are_left_to_the_failure_policy() -> None:
    it = request(robot())
    text = "expression 'object.spec.wheels < 8' resulted in error: no such key: wheels"
    assert messages({}, it) == [text]
    assert asked({}, it).status is not None
    assert asked({"failurePolicy": "Ignore"}, it).allowed
    assert messages({"validations": [{"expression": "1 +"}]}, it)[0].startswith("compilation error: compilation failed")


def test_variables_are_worked_out_once() -> None:
    once = {
        "variables": [{"name": "wheels", "expression": "object.spec.wheels.map(w, w * 2)"}],
        "validations": [{"expression": "variables.wheels.all(w, w < 8)"}],
    }
    twice = once | {"validations": once["validations"] * 2}
    it = request(robot(wheels=[1, 2, 3]))
    one, two = (Validator(read_policy(policy(**spec))).evaluate(it).cost for spec in (once, twice))
    assert 0 < two - one < one
    later = {
        "variables": [
            {"name": "a", "expression": "object.spec.a"},
            {"name": "b", "expression": "variables.a + 1"},
        ],
        "validations": [{"expression": "variables.b == 2"}],
    }
    assert messages(later, request(robot(a=1))) == []
    (error,) = messages(later, request(robot()))
    assert error == (
        "expression 'variables.b == 2' resulted in error: composited variable \"b\" fails to evaluate: "
        'composited variable "a" fails to evaluate: no such key: a'
    )


def test_params_and_the_request_are_seen() -> None:
    spec = {
        "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
        "validations": [{"expression": "params == null || object.spec.wheels <= int(params.data.most)"}],
    }
    it = request(robot(wheels=5))
    assert asked(spec, it).allowed
    assert asked(spec, it, params=[{"data": {"most": "9"}}]).allowed
    assert not asked(spec, it, params=[{"data": {"most": "9"}}, {"data": {"most": "4"}}]).allowed
    seen = {
        "validations": [
            {"expression": "request.operation == 'UPDATE' && request.userInfo.username == 'ann'"},
            {"expression": "request.resource.resource == 'robots' && request.namespace == 'depot'"},
            {"expression": "!has(request.subResource) && 'admins' in request.userInfo.groups"},
            {"expression": "namespaceObject.metadata.labels['stage'] == 'live'"},
            {"expression": "oldObject.spec.wheels == 4 && object.spec.wheels == 5"},
        ]
    }
    user = UserInfo("ann", groups=("admins",))
    namespace = {"metadata": {"name": "depot", "labels": {"stage": "live"}}}
    it = request(robot(wheels=5), robot(wheels=4), user=user, namespace_object=namespace)
    assert messages(seen, it) == []


def test_the_authorizer_is_a_function() -> None:
    questions: list[Attributes] = []

    def answers(question: Attributes) -> Decision:
        questions.append(question)
        return Decision(question.verb == "drive")

    spec = {
        "validations": [
            {"expression": "authorizer.requestResource.check('drive').allowed()"},
            {"expression": "authorizer.group('').resource('pods').namespace('x').check('get').allowed()"},
        ]
    }
    it = request(robot(), user=UserInfo("ann"), authorizer=answers)
    assert len(messages(spec, it)) == 1
    assert [(q.user.name, q.group, q.resource, q.namespace, q.verb) for q in questions] == [
        ("ann", "fleet.example.com", "robots", "depot", "drive"),
        ("ann", "", "pods", "x", "get"),
    ]


def test_warnings_and_audit_annotations() -> None:
    no = {"validations": [{"expression": "false", "message": "no"}]}
    warned = asked(no, request(robot()), validationActions=["Warn"])
    assert warned.allowed
    said = "Validation failed for ValidatingAdmissionPolicy 'wheels' with binding 'everywhere': no"
    assert warned.warnings == (said,)
    audited = asked(
        {
            "validations": [{"expression": "false", "message": "no"}],
            "auditAnnotations": [
                {"key": "wheels", "valueExpression": "string(object.spec.wheels)"},
                {"key": "none", "valueExpression": "null"},
                {"key": "long", "valueExpression": "object.spec.name + ''"},
            ],
        },
        request(robot(wheels=3, name="é" * 6000)),
        validationActions=["Audit"],
    )
    assert audited.allowed
    assert json.loads(audited.annotations[FAILURES_KEY]) == [
        {
            "message": "no",
            "policy": "wheels",
            "binding": "everywhere",
            "expressionIndex": 0,
            "validationActions": ["Audit"],
        }
    ]
    assert audited.annotations["wheels/wheels"] == "3"
    assert "wheels/none" not in audited.annotations
    assert len(audited.annotations["wheels/long"].encode()) == 10 * 1024


def test_errors_of_audit_annotations_refuse_whatever_the_actions_are() -> None:
    spec = {"validations": [], "auditAnnotations": [{"key": "none", "valueExpression": "object.spec.none"}]}
    for action in ("Audit", "Warn", "Deny"):
        found = asked(spec, request(robot()), validationActions=[action])
        assert not found.allowed
        assert found.warnings == ()
    assert asked(spec | {"failurePolicy": "Ignore"}, request(robot())).allowed


def test_conditions_decide_whether_a_policy_is_asked() -> None:
    never = {"matchConditions": [{"name": "a", "expression": "object.spec.none"}, {"name": "b", "expression": "false"}]}
    never["matchConditions"][0]["expression"] = "object.spec.none == 1"
    spec = {"validations": [{"expression": "false"}]}
    assert asked(spec | never, request(robot())).allowed
    fails = {"matchConditions": never["matchConditions"][:1]}
    assert not asked(spec | fails, request(robot())).allowed
    assert asked(spec | fails | {"failurePolicy": "Ignore"}, request(robot())).allowed


def test_what_costs_too_much_ends() -> None:
    loop = "object.spec.a.all(x, object.spec.a.all(y, object.spec.a.all(z, x + y + z >= 0)))"
    it = request(robot(a=[0] * 60))
    (one,) = messages({"validations": [{"expression": loop}]}, it)
    assert one.endswith("resulted in error: operation cancelled: actual cost limit exceeded")
    # To look for a long text in a long one costs as much as the loop, and no time.
    search = "object.spec.a.contains(object.spec.a + 'b')"
    it = request(robot(a="a" * 9_900))
    many = {"validations": [{"expression": f"!{search} || {number} < 0"} for number in range(12)]}
    (all_of_them,) = messages(many, it)
    text = "validation failed due to running out of cost budget, no further validation rules will be run"
    assert all_of_them == text


def test_other_requests_are_left_alone() -> None:
    spec = {"validations": [{"expression": "false"}]}
    assert not asked(spec, request(robot())).allowed
    elsewhere = GroupVersionResource("", "v1", "robots")
    for other in ({"operation": "DELETE"}, {"subresource": "status"}, {"resource": elsewhere}):
        assert asked(spec, request(robot(), **other)).allowed
