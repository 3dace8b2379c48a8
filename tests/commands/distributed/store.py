"""A store of S3 that fails as stores do: a program, since what it needs has warnings that are errors in tests.

It holds the files of a directory, and 1,100 keys that are no objects between them, so that a listing has pages. A proxy
stands in front of it, which answers some requests by 503, resets connections, and breaks answers off. It tells its port
on its first line, and ends with its standard input, and after some minutes in any case.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import socket
import struct
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

BUCKET = "fleet"
DEADLINE = 900
_SLOW = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
_GONE = b"<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>"
_MOST = 2  # failures of one request, one after the other: whoever tries again comes through
_ENDS = 2000  # bytes of an answer that is long enough to break off


class Faults:
    """What goes wrong.

    Attributes:
        share: how many of the requests fail.
        once: what happens to the first request for content, or for a listing, whose path has a text.
        after: keys that are `gone`, or whose object is another one (`swap`), after so many requests for the content.
        seen: how often what went wrong, and how often content was asked for by key.
    """

    def __init__(self) -> None:
        self.share, self.once = 0.0, dict[str, str]()
        self.after: dict[str, tuple[int, str]] = {}
        self.seen: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._random = random.Random(5)
        self._lock = threading.Lock()

    def set(self, said: Mapping[str, Any]) -> None:
        with self._lock:
            self.share, self.once = said.get("share", 0.0), dict(said.get("once", {}))
            self.after = {key: (count, what) for key, (count, what) in said.get("after", {}).items()}
            self.seen.clear()
            self._failed.clear()

    def of(self, method: str, path: str, asked: str) -> str:
        """What happens to a request: nothing, or the name of a failure."""
        with self._lock:
            key = path.partition("?")[0].removeprefix(f"/{BUCKET}/")
            if method == "GET" and asked:
                self.seen[key] += 1
                count, what = self.after.get(key, (self.seen[key], ""))
                if count < self.seen[key]:
                    if what == "swap":
                        del self.after[key]
                    self.seen[what] += 1
                    return what
            text = next((text for text in self.once if text in path), "")
            if text and method == "GET" and (asked or "list-type" in path):
                self.seen[self.once[text]] += 1
                return self.once.pop(text)
            request = f"{method} {path} {asked}"
            if method not in ("GET", "HEAD") or self._random.random() > self.share or self._failed[request] >= _MOST:
                return ""
            self._failed[request] += 1
            kind = self._random.choice(["slow", "reset", "cut"] if method == "GET" else ["slow", "reset"])
            self.seen[kind] += 1
            return kind


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    behind = 0
    faults = Faults()

    def handle_request(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/-/faults":
            seen = json.dumps(self.faults.seen).encode()
            if body:
                self.faults.set(json.loads(body))
            self._answer(200, {}, seen)
            return
        fault = self.faults.of(self.command, self.path, self.headers.get("Range", ""))
        if fault == "slow":
            self._answer(503, {"Content-Type": "application/xml"}, _SLOW)
            return
        if fault == "gone":
            self._answer(404, {"Content-Type": "application/xml"}, _GONE)
            return
        if fault == "swap":
            put(self.path.partition("?")[0].removeprefix(f"/{BUCKET}/"), b"{}\n" * 100_000)
        if fault == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        connection = http.client.HTTPConnection("127.0.0.1", self.behind, timeout=60)
        try:
            connection.request(self.command, self.path, body, dict(self.headers))
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        own = _HOPS if self.command == "HEAD" else (*_HOPS, "content-length")
        headers = {name: value for name, value in answer.getheaders() if name.lower() not in own}
        self._answer(answer.status, headers, data, cut=fault == "cut" and len(data) > _ENDS)

    def _answer(self, status: int, headers: Mapping[str, str], data: bytes, *, cut: bool = False) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.command != "HEAD":
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data[: len(data) // 2] if cut else data)
        if cut:
            self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_request  # noqa: N815 - the names that the server calls

    def log_message(self, format: str, *args: Any) -> None:
        pass


_HOPS = ("transfer-encoding", "connection", "date", "server")


def put(key: str, data: bytes) -> None:
    from moto.s3.models import s3_backends  # noqa: PLC0415

    s3_backends["123456789012"]["aws"].put_object(BUCKET, key, data)


def main(folder: Path) -> None:
    from moto.s3.models import s3_backends  # noqa: PLC0415
    from moto.server import ThreadedMotoServer  # noqa: PLC0415

    threading.Timer(DEADLINE, os._exit, (1,)).start()
    moto = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    moto.start()
    _, Handler.behind = moto.get_host_and_port()
    s3_backends["123456789012"]["aws"].create_bucket(BUCKET, "us-east-1")
    for file in folder.iterdir():
        put(f"objects/{file.name}", file.read_bytes())
    for number in range(1100):
        put(f"objects/c{number}.txt", b"no object")
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    print(proxy.server_address[1], flush=True)  # noqa: T201 - whoever has started it wants to know
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
