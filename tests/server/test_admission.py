"""Admission webhooks that the server calls over TLS."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.admitting import (
    APPLY,
    DEFINITIONS,
    JSON_PATCH,
    MERGE,
    OLD_ROBOTS,
    ROBOTS,
    RULE,
    allow,
    configuration,
    configure,
    noting,
    patching,
    responding,
    robot,
    serving_robots,
    shown,
    store,
    webhook,
)
from tests.server.asking import Asking, ask, in_server
from tests.server.converting import Change, Webhook, converting
from tests.webhooks.asking import post
from tests.webhooks.robots import robots as checked
from validation_gen import webhooks as ours
from validation_gen.apiserver.admission import review as admission
from validation_gen.apiserver.admission import webhooks
from validation_gen.webhooks import Request, mutates


@pytest.fixture(scope="module")
def _hook() -> Iterator[Webhook]:
    with converting(allow) as found:
        yield found


@pytest.fixture
def hook(_hook: Webhook) -> Webhook:
    _hook.change, _hook.answer = None, allow
    _hook.seen.clear()
    _hook.urls.clear()
    return _hook


# --- requests ---------------------------------------------------------------------------------------------------------

_KIND = {"group": "example.com", "version": "v1", "kind": "Robot"}
_RESOURCE = {"group": "example.com", "version": "v1", "resource": "robots"}


@in_server(serving_robots)
async def test_a_review_has_all_of_a_request(hook: Webhook, asking: Asking) -> None:
    await configure(asking, configuration("Validating", webhook(hook)))
    made = await asking.ask("POST", f"{ROBOTS}?fieldManager=me&dryRun=All", robot(color="red"))
    (review,) = hook.seen
    assert (review["apiVersion"], review["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
    request = review["request"]
    assert len(request.pop("uid")) == 36
    assert request.pop("object") == made.json
    assert request == {
        "kind": _KIND,
        "resource": _RESOURCE,
        "requestKind": _KIND,
        "requestResource": _RESOURCE,
        "name": "talos",
        "namespace": "a",
        "operation": "CREATE",
        "userInfo": {"username": "kubernetes-admin", "groups": ["system:masters", "system:authenticated"]},
        "oldObject": None,
        "dryRun": True,
        "options": {
            "kind": "CreateOptions",
            "apiVersion": "meta.k8s.io/v1",
            "dryRun": ["All"],
            "fieldManager": "me",
        },
    }
    assert hook.urls == ["/review?timeout=10s"]


@in_server(serving_robots)
async def test_each_verb_is_reviewed(hook: Webhook, asking: Asking) -> None:
    rule = RULE | {"resources": ["robots", "robots/status", "robots/scale"]}
    await configure(
        asking,
        configuration("Mutating", webhook(hook, "m.example.com", rules=[rule])),
        configuration("Validating", webhook(hook, "v.example.com", rules=[rule])),
    )
    created = (await asking.ask("POST", ROBOTS, robot(replicas=1))).json
    created["spec"]["color"] = "red"
    await asking.ask("PUT", f"{ROBOTS}/talos", created)
    await asking.ask("PATCH", f"{ROBOTS}/talos", {"spec": {"color": "blue"}}, MERGE)
    await asking.ask("PATCH", f"{ROBOTS}/gort?fieldManager=me", json.dumps(robot("gort")), APPLY)
    await asking.ask("PATCH", f"{ROBOTS}/talos/status", {"status": {"state": "idle"}}, MERGE)
    await asking.ask("PATCH", f"{ROBOTS}/talos/scale", {"spec": {"replicas": 2}}, MERGE)
    scale = (await asking.ask("GET", f"{ROBOTS}/talos/scale")).json
    assert (await asking.ask("PUT", f"{ROBOTS}/talos/scale", scale)).status == 200
    await asking.ask("DELETE", f"{ROBOTS}/talos?propagationPolicy=Background")
    await asking.ask("DELETE", ROBOTS)
    found = []
    for review in hook.seen:
        request = review["request"]
        about = [request["operation"], request.get("subResource", ""), request["kind"]["kind"]]
        about += [request.get("name", ""), request["options"]["kind"]]
        found.append((*about, request["object"] is not None, request["oldObject"] is not None))
    wanted = [
        ("CREATE", "", "Robot", "talos", "CreateOptions", True, False),
        ("UPDATE", "", "Robot", "talos", "UpdateOptions", True, True),
        ("UPDATE", "", "Robot", "talos", "UpdateOptions", True, True),
        ("CREATE", "", "Robot", "gort", "CreateOptions", True, False),
        ("UPDATE", "status", "Robot", "talos", "UpdateOptions", True, True),
        ("UPDATE", "scale", "Scale", "talos", "UpdateOptions", True, True),
        ("UPDATE", "scale", "Scale", "talos", "UpdateOptions", True, True),
        ("DELETE", "", "Robot", "talos", "DeleteOptions", False, True),
        ("DELETE", "", "Robot", "", "DeleteOptions", False, True),
    ]
    assert found[::2] == wanted, "mutating webhooks"
    assert found[1::2] == wanted, "validating webhooks"
    scale = hook.seen[10]["request"]
    assert (scale["object"]["spec"], scale["oldObject"]["spec"]) == ({"replicas": 2}, {"replicas": 1})
    assert hook.seen[14]["request"]["options"]["propagationPolicy"] == "Background"


@in_server(serving_robots)
async def test_names_are_generated_between_mutation_and_validation(hook: Webhook, asking: Asking) -> None:
    await configure(asking, configuration("Mutating", webhook(hook)), configuration("Validating", webhook(hook)))
    obj = robot(meta={"generateName": "r-"})
    del obj["metadata"]["name"]
    made = (await asking.ask("POST", ROBOTS, obj)).json
    before, after = (review["request"] for review in hook.seen)
    assert "name" not in before
    assert "uid" not in before["object"]["metadata"]
    assert after["name"] == made["metadata"]["name"] != "r-"
    assert after["object"]["metadata"]["uid"] == made["metadata"]["uid"]


# --- mutation ---------------------------------------------------------------------------------------------------------


@in_server(serving_robots)
async def test_patches_change_objects(hook: Webhook, asking: Asking) -> None:
    await configure(asking, configuration("Mutating", webhook(hook)))
    hook.change = patching(
        {"op": "add", "path": "/spec/color", "value": "grey"},
        {"op": "add", "path": "/spec/unknown", "value": 1},
        {"op": "remove", "path": "/spec/wheels"},
        {"op": "add", "path": "/metadata/labels", "value": {"made": "here"}},
    )
    for method, url, obj, headers in (
        ("POST", ROBOTS, robot(wheels=2), {}),
        ("PATCH", f"{ROBOTS}/talos", {"spec": {"color": "red"}}, MERGE),
        ("PATCH", f"{ROBOTS}/talos", [{"op": "add", "path": "/spec/color", "value": "blue"}], JSON_PATCH),
        ("PATCH", f"{ROBOTS}/gort?fieldManager=me", json.dumps(robot("gort")), APPLY),
    ):
        made = await asking.ask(method, url, obj, headers)
        assert made.status in (200, 201)
        assert made.json["spec"] == {"color": "grey", "wheels": 4}
        assert made.json["metadata"]["labels"] == {"made": "here"}
    stored = await asking.ask("GET", f"{ROBOTS}/talos")
    assert stored.json["spec"] == {"color": "grey", "wheels": 4}
    hook.change = patching({"op": "add", "path": "/spec/color", "value": "much too long"})
    refused = await asking.ask("POST", ROBOTS, robot("eva"))
    message = 'Robot.example.com "eva" is invalid: spec.color: Too long: may not be more than 8 bytes'
    assert shown(refused) == (422, "Invalid", message)
    hook.change = patching({"op": "add", "path": "/spec/replicas", "value": 7})
    await configure(asking, configuration("Mutating", webhook(hook, rules=[RULE | {"resources": ["robots/scale"]}])))
    await asking.ask("PATCH", f"{ROBOTS}/talos/scale", {"spec": {"replicas": 2}}, MERGE)
    assert (await asking.ask("GET", f"{ROBOTS}/talos/scale")).json["spec"] == {"replicas": 7}


def test_later_changes_reinvoke_once(hook: Webhook) -> None:
    def answer(review: dict[str, Any]) -> dict[str, Any]:
        found = allow(review)
        spec = review["request"]["object"]["spec"]
        if "color" in spec and "tools" not in spec:
            patching({"op": "add", "path": "/spec/tools", "value": ["brush"]})(found)
        elif "color" not in spec:
            patching({"op": "add", "path": "/spec/color", "value": "grey"})(found)
        return found

    async def story(asking: Asking) -> None:
        hook.answer = answer
        one = webhook(hook, "one.example.com", reinvocationPolicy="IfNeeded")
        two = webhook(hook, "two.example.com", reinvocationPolicy="Never")
        await configure(asking, configuration("Mutating", two, name="b"), configuration("Mutating", one, name="a"))
        notes = noting(asking)
        made = (await asking.ask("POST", ROBOTS, robot())).json
        assert made["spec"] == {"color": "grey", "tools": ["brush"], "wheels": 4}
        assert [sorted(review["request"]["object"]["spec"]) for review in hook.seen] == [
            ["wheels"],
            ["color", "wheels"],
            ["color", "tools", "wheels"],
        ]
        about = {"configuration": "a", "webhook": "one.example.com"}
        patch = [{"op": "add", "path": "/spec/color", "value": "grey"}]
        prefix = "webhook.admission.k8s.io/round_"
        found = {key: json.loads(text) for key, text in notes[0].items()}
        assert found == {
            f"mutation.{prefix}0_index_0": about | {"mutated": True},
            f"patch.{prefix}0_index_0": about | {"patch": patch, "patchType": "JSONPatch"},
            f"mutation.{prefix}0_index_1": {"configuration": "b", "webhook": "two.example.com", "mutated": True},
            f"patch.{prefix}0_index_1": found[f"patch.{prefix}0_index_1"],
            f"mutation.{prefix}1_index_0": about | {"mutated": False},
        }

    ask(story, serving_robots)


def test_objects_are_converted_to_the_version_of_a_rule(hook: Webhook) -> None:
    def painting(review: dict[str, Any]) -> dict[str, Any]:
        found = allow(review)
        if review["request"]["kind"]["version"] == "v1beta1" and review["request"]["object"]:
            patching({"op": "add", "path": "/spec/color", "value": "grey"})(found)
        return found

    async def story(asking: Asking) -> None:
        rule = RULE | {"apiVersions": ["v1beta1"]}
        await configure(
            asking,
            configuration("Mutating", webhook(hook, rules=[rule])),
            configuration("Validating", webhook(hook, "v.example.com", rules=[RULE])),
        )
        hook.answer = painting
        made = (await asking.ask("POST", ROBOTS, robot())).json
        assert (made["apiVersion"], made["spec"]) == ("example.com/v1", {"color": "grey", "wheels": 4})
        first, second = (review["request"] for review in hook.seen)
        assert first["kind"] == _KIND | {"version": "v1beta1"}
        assert first["resource"] == _RESOURCE | {"version": "v1beta1"}
        assert (first["requestKind"], first["requestResource"]) == (_KIND, _RESOURCE)
        assert first["object"]["apiVersion"] == "example.com/v1beta1"
        assert (second["kind"], second["object"]["apiVersion"]) == (_KIND, "example.com/v1")
        hook.seen.clear()
        assert (await asking.ask("GET", f"{OLD_ROBOTS}/talos")).json["spec"]["color"] == "grey"
        await asking.ask("DELETE", f"{OLD_ROBOTS}/talos")
        old = [review["request"]["oldObject"]["apiVersion"] for review in hook.seen]
        assert old == ["example.com/v1beta1", "example.com/v1"]
        exact = webhook(hook, rules=[rule], matchPolicy="Exact")
        await configure(asking, configuration("Mutating", exact), configuration("Validating"))
        hook.seen.clear()
        await asking.ask("POST", ROBOTS, robot("gort"))
        assert hook.seen == []

    ask(story, serving_robots)


def test_our_own_webhooks(hook: Webhook) -> None:
    @mutates("Robot", group="example.com")
    def paint(request: Request) -> None:
        request.object["spec"].setdefault("color", "grey")

    async def story(asking: Asking) -> None:
        app = ours.app(checked().registry, options={"Armed": True}, functions=[paint])

        def answer(review: dict[str, Any]) -> dict[str, Any]:
            _, response = post(app, hook.urls[-1].partition("?")[0], json.dumps(review).encode())
            return {"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}

        hook.answer = answer
        url = hook.url.removesuffix("/review")
        paths = {"Mutating": "mutate", "Validating": "validate"}
        for kind, path in paths.items():
            client = {"url": f"{url}/{path}", "caBundle": hook.bundle}
            await configure(asking, configuration(kind, webhook(hook, clientConfig=client)))
        made = await asking.ask("POST", ROBOTS, robot(replicas=3))
        assert (made.status, made.json["spec"]) == (201, {"color": "grey", "replicas": 3, "wheels": 4})
        refused = await asking.ask("PATCH", f"{ROBOTS}/talos", {"spec": {"replicas": 9}}, MERGE)
        text = "spec.replicas: Invalid value: 9: must be less than or equal to 8 (beta rule)"
        assert shown(refused) == (422, "Invalid", f'{_DENIED}: Robot.example.com "talos" is invalid: {text}')

    ask(story, serving_robots)


@in_server(serving_robots)
async def test_objects_that_are_not_converted(hook: Webhook, asking: Asking) -> None:
    service = {"namespace": "system", "name": "none", "port": 443}
    conversion = {"clientConfig": {"service": service}, "conversionReviewVersions": ["v1"]}
    given = (await asking.ask("GET", f"{DEFINITIONS}/robots.example.com")).json
    given["spec"]["conversion"] = {"strategy": "Webhook", "webhook": conversion}
    assert (await asking.ask("PUT", f"{DEFINITIONS}/robots.example.com", given)).status == 200
    await asking.settle()
    hooks = webhook(hook, rules=[RULE | {"apiVersions": ["v1beta1"]}], failurePolicy="Ignore")
    failed = "conversion webhook for example.com/v1, Kind=Robot failed: "
    for kind, times in (("Validating", 1), ("Mutating", 2)):
        await configure(asking, configuration(kind, hooks))
        code, reason, message = shown(await asking.ask("POST", ROBOTS, robot()))
        assert (code, reason) == (500, "InternalError")
        assert message.startswith(f"{'Internal error occurred: ' * times}{failed}")
    assert hook.seen == []


# --- matching ---------------------------------------------------------------------------------------------------------

_TEAM = {"matchLabels": {"team": "a"}}
MATCHES: dict[str, tuple[dict[str, Any], bool]] = {
    "all": ({}, True),
    "other operation": ({"rules": [RULE | {"operations": ["UPDATE"]}]}, False),
    "any resource": ({"rules": [RULE | {"apiGroups": ["*"], "resources": ["*/*"]}]}, True),
    "second rule": ({"rules": [RULE | {"operations": ["DELETE"]}, RULE]}, True),
    "no rule": ({"rules": []}, False),
    "subresource": ({"rules": [RULE | {"resources": ["robots/status"]}]}, False),
    "cluster scope": ({"rules": [RULE | {"scope": "Cluster"}]}, False),
    "object": ({"objectSelector": _TEAM}, True),
    "other object": ({"objectSelector": {"matchLabels": {"team": "b"}}}, False),
    "namespace": ({"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "a"}}}, True),
    "other namespace": ({"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "b"}}}, False),
    "condition": ({"matchConditions": [{"name": "a", "expression": "object.spec.color == 'red'"}]}, True),
    "false condition": ({"matchConditions": [{"name": "a", "expression": "request.operation == 'UPDATE'"}]}, False),
    "false beside an error": (
        {
            "matchConditions": [
                {"name": "a", "expression": "object.spec.none == 1"},
                {"name": "b", "expression": "false"},
            ]
        },
        False,
    ),
    "ignored error": (
        {"failurePolicy": "Ignore", "matchConditions": [{"name": "a", "expression": "object.spec.none == 1"}]},
        False,
    ),
    "user": (
        {"matchConditions": [{"name": "a", "expression": "'system:masters' in request.userInfo.groups"}]},
        True,
    ),
    "authorizer": (
        {"matchConditions": [{"name": "a", "expression": "authorizer.requestResource.check('get').allowed()"}]},
        True,
    ),
}


@in_server(serving_robots)
async def test_webhooks_get_the_requests_that_they_match(hook: Webhook, asking: Asking) -> None:
    wrong = {}
    for name, (fields, wanted) in MATCHES.items():
        for kind in ("Mutating", "Validating"):
            hook.seen.clear()
            await configure(asking, configuration("Mutating"), configuration("Validating"))
            await configure(asking, configuration(kind, webhook(hook, **fields)))
            obj = robot(color="red", meta={"labels": {"team": "a"}})
            made = await asking.ask("POST", f"{ROBOTS}?dryRun=All", obj)
            if made.status != 201 or bool(hook.seen) is not wanted:
                wrong[name, kind] = (made.body, len(hook.seen))
    assert not wrong
    failing = webhook(hook, matchConditions=[{"name": "a", "expression": "object.spec.none == 1"}])
    await configure(asking, configuration("Validating", failing))
    refused = await asking.ask("POST", ROBOTS, robot())
    text = "expression 'object.spec.none == 1' resulted in error: no such key: none"
    assert shown(refused) == (403, "Forbidden", f'robots.example.com "talos" is forbidden: {text}')


_ALL = {"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"]}


@in_server(serving_robots)
async def test_built_in_kinds_are_reviewed(hook: Webhook, asking: Asking) -> None:
    await configure(asking, configuration("Mutating", webhook(hook, rules=[_ALL])))
    hook.change = patching(
        {"op": "add", "path": "/metadata/labels", "value": {"made": "here"}},
        {"op": "add", "path": "/unknown", "value": 1},
    )
    obj = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"b": "c"}}
    made = await asking.ask("POST", "/api/v1/namespaces/default/configmaps", obj)
    assert (made.status, made.json["metadata"]["labels"]) == (201, {"made": "here"})
    assert made.json["data"] == {"b": "c"}
    assert "unknown" not in made.json
    hook.change = patching({"op": "add", "path": "/data", "value": {"b": 1}})
    refused = await asking.ask("PUT", "/api/v1/namespaces/default/configmaps/a", obj)
    text = "json: cannot unmarshal number into Go struct field ConfigMap.data of type string"
    assert shown(refused) == (500, "InternalError", f"Internal error occurred: {text}")
    hook.change = None
    hook.seen.clear()
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "b", "labels": {"stage": "live"}}}
    only: dict[str, Any] = {"namespaceSelector": {"matchLabels": {"stage": "live"}}}
    await configure(asking, configuration("Mutating", webhook(hook, rules=[_ALL], **only)))
    assert (await asking.ask("POST", "/api/v1/namespaces", space)).status == 201
    obj["metadata"] = {"name": "a"}
    assert (await asking.ask("POST", "/api/v1/namespaces/b/configmaps", obj)).status == 201
    assert (await asking.ask("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", obj)).status == 409
    found = [(review["request"]["kind"]["kind"], review["request"]["namespace"]) for review in hook.seen]
    assert found == [("Namespace", "b"), ("ConfigMap", "b")]


@in_server(serving_robots)
async def test_configurations_can_be_mended(hook: Webhook, asking: Asking) -> None:
    hook.change = responding(allowed=False)
    await configure(asking, configuration("Validating", webhook(hook, rules=[_ALL])))
    assert (await asking.ask("POST", ROBOTS, robot())).status == 400
    hook.seen.clear()
    await configure(asking, configuration("Validating"), configuration("Mutating"))
    assert hook.seen == []
    assert (await asking.ask("POST", ROBOTS, robot())).status == 201


# --- refusals ---------------------------------------------------------------------------------------------------------

_DENIED = 'admission webhook "robots.example.com" denied the request'
DENIALS: list[tuple[dict[str, Any] | None, tuple[int, str, str]]] = [
    (None, (400, "", f"{_DENIED} without explanation")),
    ({"code": 403, "reason": "Forbidden", "message": "no"}, (403, "Forbidden", f"{_DENIED}: no")),
    ({"reason": "Expired"}, (400, "Expired", f"{_DENIED}: Expired")),
    ({"code": 200, "status": "Success", "message": "no"}, (400, "", f"{_DENIED}: no")),
    ({"code": 429, "message": "later", "details": {"retryAfterSeconds": 7}}, (429, "", f"{_DENIED}: later")),
]


@in_server(serving_robots)
async def test_denials(hook: Webhook, asking: Asking) -> None:
    for kind in ("Mutating", "Validating"):
        await configure(asking, configuration("Mutating"), configuration("Validating"))
        await configure(asking, configuration(kind, webhook(hook, failurePolicy="Ignore")))
        for status, wanted in DENIALS:
            hook.change = responding(allowed=False, **({} if status is None else {"status": status}))
            found = await asking.ask("POST", ROBOTS, robot())
            assert shown(found) == wanted
            assert (found.json["kind"], found.json["status"]) == ("Status", "Failure")
        assert found.header("retry-after") == ["7"]
        assert found.json["details"] == {"retryAfterSeconds": 7}
    assert (await asking.ask("GET", f"{ROBOTS}/talos")).status == 404
    hook.change = None
    assert (await asking.ask("POST", ROBOTS, robot())).status == 201
    hook.change = responding(allowed=False)
    scale = {"spec": {"replicas": 2}}
    for answer in (
        await asking.ask("PATCH", f"{ROBOTS}/talos", {"spec": {"color": "red"}}, MERGE),
        await asking.ask("DELETE", f"{ROBOTS}/talos"),
        await asking.ask("DELETE", ROBOTS),
    ):
        assert shown(answer) == (400, "", f"{_DENIED} without explanation")
    assert (await asking.ask("PATCH", f"{ROBOTS}/talos/scale", scale, MERGE)).status != 400


@in_server(serving_robots)
async def test_warnings_and_annotations(hook: Webhook, asking: Asking) -> None:
    await configure(asking, configuration("Validating", webhook(hook), webhook(hook, "other.example.com")))
    notes = noting(asking)
    hook.change = responding(warnings=["old"], auditAnnotations={"seen": "yes", "no key": "x"})
    made = await asking.ask("POST", ROBOTS, robot())
    assert made.header("warning") == ['299 - "old"']
    assert notes == [{"robots.example.com/seen": "yes", "other.example.com/seen": "yes"}]


@in_server(serving_robots)
async def test_long_warnings_are_cut(hook: Webhook, asking: Asking) -> None:
    await configure(asking, configuration("Validating", webhook(hook)))
    cases = [
        (["a" * 4000, "no\nline", "a" * 4000], ["a" * 4000]),
        (['"é\\'], ['\\"é\\\\']),
        (["a" * 4000, "b" * 97, "c"], ["a" * 256, "b" * 97, "c"]),
        ([f"{number:04}" + "x" * 400 for number in range(100)], [f"{n:04}" + "x" * 252 for n in range(16)]),
    ]
    for warnings, wanted in cases:
        hook.change = responding(warnings=warnings)
        made = await asking.ask("POST", f"{ROBOTS}?dryRun=All", robot())
        found = [text.encode("latin-1").decode() for text in made.header("warning")]
        assert found == [f'299 - "{text}"' for text in wanted]


_REVIEW = "admission.k8s.io/v1, Kind=AdmissionReview"
_SCHEME = 'in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"'


def _raw(status: int, body: bytes, media: str = "application/json") -> Change:
    return lambda answer: (status, media, body)


#: What is wrong with an answer, and the end of the message. Those of patches concern mutating webhooks alone.
FAILURES: dict[str, tuple[Change, str]] = {
    "other uid": (responding(uid="x"), 'received invalid webhook response: expected response.uid="UID", got "x"'),
    "no response": (
        lambda answer: {**answer, "response": None},
        "received invalid webhook response: webhook response was absent",
    ),
    "no kind": (
        lambda answer: {"response": answer["response"]},
        f"received invalid webhook response: expected webhook response of {_REVIEW}, got /, Kind=",
    ),
    "other version": (
        lambda answer: {**answer, "apiVersion": "admission.k8s.io/v1beta1"},
        "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
    ),
    "other kind": (
        lambda answer: {**answer, "kind": "Review"},
        f'failed to call webhook: no kind "Review" is registered for version "admission.k8s.io/v1" {_SCHEME}',
    ),
    "text for allowed": (
        responding(allowed="yes"),
        (
            "failed to call webhook: json: cannot unmarshal string into Go struct field "
            "AdmissionResponse.response.allowed of type bool"
        ),
    ),
    "garbage": (
        _raw(200, b"\x00garbage"),
        (
            "failed to call webhook: couldn't get version/kind; json parse error: invalid character '\\x00' looking "
            "for beginning of value"
        ),
    ),
    "deep": (
        _raw(200, b'{"response": ' + b"[" * 100_000),
        "failed to call webhook: couldn't get version/kind; json parse error: exceeded max depth",
    ),
    "empty": (
        _raw(200, b""),
        "failed to call webhook: 0-length response with status code: 200 and content type: application/json",
    ),
    "huge": (_raw(200, b" " * (3 << 20)), 'failed to call webhook: Post "URL": its answer has more than 1 MiB'),
    "redirect": (
        _raw(302, b""),
        "failed to call webhook: the server responded with the status code 302 but did not return more information",
    ),
    "error": (
        _raw(500, b"no\n", "text/plain"),
        'failed to call webhook: an error on the server ("no") has prevented the request from succeeding',
    ),
    "missing": (_raw(404, b""), "failed to call webhook: the server could not find the requested resource"),
    "patch without type": (
        responding(patch="W10="),
        "received invalid webhook response: webhook returned response.patch but not response.patchType",
    ),
    "type without patch": (
        responding(patchType="JSONPatch"),
        "received invalid webhook response: webhook returned response.patchType but not response.patch",
    ),
    "patch of an empty type": (
        responding(patch="W10=", patchType=""),
        'received invalid webhook response: webhook returned invalid response.patchType of ""',
    ),
    "patch of another type": (
        responding(patch="W3sib3AiOiAieCJ9XQ==", patchType="Merge"),
        'unsupported patch type "Merge"',
    ),
    "patch that is an object": (
        responding(patch="e30=", patchType="JSONPatch"),
        (
            "received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type "
            "jsonpatch.Patch"
        ),
    ),
    "patch that is no JSON": (
        responding(patch="W10=LQ==", patchType="JSONPatch"),
        "failed to call webhook: illegal base64 data at input byte 4",
    ),
}


def test_failures_are_left_to_the_failure_policy(hook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MOST_ANSWER", 1 << 20)

    async def story(asking: Asking) -> None:
        wrong: dict[tuple[str, ...], Any] = {}
        failed = 'Internal error occurred: failed calling webhook "robots.example.com": '
        notes = noting(asking)
        for kind in ("Mutating", "Validating"):
            for name, (change, wanted) in FAILURES.items():
                if kind == "Validating" and name not in ("other uid", "garbage"):
                    continue
                for policy in ("Fail", "Ignore") if name in ("other uid", "huge", "empty") else ("Fail",):
                    await configure(asking, configuration("Mutating"), configuration("Validating"))
                    await configure(asking, configuration(kind, webhook(hook, failurePolicy=policy)))
                    hook.change = change
                    found = await asking.ask("POST", f"{ROBOTS}?dryRun=All", robot())
                    if policy == "Fail":
                        code, reason, message = shown(found)
                        uid = hook.seen[-1]["request"]["uid"]
                        message = message.replace(uid, "UID").replace(f"{hook.url}?timeout=10s", "URL")
                        if (code, reason, message) != (500, "InternalError", f"{failed}{wanted}"):
                            wrong[kind, name] = (code, reason, message)
                    else:
                        prefix = "mutation" if kind == "Mutating" else "validating"
                        key = f"failed-open.{prefix}.webhook.admission.k8s.io/round_0_index_0"
                        if found.status != 201 or notes[-1].get(key) != "robots.example.com":
                            wrong[kind, name, policy] = (found.status, notes[-1])
        assert not wrong
        await configure(asking, configuration("Mutating"), configuration("Validating", webhook(hook)))
        for fields, wanted in (({"patch": "W10="}, "patch"), ({"patchType": "JSONPatch"}, "patchType")):
            hook.change = responding(**fields)
            found = await asking.ask("POST", ROBOTS, robot())
            text = f"received invalid webhook response: validating webhook may not return response.{wanted}"
            assert found.json["message"] == f"{failed}{text}"

    ask(story, serving_robots)


@in_server(serving_robots)
async def test_patches_that_cannot_be_applied_refuse_whatever_the_policy_is(hook: Webhook, asking: Asking) -> None:
    await configure(asking, configuration("Mutating", webhook(hook, failurePolicy="Ignore")))
    cases: list[tuple[dict[str, Any], str]] = [
        ({"op": "remove", "path": "/spec/none"}, "Unable to remove nonexistent key: none: missing value"),
        ({"op": "remove", "path": "/kind"}, "Object 'Kind' is missing in "),
    ]
    for operation, wanted in cases:
        hook.change = patching(operation)
        code, reason, message = shown(await asking.ask("POST", ROBOTS, robot()))
        assert (code, reason) == (500, "InternalError")
        assert message.startswith(f"Internal error occurred: {wanted}")
    hook.change = patching({"op": "replace", "path": "/metadata", "value": 1})
    code, reason, message = shown(await asking.ask("POST", ROBOTS, robot()))
    assert (code, reason) == (500, "")
    assert message.startswith("json: cannot unmarshal number into Go value of type v1.ObjectMeta")
    hook.change = None
    await asking.ask("POST", ROBOTS, robot())
    hook.change = patching({"op": "add", "path": "/spec/color", "value": "red"})
    refused = await asking.ask("DELETE", f"{ROBOTS}/talos")
    assert refused.json["message"].endswith("attempted to modify the object, which is not supported for this operation")


@in_server(serving_robots)
async def test_dry_runs_need_webhooks_without_side_effects(hook: Webhook, asking: Asking) -> None:
    await store(asking, configuration("Validating", webhook(hook, sideEffects="Some")))
    refused = await asking.ask("POST", f"{ROBOTS}?dryRun=All", robot())
    text = 'admission webhook "robots.example.com" does not support dry run'
    assert shown(refused) == (400, "BadRequest", text)
    assert hook.seen == []
    assert (await asking.ask("POST", ROBOTS, robot())).status == 201
    assert [review["request"]["dryRun"] for review in hook.seen] == [False]


@in_server(serving_robots)
async def test_older_reviews(hook: Webhook, asking: Asking) -> None:
    versions = ["v2", "v1beta1", "v1"]
    await configure(asking, configuration("Mutating", webhook(hook, admissionReviewVersions=versions)))

    def answer(found: dict[str, Any]) -> dict[str, Any]:
        patching({"op": "add", "path": "/spec/color", "value": "grey"})(found)
        return {"response": {"allowed": True, "patch": found["response"]["patch"]}}

    hook.change = answer
    made = await asking.ask("POST", ROBOTS, robot())
    assert (made.status, made.json["spec"]["color"]) == (201, "grey")
    assert hook.seen[0]["apiVersion"] == "admission.k8s.io/v1beta1"
    await store(asking, configuration("Mutating", webhook(hook, admissionReviewVersions=["v2"])))
    refused = await asking.ask("POST", ROBOTS, robot("gort"))
    text = "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)"
    assert refused.json["message"].endswith(text)


def test_addresses_that_do_not_answer(hook: Webhook) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
    at = f"127.0.0.1:{port}"
    there = f"https://{at}/review"
    service = {"name": "hook", "namespace": "system", "path": "/review"}
    cases: list[tuple[dict[str, Any], str]] = [
        (
            {"url": there, "caBundle": hook.bundle},
            f'failed to call webhook: Post "{there}?timeout=10s": dial tcp {at}: connect: connection refused',
        ),
        (
            {"url": hook.url},
            (
                f'failed to call webhook: Post "{hook.url}?timeout=10s": tls: failed to verify certificate: x509: '
                "certificate signed by unknown authority"
            ),
        ),
        (
            {"service": service},
            (
                'failed to call webhook: Post "https://hook.system.svc:443/review?timeout=10s": service "hook" not '
                "found (this server has no services: set clientConfig.url)"
            ),
        ),
        (
            {"url": hook.url, "caBundle": "LS0t"},
            "could not get REST client: unable to load root certificates: unable to parse bytes as PEM block",
        ),
    ]

    async def story(asking: Asking) -> None:
        for client, wanted in cases:
            await configure(asking, configuration("Validating", webhook(None, clientConfig=client)))
            found = await asking.ask("POST", ROBOTS, robot())
            assert (
                found.json["message"].removeprefix(
                    'Internal error occurred: failed calling webhook "robots.example.com": '
                )
                == wanted
            )

    ask(story, serving_robots)


def test_slow_webhooks_end_and_block_nothing(hook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def wait(answer: dict[str, Any]) -> None:
        released.wait(20)

    async def story(asking: Asking) -> None:
        await asking.ask("POST", ROBOTS, robot("gort"))
        hook.change = wait
        slow = webhook(hook, timeoutSeconds=1, failurePolicy="Ignore")
        await configure(asking, configuration("Validating", webhook(hook, "a.example.com", timeoutSeconds=1), slow))
        waiting = asyncio.ensure_future(asking.ask("POST", ROBOTS, robot()))
        await asyncio.sleep(0.05)
        assert (await asking.ask("GET", f"{ROBOTS}/gort")).status == 200, "other requests are answered meanwhile"
        text = f'failed to call webhook: Post "{hook.url}?timeout=1s": context deadline exceeded'
        assert (await waiting).json["message"].endswith(text)
        monkeypatch.setattr(admission, "SECONDS", 0.2)
        late = await asking.ask("POST", ROBOTS, robot())
        text = "Timeout: request did not complete within requested timeout - context deadline exceeded"
        assert shown(late) == (504, "Timeout", text)
        released.set()
        assert (await asking.ask("GET", f"{ROBOTS}/talos")).status == 404

    ask(story, serving_robots)


@in_server(serving_robots)
async def test_broken_managed_fields_are_restored(hook: Webhook, asking: Asking) -> None:
    await configure(asking, configuration("Mutating", webhook(hook)))
    hook.change = patching({"op": "replace", "path": "/metadata/managedFields/0/operation", "value": "Guess"})
    made = await asking.ask("POST", ROBOTS, robot(color="red"))
    assert [entry["operation"] for entry in made.json["metadata"]["managedFields"]] == ["Update"]
    (warning,) = made.header("warning")
    assert ".metadata.managedFields was in an invalid state after admission" in warning
