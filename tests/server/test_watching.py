"""Watches are bounded: slow ones are cut, and many of them share what waits."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition
from tests.server.asking import Answer, Asking, in_server, serving
from tests.webhooks.asking import in_loop
from validation_gen.apiserver import watching
from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.storage import Change
from validation_gen.apiserver.watching import Hub, Published

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_ROBOTS = "/apis/example.com/v1/namespaces/{}/robots"
_PREFIX = "/example.com/robots/"


@asynccontextmanager
async def _serving(**options: Any) -> AsyncIterator[Asking]:
    async with serving(**options) as asking:
        schema = {"type": "object", "properties": {"spec": {"type": "string"}}}
        assert (await asking.ask("POST", _DEFINITIONS, definition(schema))).status == 201
        await asking.settle()
        yield asking


async def _create(asking: Asking, name: str, *, space: str = "a", spec: str = "", **meta: Any) -> None:
    obj = {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": {"name": name, **meta}, "spec": spec}
    assert (await asking.ask("POST", _ROBOTS.format(space), obj)).status == 201
    await asking.settle()


def _names(answer: Answer) -> list[str]:
    return [event["object"]["metadata"]["name"] for event in answer.events if event["type"] == "ADDED"]


@pytest.mark.parametrize(("limit", "value"), [("_MOST_WAITING", 20), ("_MOST_BYTES", 20_000)])
def test_a_slow_watch_is_cut(monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    monkeypatch.setattr(watching, limit, value)
    monkeypatch.setattr(watching, "_COUNTED", 1)

    async def scenario() -> None:
        async with _serving() as asking:
            reads = asyncio.Event()
            reads.set()
            url = f"{_ROBOTS.format('a')}?watch=1"
            slow, quick = await asking.watch(url, reads=reads), await asking.watch(url)
            await asking.settle()
            reads.clear()
            for number in range(60):
                await _create(asking, f"r{number}", spec="x" * 500)
            before = slow.ended
            reads.set()
            await asking.settle()
            assert (before, slow.ended) == (False, True)
            assert slow.events[-1]["type"] == "ERROR"
            status = slow.events[-1]["object"]
            assert (status["code"], status["reason"]) == (410, "Expired")
            assert len(_names(slow)) < 40  # and in order, without a gap
            assert _names(slow) == [f"r{number}" for number in range(len(_names(slow)))]
            assert _names(quick) == [f"r{number}" for number in range(60)]
            assert asking.app.hub.count == 1

    asyncio.run(scenario())


def test_a_fault_ends_a_watch_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*arguments: object) -> None:
        raise KeyError("x")

    async def scenario() -> None:
        async with _serving() as asking:
            watch = await asking.watch(f"{_ROBOTS.format('a')}?watch=1")
            monkeypatch.setattr(watching, "convert_objects", fail)
            await _create(asking, "r")
            [event] = watch.events
            assert (event["type"], event["object"]["code"]) == ("ERROR", 500)
            assert "KeyError" in event["object"]["message"]
            assert watch.ended
            assert asking.app.hub.count == 0

    asyncio.run(scenario())


@in_server(_serving)
async def test_a_pause_within_the_bounds_loses_nothing(asking: Asking) -> None:
    reads = asyncio.Event()
    slow = await asking.watch(f"{_ROBOTS.format('a')}?watch=1", reads=reads)
    for number in range(10):
        await _create(asking, f"r{number}")
    reads.set()
    await asking.settle()
    assert _names(slow) == [f"r{number}" for number in range(10)]
    assert not slow.ended


def test_events_are_encoded_once_for_each_form(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []
    line = watching._line

    def counted(event: Any) -> bytes:
        encoded.append(event["type"])
        return line(event)

    monkeypatch.setattr(watching, "_line", counted)
    partial = {"accept": "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"}

    async def scenario() -> None:
        async with _serving() as asking:
            plain = [await asking.watch(f"{_ROBOTS.format('a')}?watch=1") for _ in range(5)]
            metadata = [await asking.watch(f"{_ROBOTS.format('a')}?watch=1", partial) for _ in range(5)]
            chosen = await asking.watch(f"{_ROBOTS.format('a')}?watch=1&labelSelector=app%3Dx")
            await _create(asking, "first", labels={"app": "x"})
            await _create(asking, "second")
            assert len(encoded) == 5
            assert {each.body for each in plain} == {plain[0].body}
            assert {each.body for each in metadata} == {metadata[0].body}
            assert [each["object"]["kind"] for each in plain[0].events] == ["Robot", "Robot"]
            assert [each["object"]["kind"] for each in metadata[0].events] == ["PartialObjectMetadata"] * 2
            assert _names(chosen) == ["first"]

    asyncio.run(scenario())


def _change(number: int, space: str) -> Change:
    return Change(f"{_PREFIX}{space}/r{number}", number, b"x" * 100, None)


async def _take(watch: watching.Subscription) -> list[int]:
    return [each.change.revision for each in await watch.take(Clock(), 0.0)]


@in_loop
async def test_what_all_watches_have_taken_is_gone() -> None:
    hub = Hub()
    watches = [hub.subscribe(_PREFIX), hub.subscribe(_PREFIX), hub.subscribe(f"{_PREFIX}a/")]
    hub.publish([_change(number, "a") for number in range(1, 101)])
    assert _count() == 100  # once, and not for each watch
    assert [await _take(watch) for watch in watches[:2]] == [list(range(1, 101))] * 2
    assert _count() == 100
    assert await _take(watches[2]) == list(range(1, 101))
    hub.publish([])
    assert _count() <= 1
    for watch in watches:
        watch.close()
    assert hub.count == 0


def _count() -> int:
    gc.collect()
    return sum(isinstance(each, Published) for each in gc.get_objects())


def test_a_change_wakes_only_the_watches_that_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[watching.Subscription] = []
    wake = watching.Subscription.wake

    def counted(watch: watching.Subscription) -> None:
        woken.append(watch)
        wake(watch)

    monkeypatch.setattr(watching.Subscription, "wake", counted)

    async def scenario() -> None:
        hub = Hub()
        spaces = {f"s{number}": hub.subscribe(f"{_PREFIX}s{number}/") for number in range(200)}
        everything = hub.subscribe(_PREFIX)
        waiting = [asyncio.ensure_future(each.take(Clock(), 1e12)) for each in (*spaces.values(), everything)]
        await asyncio.sleep(0)
        hub.publish([_change(1, "s7")])
        assert set(woken) == {spaces["s7"], everything}
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("query", "times"),
    [
        ("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", [1, 61]),
        ("&resourceVersion=0", [1, 61]),
        ("&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan", [60]),
        ("&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=10", [8]),
    ],
)
@in_loop
async def test_bookmarks(query: str, times: list[int]) -> None:
    """A bookmark comes at its time, if something has changed since the last one."""

    clock = Clock()
    clock.freeze()
    async with _serving(clock=clock) as asking:
        watch = await asking.watch(f"{_ROBOTS.format('a')}?watch=1&allowWatchBookmarks=true{query}")
        found = []
        for second in range(1, 70):
            if not watch.ended:
                await _create(asking, f"r{second}")
            before = sum(event["type"] == "BOOKMARK" for event in watch.events)
            clock.tick(1)
            await asking.settle()
            if sum(event["type"] == "BOOKMARK" for event in watch.events) > before:
                found.append(second)
        assert found == times


@in_server(_serving)
async def test_a_client_that_is_gone_at_once_leaves_no_watch(asking: Asking) -> None:
    for pauses in range(12):
        task = asyncio.ensure_future(asking.ask("GET", f"{_ROBOTS.format('a')}?watch=1"))
        for _ in range(pauses):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asking.settle()
        assert asking.app.hub.count == 0


@in_server(_serving)
async def test_a_watch_of_much_history_is_sent_in_pieces(asking: Asking) -> None:
    before = (await asking.ask("GET", _ROBOTS.format("a"))).json["metadata"]["resourceVersion"]
    for number in range(30):
        await _create(asking, f"r{number}", spec="x" * 10_000)
    for query in ("", f"&resourceVersion={before}"):
        answer = await asking.watch(f"{_ROBOTS.format('a')}?watch=1{query}")
        assert sorted(_names(answer)) == sorted(f"r{number}" for number in range(30))
        assert len(answer.sizes) > 3
        assert max(answer.sizes) < 100_000
