"""The stores keep entries, revisions and changes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.tables import each
from validation_gen.apiserver.storage import Change, CompactedError, ConflictError, FutureRevisionError
from validation_gen.apiserver.storage.sqlite import SqliteStore


def run(work: Callable[[SqliteStore, list[Change]], Awaitable[None]], path: Path | None = None) -> None:
    async def whole() -> None:
        changes: list[Change] = []
        store = SqliteStore(path)
        await store.start(changes.extend)
        try:
            await work(store, changes)
        finally:
            await store.close()

    asyncio.run(whole())


@each("on_disk", [True, False], ids=str)
def test_a_write_needs_the_revision_that_it_replaces(on_disk: bool, tmp_path: Path) -> None:
    async def work(store: SqliteStore, changes: list[Change]) -> None:
        first = await store.put("/a/x", b"1", 0)
        with pytest.raises(ConflictError):
            await store.put("/a/x", b"2", 0)
        second = await store.put("/a/x", b"2", first)
        with pytest.raises(ConflictError):
            await store.delete("/a/x", first)
        third = await store.delete("/a/x", second)
        assert [first, second, third] == [first, first + 1, first + 2]
        assert await store.get("/a/x") is None
        assert [(change.value, change.before and change.before.value) for change in changes] == [
            (b"1", None),
            (b"2", b"1"),
            (None, b"2"),
        ]

    run(work, tmp_path / f"{on_disk}.db" if on_disk else None)


def test_reads_at_a_revision_show_what_was_there() -> None:
    async def work(store: SqliteStore, changes: list[Change]) -> None:
        revisions = [await store.put(f"/a/{name}", name.encode(), 0) for name in "xyz"]
        await store.delete("/a/x", revisions[0])
        await store.put("/a/y", b"new", revisions[1])
        entries, at = await store.scan("/a/", revision=revisions[2])
        assert (at, [entry.value for entry in entries]) == (revisions[2], [b"x", b"y", b"z"])
        assert [entry.value for entry in (await store.scan("/a/"))[0]] == [b"new", b"z"]
        assert [entry.key for entry in (await store.scan("/a/", revision=revisions[2], after="/a/x", limit=1))[0]] == [
            "/a/y"
        ]
        assert await store.count("/a/", revision=revisions[2], after="/a/x") == 2
        with pytest.raises(FutureRevisionError):
            await store.scan("/a/", revision=99)
        assert [change.key for change in await store.changes("/a/", revisions[2])] == ["/a/x", "/a/y"]

    run(work)


def test_a_compacted_history_is_refused_and_the_rest_stays() -> None:
    async def work(store: SqliteStore, changes: list[Change]) -> None:
        first = await store.put("/a/x", b"1", 0)
        second = await store.put("/a/x", b"2", first)
        third = await store.put("/a/y", b"3", 0)
        await store.compact(second)
        with pytest.raises(CompactedError):
            await store.scan("/a/", revision=first)
        with pytest.raises(CompactedError):
            await store.changes("/a/", first)
        assert [entry.value for entry in (await store.scan("/a/", revision=second))[0]] == [b"2"]
        assert [change.revision for change in await store.changes("/a/", second)] == [third]

    run(work)


def test_a_file_has_its_entries_and_revisions_again(tmp_path: Path) -> None:
    async def fill(store: SqliteStore, changes: list[Change]) -> None:
        await store.put("/a/x", b"1", 0)
        await store.compact(await store.put("/a/y", b"2", 0))

    async def look(store: SqliteStore, changes: list[Change]) -> None:
        assert [entry.value for entry in (await store.scan("/a/"))[0]] == [b"1", b"2"]
        before = await store.revision()
        assert await store.put("/a/z", b"3", 0) == before + 1
        with pytest.raises(CompactedError):
            await store.changes("/a/", before - 1)

    run(fill, tmp_path / "state.db")
    run(look, tmp_path / "state.db")
