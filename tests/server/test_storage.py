"""The stores keep entries, revisions and changes, each store the same."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.server.stores import KINDS, Etcd, make_store
from tests.tables import each
from validation_gen.apiserver.storage import (
    Change,
    CompactedError,
    ConflictError,
    FutureRevisionError,
    Store,
    StoreError,
    UnavailableError,
)
from validation_gen.apiserver.storage.etcd import EtcdStore
from validation_gen.apiserver.storage.etcd_client import EtcdClient, read_url

Work = Callable[[Store, list[Change]], Awaitable[None]]


def value(name: str, text: str = "") -> bytes:
    return json.dumps({"apiVersion": "a/v1", "metadata": {"name": name}, "text": text}).encode()


def text(entry: bytes | None) -> str | None:
    found: str | None = None if entry is None else json.loads(entry)["text"]
    return found


def run(store: Store, work: Work) -> None:
    async def whole() -> None:
        changes: list[Change] = []
        await store.start(changes.extend, changes.clear)
        try:
            await asyncio.wait_for(work(store, changes), 30)
        finally:
            await store.close()

    asyncio.run(whole())


@each("kind", KINDS, ids=str)
def test_a_write_needs_the_revision_that_it_replaces(kind: str, tmp_path: Path, etcd: Etcd) -> None:
    async def work(store: Store, changes: list[Change]) -> None:
        first = await store.put("/a/b/x", value("x", "1"), 0)
        with pytest.raises(ConflictError):
            await store.put("/a/b/x", value("x", "2"), 0)
        second = await store.put("/a/b/x", value("x", "2"), first)
        with pytest.raises(ConflictError):
            await store.delete("/a/b/x", first)
        third = await store.delete("/a/b/x", second)
        with pytest.raises(ConflictError):
            await store.delete("/a/b/x", second)
        assert [first, second, third] == [first, first + 1, first + 2]
        assert await store.get("/a/b/x") is None
        assert [(text(change.value), change.before and text(change.before.value)) for change in changes] == [
            ("1", None),
            ("2", "1"),
            (None, "2"),
        ]
        assert [change.revision for change in changes] == [first, second, third]

    run(make_store(kind, tmp_path, etcd), work)


@each("kind", KINDS, ids=str)
def test_reads_at_a_revision_show_what_was_there(kind: str, tmp_path: Path, etcd: Etcd) -> None:
    async def work(store: Store, changes: list[Change]) -> None:
        revisions = [await store.put(f"/a/b/{name}", value(name, name), 0) for name in "xyz"]
        await store.put("/a/bc/x", value("x"), 0)
        await store.delete("/a/b/x", revisions[0])
        await store.put("/a/b/y", value("y", "new"), revisions[1])
        entries, at = await store.scan("/a/b/", revision=revisions[2])
        assert (at, [text(entry.value) for entry in entries]) == (revisions[2], ["x", "y", "z"])
        assert [(entry.key, text(entry.value)) for entry in (await store.scan("/a/b/"))[0]] == [
            ("/a/b/y", "new"),
            ("/a/b/z", "z"),
        ]
        page, _ = await store.scan("/a/b/", revision=revisions[2], after="/a/b/x", limit=1)
        assert [entry.key for entry in page] == ["/a/b/y"]
        assert await store.count("/a/b/", revision=revisions[2], after="/a/b/x") == 2
        assert await store.count("/a/b/") == 2
        current = await store.revision()
        with pytest.raises(FutureRevisionError) as problem:
            await store.scan("/a/b/", revision=current + 99)
        assert problem.value.current == current
        with pytest.raises(FutureRevisionError):
            await store.count("/a/b/", revision=current + 99)
        assert [change.key for change in await store.changes("/a/b/", revisions[2])] == ["/a/b/x", "/a/b/y"]
        assert await store.changes("/a/b/", current) == []

    run(make_store(kind, tmp_path, etcd), work)


@each("kind", KINDS, ids=str)
def test_a_compacted_history_is_refused_and_the_rest_stays(kind: str, tmp_path: Path, etcd: Etcd) -> None:
    async def work(store: Store, changes: list[Change]) -> None:
        first = await store.put("/a/b/x", value("x", "1"), 0)
        second = await store.put("/a/b/x", value("x", "2"), first)
        third = await store.put("/a/b/y", value("y", "3"), 0)
        await store.compact(second)
        await store.compact(first)
        for read in (
            store.scan("/a/b/", revision=first),
            store.scan("/a/b/", revision=1),
            store.count("/a/b/", revision=first),
            store.changes("/a/b/", first),
            store.changes("/a/b/", 1),
        ):
            with pytest.raises(CompactedError):
                await read
        assert [text(entry.value) for entry in (await store.scan("/a/b/", revision=second))[0]] == ["2"]
        assert [change.revision for change in await store.changes("/a/b/", second)] == [third]

    run(make_store(kind, tmp_path, etcd), work)


@each("kind", ["file", "etcd"], ids=str)
def test_a_new_store_has_the_entries_revisions_and_history_of_the_last_one(
    kind: str, tmp_path: Path, etcd: Etcd
) -> None:
    found: dict[str, int] = {}

    async def fill(store: Store, changes: list[Change]) -> None:
        found["first"] = await store.put("/a/b/x", value("x", "1"), 0)
        await store.compact(found["first"])
        found["second"] = await store.put("/a/b/y", value("y", "2"), 0)
        found["third"] = await store.put("/a/b/x", value("x", "3"), found["first"])
        found["fourth"] = await store.delete("/a/b/y", found["second"])

    async def look(store: Store, changes: list[Change]) -> None:
        assert [text(entry.value) for entry in (await store.scan("/a/b/"))[0]] == ["3"]
        shown = [
            (change.revision, text(change.value), change.before and text(change.before.value))
            for change in await store.changes("/a/b/", found["first"])
        ]
        assert shown == [(found["second"], "2", None), (found["third"], "3", "1"), (found["fourth"], None, "2")]
        # Those before the start are of no interest to the listener; deletes may come all the same.
        assert [change.value for change in changes] in ([], [None])
        before = await store.revision()
        assert await store.put("/a/b/z", value("z"), 0) == before + 1
        assert [change.key for change in changes if change.value is not None] == ["/a/b/z"]
        with pytest.raises(CompactedError):
            await store.changes("/a/b/", found["first"] - 1)

    prefix = etcd.prefix()
    for work in (fill, look):
        run(EtcdStore(etcd.url, prefix) if kind == "etcd" else make_store(kind, tmp_path, etcd), work)


def test_stores_on_one_etcd_see_each_other_and_skip_what_is_no_object(etcd: Etcd) -> None:
    prefix = etcd.prefix()

    async def work(store: Store, changes: list[Change]) -> None:
        async def other(other: Store, theirs: list[Change]) -> None:
            for number in range(50):
                await (store, other)[number % 2].put(f"/a/b/x{number}", value(f"x{number}"), 0)
            entry = await other.get("/a/b/x0")
            assert entry is not None
            for garbage in (b"", b"k8s\0\1", b"[1]", b"{", b'{"metadata":{}}', b"\xff", b"[" * 100_000):
                entry_revision = await other.put("/a/b/x0", garbage, entry.revision)
                with pytest.raises(StoreError, match=r"/a/b/x0 in etcd is no object"):
                    await store.get("/a/b/x0")
                page, _ = await store.scan("/a/b/", limit=2)
                assert [found.key for found in page] == ["/a/b/x1", "/a/b/x10"]
                revision = await store.put("/a/b/x0", value("x0"), entry_revision)
                entry = await other.get("/a/b/x0")
                assert entry is not None
                assert entry.revision == revision
            last = await other.put("/a/b/last", value("last"), 0)
            while not (changes[-1].revision == theirs[-1].revision == last):
                await asyncio.sleep(0.01)
            assert [(change.key, change.value) for change in changes[50:52]] == [
                ("/a/b/x0", None),
                ("/a/b/x0", value("x0")),
            ]
            assert changes[51].before is None

        nested = EtcdStore(etcd.url, prefix)
        theirs: list[Change] = []
        await nested.start(theirs.extend, theirs.clear)
        try:
            await other(nested, theirs)
        finally:
            await nested.close()
        assert changes == theirs
        assert len({change.revision for change in changes}) == len(changes)

    run(EtcdStore(etcd.url, prefix), work)


def test_changes_in_memory_are_bounded(etcd: Etcd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validation_gen.apiserver.storage.etcd._MOST_BYTES", 10_000)
    monkeypatch.setattr("validation_gen.apiserver.storage.etcd._PAGE", 3)

    async def work(store: Store, changes: list[Change]) -> None:
        revisions = [await store.put(f"/a/b/x{number}", value("x", "y" * 900), 0) for number in range(20)]
        assert len(changes) == 20
        with pytest.raises(CompactedError):
            await store.changes("/a/b/", revisions[5])
        assert len(await store.changes("/a/b/", revisions[15])) == 4
        assert len((await store.scan("/a/b/"))[0]) == 20
        assert len((await store.scan("/a/b/", limit=7))[0]) == 7

    run(EtcdStore(etcd.url, etcd.prefix()), work)


def test_one_server_of_several_compacts(etcd: Etcd, monkeypatch: pytest.MonkeyPatch) -> None:
    interval, prefix, compacted = 0.1, etcd.prefix(), list[int]()
    monkeypatch.setattr("validation_gen.apiserver.storage.etcd._COMPACT_SECONDS", interval)
    call = EtcdClient.call

    async def observe(client: EtcdClient, method: str, request: Any) -> Any:
        if method == "Compact":
            compacted.append(request.revision)
        return await call(client, method, request)

    monkeypatch.setattr(EtcdClient, "call", observe)

    async def work(store: Store, changes: list[Change]) -> None:
        first = await store.put("/a/b/x", value("x", "1"), 0)
        second = await store.put("/a/b/x", value("x", "2"), first)
        started = time.monotonic()
        others = [EtcdStore(etcd.url, prefix) for _ in range(3)]
        for other in others:
            await other.start(lambda changes: None, lambda: None)
        while len(compacted) < 4:
            await asyncio.sleep(0.01)
        seconds = time.monotonic() - started
        for other in others:
            await other.close()
        assert compacted == sorted(set(compacted))
        assert len(compacted) <= seconds / interval + 2
        # Those who have seen the changes know them still, others do not.
        assert [text(entry.value) for entry in (await store.scan("/a/b/", revision=first))[0]] == ["1"]
        assert await store.count("/a/b/", revision=first) == 1
        await others[0].start(lambda changes: None, lambda: None)
        try:
            with pytest.raises(CompactedError):
                await others[0].scan("/a/b/", revision=first)
            with pytest.raises(CompactedError):
                await others[0].changes("/a/b/", first)
            assert [entry.revision for entry in (await others[0].scan("/a/b/"))[0]] == [second]
        finally:
            await others[0].close()

    run(EtcdStore(etcd.url, prefix), work)


def test_a_store_that_is_not_there_is_reported(etcd: Etcd, tmp_path: Path) -> None:
    async def nothing(store: Store, changes: list[Change]) -> None:
        raise AssertionError

    with pytest.raises(UnavailableError, match=r"etcd at 127\.0\.0\.1:1 does not answer: .*Connection refused"):
        run(EtcdStore("http://127.0.0.1:1"), nothing)
    with pytest.raises(StoreError, match=r"ca\.crt: No such file"):
        run(EtcdStore(f"https://127.0.0.1:1?cafile={tmp_path}/ca.crt"), nothing)


@pytest.mark.slow
def test_a_store_behind_tls(tmp_path: Path) -> None:
    authority = trustme.CA()
    files = {"ca.crt": authority.cert_pem}
    for name in ("server", "client"):
        issued = authority.issue_cert("127.0.0.1")
        files |= {f"{name}.key": issued.private_key_pem, f"{name}.crt": issued.cert_chain_pems[0]}
    for name, content in files.items():
        content.write_to_path(tmp_path / name)
    options = [f"--cert-file={tmp_path}/server.crt", f"--key-file={tmp_path}/server.key"]
    options += [f"--trusted-ca-file={tmp_path}/ca.crt", "--client-cert-auth", "--unsafe-no-fsync"]

    async def work(store: Store, changes: list[Change]) -> None:
        await store.put("/a/b/x", value("x"), 0)
        assert len(changes) == 1

    with Etcd(tmp_path, *options, scheme="https") as etcd:
        known = f"{etcd.url}?cafile={tmp_path}/ca.crt"
        run(EtcdStore(f"{known}&certfile={tmp_path}/client.crt&keyfile={tmp_path}/client.key"), work)
        for url in (known, etcd.url):  # without a certificate, and without the authority
            with pytest.raises(UnavailableError):
                run(EtcdStore(url), work)


@each(
    "url, problem",
    [
        ("127.0.0.1:2379", "must be a URL"),
        ("ftp://x", "must be a URL"),
        ("http://", "must be a URL"),
        ("http://me:secret@x", "must have only a host"),
        ("http://x/path", "must have only a host"),
        ("http://x?cafile=a", "unknown parameter cafile"),
        ("https://x?ca=a", "unknown parameter ca"),
        ("https://x?certfile=a", "belong together"),
        ("http://x:port", "Port could not be cast"),
        ("http://[x", "Invalid IPv6"),
    ],
)
def test_a_wrong_url_is_refused(url: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_url(url)


def test_a_url_has_a_default_port_and_files() -> None:
    assert read_url("http://etcd") == ("etcd:2379", None)
    assert read_url("https://[::1]:1/?cafile=a%20b") == ("[::1]:1", {"cafile": "a b"})
