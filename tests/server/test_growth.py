"""Work grows with what a request is about, and not with what else is there. Calls are counted, so no clock decides."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition
from tests.server.asking import Asking, serving
from validation_gen.apiserver.storage.sqlite import SqliteStore

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_ROBOTS = "/apis/example.com/v1/namespaces/a/robots"
_MERGE = {"content-type": "application/merge-patch+json"}
_SPEC = {"type": "object", "properties": {"count": {"type": "integer"}}}
_CONFIGMAPS = "/api/v1/namespaces/a/configmaps"

Story = Callable[[Asking], Awaitable[object]]


def _robot(name: str) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": {"name": name}, "spec": {"count": 1}}


def _configmap(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"a": "b"}}


def _count_calls(objects: int, watches: int, story: Story) -> int:
    """Returns the number of calls of functions in a story with a server that has objects and watches."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    async def scenario() -> None:
        async with serving() as asking:
            schema = {"type": "object", "properties": {"spec": _SPEC}}
            assert (await asking.ask("POST", _DEFINITIONS, definition(schema))).status == 201
            await asking.settle()
            for number in range(objects):
                for url, obj in ((_ROBOTS, _robot(f"r{number}")), (_CONFIGMAPS, _configmap(f"c{number}"))):
                    assert (await asking.ask("POST", url, obj)).status == 201
            for _ in range(watches):
                await asking.watch(f"{_ROBOTS}?watch=1&resourceVersion=0&labelSelector=a%3Db")
            await story(asking)  # caches are filled
            await asking.settle()
            sys.setprofile(count)
            try:
                await story(asking)
                await asking.settle()
            finally:
                sys.setprofile(None)

    asyncio.run(scenario())
    return calls


async def _change(asking: Asking) -> None:
    for method, url, body, headers in (
        ("POST", _ROBOTS, _robot("new"), {}),
        ("PATCH", f"{_ROBOTS}/new", {"spec": {"count": 2}}, _MERGE),
        ("GET", f"{_ROBOTS}/new", None, {}),
        ("DELETE", f"{_ROBOTS}/new", None, {}),
        ("GET", f"{_ROBOTS}?limit=5", None, {}),
    ):
        assert (await asking.ask(method, url, body, headers)).status < 300


async def _list(asking: Asking) -> None:
    assert (await asking.ask("GET", _ROBOTS)).status == 200


async def _list_builtin(asking: Asking) -> None:
    assert (await asking.ask("GET", _CONFIGMAPS)).status == 200


def test_one_object_costs_the_same_beside_many() -> None:
    _, few, many = (_count_calls(number, 0, _change) for number in (1, 10, 80))
    assert many < 1.02 * few


@pytest.mark.parametrize("story", [_list, _list_builtin])
def test_lists_grow_with_their_objects(story: Story) -> None:
    few, many = (_count_calls(number, 0, story) for number in (20, 80))
    assert many < 4 * few


def test_a_change_grows_with_the_watches_that_see_it() -> None:
    _, few, some, many = (_count_calls(0, number, _change) for number in (1, 5, 20, 80))
    assert many - some < 4.2 * (some - few)


def test_statements_use_the_indexes() -> None:
    """No statement about one key, or about a prefix, reads all rows."""

    async def scenario() -> list[str]:
        store = SqliteStore()
        await store.start(lambda changes: None, lambda: None)
        texts: list[str] = []
        store._db.set_trace_callback(texts.append)
        revision = await store.put("/g/r/a", b"{}", 0)
        await store.put("/g/r/a", b"{}", revision)
        await store.get("/g/r/a")
        await store.scan("/g/r/", limit=5)
        await store.scan("/g/r/", after="/g/r/a", revision=revision)
        await store.count("/g/r/")
        await store.changes("/g/r/", revision)
        await store.delete("/g/r/a", revision + 1)
        store._db.set_trace_callback(None)
        plans = []
        for text in {text for text in texts if not text.startswith(("BEGIN", "COMMIT"))}:
            plans += [str(row[3]) for row in store._db.execute(f"EXPLAIN QUERY PLAN {text}")]
        await store.close()
        return plans

    plans = asyncio.run(scenario())
    assert len(plans) > 10
    # Results of queries within others are no tables.
    assert [plan for plan in plans if plan.startswith("SCAN") and "CO-ROUTINE" not in plan] == []
