"""The rules of built-in kinds but namespaces and configmaps."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import random
from pathlib import Path
from typing import Any

from tests.server.asking import Asking, ask, in_server, serving
from tests.server.test_core import APPLY, MERGE, NAMESPACES, create, refusal
from validation_gen.apiserver.audit import AuditLog
from validation_gen.apiserver.core.protobuf import ProtobufError, decode
from validation_gen.commands.serve.tls import self_signed

SPACE = f"{NAMESPACES}/default"
EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
REGISTRATION = "/apis/admissionregistration.k8s.io/v1"
TABLE = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def causes(answer: Any) -> list[tuple[str, str]]:
    assert answer.status == 422, answer.json
    return [(each["field"], each["message"]) for each in answer.json["details"]["causes"]]


@in_server()
async def test_secrets_need_what_their_type_says(asking: Asking) -> None:
    path = f"{SPACE}/secrets"
    made = (await create(asking, path, "a", data={"k": encoded("x")}, stringData={"k": "y", "l": "z"})).json
    assert (made["type"], made["data"]) == ("Opaque", {"k": encoded("y"), "l": encoded("z")})
    assert "stringData" not in made
    prefix = "kubernetes.io/"
    required = "Required value"
    account = f"metadata.annotations[{prefix}service-account.name]"
    for kind, data, wanted in (
        ("service-account-token", {}, [(account, required)]),
        ("dockercfg", {}, [("data[.dockercfg]", required)]),
        ("dockerconfigjson", {}, [("data[.dockerconfigjson]", required)]),
        ("basic-auth", {}, [("data[username]", required), ("data[password]", required)]),
        ("ssh-auth", {"ssh-privatekey": ""}, [("data[ssh-privatekey]", required)]),
        ("tls", {"tls.crt": ""}, [("data[tls.key]", required)]),
    ):
        assert causes(await create(asking, path, "b", type=f"{prefix}{kind}", data=data)) == wanted, kind
    data = {".dockerconfigjson": encoded("[]")}
    [(_, message)] = causes(await create(asking, path, "b", type=f"{prefix}dockerconfigjson", data=data))
    text = "json: cannot unmarshal array into Go value of type map[string]interface {}"
    assert message == f'Invalid value: "<secret contents redacted>": {text}'
    one, other = (self_signed("localhost") for _ in range(2))
    for index, (crt, key, text) in enumerate(
        (
            (b"x", b"y", "tls: failed to find any PEM data in certificate input"),
            (one.certificate, b"y", "tls: failed to find any PEM data in key input"),
            (one.certificate, one.certificate, "tls: failed to parse private key"),
            (one.certificate, other.key, "tls: private key does not match public key"),
            (one.certificate, one.key, ""),
        )
    ):
        data = {"tls.crt": encoded(crt.decode()), "tls.key": encoded(key.decode())}
        answer = await create(asking, path, f"c{index}", type=f"{prefix}tls", data=data)
        assert (answer.status, answer.header("warning")) == (201, [f'299 - "{text}"'] if text else [])

    [cause] = causes(await asking.ask("PATCH", f"{path}/a", {"type": f"{prefix}tls"}, MERGE))[:1]
    assert cause == ("type", f'Invalid value: "{prefix}tls": field is immutable')
    await asking.ask("PATCH", f"{path}/a", {"immutable": True}, MERGE)
    [cause] = causes(await asking.ask("PATCH", f"{path}/a", {"stringData": {"k": "new"}}, MERGE))
    assert cause == ("data", "Forbidden: field is immutable when `immutable` is set")
    for value, at in (("?", 0), ("AA", 0), ("AAAAA", 4), ("AA=", 3), ("AA==x", 4), ("AAA=AAAA", 4), ("A\nA?=", 3)):
        answer = await create(asking, path, "d", data={"k": value})
        text = f"illegal base64 data at input byte {at}"
        assert answer.json["message"].endswith(f" cannot be handled as a Secret: {text}"), value
    found = (await asking.ask("GET", f"{path}?fieldSelector=type={prefix}tls")).json
    assert [each["metadata"]["name"] for each in found["items"]] == ["c0", "c1", "c2", "c3", "c4"]


@in_server()
async def test_each_namespace_has_a_service_account(asking: Asking) -> None:
    await create(asking, NAMESPACES, "lab")
    found = (await asking.ask("GET", "/api/v1/serviceaccounts")).json["items"]
    assert {each["metadata"]["namespace"] for each in found} >= {"default", "kube-system", "lab"}
    assert {each["metadata"]["name"] for each in found} == {"default"}
    secrets = [{"name": "a", "namespace": "elsewhere"}]
    made = (await create(asking, f"{SPACE}/serviceaccounts", "bob", secrets=secrets)).json
    assert made["secrets"] == [{"name": "a"}]
    assert (await asking.ask("DELETE", f"{SPACE}/serviceaccounts/default")).status == 200
    await asking.settle()
    again = (await asking.ask("GET", f"{SPACE}/serviceaccounts/default")).json
    assert again["metadata"]["uid"] not in {each["metadata"]["uid"] for each in found}


@in_server()
async def test_leases_are_checked(asking: Asking) -> None:
    spec = {"leaseDurationSeconds": 0, "leaseTransitions": -1}
    assert causes(await create(asking, LEASES, "a", spec=spec)) == [
        ("spec.leaseDurationSeconds", "Invalid value: 0: must be greater than 0"),
        ("spec.leaseTransitions", "Invalid value: -1: must be greater than or equal to 0"),
    ]
    body = {"metadata": {"name": "a"}, "spec": {"holderIdentity": "me", "renewTime": "2026-01-02T03:04:05.000000Z"}}
    answer = await asking.ask("PUT", f"{LEASES}/a", body)
    assert (answer.status, answer.json["spec"]["renewTime"]) == (201, "2026-01-02T03:04:05.000000Z")
    wrong = {"metadata": {"name": "a"}, "spec": {"renewTime": "2026-01-02T03:04:05Z"}}
    answer = await asking.ask("PUT", f"{LEASES}/a", wrong)
    layout = "2006-01-02T15:04:05.000000Z07:00"
    text = f'parsing time "2026-01-02T03:04:05Z" as "{layout}": cannot parse "Z" as ".000000"'
    assert answer.json["message"].endswith(f" cannot be handled as a Lease: {text}")
    answer = await asking.ask("PUT", f"{LEASES}/a", body)
    text = "metadata.resourceVersion: Invalid value: 0: must be specified for an update"
    assert refusal(answer)[2] == f'leases.coordination.k8s.io "a" is invalid: {text}'
    found = (await asking.ask("GET", LEASES, headers=TABLE)).json
    assert [each["name"] for each in found["columnDefinitions"]] == ["Name", "Holder", "Age"]
    assert found["rows"][0]["cells"][:2] == ["a", "me"]


@in_server()
async def test_events_have_two_versions(asking: Asking) -> None:
    involved = {"kind": "ConfigMap", "name": "a", "namespace": "default"}
    old = {"involvedObject": involved, "message": "hi", "reason": "Why", "type": "Normal"}
    made = (await create(asking, f"{SPACE}/events", "one", source={"component": "me"}, **old)).json
    assert (made["firstTimestamp"], made["eventTime"], made["reportingComponent"]) == (None, None, "")
    found = (await asking.ask("GET", f"{EVENTS}/one")).json
    assert (found["apiVersion"], found["note"], found["regarding"]) == ("events.k8s.io/v1", "hi", involved)
    assert found["deprecatedSource"] == {"component": "me"}
    assert found["metadata"]["uid"] == made["metadata"]["uid"]

    missing = causes(await create(asking, EVENTS, "two"))
    assert ("eventTime", "Required value") in missing
    assert ("type", 'Invalid value: "": has invalid value: ') in missing
    new = {
        "eventTime": "2026-01-02T03:04:05.000006Z",
        "reportingController": "example.com/me",
        "reportingInstance": "me-1",
        "action": "Look",
        "reason": "Why",
        "type": "Warning",
        "regarding": involved,
    }
    answer = await create(asking, EVENTS, "two", **new, deprecatedCount=1)
    assert causes(answer) == [("count", 'Invalid value: "": needs to be unset')]
    assert (await create(asking, EVENTS, "two", **new)).status == 201
    answer = await asking.ask("PATCH", f"{EVENTS}/two", {"note": "other"}, MERGE)
    assert causes(answer) == [("message", 'Invalid value: "other": field is immutable')]
    elsewhere = {**old, "involvedObject": {**involved, "namespace": "lab"}}
    assert causes(await create(asking, f"{SPACE}/events", "x", **elsewhere)) == [
        ("involvedObject.namespace", 'Invalid value: "lab": does not match event.namespace')
    ]

    for path, selector in (
        (f"{SPACE}/events", "involvedObject.name=a,source=me"),
        (EVENTS, "regarding.name=a,type=Normal"),
    ):
        items = (await asking.ask("GET", f"{path}?fieldSelector={selector}")).json["items"]
        assert [each["metadata"]["name"] for each in items] == ["one"]
        table = (await asking.ask("GET", path, headers=TABLE)).json
        shown = [each["name"] for each in table["columnDefinitions"] if not each["priority"]]
        assert shown == ["Last Seen", "Type", "Reason", "Object", "Message"]
        assert table["rows"][0]["cells"][1:5] == ["Normal", "Why", "configmap/a", ""]
        assert table["rows"][0]["cells"][6:] == ["hi", "<unknown>", 1, "one"]


@in_server()
async def test_a_watch_of_events_shows_both_versions(asking: Asking) -> None:
    watch = await asking.watch(f"{EVENTS}?watch=true")
    involved = {"kind": "ConfigMap", "name": "a", "namespace": "default"}
    await create(asking, f"{SPACE}/events", "one", involvedObject=involved)
    await asking.settle()
    assert [each["object"]["apiVersion"] for each in watch.events] == ["events.k8s.io/v1"], watch.events


@in_server()
async def test_configurations_of_webhooks_are_checked(asking: Asking) -> None:
    path = f"{REGISTRATION}/mutatingwebhookconfigurations"
    hook = {
        "name": "a.example.com",
        "clientConfig": {"service": {"name": "x", "namespace": "y"}},
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "rules": [{"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"]}],
    }
    made = (await create(asking, path, "a", webhooks=[hook])).json
    found = made["webhooks"][0]
    assert made["metadata"]["generation"] == 1
    assert found["clientConfig"]["service"]["port"] == 443
    assert found["rules"][0]["scope"] == "*"
    defaults = ("failurePolicy", "matchPolicy", "timeoutSeconds", "reinvocationPolicy", "namespaceSelector")
    assert [found[name] for name in defaults] == ["Fail", "Equivalent", 10, "Never", {}]
    wrong = {**hook, "name": "short", "sideEffects": "Some", "timeoutSeconds": 31}
    found = dict(causes(await create(asking, path, "b", webhooks=[wrong])))
    assert found["webhooks[0].timeoutSeconds"].endswith("the timeout value must be between 1 and 30 seconds")
    assert found["webhooks[0].sideEffects"] == 'Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'
    changed = {"webhooks": [{**hook, "timeoutSeconds": 3}]}
    answer = await asking.ask("PATCH", f"{path}/a", changed, MERGE)
    assert answer.json["metadata"]["generation"] == 2
    answer = await asking.ask("PATCH", f"{path}/a", {"metadata": {"labels": {"a": "b"}}}, MERGE)
    assert answer.json["metadata"]["generation"] == 2
    table = (await asking.ask("GET", path, headers=TABLE)).json
    assert table["rows"][0]["cells"][:2] == ["a", 1]


@in_server()
async def test_policies_and_bindings_are_checked(asking: Asking) -> None:
    rule = {"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"]}
    spec = {"matchConstraints": {"resourceRules": [rule]}, "validations": [{"expression": "object.x +"}]}
    path = f"{REGISTRATION}/validatingadmissionpolicies"
    [(field, message)] = causes(await create(asking, path, "a", spec=spec))
    assert field == "spec.validations[0].expression"
    assert "compilation failed" in message
    spec["validations"] = [{"expression": "true"}]
    made = (await create(asking, path, "a", spec=spec, status={"observedGeneration": 7})).json
    assert (made["metadata"]["generation"], made["status"]) == (1, {})
    assert made["spec"]["failurePolicy"] == "Fail"
    assert made["spec"]["matchConstraints"]["matchPolicy"] == "Equivalent"
    status = {"status": {"observedGeneration": 1}, "spec": None}
    answer = await asking.ask("PATCH", f"{path}/a/status", status, MERGE)
    assert answer.json["status"] == {"observedGeneration": 1}
    assert answer.json["spec"] == made["spec"]
    table = (await asking.ask("GET", path, headers=TABLE)).json
    assert table["rows"][0]["cells"][:3] == ["a", 1, "<unset>"]

    bindings = f"{REGISTRATION}/validatingadmissionpolicybindings"
    [cause] = causes(await create(asking, bindings, "a", spec={"policyName": "a"}))
    assert cause == ("spec.validationActions", "Required value: at least one validation action is required")
    body = {
        "policyName": "a",
        "validationActions": ["Deny"],
        "paramRef": {"name": "p", "parameterNotFoundAction": "Deny"},
    }
    assert (await create(asking, bindings, "a", spec=body)).status == 201
    table = (await asking.ask("GET", bindings, headers=TABLE)).json
    assert table["rows"][0]["cells"][:3] == ["a", "a", "*/p"]
    assert (
        await create(asking, f"{REGISTRATION}/mutatingadmissionpolicybindings", "a", spec={"policyName": "a"})
    ).status == 201
    assert (await asking.ask("GET", f"{REGISTRATION}/mutatingadmissionpolicies")).json["items"] == []


@in_server()
async def test_reviews_are_answered(asking: Asking) -> None:
    asking.app.token = "secret"
    bearer = {"authorization": "Bearer secret"}
    access, users = "/apis/authorization.k8s.io/v1", "/apis/authentication.k8s.io/v1"

    async def post(path: str, body: dict[str, Any]) -> Any:
        answer = await asking.ask("POST", path, body, bearer)
        assert answer.status == 201, answer.json
        return answer.json["status"]

    attributes = {"resourceAttributes": {"verb": "get", "resource": "pods", "namespace": "default"}}
    assert await post(f"{access}/selfsubjectaccessreviews", {"spec": attributes}) == {"allowed": True}
    whole = {"spec": {**attributes, "user": "bob"}}
    assert await post(f"{access}/subjectaccessreviews", whole) == {"allowed": True}
    local = f"{access}/namespaces/default/localsubjectaccessreviews"
    assert await post(local, whole) == {"allowed": True}
    rules = await post(f"{access}/selfsubjectrulesreviews", {"spec": {"namespace": "default"}})
    assert rules["resourceRules"] == [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}]
    who = (await post(f"{users}/selfsubjectreviews", {}))["userInfo"]
    assert who["groups"] == ["system:masters", "system:authenticated"]
    found = await post(f"{users}/tokenreviews", {"spec": {"token": "secret"}})
    assert (found["authenticated"], found["user"]) == (True, who)
    found = await post(f"{users}/tokenreviews", {"spec": {"token": "other"}})
    assert found == {"user": {}, "error": "invalid bearer token"}

    answer = await asking.ask("POST", f"{access}/subjectaccessreviews", {"spec": attributes}, bearer)
    assert causes(answer) == [("spec.user", 'Invalid value: "": at least one of user or group must be specified')]
    answer = await asking.ask("GET", f"{access}/selfsubjectaccessreviews", headers=bearer)
    assert answer.status == 405


def test_protobuf_bodies_are_read(tmp_path: Path) -> None:
    """The bytes are written by hand: a configmap whose name is `a`, with one entry, and options of a delete."""

    def part(number: int, content: bytes) -> bytes:
        return bytes([number << 3 | 2, len(content)]) + content

    def message(kind: bytes, content: bytes) -> bytes:
        return b"k8s\0" + part(1, part(1, b"v1") + part(2, kind)) + part(2, content)

    async def work(asking: Asking) -> None:
        path, headers = f"{SPACE}/configmaps", {"content-type": "application/vnd.kubernetes.protobuf"}
        meta = part(1, b"a") + part(8, b"") + part(11, part(1, b"l") + part(2, b"v"))
        content = part(1, meta) + part(2, part(1, b"k") + part(2, b"x")) + part(3, part(1, b"b") + part(2, b"\0"))
        made = (await asking.ask("POST", path, message(b"ConfigMap", content), headers)).json
        assert (made["data"], made["binaryData"]) == ({"k": "x"}, {"b": "AA=="})
        assert made["metadata"]["labels"] == {"l": "v"}
        lease = part(1, part(1, b"a")) + part(2, part(1, b"me") + bytes([16, 15]) + part(4, bytes([8, 1, 16, 0xE8, 7])))
        made = (
            await asking.ask(
                "POST",
                LEASES,
                b"k8s\0" + part(1, part(1, b"coordination.k8s.io/v1") + part(2, b"Lease")) + part(2, lease),
                headers,
            )
        ).json
        spec = {"holderIdentity": "me", "leaseDurationSeconds": 15, "renewTime": "1970-01-01T00:00:01.000001Z"}
        assert made["spec"] == spec
        for body, text in (
            (b"k8s", "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"),
            (b"k8s\0\x0a\x7f", "unexpected EOF"),
        ):
            answer = await asking.ask("POST", path, body, headers)
            assert (answer.status, text in answer.json["message"]) == (400, True)
        options = message(b"DeleteOptions", part(2, part(1, b"other")))
        assert (await asking.ask("DELETE", f"{path}/a", options, headers)).status == 409
        assert (await asking.ask("DELETE", f"{path}/a", message(b"DeleteOptions", b""), headers)).status == 200

    log = tmp_path / "audit.log"
    audit = AuditLog(log, report=print)
    ask(work, audit=audit)
    events = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    made = next(each for each in events if each["requestURI"] == f"{SPACE}/configmaps")
    assert (made["objectRef"]["name"], made["requestObject"]["data"]) == ("a", {"k": "x"})


def test_no_protobuf_body_breaks_the_decoder() -> None:
    draw = random.Random(1)
    whole = (
        b"k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x19\n\n\n\x01aB\0Z\x03\n\x01l\x12\x06\n\x01k\x12\x01x\x1a\x03\n\x01b"
    )
    for _ in range(2000):
        body = bytearray(whole)
        for _ in range(draw.randrange(1, 4)):
            body[draw.randrange(4, len(body))] = draw.randrange(256)
        with contextlib.suppress(ProtobufError):
            decode(bytes(body[: draw.randrange(4, len(body) + 1)]), lambda *_: "io.k8s.api.core.v1.ConfigMap")


@in_server()
async def test_applied_parts_are_merged_by_their_keys(asking: Asking) -> None:
    path = f"{SPACE}/serviceaccounts/bob"
    for manager in ("one", "two"):
        config = {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": "bob"},
            "secrets": [{"name": manager}],
        }
        answer = await asking.ask("PATCH", f"{path}?fieldManager={manager}", config, APPLY)
    assert answer.json["secrets"] == [{"name": "one"}, {"name": "two"}]


@in_server()
async def test_applied_values_are_decoded(asking: Asking) -> None:
    path = f"{SPACE}/secrets/a?fieldManager=me"
    config = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"k": "?"}}
    answer = await asking.ask("PATCH", path, config, APPLY)
    text = "failed to convert new object (/a; /v1, Kind=Secret) to proper version: unable to convert unstructured "
    text += "object to /v1, Kind=Secret: error decoding from json: illegal base64 data at input byte 0"
    assert refusal(answer) == (500, "", text)
    answer = await asking.ask("PATCH", path, {**config, "data": {"k": 1}}, APPLY)
    assert answer.json["message"].startswith("failed to create typed patch object (/a; /v1, Kind=Secret): .data.k: ")


def test_openapi_has_the_types_of_built_in_kinds() -> None:
    async def load() -> tuple[Any, Any]:
        async with serving() as asking:
            v3 = await asking.ask("GET", "/openapi/v3/api/v1")
            return v3.json, (await asking.ask("GET", "/openapi/v2")).json

    v3, v2 = asyncio.run(load())
    for schemas in (v3["components"]["schemas"], v2["definitions"]):
        account = schemas["io.k8s.api.core.v1.ServiceAccount"]
        assert account["x-kubernetes-group-version-kind"] == [{"group": "", "kind": "ServiceAccount", "version": "v1"}]
        secrets = account["properties"]["secrets"]
        assert (secrets["x-kubernetes-patch-strategy"], secrets["x-kubernetes-patch-merge-key"]) == ("merge", "name")
        assert schemas["io.k8s.api.core.v1.ObjectReference"]["x-kubernetes-map-type"] == "atomic"
    assert set(v3["paths"]["/api/v1/namespaces/{name}/finalize"]) == {"put", "parameters"}
    assert set(v3["paths"]["/api/v1/namespaces"]) == {"get", "post", "parameters"}
    patches = v3["paths"]["/api/v1/namespaces/{namespace}/secrets/{name}"]["patch"]["requestBody"]["content"]
    assert "application/strategic-merge-patch+json" in patches
    assert "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews" in v2["paths"]
    references = set(json.dumps(v3).split('"$ref": "#/components/schemas/')[1:])
    assert {each.partition('"')[0] for each in references} <= set(v3["components"]["schemas"])


STRATEGIC = {"content-type": "application/strategic-merge-patch+json"}


@in_server()
async def test_strategic_merge_patches_follow_the_types(asking: Asking) -> None:
    path = f"{REGISTRATION}/validatingwebhookconfigurations"
    hook = {
        "clientConfig": {"url": "https://localhost:1/"},
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
    }
    hooks = [{"name": f"{name}.example.com", **hook} for name in "ab"]
    await create(asking, path, "hooks", webhooks=hooks)
    added = {"name": "c.example.com", **hook}
    changed = {
        "name": "b.example.com",
        "timeoutSeconds": 5,
        "matchConditions": [{"name": "m", "expression": "true"}],
    }
    patch = {"metadata": {"finalizers": ["x/y"]}, "webhooks": [changed, added]}
    answer = await asking.ask("PATCH", f"{path}/hooks?fieldManager=me", patch, STRATEGIC)
    assert answer.status == 200, answer.json
    found = answer.json
    assert [each["name"][0] for each in found["webhooks"]] == ["a", "b", "c"]
    assert (found["webhooks"][1]["timeoutSeconds"], found["metadata"]["finalizers"]) == (5, ["x/y"])
    [mine] = [each for each in found["metadata"]["managedFields"] if each["manager"] == "me"]
    assert 'k:{"name":"b.example.com"}' in mine["fieldsV1"]["f:webhooks"]
    patch = {
        "metadata": {"$deleteFromPrimitiveList/finalizers": ["x/y"]},
        "webhooks": [{"name": "a.example.com", "$patch": "delete"}],
        "$setElementOrder/webhooks": [{"name": "c.example.com"}, {"name": "b.example.com"}],
    }
    found = (await asking.ask("PATCH", f"{path}/hooks", patch, STRATEGIC)).json
    assert [each["name"][0] for each in found["webhooks"]] == ["c", "b"]
    assert "finalizers" not in found["metadata"]

    for body, status, words in (
        ({"webhooks": [{"timeoutSeconds": 1}]}, 500, "does not contain declared merge key: name"),
        ({"$setElementOrder/zz": []}, 500, "unable to find api field in struct ValidatingWebhookConfiguration for"),
        ({"$retainKeys": 5}, 400, "invalid patch format of retainKeys"),
        ("{", 400, "unexpected end of JSON input"),
        ("[]", 400, "json: cannot unmarshal array into Go value of type map[string]interface {}"),
    ):
        sent: Any = body.encode() if isinstance(body, str) else body
        answer = await asking.ask("PATCH", f"{path}/hooks", sent, STRATEGIC)
        assert answer.status == status, answer.json
        assert words in answer.json["message"]
    strict = f"{path}/hooks?fieldValidation=Strict"
    answer = await asking.ask("PATCH", strict, {"zz": {"b": 1, "a": 2}}, STRATEGIC)
    assert answer.status == 422
    [cause] = answer.json["details"]["causes"]
    assert cause["message"] == ('Invalid value: "map[zz:map[a:2 b:1]]": strict decoding error: unknown field "zz"')


@in_server()
async def test_definitions_take_strategic_merge_patches(asking: Asking) -> None:
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    spec = {
        "group": "ex.com",
        "scope": "Namespaced",
        "names": {"plural": "things", "kind": "Thing"},
        "versions": [version],
    }
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.ex.com"},
        "spec": spec,
    }
    assert (await asking.ask("POST", path, definition)).status == 201
    versions = [version, {**version, "name": "v2", "storage": False}]
    patch = {"metadata": {"labels": {"a": "b"}}, "spec": {"versions": versions}}
    answer = await asking.ask("PATCH", f"{path}/things.ex.com", patch, STRATEGIC)
    assert answer.status == 200, answer.json
    assert [each["name"] for each in answer.json["spec"]["versions"]] == ["v1", "v2"]
    await asking.settle()
    things = "/apis/ex.com/v1/namespaces/default/things"
    thing = {"apiVersion": "ex.com/v1", "kind": "Thing", "metadata": {"name": "one"}}
    assert (await asking.ask("POST", things, thing)).status == 201
    answer = await asking.ask("PATCH", f"{things}/one", {}, STRATEGIC)
    assert answer.status == 415
