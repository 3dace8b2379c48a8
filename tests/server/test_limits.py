"""Limits of the server's process: watches, connections, heads, and the disk."""

from __future__ import annotations

import asyncio
import resource
import selectors
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.server.process import URL, Served, ask, make, served
from validation_gen.apiserver.storage import Change, StoreError
from validation_gen.apiserver.storage import sqlite as sqlite_store
from validation_gen.apiserver.storage.sqlite import SqliteStore
from validation_gen.commands.apiserver import running

pytestmark = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of other processes are Linux's")

_WATCHES = 10_000


@contextmanager
def _many_files(number: int) -> Iterator[int]:
    """Lets this process open many files, and yields how many connections it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = number + 500 if hard == resource.RLIM_INFINITY else min(hard, number + 500)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    try:
        yield min(number, max(soft, most) - 500)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _watch(server: Served) -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", server.port), 60)
    sock.sendall(f"GET {URL}?watch=1 HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    return sock


def _wait_for(socks: list[socket.socket], text: bytes) -> int:
    """Reads from sockets until each has had a text, and returns for how many that is so."""
    found = 0
    with selectors.DefaultSelector() as selector:
        for sock in socks:
            sock.setblocking(False)
            selector.register(sock, selectors.EVENT_READ, bytearray())
        deadline = time.monotonic() + 120
        while selector.get_map() and time.monotonic() < deadline:
            for key, _ in selector.select(1):
                data = b""
                with suppress(ConnectionResetError):
                    data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                key.data.extend(data)
                if text in key.data or not data:
                    found += text in key.data
                    selector.unregister(key.fileobj)
    return found


@pytest.mark.slow
@pytest.mark.process
def test_ten_thousand_watches(tmp_path: Path) -> None:
    with _many_files(_WATCHES) as number, served(tmp_path) as server, ExitStack() as stack:
        client = stack.enter_context(closing(server.connect()))
        before = server.resident
        socks = [stack.enter_context(closing(_watch(server))) for _ in range(number)]
        assert _wait_for(socks, b"HTTP/1.1 200") == number
        assert (server.resident - before) / number < 48 << 10
        assert ask(client, "POST", URL, make("x"))[0] == 201
        assert _wait_for(socks, b'"ADDED"') == number
        assert ask(client, "GET", f"{URL}/x")[0] == 200
        assert server.errors.read_text(encoding="utf-8") == ""


@pytest.mark.slow
@pytest.mark.process
def test_a_client_that_does_not_read(tmp_path: Path) -> None:
    """The changes that wait for it are bounded, and it learns that it has missed some."""
    text = "x" * 400_000
    with served(tmp_path, "--data", "state.db") as server, ExitStack() as stack:
        client = stack.enter_context(closing(server.connect()))
        slow = stack.enter_context(closing(_watch(server)))
        assert slow.recv(1 << 10)
        assert ask(client, "POST", URL, make("x", text=text))[0] == 201
        before = server.resident
        for number in range(300):
            body = {"spec": {"text": f"{number}{text}"}}
            assert ask(client, "PATCH", f"{URL}/x", body)[0] == 200
        assert server.resident - before < 100 << 20
        assert _wait_for([slow], b'"reason":"Expired","code":410}}') == 1
        assert server.errors.read_text(encoding="utf-8") == ""


@pytest.mark.slow
@pytest.mark.process
def test_more_connections_than_files(tmp_path: Path) -> None:
    """Connections above the limit are closed; the others are answered, and nothing is printed."""
    with served(tmp_path, files=300) as server, ExitStack() as stack:
        client = stack.enter_context(closing(server.connect()))
        assert ask(client, "GET", URL)[0] == 200
        socks = [stack.enter_context(closing(_watch(server))) for _ in range(400)]
        assert _wait_for(socks, b"HTTP/1.1 200") == 300 - 200 - 1
        assert ask(client, "POST", URL, make("x"))[0] == 201
        assert server.errors.read_text(encoding="utf-8") == ""


def test_connections_fit_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Any] = []
    for found, wanted in (((256, 524_288), 12_000), ((1024, 4096), 3896), ((100_000, 100_000), 12_000)):
        monkeypatch.setattr(resource, "getrlimit", lambda kind, found=found: found)
        monkeypatch.setattr(resource, "setrlimit", lambda kind, pair: limits.append(pair))
        assert running._allow_connections() == wanted
    assert limits == [(12_200, 524_288), (4096, 4096)]


@pytest.mark.slow
@pytest.mark.process
def test_slow_and_long_heads(tmp_path: Path) -> None:
    with served(tmp_path) as server, ExitStack() as stack:
        client = stack.enter_context(closing(server.connect()))
        slow, long, many = (
            stack.enter_context(closing(socket.create_connection(("127.0.0.1", server.port), 60))) for _ in range(3)
        )
        slow.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        for sock, head in ((long, b"GET /" + b"x" * 200_000), (many, b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 50_000)):
            with suppress(ConnectionError):
                sock.sendall(head)
                assert sock.recv(1 << 16)[:13] == b"HTTP/1.1 400 "
        assert ask(client, "POST", URL, make("x"))[0] == 201
        slow.settimeout(30)
        begun = time.monotonic()
        assert slow.recv(1) == b""
        assert time.monotonic() - begun > 5
        assert server.errors.read_text(encoding="utf-8") == ""


# --- the disk ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.process
def test_a_full_disk(tmp_path: Path) -> None:
    """Writes are refused with words, reads go on, and once there is room, writes do, too. Nothing is lost."""
    text = "x" * 20_000
    with served(tmp_path, "--data", "state.db") as server, closing(server.connect()) as client:
        answered = {}
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
        for number in range(200):
            code, found = ask(client, "POST", URL, make(f"a{number}", text=text))
            if code != 201:
                break
            answered[found["metadata"]["name"]] = found
        assert code == 500
        assert found["message"].startswith("storage: ")
        assert len(answered) > 5
        for _ in range(3):
            assert ask(client, "POST", URL, make("more", text=text))[0] == 500
            assert ask(client, "GET", f"{URL}/a0") == (200, answered["a0"])
            assert ask(client, "GET", f"{URL}/more")[0] == 404
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        for number in range(3):
            code, found = ask(client, "POST", URL, make(f"b{number}", text=text))
            assert code == 201, found
            answered[found["metadata"]["name"]] = found
        assert server.errors.read_text(encoding="utf-8") == ""
    with served(tmp_path, "--data", "state.db") as server, closing(server.connect()) as client:
        _, listed = ask(client, "GET", URL)
        assert {item["metadata"]["name"]: item for item in listed["items"]} == answered


async def _fill(store: SqliteStore, prefix: str) -> int:
    for number in range(10_000):
        try:
            await store.put(f"/g/r/{prefix}{number}", b"{}" + b" " * 1000, 0)
        except StoreError as problem:
            return number if "full" in str(problem) else -1
    return -1


def test_a_full_store_stays_as_it_was(tmp_path: Path) -> None:
    asyncio.run(_full_store(tmp_path))


async def _full_store(tmp_path: Path) -> None:
    changes: list[Change] = []
    store = SqliteStore(tmp_path / "state.db")
    await store.start(changes.extend, changes.clear)
    store._db.execute("PRAGMA max_page_count=60")
    number = await _fill(store, "a")
    revision = await store.revision()
    assert len(changes) == number
    for _ in range(2):
        with pytest.raises(StoreError):
            await store.put("/g/r/more", b" " * 10_000, 0)
        assert (await store.revision(), await store.count("/g/r/")) == (revision, number)
    store._db.execute("PRAGMA max_page_count=1000000")
    assert await store.put("/g/r/more", b"{}", 0) == revision + 1
    await store.close()
    again = SqliteStore(tmp_path / "state.db")
    await again.start(changes.extend, changes.clear)
    assert (await again.count("/g/r/"), await again.revision()) == (number + 1, revision + 1)
    await again.close()


def test_a_write_is_no_failure_if_history_cannot_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "_MOST_HISTORY", 2)

    def fail(store: SqliteStore, revision: int) -> None:
        raise StoreError("full")

    monkeypatch.setattr(SqliteStore, "_compact", fail)

    async def scenario() -> None:
        store = SqliteStore()
        await store.start(lambda changes: None, lambda: None)
        for number in range(10):
            assert await store.put(f"/g/r/{number}", b"{}", 0)
        assert await store.count("/g/r/") == 10

    asyncio.run(scenario())


def test_an_error_of_the_disk_is_an_error_of_the_store(tmp_path: Path) -> None:
    class Broken:
        def execute(self, text: str, values: Any = ()) -> Any:
            raise sqlite3.OperationalError("disk I/O error")

    store = SqliteStore(tmp_path / "state.db")
    store._db = Broken()  # type: ignore[assignment]
    with pytest.raises(StoreError, match="disk I/O error"), store._transaction():
        pass
