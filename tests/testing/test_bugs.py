"""Bugs that people have reported of operators, in small: a test with faults finds each, and its mended version passes.

Each test runs `broken` and `mended` against a server of its own. What the broken one leaves behind is asserted, too: a
fault that finds nothing is no test.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.testing.kites import KITES, definition, kite
from validation_gen.testing import ApiServer, ConditionError

pytestmark = pytest.mark.slow

MERGE = {"Content-Type": "application/merge-patch+json"}
MINE, YOURS = "kites.example.com/strings", "backup.example.com/copy"
TAILS = f"{KITES.removesuffix('kites')}tails"


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with ApiServer(crds=[definition(), definition(plural="tails", kind="Tail")]) as running:
        yield running


@pytest.fixture
def http(server: ApiServer) -> Iterator[Any]:
    import httpx

    with httpx.Client(base_url=server.url) as client:
        yield client


# --- finalizers of others are lost ------------------------------------------------------------------------------------
# A controller empties `metadata.finalizers` when it has cleaned up, and with it the finalizer of another controller,
# which still has work to do (reported of operators in Rust, Go and Python alike).


def _release_broken(http: Any) -> None:
    http.patch(f"{KITES}/red", json={"metadata": {"finalizers": []}}, headers=MERGE).raise_for_status()


def _release(http: Any) -> None:
    while True:
        meta = http.get(f"{KITES}/red").json()["metadata"]
        left = [each for each in meta["finalizers"] if each != MINE]
        patch = {"metadata": {"finalizers": left, "resourceVersion": meta["resourceVersion"]}}
        answer = http.patch(f"{KITES}/red", json=patch, headers=MERGE)
        if answer.status_code != 409:
            answer.raise_for_status()
            return


@pytest.mark.parametrize(("release", "is_mended"), [(_release_broken, False), (_release, True)])
def test_the_finalizer_of_another_controller(
    server: ApiServer, http: Any, release: Callable[[Any], None], is_mended: bool
) -> None:
    server.client.create(kite(finalizers=[MINE, YOURS]))
    server.client.delete("Kite", "red")
    server.faults.conflict(kind="Kite", verb="patch", nth=1 if is_mended else 2)
    release(http)
    assert [each["metadata"]["finalizers"] for each in server.client.list("Kite")] == ([[YOURS]] if is_mended else [])
    assert [event.type for event in server.events("Kite")][-1] == ("MODIFIED" if is_mended else "DELETED")


# --- children that are created twice ----------------------------------------------------------------------------------
# A controller names its children by `generateName`, and counts those that its cache shows. If an answer is lost, or the
# cache is late, it creates them again (reported of several controllers that use controller-runtime).


def _create_broken(http: Any) -> None:
    http.post(TAILS, json={**_tail(), "metadata": {"generateName": "red-"}}).raise_for_status()


def _create(http: Any) -> None:
    answer = http.post(TAILS, json={**_tail(), "metadata": {"name": "red-0"}})
    if answer.status_code != 409:  # it is there
        answer.raise_for_status()


def _tail() -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Tail", "spec": {"size": 1}}


def _retry(attempt: Callable[[], None]) -> None:
    """Tries again after a broken connection, as queues of controllers do."""
    import httpx

    for _ in range(3):
        with contextlib.suppress(httpx.TransportError):
            attempt()
            return


@pytest.mark.parametrize(("create", "children"), [(_create_broken, 2), (_create, 1)])
def test_a_child_after_a_lost_answer(
    server: ApiServer, http: Any, create: Callable[[Any], None], children: int
) -> None:
    lost = server.faults.lose_answer(verb="create", kind="Tail")
    _retry(lambda: create(http))
    assert (len(server.client.list("Tail")), lost.count) == (children, 1)


# --- a deletion that a cache misses -----------------------------------------------------------------------------------
# After 410 a client watches again without a list: what was deleted meanwhile stays in its cache for good (reported of
# watches by several clients in Python).


class _Cache:
    """The sizes of kites, as a watch shows them."""

    def __init__(self, client: Any, *, is_mended: bool) -> None:
        self._client, self._is_mended = client, is_mended
        self.kites: dict[str, int] = {}

    async def run(self) -> None:
        from kubernetes_asyncio import client, watch

        api = client.CustomObjectsApi(self._client)
        arguments = ("example.com", "v1", "default", "kites")
        while True:
            version: dict[str, Any] = {}
            if self._is_mended:
                found = await api.list_namespaced_custom_object(*arguments)
                self.kites = {each["metadata"]["name"]: each["spec"]["size"] for each in found["items"]}
                version = {"resource_version": found["metadata"]["resourceVersion"]}
            with contextlib.suppress(client.ApiException):
                stream = watch.Watch().stream(
                    api.list_namespaced_custom_object, *arguments, timeout_seconds=9, **version
                )
                async with stream as events:
                    async for event in events:
                        self._apply(event["type"], event["object"])
            await asyncio.sleep(0.05)

    def _apply(self, kind: str, obj: Any) -> None:
        if kind == "DELETED":
            self.kites.pop(obj["metadata"]["name"], None)
        else:
            self.kites[obj["metadata"]["name"]] = obj["spec"]["size"]


@pytest.mark.parametrize("is_mended", [False, True])
def test_a_deletion_while_a_watch_is_expired(server: ApiServer, is_mended: bool) -> None:
    async def run() -> dict[str, int]:
        from kubernetes_asyncio import client, config

        settings = client.Configuration()
        await config.load_kube_config(str(server.kubeconfig), client_configuration=settings)
        async with client.ApiClient(settings) as connection:
            cache = _Cache(connection, is_mended=is_mended)
            task = asyncio.create_task(cache.run())
            server.client.create(kite("blue"))
            await server.wait_for_async(lambda: cache.kites == {"red": 3, "blue": 3})
            server.client.delete("Kite", "red")  # the watch ends with 410 instead of this event
            server.client.create(kite("green"))
            await server.wait_for_async(lambda: "green" in cache.kites)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            return cache.kites

    server.client.create(kite("red"))
    expired = server.faults.expire(after=1 if is_mended else 2, kind="Kite")
    kites = asyncio.run(run())
    assert expired.count == 1
    assert kites == {"blue": 3, "green": 3, **({} if is_mended else {"red": 3})}


# --- a change that another one overwrites -----------------------------------------------------------------------------
# A controller reads a list, changes one item, and writes the list by a merge patch without the version that it read.
# The change that another client made between is lost (reported of conditions in `status`).


def _append_broken(http: Any, tail: dict[str, Any]) -> None:
    spec = http.get(f"{KITES}/red").json()["spec"]
    patch = {"spec": {"tails": [*spec.get("tails", ()), tail]}}
    http.patch(f"{KITES}/red", json=patch, headers=MERGE).raise_for_status()


def _append(http: Any, tail: dict[str, Any]) -> None:
    while True:
        found = http.get(f"{KITES}/red").json()
        patch = {
            "metadata": {"resourceVersion": found["metadata"]["resourceVersion"]},
            "spec": {"tails": [*found["spec"].get("tails", ()), tail]},
        }
        answer = http.patch(f"{KITES}/red", json=patch, headers=MERGE)
        if answer.status_code != 409:
            answer.raise_for_status()
            return


@pytest.mark.parametrize(("append", "tails"), [(_append_broken, ["long"]), (_append, ["short", "long"])])
def test_a_change_between_reading_and_writing(
    server: ApiServer, http: Any, append: Callable[[Any, dict[str, Any]], None], tails: list[str]
) -> None:
    server.client.create(kite())
    late = server.faults.latency(0.1, verb="patch", kind="Kite")
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(append, http, {"name": "long"})
        server.wait_for(lambda: late.count)
        server.client.patch("Kite", "red", {"spec": {"tails": [{"name": "short"}]}})
        writing.result()
    assert [each["name"] for each in server.client.get("Kite", "red")["spec"]["tails"]] == tails
    writers = [event.agent.partition("/")[0] for event in server.history(kite())]
    assert writers == ["pytest", "pytest", "python-httpx"], server.history(kite())


# --- the report -------------------------------------------------------------------------------------------------------


def test_the_history_shows_who_overwrote_what(server: ApiServer, http: Any) -> None:
    server.client.create(kite())
    server.client.patch("Kite", "red", {"spec": {"tails": [{"name": "short"}]}})
    http.patch(f"{KITES}/red", json={"spec": {"tails": [{"name": "long"}]}}, headers=MERGE)
    with pytest.raises(ConditionError) as failure:
        server.wait_for(lambda: server.client.get("Kite", "red")["spec"]["tails"][0]["name"] == "short", 0.01)
    assert 'spec.tails[0].name: "short" -> "long"  [python-httpx]' in str(failure.value)
