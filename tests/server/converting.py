"""Webhooks over TLS on loopback, in the process. One for conversions moves `spec.old` to `spec.fresh` and back."""

from __future__ import annotations

import base64
import contextlib
import json
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from validation_gen.commands.serve.tls import self_signed

#: Changes a right answer, or replaces its bytes, its status or its media type.
Change = Callable[[dict[str, Any]], "dict[str, Any] | tuple[int, str, bytes] | None"]


class Webhook(ThreadingHTTPServer):
    """A webhook. `answer` answers a review, `change` spoils its answers; `seen` has the reviews, `urls` their paths."""

    daemon_threads = True

    def __init__(self, answer: Callable[[dict[str, Any]], Any]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.change: Change | None = None
        self.seen: list[dict[str, Any]] = []
        self.urls: list[str] = []
        certificate = self_signed("127.0.0.1")
        self.bundle = base64.b64encode(certificate.certificate).decode()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory, "pem")
            file.write_bytes(certificate.certificate + certificate.key)
            context.load_cert_chain(file)
        self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that have gone are no error."""

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.server_port}/review"


class _Handler(BaseHTTPRequestHandler):
    server: Webhook
    protocol_version = "HTTP/1.1"
    timeout = 20
    disable_nagle_algorithm = True

    def log_message(self, *args: Any) -> None:
        """Tests have no log."""

    def do_POST(self) -> None:
        review = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.seen.append(review)
        self.server.urls.append(self.path)
        answer = self.server.answer(review)
        if self.server.change is not None:
            answer = self.server.change(answer) or answer
        status, media, body = 200, "application/json", b""
        if isinstance(answer, tuple):
            status, media, body = answer
        else:
            body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", media)
        if 300 <= status < 400:
            self.send_header("location", "/elsewhere")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def answer_conversion(review: dict[str, Any]) -> dict[str, Any]:
    request = review["request"]
    return {
        "apiVersion": review["apiVersion"],
        "kind": "ConversionReview",
        "response": {
            "uid": request["uid"],
            "result": {"status": "Success"},
            "convertedObjects": [convert(obj, request["desiredAPIVersion"]) for obj in request["objects"]],
        },
    }


def convert(obj: dict[str, Any], version: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(obj)) | {"apiVersion": version}
    before, after = ("old", "fresh") if version.endswith("/v1") else ("fresh", "old")
    spec = found.get("spec") or {}
    if before in spec:
        spec[after] = spec.pop(before)
    return found


@contextlib.contextmanager
def converting(answer: Callable[[dict[str, Any]], Any] = answer_conversion) -> Iterator[Webhook]:
    webhook = Webhook(answer)
    thread = threading.Thread(target=webhook.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield webhook
    finally:
        webhook.shutdown()
        webhook.server_close()
        thread.join(10)
