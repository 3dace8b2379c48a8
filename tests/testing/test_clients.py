"""Clients of others, unchanged: the requests that operators make with them, over HTTP and HTTPS."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.testing.kites import KITES, definition, kite
from tests.webhooks.asking import in_loop
from validation_gen.testing import ApiServer

# Clients are imported by their tests, as each costs a part of a second. The first filter is for kr8s, which names the
# versions of servers that it has been tried with.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:Kubernetes version v:UserWarning:kr8s")]
KITE = ("example.com", "v1", "default", "kites")
MERGE, APPLY = "application/merge-patch+json", "application/apply-patch+yaml"
HELD = ["example.com/held"]
NAMES = [f"c{number}" for number in range(5)]


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with ApiServer(crds=definition()) as running:
        yield running


@pytest.fixture(params=[False, True], ids=["http", "https"])
def bare(request: pytest.FixtureRequest) -> Iterator[ApiServer]:
    """A server without definitions, which a client makes."""
    with ApiServer(tls=request.param) as running:
        yield running


def _wait_until_served(server: ApiServer) -> None:
    server.wait_for(lambda: server.client.list("Kite") == [])


def _managers(server: ApiServer, name: str) -> dict[str, str]:
    return {each["manager"]: each["operation"] for each in _meta(server, name)["managedFields"]}


def _meta(server: ApiServer, name: str) -> dict[str, Any]:
    meta: dict[str, Any] = server.client.get("Kite", name)["metadata"]
    return meta


# --- kubernetes -------------------------------------------------------------------------------------------------------


def test_kubernetes(bare: ApiServer) -> None:
    from kubernetes import client, config

    settings = client.Configuration()
    config.load_kube_config(str(bare.kubeconfig), client_configuration=settings)
    with client.ApiClient(settings) as connection:
        made = client.ApiextensionsV1Api(connection).create_custom_resource_definition(definition())
        assert made.spec.names.kind == "Kite"
        _wait_until_served(bare)
        _use_kubernetes(client, connection, bare)
        _use_kubernetes_core(client, connection)


def _use_kubernetes(client: Any, connection: Any, server: ApiServer) -> None:
    from kubernetes.dynamic import DynamicClient

    kites = client.CustomObjectsApi(connection)
    red = kites.create_namespaced_custom_object(*KITE, kite(finalizers=HELD))
    red["spec"]["size"] = 4
    kites.replace_namespaced_custom_object(*KITE, "red", red)
    with pytest.raises(client.ApiException, match="the object has been modified") as refused:
        kites.replace_namespaced_custom_object(*KITE, "red", red)
    assert (refused.value.status, refused.value.reason) == (409, "Conflict")
    with pytest.raises(client.ApiException, match="should be less than or equal to 100") as invalid:
        kites.create_namespaced_custom_object(*KITE, kite("blue", size=101))
    assert invalid.value.status == 422
    patched = kites.patch_namespaced_custom_object(*KITE, "red", {"spec": {"size": 5}}, _content_type=MERGE)
    assert patched["spec"] == {"size": 5}
    steps = [{"op": "replace", "path": "/spec/size", "value": 6}]
    kites.patch_namespaced_custom_object(*KITE, "red", steps, _content_type="application/json-patch+json")
    kites.patch_namespaced_custom_object_status(*KITE, "red", {"status": {"phase": "Up"}}, _content_type=MERGE)
    found = kites.get_namespaced_custom_object(*KITE, "red")
    assert (found["spec"], found["status"], found["metadata"]["generation"]) == ({"size": 6}, {"phase": "Up"}, 4)
    kites.delete_namespaced_custom_object(*KITE, "red")
    assert "deletionTimestamp" in kites.get_namespaced_custom_object(*KITE, "red")["metadata"]
    kites.patch_namespaced_custom_object(*KITE, "red", {"metadata": {"finalizers": None}}, _content_type=MERGE)
    assert kites.list_namespaced_custom_object(*KITE)["items"] == []

    dynamic = DynamicClient(connection).resources.get(api_version="example.com/v1", kind="Kite")
    dynamic.server_side_apply(kite("blue"), field_manager="mine", namespace="default")
    with pytest.raises(client.ApiException) as conflict:
        dynamic.server_side_apply(kite("blue", 9), field_manager="yours", namespace="default")
    assert (conflict.value.status, _managers(server, "blue")) == (409, {"mine": "Apply"})


def _use_kubernetes_core(client: Any, connection: Any) -> None:
    core, v1 = client.CoreV1Api(connection), client
    core.create_namespace(v1.V1Namespace(metadata=v1.V1ObjectMeta(name="fleet")))
    for name in NAMES:
        core.create_namespaced_config_map("fleet", v1.V1ConfigMap(metadata=v1.V1ObjectMeta(name=name), data={"a": "b"}))
    page = core.list_namespaced_config_map("fleet", limit=2)
    found = [page]
    while page.metadata._continue:
        page = core.list_namespaced_config_map("fleet", limit=2, _continue=page.metadata._continue)
        found.append(page)
    assert [[item.metadata.name for item in page.items] for page in found] == [["c0", "c1"], ["c2", "c3"], ["c4"]]
    secret = v1.V1Secret(metadata=v1.V1ObjectMeta(name="s"), string_data={"a": "b"})
    assert core.create_namespaced_secret("fleet", secret).data == {"a": "Yg=="}
    leases = client.CoordinationV1Api(connection)
    lease = v1.V1Lease(metadata=v1.V1ObjectMeta(name="leader"), spec=v1.V1LeaseSpec(holder_identity="me"))
    leases.create_namespaced_lease("fleet", lease)
    about = v1.V1ObjectReference(kind="ConfigMap", name="c0", namespace="fleet")
    event = core.create_namespaced_event(
        "fleet", {"metadata": {"name": "e"}, "involvedObject": about, "reason": "Made", "type": "Normal"}
    )
    assert event.reason == "Made"
    core.delete_namespace("fleet")


def test_watches_of_kubernetes_go_on(server: ApiServer) -> None:
    from kubernetes import client, config, watch

    settings = client.Configuration()
    config.load_kube_config(str(server.kubeconfig), client_configuration=settings)
    with client.ApiClient(settings) as connection:
        kites = client.CustomObjectsApi(connection)
        seen = []
        since = kites.list_namespaced_custom_object(*KITE)["metadata"]["resourceVersion"]
        server.client.create(kite())
        server.client.patch("Kite", "red", {"spec": {"size": 4}})
        server.client.delete("Kite", "red")
        server.faults.expire(after=1)  # it goes on from the last event that it had
        for event in watch.Watch().stream(kites.list_namespaced_custom_object, *KITE, resource_version=since):
            seen.append((event["type"], event["object"]["spec"]["size"]))
            if event["type"] == "DELETED":
                break
    assert seen == [("ADDED", 3), ("MODIFIED", 4), ("DELETED", 4)]


# --- kubernetes_asyncio -----------------------------------------------------------------------------------------------


@asynccontextmanager
async def _connect(server: ApiServer) -> AsyncIterator[Any]:
    from kubernetes_asyncio import client, config

    settings = client.Configuration()
    await config.load_kube_config(str(server.kubeconfig), client_configuration=settings)
    async with client.ApiClient(settings) as connection:
        yield connection


@in_loop
async def test_kubernetes_asyncio(bare: ApiServer) -> None:
    from kubernetes_asyncio import client

    async with _connect(bare) as connection:
        await client.ApiextensionsV1Api(connection).create_custom_resource_definition(definition())
        await asyncio.to_thread(_wait_until_served, bare)
        kites = client.CustomObjectsApi(connection)
        red = await kites.create_namespaced_custom_object(*KITE, kite(finalizers=HELD))
        red["spec"]["size"] = 4
        await kites.replace_namespaced_custom_object(*KITE, "red", red)
        with pytest.raises(client.ApiException, match="the object has been modified"):
            await kites.replace_namespaced_custom_object(*KITE, "red", red)
        await kites.patch_namespaced_custom_object_status(
            *KITE, "red", {"status": {"phase": "Up"}}, _content_type=MERGE
        )
        await kites.patch_namespaced_custom_object(
            *KITE, "red", kite(size=9), _content_type=APPLY, field_manager="mine", force=True
        )
        found = await kites.get_namespaced_custom_object(*KITE, "red")
        assert (found["spec"], found["status"]) == ({"size": 9}, {"phase": "Up"})
        assert _managers(bare, "red")["mine"] == "Apply"
        await kites.delete_namespaced_custom_object(*KITE, "red")
        await kites.patch_namespaced_custom_object(*KITE, "red", [{"op": "remove", "path": "/metadata/finalizers"}])
        assert (await kites.list_namespaced_custom_object(*KITE))["items"] == []
        core, meta = client.CoreV1Api(connection), client.V1ObjectMeta
        await core.create_namespace(client.V1Namespace(metadata=meta(name="fleet")))
        for name in NAMES:
            await core.create_namespaced_config_map("fleet", client.V1ConfigMap(metadata=meta(name=name)))
        page = await core.list_namespaced_config_map("fleet", limit=3)
        rest = await core.list_namespaced_config_map("fleet", limit=3, _continue=page.metadata._continue)
        assert [item.metadata.name for item in (*page.items, *rest.items)] == NAMES


def test_watches_of_kubernetes_asyncio_go_on(server: ApiServer) -> None:
    async def run() -> list[tuple[str, int]]:
        from kubernetes_asyncio import client, watch

        seen = []
        async with _connect(server) as connection:
            kites = client.CustomObjectsApi(connection)
            since = (await kites.list_namespaced_custom_object(*KITE))["metadata"]["resourceVersion"]
            server.client.create(kite())
            server.client.delete("Kite", "red")
            server.faults.expire(after=1)
            stream = watch.Watch().stream(kites.list_namespaced_custom_object, *KITE, resource_version=since)
            async with stream as events:
                async for event in events:
                    seen.append((event["type"], event["object"]["spec"]["size"]))
                    if event["type"] == "DELETED":
                        break
        return seen

    assert asyncio.run(run()) == [("ADDED", 3), ("DELETED", 3)]


# --- kr8s -------------------------------------------------------------------------------------------------------------


def _run_kr8s(server: ApiServer, use: Callable[[Any], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        import kr8s.asyncio

        api = await kr8s.asyncio.api(kubeconfig=str(server.kubeconfig))
        try:
            return await use(api)
        finally:
            await api._session.aclose()

    return asyncio.run(run())


def test_kr8s(bare: ApiServer) -> None:
    async def use(api: Any) -> None:
        import kr8s
        from kr8s.asyncio.objects import ConfigMap, CustomResourceDefinition, Namespace, Secret, new_class

        await (await CustomResourceDefinition(definition(), api=api)).create()
        await asyncio.to_thread(_wait_until_served, bare)
        kind = new_class("Kite", "example.com/v1", asyncio=True)
        red = await kind(kite(finalizers=HELD), api=api)
        await red.create()
        await red.patch({"spec": {"size": 4}})
        await red.patch({"status": {"phase": "Up"}}, subresource="status")
        await red.label({"colour": "red"})
        assert (red.raw["spec"], red.raw["status"], red.labels) == ({"size": 4}, {"phase": "Up"}, {"colour": "red"})
        assert [each.name async for each in api.get("kites.example.com", label_selector="colour=red")] == ["red"]
        with pytest.raises(kr8s.ServerError, match="should be less than or equal to 100"):
            await red.patch({"spec": {"size": 101}})
        stale = {**red.raw, "metadata": {**red.raw["metadata"], "resourceVersion": "1"}}
        with pytest.raises(kr8s.ServerError, match="the object has been modified"):
            await red.patch({"metadata": {"resourceVersion": stale["metadata"]["resourceVersion"]}})
        await red.delete()
        await red.patch({"metadata": {"finalizers": None}})
        assert not await red.exists()
        await (await Namespace({"metadata": {"name": "fleet"}}, api=api)).create()
        for name in NAMES:
            await (await ConfigMap({"metadata": {"name": name, "namespace": "fleet"}}, api=api)).create()
        assert [each.name async for each in api.get("configmaps", namespace="fleet")] == NAMES
        secret = await Secret({"metadata": {"name": "s"}, "stringData": {"a": "b"}}, api=api)
        await secret.create()
        assert secret.raw["data"] == {"a": "Yg=="}

    _run_kr8s(bare, use)


def test_watches_of_kr8s_go_on(server: ApiServer) -> None:
    async def use(api: Any) -> list[tuple[str, int]]:
        seen = []
        server.client.create(kite())
        server.faults.expire(after=1)
        async for kind, each in api.watch("kites.example.com"):
            seen.append((kind, each.raw["spec"]["size"]))
            if len(seen) == 1:
                server.client.patch("Kite", "red", {"spec": {"size": 4}})
                server.client.delete("Kite", "red")
            if kind == "DELETED":
                break
        return seen

    assert _run_kr8s(server, use) == [("ADDED", 3), ("MODIFIED", 4), ("DELETED", 4)]


# --- lightkube --------------------------------------------------------------------------------------------------------


def _lightkube(server: ApiServer) -> Any:
    import lightkube

    return lightkube.Client(config=lightkube.KubeConfig.from_file(str(server.kubeconfig)), field_manager="mine")


def test_lightkube(bare: ApiServer) -> None:
    from lightkube import ApiError
    from lightkube.generic_resource import create_namespaced_resource
    from lightkube.models.coordination_v1 import LeaseSpec
    from lightkube.models.meta_v1 import ObjectMeta
    from lightkube.resources.apiextensions_v1 import CustomResourceDefinition
    from lightkube.resources.coordination_v1 import Lease
    from lightkube.resources.core_v1 import ConfigMap, Namespace, Secret
    from lightkube.types import PatchType

    with _lightkube(bare) as client:
        client.create(CustomResourceDefinition.from_dict(definition()))
        _wait_until_served(bare)
        kind: Any = create_namespaced_resource("example.com", "v1", "Kite", "kites")
        red = client.create(kind(kite(finalizers=HELD)))
        red["spec"]["size"] = 4
        client.replace(red)
        with pytest.raises(ApiError, match="the object has been modified") as refused:
            client.replace(red)
        assert refused.value.status.reason == "Conflict"
        assert client.patch(kind, "red", {"spec": {"size": 5}}, patch_type=PatchType.MERGE)["spec"] == {"size": 5}
        up = client.patch(kind.Status, "red", {"status": {"phase": "Up"}}, patch_type=PatchType.MERGE)
        assert up["status"] == {"phase": "Up"}
        client.apply(kind(kite("blue")))
        with pytest.raises(ApiError, match='conflict with "mine"'):
            client.apply(kind(kite("blue", 9)), field_manager="yours")
        assert _managers(bare, "blue") == {"mine": "Apply"}
        client.delete(kind, "red")
        client.patch(kind, "red", {"metadata": {"finalizers": None}}, patch_type=PatchType.MERGE)
        assert [each.metadata.name for each in client.list(kind)] == ["blue"]
        client.create(Namespace(metadata=ObjectMeta(name="fleet")))
        for name in NAMES:
            client.create(ConfigMap(metadata=ObjectMeta(name=name, namespace="fleet")))
        assert [each.metadata.name for each in client.list(ConfigMap, namespace="fleet", chunk_size=2)] == NAMES
        secret = client.create(Secret(metadata=ObjectMeta(name="s", namespace="fleet"), stringData={"a": "b"}))
        assert secret.data == {"a": "Yg=="}
        lease = client.create(
            Lease(metadata=ObjectMeta(name="leader", namespace="fleet"), spec=LeaseSpec(holderIdentity="me"))
        )
        assert lease.spec.holderIdentity == "me"


def test_watches_of_lightkube_go_on(server: ApiServer) -> None:
    from lightkube.core.exceptions import ApiError
    from lightkube.generic_resource import create_namespaced_resource
    from lightkube.types import on_error_retry

    seen = []
    kind: Any = create_namespaced_resource("example.com", "v1", "Kite", "kites")
    server.client.create(kite())
    server.faults.drop_watch(after=1)
    with _lightkube(server) as client:
        for event, each in client.watch(kind, on_error=on_error_retry):
            seen.append((event, each["spec"]["size"]))
            if len(seen) == 1:
                server.client.patch("Kite", "red", {"spec": {"size": 4}})
                server.client.delete("Kite", "red")
            if event == "DELETED":
                break
        server.faults.error(503, verb="list")
        with pytest.raises(ApiError, match="apiserver is shutting down"):
            list(client.list(kind))
    assert seen == [("ADDED", 3), ("MODIFIED", 4), ("DELETED", 4)]


# --- httpx ------------------------------------------------------------------------------------------------------------


def test_httpx_needs_no_socket(server: ApiServer) -> None:
    import httpx

    async def run() -> None:
        transport = httpx.ASGITransport(server.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
            assert (await client.post(KITES, json=kite())).status_code == 201
            server.faults.conflict()
            merge = {"Content-Type": MERGE}
            answers = [await client.patch(f"{KITES}/red", json={"spec": {"size": 4}}, headers=merge) for _ in range(2)]
            assert [answer.status_code for answer in answers] == [409, 200]
            server.faults.lose_answer(verb="delete")
            with pytest.raises(ConnectionError):
                await client.delete(f"{KITES}/red")
            assert (await client.get(KITES)).json()["items"] == []

    asyncio.run(run())


def test_httpx_over_a_socket_meets_lost_answers(server: ApiServer) -> None:
    import httpx

    with httpx.Client(base_url=server.url) as client:
        server.faults.lose_answer(verb="create")
        with pytest.raises(httpx.RemoteProtocolError):
            client.post(KITES, json=kite())
        assert client.post(KITES, json=kite()).json()["reason"] == "AlreadyExists"
