"""Garbage collection by owner references."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition
from tests.server.admitting import configure
from tests.server.asking import Asking, serving
from tests.server.test_admission_policies import binding, policy
from tests.webhooks.asking import in_loop
from validation_gen.apiserver.application import Application
from validation_gen.apiserver.storage.sqlite import SqliteStore

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_SPEC = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def _define(kind: str, scope: str = "Namespaced") -> dict[str, Any]:
    plural = f"{kind.lower()}s"
    schema = {"type": "object", "properties": {"spec": _SPEC}}
    found = definition(schema, names={"plural": plural, "kind": kind}, scope=scope)
    return {**found, "metadata": {"name": f"{plural}.example.com"}}


class _World:
    """A server with kinds `Robot`, in namespaces, and `Planet`, in none."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking

    def path(self, name: str, kind: str = "Robot", space: str = "a") -> str:
        inside = f"namespaces/{space}/" if kind == "Robot" else ""
        return f"/apis/example.com/v1/{inside}{kind.lower()}s/{name}".removesuffix("/")

    async def make(
        self, name: str, *owners: Mapping[str, Any], kind: str = "Robot", space: str = "a", **meta: Any
    ) -> dict[str, Any]:
        given = {"name": name, "ownerReferences": list(owners), **meta}
        obj = {"apiVersion": "example.com/v1", "kind": kind, "metadata": given, "spec": {}}
        answer = await self.asking.ask("POST", self.path("", kind, space), obj)
        assert answer.status == 201, answer.json
        return dict(answer.json)

    async def delete(self, name: str, policy: str = "Background", kind: str = "Robot") -> None:
        answer = await self.asking.ask("DELETE", f"{self.path(name, kind)}?propagationPolicy={policy}")
        assert answer.status == 200, answer.json

    async def patch(self, name: str, **meta: Any) -> None:
        headers = {"content-type": "application/merge-patch+json"}
        assert (await self.asking.ask("PATCH", self.path(name), {"metadata": meta}, headers)).status == 200

    async def left(self) -> list[str]:
        """Returns the names of all objects, once the collector rests."""
        for _ in range(20):
            await self.asking.settle()
        found = []
        for path in ("/apis/example.com/v1/robots", "/apis/example.com/v1/planets"):
            found += [item["metadata"]["name"] for item in (await self.asking.ask("GET", path)).json["items"]]
        return sorted(found)

    async def meta(self, name: str) -> dict[str, Any]:
        return dict((await self.asking.ask("GET", self.path(name))).json["metadata"])


def owner(obj: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    meta = obj["metadata"]
    return {
        "apiVersion": obj["apiVersion"],
        "kind": obj["kind"],
        "name": meta["name"],
        "uid": meta["uid"],
        **more,
    }


@asynccontextmanager
async def _world(**options: Any) -> AsyncIterator[_World]:
    async with serving(**{"collects_after": 0.0, **options}) as asking:
        for each in (_define("Robot"), _define("Planet", "Cluster")):
            assert (await asking.ask("POST", _DEFINITIONS, each)).status == 201
        await asking.settle()
        yield _World(asking)


Scenario = Callable[[_World], Awaitable[None]]


def run(scenario: Scenario) -> None:
    async def main() -> None:
        async with _world() as world:
            await scenario(world)

    asyncio.run(main())


# --- background -------------------------------------------------------------------------------------------------------


async def _background(world: _World) -> None:
    parent = await world.make("parent")
    child = await world.make("child", owner(parent))
    await world.make("grandchild", owner(child))
    await world.make("other")
    assert await world.left() == ["child", "grandchild", "other", "parent"]
    await world.delete("parent")
    assert await world.left() == ["other"]


async def _a_living_owner(world: _World) -> None:
    first, second = await world.make("first"), await world.make("second")
    await world.make("child", owner(first), owner(second))
    await world.delete("first")
    assert await world.left() == ["child", "second"]
    assert [each["name"] for each in (await world.meta("child"))["ownerReferences"]] == ["second"]
    await world.delete("second")
    assert await world.left() == []


async def _a_finalizer_of_a_dependent(world: _World) -> None:
    parent = await world.make("parent")
    await world.make("child", owner(parent), finalizers=["example.com/wait"])
    await world.delete("parent")
    assert await world.left() == ["child"]
    assert "deletionTimestamp" in await world.meta("child")
    await world.patch("child", finalizers=None)
    assert await world.left() == []


async def _owners_of_no_namespace(world: _World) -> None:
    planet = await world.make("planet", kind="Planet")
    await world.make("child", owner(planet))
    await world.make("elsewhere", owner(planet), space="b")
    await world.delete("planet", kind="Planet")
    assert await world.left() == []


async def _an_owner_that_was_never_there(world: _World) -> None:
    there = await world.make("there")
    wrong = owner(there, uid="f0f0f0f0-0000-0000-0000-000000000000")
    await world.make("wrong-uid", wrong)
    await world.make("wrong-name", owner(there, name="nowhere"))
    await world.make("wrong-namespace", owner(there), space="b")
    await world.make("one-right", wrong, owner(there))
    assert await world.left() == ["one-right", "there"]
    assert len((await world.meta("one-right"))["ownerReferences"]) == 1


async def _what_cannot_be_resolved_stays(world: _World) -> None:
    robot = await world.make("robot")
    await world.make("of-no-namespace", owner(robot), kind="Planet")
    await world.make("of-an-unknown-kind", owner(robot, kind="Ghost"))
    await world.make("of-an-unknown-version", owner(robot, apiVersion="example.com/v9"))
    kept = ["of-an-unknown-kind", "of-an-unknown-version", "of-no-namespace"]
    assert await world.left() == [*kept, "robot"]
    await world.delete("robot")
    # Of an owner whose deletion was seen, the uid is enough.
    assert await world.left() == ["of-no-namespace"]


async def _a_reference_that_is_added(world: _World) -> None:
    parent = await world.make("parent")
    await world.make("child")
    await world.patch("child", ownerReferences=[owner(parent)])
    await world.delete("parent")
    assert await world.left() == []


async def _a_reference_that_is_removed(world: _World) -> None:
    parent = await world.make("parent")
    await world.make("child", owner(parent))
    await world.patch("child", ownerReferences=None)
    await world.delete("parent")
    assert await world.left() == ["child"]


async def _built_in_kinds(world: _World) -> None:
    async def make(kind: str, name: str, above: Mapping[str, Any]) -> dict[str, Any]:
        obj = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "ownerReferences": [owner(above)]}}
        answer = await world.asking.ask("POST", f"/api/v1/namespaces/a/{kind.lower()}s", obj)
        assert answer.status == 201, answer.json
        return dict(answer.json)

    robot = await world.make("robot")
    config = await make("ConfigMap", "config", robot)
    secret = await make("Secret", "secret", config)
    await world.make("child", owner(secret))
    lost = owner(secret, uid="f0f0f0f0-0000-0000-0000-000000000000")
    await make("ConfigMap", "lost", {**secret, "metadata": {"name": "secret", "uid": lost["uid"]}})
    assert await world.left() == ["child", "robot"]
    assert (await world.asking.ask("GET", "/api/v1/namespaces/a/configmaps/lost")).status == 404
    assert (await world.asking.ask("GET", "/api/v1/namespaces/a/configmaps/config")).status == 200
    await world.delete("robot")
    assert await world.left() == []
    for kind in ("configmaps/config", "secrets/secret"):
        assert (await world.asking.ask("GET", f"/api/v1/namespaces/a/{kind}")).status == 404


async def _the_end_of_a_kind(world: _World) -> None:
    planet = await world.make("planet", kind="Planet")
    await world.make("child", owner(planet))
    await world.asking.ask("DELETE", f"{_DEFINITIONS}/planets.example.com")
    for _ in range(20):
        await world.asking.settle()
    answer = await world.asking.ask("GET", "/apis/example.com/v1/robots")
    assert answer.json["items"] == []


# --- foreground -------------------------------------------------------------------------------------------------------


async def _foreground(world: _World) -> None:
    parent = await world.make("parent")
    await world.make("blocks", owner(parent, blockOwnerDeletion=True), finalizers=["example.com/wait"])
    await world.make("does-not", owner(parent), finalizers=["example.com/wait"])
    await world.delete("parent", "Foreground")
    assert await world.left() == ["blocks", "does-not", "parent"]
    assert (await world.meta("parent"))["finalizers"] == ["foregroundDeletion"]
    assert "deletionTimestamp" in await world.meta("does-not")
    await world.patch("blocks", finalizers=None)
    assert await world.left() == ["does-not"]


async def _foreground_without_dependents(world: _World) -> None:
    await world.make("alone")
    await world.delete("alone", "Foreground")
    assert await world.left() == []


async def _foreground_of_three_generations(world: _World) -> None:
    parent = await world.make("parent")
    child = await world.make("child", owner(parent, blockOwnerDeletion=True))
    await world.make("grandchild", owner(child, blockOwnerDeletion=True), finalizers=["example.com/wait"])
    await world.delete("parent", "Foreground")
    assert await world.left() == ["child", "grandchild", "parent"]
    assert (await world.meta("child"))["finalizers"] == ["foregroundDeletion"]
    await world.patch("grandchild", finalizers=None)
    assert await world.left() == []


async def _foreground_beside_a_living_owner(world: _World) -> None:
    first, second = await world.make("first"), await world.make("second")
    await world.make("child", owner(first, blockOwnerDeletion=True), owner(second))
    await world.delete("first", "Foreground")
    assert await world.left() == ["child", "second"]


async def _a_dependent_that_stops_to_block(world: _World) -> None:
    parent = await world.make("parent")
    await world.make("child", owner(parent, blockOwnerDeletion=True), finalizers=["example.com/wait"])
    await world.delete("parent", "Foreground")
    assert await world.left() == ["child", "parent"]
    await world.patch("child", ownerReferences=[owner(parent, blockOwnerDeletion=False)])
    assert await world.left() == ["child"]


async def _a_circle(world: _World) -> None:
    first = await world.make("first")
    second = await world.make("second", owner(first, blockOwnerDeletion=True))
    await world.patch("first", ownerReferences=[owner(second, blockOwnerDeletion=True)])
    assert await world.left() == ["first", "second"]
    await world.delete("first", "Foreground")
    assert await world.left() == []


# --- orphans ----------------------------------------------------------------------------------------------------------


async def _orphans(world: _World) -> None:
    parent, other = await world.make("parent"), await world.make("other")
    await world.make("child", owner(parent), owner(other))
    await world.make("alone", owner(parent))
    await world.delete("parent", "Orphan")
    assert await world.left() == ["alone", "child", "other"]
    assert "ownerReferences" not in await world.meta("alone")
    assert [each["name"] for each in (await world.meta("child"))["ownerReferences"]] == ["other"]


async def _an_orphaning_dependent(world: _World) -> None:
    parent = await world.make("parent")
    child = await world.make("child", owner(parent), finalizers=["orphan"])
    await world.make("grandchild", owner(child))
    await world.delete("parent")
    assert await world.left() == ["grandchild"]


_SCENARIOS = {
    name.strip("_"): found
    for name, found in list(globals().items())
    if asyncio.iscoroutinefunction(found) and name.startswith("_")
}


@pytest.mark.parametrize("name", _SCENARIOS)
def test_dependents(name: str) -> None:
    run(_SCENARIOS[name])


def test_policies_see_the_requests_of_the_collector() -> None:
    account = "system:serviceaccount:kube-system:generic-garbage-collector"
    checks = [
        f"request.userInfo.username != '{account}' || oldObject.metadata.name != 'protected'",
        f"request.userInfo.username != '{account}' || request.options.propagationPolicy == 'Background'",
    ]

    async def scenario() -> None:
        async with _world() as world:
            rule = {
                "apiGroups": ["example.com"],
                "apiVersions": ["v1"],
                "resources": ["robots"],
                "operations": ["DELETE"],
            }
            spec: dict[str, Any] = {
                "matchConstraints": {"resourceRules": [rule]},
                "validations": [{"expression": each} for each in checks],
            }
            await configure(world.asking, policy("Validating", **spec), binding("Validating"))
            parent = await world.make("parent")
            for name in ("protected", "child"):
                await world.make(name, owner(parent))
            await world.delete("parent")
            for _ in range(200):  # policies are evaluated in a thread
                if await world.left() == ["protected"]:
                    break
                await asyncio.sleep(0.01)
            assert await world.left() == ["protected"]

    asyncio.run(scenario())


def test_odd_values_of_the_store_do_no_harm() -> None:
    """Other programs may write into a shared store, and anything."""
    odd: list[Any] = [5, [5], [{}], {}, "orphan", [["orphan"]]]
    values: list[Any] = [5, None, {}, {"metadata": 5}]
    values += [{"metadata": {"uid": "u", "ownerReferences": each}} for each in odd]
    values += [{"metadata": {"uid": "u", "deletionTimestamp": "orphan", "finalizers": each}} for each in odd]
    values += [{"metadata": {"uid": "u", "deletionTimestamp": "x", "finalizers": ["foregroundDeletion"]}}] * 2

    async def scenario() -> None:
        async with _world() as world:
            store = world.asking.app.store
            texts = [json.dumps(value).encode() for value in values]
            texts += [b'{"metadata": "ownerReferences"', b'"orphan"' * 100]
            for number, text in enumerate(texts):
                await store.put(f"/example.com/robots/odd/r{number}", text, 0)
                await world.asking.settle()
            for number in range(len(texts)):
                if entry := await store.get(f"/example.com/robots/odd/r{number}"):
                    await store.delete(entry.key, entry.revision)
            await world.make("child", owner(await world.make("parent")))
            await world.delete("parent")
            assert await world.left() == []

    asyncio.run(scenario())


# --- time and work ----------------------------------------------------------------------------------------------------


@in_loop
async def test_the_collector_waits_for_clients_and_not_for_itself() -> None:
    async with _world(collects_after=0.3) as world:
        parent = await world.make("parent")
        for number in range(5):
            parent = await world.make(f"child{number}", owner(parent))
        await world.delete("parent")
        assert len(await world.left()) == 5
        for _ in range(100):
            if not await world.left():
                break
            await asyncio.sleep(0.02)
        assert await world.left() == []


@in_loop
async def test_without_a_collector_everything_stays() -> None:
    async with _world(collects_after=None) as world:
        await world.make("child", owner(await world.make("parent")))
        await world.delete("parent", "Foreground")
        assert await world.left() == ["child", "parent"]


def test_a_new_server_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    async def first() -> None:
        asking = Asking(Application(SqliteStore(tmp_path / "state"), collects_after=60.0))
        await asking.app.start()
        for each in (_define("Robot"), _define("Planet", "Cluster")):
            await asking.ask("POST", _DEFINITIONS, each)
        await asking.settle()
        world = _World(asking)
        gone, waits, releases = [await world.make(name) for name in ("gone", "waits", "releases")]
        for parent in (gone, waits, releases):
            await world.make(f"of-{parent['metadata']['name']}", owner(parent, blockOwnerDeletion=True))
        await world.delete("gone")
        await world.delete("waits", "Foreground")
        await world.delete("releases", "Orphan")
        assert len(await world.left()) == 5
        await asking.app.close()

    async def second() -> None:
        asking = Asking(Application(SqliteStore(tmp_path / "state"), collects_after=0.0))
        await asking.app.start()
        assert await _World(asking).left() == ["of-releases"]
        await asking.app.close()

    asyncio.run(first())
    asyncio.run(second())


@pytest.mark.parametrize("policy", ["Background", "Foreground", "Orphan"])
def test_work_grows_with_the_dependents(policy: str) -> None:
    """Counts reads of the store: a fixed number for each dependent."""

    async def count(number: int) -> int:
        async with _world() as world:
            parent = await world.make("parent")
            for index in range(number):
                await world.make(f"child{index}", owner(parent, blockOwnerDeletion=True))
            await world.left()
            store, reads = world.asking.app.store, 0
            get = store.get

            async def counted(key: str) -> Any:
                nonlocal reads
                reads += 1
                return await get(key)

            store.get = counted  # type: ignore[method-assign]
            await world.delete("parent", policy)
            for _ in range(number):
                await world.asking.settle()
            store.get = get  # type: ignore[method-assign]
            assert len(await world.left()) == (number if policy == "Orphan" else 0)
            collector = world.asking.app.collector
            assert collector is not None
            assert collector.size == 0
            return reads

    few, many = (asyncio.run(count(number)) for number in (5, 20))
    assert many <= 4 * few
