"""Servers for tests: as people start them, and in a thread of the test, with less patience."""

from __future__ import annotations

import contextlib
import json
import queue
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import trustme

from tests.cli.conftest import DOC, HOME, TYPES
from tests.webhooks.test_reviews import REQUEST
from validation_gen.commands.serve.running import Patience, Served, Server, listening_at
from validation_gen.commands.serve.tls import Files, Watched
from validation_gen.webhooks import Webhook


def environment(directory: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(HOME), "PATH": "", "GOMODCACHE": str(directory / "none"), "HOME": str(directory)}


class Process:
    """A running webhook."""

    def __init__(self, directory: Path, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "validation_gen", "webhook", "serve", *args, "--port", "0"],
            cwd=directory,
            env=environment(directory),
            stderr=subprocess.PIPE,
            text=True,
        )
        self.told = ""
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        while not (found := re.search(r"listening at https://127\.0\.0\.1:(\d+)/validate", self.line())):
            pass
        self.port = int(found[1])

    def _read(self) -> None:
        """Reads all that it says, so that it never waits for somebody who does."""
        assert self.process.stderr is not None
        with self.process.stderr:
            for line in self.process.stderr:
                self.told += line
                self._lines.put(line)
        self._lines.put("")

    def line(self) -> str:
        """The next line that it says."""
        found = self._lines.get(timeout=120)
        assert found, self.told
        return found

    def lines_until(self, text: str) -> str:
        """The next line that has a text."""
        while text not in (found := self.line()):
            pass
        return found

    def end(self, number: int = signal.SIGINT) -> int:
        """Ends it as Ctrl-C does."""
        self.process.send_signal(number)
        code = self.process.wait(60)
        self._reader.join(60)
        return code


class Certificates:
    """Files with what an authority has issued."""

    def __init__(self, authority: trustme.CA, directory: Path) -> None:
        self.authority = authority
        issued = authority.issue_cert("127.0.0.1")
        self.files = str(directory / "tls.crt"), str(directory / "tls.key")
        issued.private_key_pem.write_to_path(self.files[1])
        Path(self.files[0]).write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))

    def client(self, shown: trustme.LeafCert | None = None) -> ssl.SSLContext:
        """What a client trusts, and the certificate that it shows."""
        context = ssl.create_default_context()
        self.authority.configure_trust(context)
        if shown is not None:
            shown.configure_cert(context)
        return context


@contextlib.contextmanager
def served(
    webhook: Webhook,
    files: Files,
    *,
    patience: Patience | None = None,
    watched: Watched | None = None,
    certified: bool = False,
    delay: float = 0,
) -> Iterator[tuple[Server, int]]:
    """A server in a thread, and its port."""
    sockets = listening_at("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    begun = threading.Event()
    what = Served(webhook, sockets, files.context(), watched, certified, delay, patience or Patience())
    server = Server(what, begun.set)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert begun.wait(60)
        yield server, port
    finally:
        server.end()
        thread.join(60)
        assert not thread.is_alive()


def project(directory: Path) -> None:
    package = directory / "apis/things/v1"
    package.mkdir(parents=True)
    (package / "doc.go").write_text(DOC, encoding="utf-8")
    (package / "types.go").write_text(TYPES, encoding="utf-8")


def thing(name: str) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"name": name}}


def review(obj: Any, **more: Any) -> bytes:
    request = {**REQUEST, "object": obj, **more}
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}).encode()


def request(body: bytes, *more: str, path: str = "/validate", method: str = "POST") -> bytes:
    """A request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", "Host: a", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, *more, "", ""]).encode() + body


@contextlib.contextmanager
def connected(port: int, context: ssl.SSLContext) -> Iterator[ssl.SSLSocket]:
    with (
        socket.create_connection(("127.0.0.1", port), 60) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as found,
    ):
        yield found


def answer(sock: ssl.SSLSocket) -> tuple[int, bytes]:
    """The status and the body of the next answer."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = sock.recv(1)
        if not part:
            raise EOFError(data)
        data += part
    head = data.lower()
    length = re.search(rb"content-length: (\d+)", head)
    wanted = int(length[1]) if length else 0
    body = b""
    while len(body) < wanted:
        body += sock.recv(wanted - len(body))
    return int(head.split()[1]), body


def ended(sock: ssl.SSLSocket) -> bool:
    """Whether the other side ends the connection."""
    try:
        while sock.recv(1 << 16):
            pass
    except (ConnectionError, ssl.SSLError):
        pass
    return True
