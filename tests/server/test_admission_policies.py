"""Admission policies that the server evaluates, with parameters of its own objects."""

from __future__ import annotations

import json
from typing import Any

from tests.server.admitting import (
    APPLY,
    DEFINITIONS,
    MERGE,
    OLD_ROBOTS,
    ROBOTS,
    RULE,
    allow,
    configuration,
    configure,
    noting,
    patching,
    robot,
    serving_robots,
    shown,
    webhook,
)
from tests.server.asking import Asking, in_server
from tests.server.converting import converting

_GROUP = "admissionregistration.k8s.io/v1"
_CONFIGMAPS = "/api/v1/namespaces/a/configmaps"
_PARAM_KIND = {"apiVersion": "v1", "kind": "ConfigMap"}


def policy(kind: str, name: str = "wheels", **spec: Any) -> dict[str, Any]:
    whole = {"failurePolicy": "Fail", "matchConstraints": {"resourceRules": [RULE]}} | spec
    return {"apiVersion": _GROUP, "kind": f"{kind}AdmissionPolicy", "metadata": {"name": name}, "spec": whole}


def binding(kind: str, name: str = "all", policy: str = "wheels", **spec: Any) -> dict[str, Any]:
    whole = {"policyName": policy, **({"validationActions": ["Deny"]} if kind == "Validating" else {}), **spec}
    return {"apiVersion": _GROUP, "kind": f"{kind}AdmissionPolicyBinding", "metadata": {"name": name}, "spec": whole}


def validating(*expressions: str, **spec: Any) -> dict[str, Any]:
    return policy("Validating", validations=[{"expression": each} for each in expressions], **spec)


def mutating(*expressions: str, **spec: Any) -> dict[str, Any]:
    """A policy with mutations: patches are lists, all else is applied."""
    mutations = [
        {"patchType": "JSONPatch", "jsonPatch": {"expression": each}}
        if each.startswith("[")
        else {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": each}}
        for each in expressions
    ]
    return policy("Mutating", **{"mutations": mutations, "reinvocationPolicy": "Never", **spec})


def configmap(name: str, labels: dict[str, str] | None = None, **data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": labels or {}}, "data": data}


# --- validation -------------------------------------------------------------------------------------------------------


@in_server(serving_robots)
async def test_refusals_have_the_words_of_the_server(asking: Asking) -> None:
    checks = [
        {
            "expression": "object.spec.wheels < 8",
            "messageExpression": "'at most 7, not ' + string(object.spec.wheels)",
            "reason": "Forbidden",
        }
    ]
    await configure(asking, policy("Validating", validations=checks), binding("Validating"))
    assert (await asking.ask("POST", ROBOTS, robot())).status == 201
    for method, url, headers in (("POST", ROBOTS, {}), ("PATCH", f"{ROBOTS}/talos", MERGE)):
        refused = await asking.ask(method, url, robot(wheels=9), headers)
        said = "ValidatingAdmissionPolicy 'wheels' with binding 'all' denied request: at most 7, not 9"
        assert shown(refused) == (403, "Forbidden", f'robots.example.com "talos" is forbidden: {said}')
        details = {"name": "talos", "group": "example.com", "kind": "robots", "causes": [{"message": said}]}
        assert refused.json["details"] == details
    old = await asking.ask("POST", OLD_ROBOTS, robot("gort", version="v1beta1", wheels=9))
    assert old.status == 403, "versions are equivalent"
    apply = await asking.ask("PATCH", f"{ROBOTS}/gort?fieldManager=me", json.dumps(robot("gort", wheels=9)), APPLY)
    assert apply.status == 403
    never = validating("oldObject.spec.wheels > 8")
    await configure(asking, never)
    refused = await asking.ask("DELETE", f"{ROBOTS}/talos")
    said = "ValidatingAdmissionPolicy 'wheels' with binding 'all' denied request: failed expression: "
    message = f'robots.example.com "talos" is forbidden: {said}oldObject.spec.wheels > 8'
    assert shown(refused) == (422, "Invalid", message)
    collected = await asking.ask("DELETE", ROBOTS)
    assert collected.json["message"] == message.replace('"talos"', '"Unknown"')


@in_server(serving_robots)
async def test_actions(asking: Asking) -> None:
    notes = noting(asking)
    annotation = {"key": "wheels", "valueExpression": "string(object.spec.wheels)"}
    await configure(
        asking,
        validating("false", "true", auditAnnotations=[annotation]),
        binding("Validating", "audits", validationActions=["Audit"]),
        binding("Validating", "warns", validationActions=["Warn"]),
    )
    made = await asking.ask("POST", ROBOTS, robot())
    said = "Validation failed for ValidatingAdmissionPolicy 'wheels' with binding 'warns': failed expression: false"
    assert (made.status, made.header("warning")) == (201, [f'299 - "{said}"'])
    failures = json.loads(notes[-1].pop("validation.policy.admission.k8s.io/validation_failure"))
    assert failures == [
        {
            "message": "failed expression: false",
            "policy": "wheels",
            "binding": "audits",
            "expressionIndex": 0,
            "validationActions": ["Audit"],
        }
    ]
    assert notes[-1] == {"wheels/wheels": "4"}


#: A policy, its binding, and whether a robot with four wheels is refused.
_CASES: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = {
    "other rule": ({"matchConstraints": {"resourceRules": [RULE | {"operations": ["UPDATE"]}]}}, {}, False),
    "excluded": ({"matchConstraints": {"resourceRules": [RULE], "excludeResourceRules": [RULE]}}, {}, False),
    "name": ({"matchConstraints": {"resourceRules": [RULE | {"resourceNames": ["talos"]}]}}, {}, True),
    "other name": ({"matchConstraints": {"resourceRules": [RULE | {"resourceNames": ["gort"]}]}}, {}, False),
    "binding": ({}, {"matchResources": {"objectSelector": {"matchLabels": {"team": "b"}}}}, False),
    "condition": ({"matchConditions": [{"name": "a", "expression": "object.spec.wheels == 5"}]}, {}, False),
    "resource of an equivalent version": (
        {
            "matchConstraints": {"resourceRules": [RULE | {"apiVersions": ["v1beta1"]}]},
            "matchConditions": [
                {"name": "a", "expression": "request.resource.version == 'v1' && request.kind.version == 'v1beta1'"}
            ],
            "validations": [{"expression": "request.resource.version != 'v1beta1'"}],
        },
        {},
        True,
    ),
    "error": ({"validations": [{"expression": "object.spec.none == 1"}]}, {}, True),
    "ignored error": ({"failurePolicy": "Ignore", "validations": [{"expression": "object.spec.none == 1"}]}, {}, False),
    "namespace": ({"validations": [{"expression": "namespaceObject.metadata.name == 'a'"}]}, {}, False),
    "variable": (
        {
            "variables": [{"name": "few", "expression": "object.spec.wheels < 4"}],
            "validations": [{"expression": "variables.few"}],
        },
        {},
        True,
    ),
    "authorizer": (
        {"validations": [{"expression": "authorizer.group('').resource('pods').check('list').allowed()"}]},
        {},
        False,
    ),
    "user": ({"validations": [{"expression": "request.userInfo.username == 'kubernetes-admin'"}]}, {}, False),
}


@in_server(serving_robots)
async def test_policies_apply_to_the_requests_that_they_match(asking: Asking) -> None:
    wrong = {}
    for name, (spec, bound, wanted) in _CASES.items():
        one = policy("Validating", **{"validations": [{"expression": "false"}], **spec})
        await configure(asking, one, binding("Validating", **bound))
        made = await asking.ask("POST", f"{ROBOTS}?dryRun=All", robot())
        if (made.status != 201) is not wanted:
            wrong[name] = made.body
    assert not wrong


@in_server(serving_robots)
async def test_parameters(asking: Asking) -> None:
    await asking.ask("POST", _CONFIGMAPS, configmap("few", {"for": "robots"}, most="3"))
    await asking.ask("POST", _CONFIGMAPS, configmap("many", {"for": "robots"}, most="8"))
    checks = [
        {
            "expression": "object.spec.wheels <= int(params.data.most)",
            "messageExpression": "string(params.data.most)",
        }
    ]
    await configure(asking, policy("Validating", validations=checks, paramKind=_PARAM_KIND))
    faults = "failed to configure binding: "
    no_params = "no params found for policy binding with `Deny` parameterNotFoundAction"
    cases: list[tuple[dict[str, Any], str]] = [
        ({"name": "many", "parameterNotFoundAction": "Deny"}, ""),
        ({"name": "few", "parameterNotFoundAction": "Deny"}, "3"),
        ({"selector": {"matchLabels": {"for": "robots"}}, "parameterNotFoundAction": "Deny"}, "3"),
        ({"selector": {"matchLabels": {"for": "dogs"}}, "parameterNotFoundAction": "Allow"}, ""),
        ({"name": "none", "parameterNotFoundAction": "Allow"}, ""),
        ({"name": "none", "parameterNotFoundAction": "Deny"}, f"{faults}{no_params}"),
        ({"name": "few", "namespace": "b", "parameterNotFoundAction": "Deny"}, f"{faults}{no_params}"),
    ]
    for ref, wanted in cases:
        await configure(asking, binding("Validating", paramRef=ref))
        made = await asking.ask("POST", f"{ROBOTS}?dryRun=All", robot())
        said = "" if made.status == 201 else made.json["message"].partition(" denied request: ")[2]
        assert said == wanted, ref
    missing = {"apiVersion": "example.com/v1", "kind": "Limit"}
    await configure(asking, policy("Validating", validations=checks, paramKind=missing))
    refused = await asking.ask("POST", f"{ROBOTS}?dryRun=All", robot())
    text = "failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'"
    assert refused.json["message"].endswith(f"ValidatingAdmissionPolicy 'wheels' denied request: {text}")


@in_server(serving_robots)
async def test_parameters_may_be_custom_objects(asking: Asking) -> None:
    await asking.ask("POST", ROBOTS, robot("model", wheels=6))
    kind = {"apiVersion": "example.com/v1beta1", "kind": "Robot"}
    ref = {"name": "model", "namespace": "a", "parameterNotFoundAction": "Deny"}
    checks = "object.spec.wheels <= params.spec.wheels && params.apiVersion == 'example.com/v1beta1'"
    await configure(asking, validating(checks, paramKind=kind), binding("Validating", paramRef=ref))
    assert (await asking.ask("POST", ROBOTS, robot("a", wheels=6))).status == 201
    assert (await asking.ask("POST", ROBOTS, robot("b", wheels=7))).status == 422
    rule = RULE | {"apiGroups": ["*"], "resources": ["customresourcedefinitions"]}
    ref = {"name": "model", "parameterNotFoundAction": "Deny"}
    await configure(asking, validating("true", paramKind=kind, matchConstraints={"resourceRules": [rule]}))
    await configure(asking, binding("Validating", paramRef=ref))
    refused = await asking.ask("POST", f"{DEFINITIONS}?dryRun=All", _other_definition())
    text = "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"
    assert refused.json["message"].endswith(f"failed to configure binding: {text}")


def _other_definition() -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "dogs.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Cluster",
            "names": {"kind": "Dog", "plural": "dogs"},
            "versions": [
                {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
            ],
        },
    }


# --- mutation ---------------------------------------------------------------------------------------------------------


@in_server(serving_robots)
async def test_mutations(asking: Asking) -> None:
    await configure(
        asking,
        mutating(
            "Object{spec: Object.spec{color: 'grey', tools: ['brush']}}",
            "[JSONPatch{op: 'add', path: '/spec/replicas', value: object.spec.wheels}]",
        ),
        binding("Mutating"),
    )
    made = await asking.ask("POST", ROBOTS, robot(tools=["saw"]))
    spec = {"color": "grey", "replicas": 4, "tools": ["saw", "brush"], "wheels": 4}
    assert (made.status, made.json["spec"]) == (201, spec)
    changed = await asking.ask("PATCH", f"{ROBOTS}/talos", {"spec": {"wheels": 5, "color": "red"}}, MERGE)
    assert changed.json["spec"] == spec | {"wheels": 5, "replicas": 5}
    old = await asking.ask("POST", OLD_ROBOTS, robot("gort", version="v1beta1"))
    assert (old.json["apiVersion"], old.json["spec"]["color"]) == ("example.com/v1beta1", "grey")
    assert (await asking.ask("DELETE", f"{ROBOTS}/gort")).status == 200


@in_server(serving_robots)
async def test_mutations_with_errors(asking: Asking) -> None:
    await configure(asking, mutating("[JSONPatch{op: 'remove', path: '/spec/none'}]"), binding("Mutating"))
    refused = await asking.ask("POST", ROBOTS, robot())
    code, reason, message = shown(refused)
    assert (code, reason) == (403, "Invalid")
    assert message.startswith("policy 'wheels' with binding 'all' denied request: JSON Patch: remove operation")
    assert refused.json["details"]["causes"] == [{"message": message}]
    await configure(asking, mutating("[JSONPatch{op: 'remove', path: '/spec/none'}]", failurePolicy="Ignore"))
    assert (await asking.ask("POST", ROBOTS, robot())).status == 201
    await configure(asking, mutating("[JSONPatch{op: 'test', path: '/kind', value: 'Robot'}]", paramKind=_PARAM_KIND))
    ref = {"name": "none", "parameterNotFoundAction": "Deny"}
    await configure(asking, binding("Mutating", paramRef=ref))
    code, reason, message = shown(await asking.ask("POST", ROBOTS, robot("gort")))
    assert (code, reason) == (403, "Forbidden")
    assert message.startswith("policy 'wheels' with binding 'all' denied request: failed to configure binding: no")
    await configure(
        asking,
        mutating(
            "[JSONPatch{op: 'test', path: '/kind', value: 'Robot'}]", paramKind={"apiVersion": "v1", "kind": "None"}
        ),
    )
    message = shown(await asking.ask("POST", ROBOTS, robot("gort")))[2]
    assert message == (
        'policy "wheels" denied request: failed to configure policy: failed to find resource referenced by '
        "paramKind: '/v1, Kind=None'"
    )


@in_server(serving_robots)
async def test_policies_and_webhooks_take_turns(asking: Asking) -> None:
    add = "Object{spec: Object.spec{wheels: object.spec.wheels + (has(object.spec.replicas) ? 10 : 1)}}"
    once = mutating("Object{spec: Object.spec{color: 'red'}}") | {"metadata": {"name": "once"}}
    await configure(
        asking,
        mutating(add, reinvocationPolicy="IfNeeded"),
        once,
        binding("Mutating"),
        binding("Mutating", "other", "once"),
    )
    await configure(asking, validating("object.spec.wheels == 15"), binding("Validating"))
    with converting(allow) as hook:
        hook.change = patching({"op": "add", "path": "/spec/replicas", "value": 2})
        await configure(asking, configuration("Mutating", webhook(hook)))
        made = await asking.ask("POST", ROBOTS, robot())
    assert (made.status, made.json.get("message")) == (201, None)
    assert made.json["spec"] == {"color": "red", "replicas": 2, "wheels": 15}
    assert [review["request"]["object"]["spec"] for review in hook.seen] == [{"color": "red", "wheels": 5}]


@in_server(serving_robots)
async def test_configurations_are_followed(asking: Asking) -> None:
    assert (await asking.ask("POST", ROBOTS, robot())).status == 201
    assert not asking.app.admission.configurations.concern("example.com", "robots", "", ("UPDATE",))
    await configure(asking, validating("false"), binding("Validating"))
    assert (await asking.ask("PATCH", f"{ROBOTS}/talos", {"spec": {"wheels": 5}}, MERGE)).status == 422
    await configure(asking, binding("Validating", policy="none"))
    assert (await asking.ask("PATCH", f"{ROBOTS}/talos", {"spec": {"wheels": 6}}, MERGE)).status == 200
    assert not asking.app.admission.configurations.concern("example.com", "robots", "", ("UPDATE",))


@in_server(serving_robots)
async def test_policies_can_be_mended(asking: Asking) -> None:
    rule = RULE | {"apiGroups": ["*"], "resources": ["*"]}
    await configure(asking, validating("false", matchConstraints={"resourceRules": [rule]}), binding("Validating"))
    hooks = configuration("Validating")
    url = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
    assert (await asking.ask("POST", url, hooks)).status == 422, "policies review configurations of webhooks"
    await configure(asking, validating("true"))
    assert (await asking.ask("POST", url, hooks)).status == 201
