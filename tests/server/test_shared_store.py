"""Servers that share an etcd, which may go away and come back."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aetcd import rpc

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import root
from tests.server.asking import Answer, Asking, in_server, serving
from tests.server.stores import CountingEtcdStore, Etcd
from tests.webhooks.asking import in_loop
from validation_gen.apiserver.application import Application
from validation_gen.apiserver.storage import is_object

pytestmark = pytest.mark.slow

KIND = definition(root({"type": "object", "properties": {"count": {"type": "integer"}}}))
_NAMES, _GROUP = KIND["spec"]["names"], KIND["spec"]["group"]
_GROUP_VERSION = f"{_GROUP}/{KIND['spec']['versions'][0]['name']}"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
URL = f"/apis/{_GROUP_VERSION}/namespaces/a/{_NAMES['plural']}"
_SECONDS = 20.0
_ADMISSION = "admissionregistration.k8s.io"
_RULE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
#: Objects of a policy that allows no config maps, by their resources.
POLICY = {
    "validatingadmissionpolicies": {
        "kind": "ValidatingAdmissionPolicy",
        "spec": {"matchConstraints": {"resourceRules": [_RULE]}, "validations": [{"expression": "false"}]},
    },
    "validatingadmissionpolicybindings": {
        "kind": "ValidatingAdmissionPolicyBinding",
        "spec": {"policyName": "no", "validationActions": ["Deny"]},
    },
}


def obj(name: str, count: int = 0) -> dict[str, Any]:
    return {
        "apiVersion": _GROUP_VERSION,
        "kind": _NAMES["kind"],
        "metadata": {"name": name},
        "spec": {"count": count},
    }


async def until(is_true: Callable[[], Awaitable[bool]]) -> None:
    """Waits until a condition holds."""
    deadline = time.monotonic() + _SECONDS
    while not await is_true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


async def shows(asking: Asking, url: str, status: int = 200) -> None:
    async def is_shown() -> bool:
        return (await asking.ask("GET", url)).status == status

    await until(is_shown)


async def has_events(answer: Answer, *events: tuple[str, str]) -> None:
    """Waits for the events of a watch, and checks that there are no others."""

    async def are_there() -> bool:
        return len(answer.events) >= len(events)

    await until(are_there)
    assert [(each["type"], each["object"]["metadata"]["name"]) for each in answer.events] == list(events)


@asynccontextmanager
async def servers(etcd: Etcd, number: int = 1) -> AsyncIterator[list[Asking]]:
    """Runs servers on one etcd, the first of which has the kind."""
    prefix = etcd.prefix()
    async with AsyncExitStack() as stack:
        found = [await stack.enter_async_context(serving(CountingEtcdStore(etcd.url, prefix))) for _ in range(number)]
        assert (await found[0].ask("POST", DEFINITIONS, KIND)).status == 201
        for each in found:
            await shows(each, URL)
        yield found


@in_loop
async def test_servers_see_the_kinds_and_objects_of_each_other(etcd: Etcd) -> None:
    async with servers(etcd, 3) as (one, two, three):
        watches = [await asking.watch(f"{URL}?watch=1&resourceVersion=0") for asking in (one, two, three)]
        assert (await one.ask("POST", URL, obj("x"))).status == 201
        assert (await two.ask("POST", URL, obj("x"))).status == 409
        known = (await two.ask("GET", f"{URL}/x")).json
        changed = await two.ask("PUT", f"{URL}/x", {**known, "spec": {"count": 1}})
        assert changed.status == 200
        stale = await three.ask("PUT", f"{URL}/x", {**known, "spec": {"count": 2}})
        assert (stale.status, stale.json["reason"]) == (409, "Conflict")
        version = changed.json["metadata"]["resourceVersion"]
        exact = await three.ask("GET", f"{URL}?resourceVersion={version}&resourceVersionMatch=Exact")
        assert [each["spec"] for each in exact.json["items"]] == [{"count": 1}]
        assert (await one.ask("GET", f"{URL}/x?resourceVersion={version}")).json["spec"] == {"count": 1}
        assert (await three.ask("DELETE", f"{URL}/x")).status == 200
        for watch in watches:
            await has_events(watch, ("ADDED", "x"), ("MODIFIED", "x"), ("DELETED", "x"))
        assert watches[0].events == watches[1].events == watches[2].events


@in_loop
async def test_conditions_converge_and_a_deleted_kind_is_gone_at_all_servers(etcd: Etcd) -> None:
    async with servers(etcd, 3) as (one, two, three):
        rival = json.loads(json.dumps(KIND))
        rival["metadata"]["name"] = f"rivals.{_GROUP}"
        rival["spec"]["names"] |= {"plural": "rivals", "singular": "rival"}
        assert (await two.ask("POST", DEFINITIONS, rival)).status == 201

        async def is_refused() -> bool:
            answer = await three.ask("GET", f"{DEFINITIONS}/rivals.{_GROUP}")
            found = (answer.json.get("status") or {}).get("conditions") or []
            return {each["type"]: each["status"] for each in found} == {
                "Established": "False",
                "NamesAccepted": "False",
            }

        await until(is_refused)
        for asking in (one, two, three):
            await asking.settle()
        before = await one.app.store.revision()
        await asyncio.sleep(0.3)
        assert await one.app.store.revision() == before
        assert (await two.ask("POST", URL, obj("x"))).status == 201
        assert (await three.ask("DELETE", f"{DEFINITIONS}/{KIND['metadata']['name']}")).status == 200
        for asking in (one, two, three):
            await shows(asking, URL, 404)
            await shows(asking, f"{DEFINITIONS}/{KIND['metadata']['name']}", 404)
        # The names are free, and the other definition may have them.
        await shows(one, f"/apis/{_GROUP_VERSION}/rivals")


@in_loop
async def test_servers_that_start_at_once_collect_garbage_together(etcd: Etcd) -> None:
    prefix = etcd.prefix()
    apps = [Application(CountingEtcdStore(etcd.url, prefix), collects_after=0.05) for _ in range(3)]
    await asyncio.gather(*(app.start() for app in apps))
    one, two, three = map(Asking, apps)
    try:
        url = "/api/v1/namespaces/a/configmaps"
        owner = (await one.ask("POST", url, {"metadata": {"name": "owner"}})).json
        reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"]}
        for number in range(20):
            meta = {"name": f"x{number}", "ownerReferences": [reference]}
            assert (await (two, three)[number % 2].ask("POST", url, {"metadata": meta})).status == 201
        watch = await three.watch(f"{url}?watch=1&resourceVersion={owner['metadata']['resourceVersion']}")
        assert (await two.ask("DELETE", f"{url}/owner")).status == 200

        async def is_empty() -> bool:
            return not (await one.ask("GET", url)).json["items"]

        await until(is_empty)
        for asking in (one, two, three):
            await asking.settle()
        before = await one.app.store.revision()
        await asyncio.sleep(0.3)
        assert await one.app.store.revision() == before
        found = [(each["type"], each["object"]["metadata"]["name"]) for each in watch.events]
        assert found[:21] == [*(("ADDED", f"x{number}") for number in range(20)), ("DELETED", "owner")]
        assert sorted(found[21:]) == sorted(("DELETED", f"x{number}") for number in range(20))
    finally:
        for app in apps:
            await app.close()
        await asyncio.gather(*three.watches, return_exceptions=True)


#: Objects of other writers with keys, which have wrong types or lack parts.
_NAMESPACE = {"apiVersion": "v1", "kind": "Namespace"}
_WEBHOOK = {"apiVersion": f"{_ADMISSION}/v1", "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "x"}}
_WRONG_METADATA: tuple[dict[str, Any], ...] = (
    {"ownerReferences": 5},
    {"ownerReferences": ["x"]},
    {"ownerReferences": [{"uid": [5]}], "finalizers": None},
    {"finalizers": [5, "orphan"], "deletionTimestamp": "x"},
    {"labels": ["a"]},
    {"annotations": {"a": 5}},
    {"managedFields": [None]},
    {"generation": True},
    {"uid": {}, "ownerReferences": []},
)
_HOSTILE: list[tuple[str, dict[str, Any]]] = [
    *(
        ("/core/configmaps/default/x", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", **meta}})
        for meta in _WRONG_METADATA
    ),
    ("/core/namespaces/x", {**_NAMESPACE, "metadata": {"name": "x"}}),
    ("/core/namespaces/x", {**_NAMESPACE, "metadata": {"name": "x"}, "status": [5]}),
    ("/core/namespaces/x", {**_NAMESPACE, "metadata": {"name": "other"}, "spec": {"finalizers": ["kubernetes"]}}),
    (
        "/core/namespaces/x",
        {
            **_NAMESPACE,
            "metadata": {"name": "x", "deletionTimestamp": "2026-01-01T00:00:00Z"},
            "spec": {"finalizers": [None, "kubernetes"]},
            "status": {"conditions": [None, {"status": "True"}]},
        },
    ),
    ("/core/validatingwebhookconfigurations/x", {**_WEBHOOK, "webhooks": [5]}),
    ("/core/validatingwebhookconfigurations/x", {**_WEBHOOK, "webhooks": [None, {"rules": [None]}]}),
    ("/core/validatingwebhookconfigurations/x", {**_WEBHOOK, "webhooks": [{"rules": [{"operations": 5}]}]}),
    *(
        (
            f"/apiextensions.k8s.io/customresourcedefinitions/{KIND['metadata']['name']}",
            {**KIND, "metadata": {"name": KIND["metadata"]["name"], "uid": "x"}, **parts},
        )
        for parts in (
            {"status": {"conditions": [None]}},
            {"spec": {**KIND["spec"], "versions": [None]}},
            {"spec": {**KIND["spec"], "names": {"plural": _NAMES["plural"]}}},
            {"spec": {**KIND["spec"], "versions": []}},
        )
    ),
]


@in_server(collects_after=0.0)
async def test_objects_of_other_writers_do_not_stop_a_server(asking: Asking) -> None:
    store = asking.app.store
    for number, (key, value) in enumerate(_HOSTILE):
        if is_object(value):
            known = await store.get(key)
            await store.put(key, json.dumps(value).encode(), known.revision if known else 0)
        await asyncio.sleep(0.001)
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"c{number}"}}
        for space in ("x", "default"):
            answer = await asking.ask("POST", f"/api/v1/namespaces/{space}/configmaps", body)
            assert answer.status in (201, 403), (value, answer.json)
    # Its tasks go on: a definition is established, and a namespace is deleted.
    other = json.loads(json.dumps(KIND).replace(_NAMES["plural"], "others").replace(_NAMES["kind"], "Other"))
    assert (await asking.ask("POST", DEFINITIONS, other)).status == 201
    await shows(asking, f"/apis/{_GROUP_VERSION}/others")
    assert (await asking.ask("DELETE", "/api/v1/namespaces/kube-node-lease")).status == 200
    await shows(asking, "/api/v1/namespaces/kube-node-lease", 404)


def test_metadata_with_wrong_types_are_no_object() -> None:
    right = [is_object(value) for key, value in _HOSTILE if key.startswith("/core/configmaps/")]
    assert right == [False, False, True, False, False, False, False, False, False]
    assert not any(map(is_object, (None, [], {}, {"apiVersion": "v1", "metadata": {"name": 5}})))


@in_loop
async def test_values_of_other_programs_do_not_harm_a_server(etcd: Etcd) -> None:
    async with servers(etcd) as (asking,):
        store = asking.app.store
        assert isinstance(store, CountingEtcdStore)
        watch = await asking.watch(f"{URL}?watch=1&resourceVersion=0")
        broken = json.dumps({"apiVersion": "apiextensions.k8s.io/v1", "metadata": {"name": "x"}, "spec": [1]}).encode()
        prefix = "/apiextensions.k8s.io/customresourcedefinitions"
        for key in (f"{prefix}/x", "/x", f"/{_GROUP}/{_NAMES['plural']}/a/x", "/a/b/c/d/e"):
            for value in (b"text", b"[]", broken):
                request = rpc.PutRequest(key=store._name(key), value=value)
                await store._client.call("Put", request)
        missing = await asking.ask("GET", f"{URL}/y")
        assert missing.status == 404
        rpc_put = rpc.PutRequest(key=store._name(f"/{_GROUP}/{_NAMES['plural']}/a/y"), value=b"text")
        await store._client.call("Put", rpc_put)
        for method, url, body in (("GET", f"{URL}/y", None), ("POST", URL, obj("y")), ("DELETE", f"{URL}/y", None)):
            answer = await asking.ask(method, url, body)
            assert answer.status == 500
            assert answer.json["message"].endswith("/a/y in etcd is no object of an API server")
        assert (await asking.ask("POST", URL, obj("z"))).status == 201
        listed = (await asking.ask("GET", URL)).json["items"]
        assert [each["metadata"]["name"] for each in listed] == ["x", "z"]
        await has_events(watch, ("ADDED", "x"), ("ADDED", "z"))


def test_an_etcd_that_goes_away_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validation_gen.apiserver.storage.etcd_client._CALL_SECONDS", 1.0)

    async def run(etcd: Etcd) -> None:
        async with servers(etcd) as (asking,):
            watch = await asking.watch(f"{URL}?watch=1&resourceVersion=0")
            assert (await asking.ask("POST", URL, obj("x"))).status == 201
            for away, back in ((etcd.kill, etcd.run), (etcd.stop, etcd.resume)):
                away()
                for method, url, body in (("GET", URL, None), ("GET", f"{URL}/x", None), ("POST", URL, obj("y"))):
                    answer = await asyncio.wait_for(asking.ask(method, url, body), 3)
                    assert (answer.status, answer.json.get("reason")) == (503, "ServiceUnavailable"), answer.body
                    assert answer.json["message"].startswith(
                        f"storage: etcd at 127.0.0.1:{etcd.port} does not answer: "
                    )
                    assert answer.header("retry-after") == ["1"]
                answer = await asking.ask("GET", "/readyz")
                assert (answer.status, b"[-]etcd failed: reason withheld\nreadyz check failed\n" in answer.body) == (
                    500,
                    True,
                )
                assert (await asking.ask("GET", "/livez/etcd")).body.startswith(b"internal server error: etcd at ")
                assert (await asking.ask("GET", "/livez/ping")).body == b"ok"
                late = await asking.watch(f"{URL}?watch=1&resourceVersion=0")

                async def has_ended(late: Answer = late) -> bool:
                    return late.ended

                await until(has_ended)
                assert [each["object"]["code"] for each in late.events] == [503]
                await asyncio.to_thread(back)
                await shows(asking, f"{URL}/x")
                assert (await asking.ask("GET", "/readyz")).body == b"ok"
                answer = await asking.ask("POST", URL, obj("y"))
                assert answer.status in (201, 409)  # a write without an answer may have happened
                assert (await asking.ask("DELETE", f"{URL}/y")).status == 200
            assert not watch.ended
            await has_events(watch, ("ADDED", "x"), ("ADDED", "y"), ("DELETED", "y"), ("ADDED", "y"), ("DELETED", "y"))

    with Etcd(tmp_path, "--unsafe-no-fsync") as etcd:
        asyncio.run(run(etcd))


@pytest.mark.parametrize("has_data", [True, False], ids=["compacted", "empty"])
def test_a_server_that_has_missed_changes_begins_again(tmp_path: Path, has_data: bool) -> None:
    async def run(etcd: Etcd) -> None:
        async with servers(etcd) as (asking,):
            watch = await asking.watch(f"{URL}?watch=1&resourceVersion=0")
            assert (await asking.ask("POST", URL, obj("x"))).status == 201
            store = asking.app.store
            assert isinstance(store, CountingEtcdStore)
            await asyncio.to_thread(etcd.kill)
            if has_data:
                other = Etcd(tmp_path)
                with other:
                    async with serving(CountingEtcdStore(other.url, store._prefix)) as meanwhile:
                        assert (await meanwhile.ask("DELETE", f"{URL}/x")).status == 200
                        await meanwhile.ask("DELETE", f"{DEFINITIONS}/{KIND['metadata']['name']}")
                        await shows(meanwhile, URL, 404)
                        for resource, part in POLICY.items():
                            policy = {"apiVersion": f"{_ADMISSION}/v1", "metadata": {"name": "no"}, **part}
                            added = await meanwhile.ask("POST", f"/apis/{_ADMISSION}/v1/{resource}", policy)
                            assert added.status == 201, added.body
                        await meanwhile.app.store.compact(await meanwhile.app.store.revision())
            else:
                etcd.directory /= "other"
                etcd.directory.mkdir()
            await asyncio.to_thread(etcd.run)
            await shows(asking, URL, 404)

            async def has_ended() -> bool:
                return watch.ended

            await until(has_ended)
            assert [(each["type"], each["object"].get("code")) for each in watch.events] == [
                ("ADDED", None),
                ("ERROR", 410),
            ]
            refused = await asking.ask("POST", "/api/v1/namespaces/a/configmaps", {"metadata": {"name": "x"}})
            assert refused.status == (422 if has_data else 201)
            assert (await asking.ask("POST", DEFINITIONS, KIND)).status == 201
            await shows(asking, URL)
            again = await asking.watch(f"{URL}?watch=1&resourceVersion=0")
            assert (await asking.ask("POST", URL, obj("z"))).status == 201
            await has_events(again, ("ADDED", "z"))

    with Etcd(tmp_path, "--unsafe-no-fsync") as etcd:
        asyncio.run(run(etcd))
