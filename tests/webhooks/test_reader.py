"""The reader: what it keeps, how often it asks, and what it does when that fails."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.webhooks.asking import in_loop
from validation_gen.webhooks.reader import BlockingReader, Reader

DOCK = ("example.com/v1", "Dock", "default", "north")


class Client:
    """Knows a dock, and is as slow as it is told to be."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.problem: Exception | None = None
        self.found: Any = {"spec": {"size": 1}}

    async def get(self, *names: str) -> Any:
        self.asked.append(names)
        await self.go_on.wait()
        if self.problem is not None:
            raise self.problem
        return self.found


class Clock:
    """Tells the time that it is set to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@in_loop
async def test_what_was_read_is_kept_for_a_while() -> None:
    client, clock = Client(), Clock()
    reader = Reader(client.get, ttl=5, clock=clock)
    first = await reader.get(*DOCK)
    first["spec"]["size"] = 2  # which is one's own
    clock.now = 4.9
    assert await reader.get(*DOCK) == {"spec": {"size": 1}}
    assert client.asked == [DOCK]
    assert await reader.get(*DOCK, fresh=True) == {"spec": {"size": 1}}
    assert len(client.asked) == 2
    client.found = None
    clock.now = 20.0
    assert await reader.get(*DOCK) is None
    assert await reader.get(*DOCK) is None
    assert len(client.asked) == 3


@in_loop
async def test_one_question_at_a_time_for_each_object() -> None:
    client = Client()
    client.go_on.clear()
    reader = Reader(client.get)
    several = [asyncio.create_task(reader.get(*DOCK)) for _ in range(20)]
    other = asyncio.create_task(reader.get(*DOCK[:3], "south"))
    while len(client.asked) < 2:
        await asyncio.sleep(0)
    several.pop(0).cancel()  # the first request ends, and the others go on
    client.go_on.set()
    assert await asyncio.gather(*several, other) == [{"spec": {"size": 1}}] * 20
    assert len(client.asked) == 2


@in_loop
async def test_failures_are_not_kept() -> None:
    client = Client()
    client.problem = OSError("away")
    reader = Reader(client.get)
    for found in await asyncio.gather(*(reader.get(*DOCK) for _ in range(3)), return_exceptions=True):
        assert isinstance(found, OSError)
    client.problem = None
    assert await reader.get(*DOCK)
    assert len(client.asked) == 2


@in_loop
async def test_a_question_has_its_time() -> None:
    client = Client()
    client.go_on.clear()
    reader = Reader(client.get, timeout=0.01)
    with pytest.raises(TimeoutError, match=r"no answer about Dock north in 0\.01 s"):
        await reader.get(*DOCK)
    client.go_on.set()
    assert await Reader(client.get).get(*DOCK)


@in_loop
async def test_only_so_many_are_kept() -> None:
    client = Client()
    reader = Reader(client.get, most=2)
    for name in ("a", "b", "a", "c", "a", "b"):
        await reader.get(*DOCK[:3], name)
    assert [names[3] for names in client.asked] == ["a", "b", "c", "b"]


@in_loop
async def test_threads_can_read_as_well() -> None:
    client = Client()
    reader = BlockingReader(Reader(client.get), asyncio.get_running_loop())
    assert await asyncio.to_thread(reader.get, *DOCK) == {"spec": {"size": 1}}
