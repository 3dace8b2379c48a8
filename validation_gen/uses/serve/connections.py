"""A connection of the server: uvicorn's HTTP/1.1, with additional limits, and a fast path.

A client that sends the head of a request slowly, never ends an unwanted body, or does not read the answer, is
disconnected. Reviews may require a client's certificate; probes never do, as nodes have none.

Requests of an API server are plain: complete in the buffer, with a length. `heads` parses them, and the answer is
written at once. All other requests, and doubtful ones, go through h11.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from validation_gen.uses.serve.heads import read_head
from validation_gen.webhooks.asgi import PROBES
from validation_gen.webhooks.statuses import FORM, failure

#: Maximum bytes of pipelined requests during an answer.
_MOST_AHEAD = 1 << 16
_CLOSE = (b"connection", b"close")
_LENGTHS = {b"content-length", b"transfer-encoding"}
_LINES = {code: b"HTTP/1.1 %d %s\r\n" % (code, phrase) for code, phrase in STATUS_PHRASES.items()}


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits of a connection.

    Attributes:
        head: seconds until the head of a request is complete, and until the rest of an unwanted body is.
        idle: seconds between requests. Servers of a cluster keep idle connections for 90; we must not close first,
            or a request may be lost on the way.
        handshake: seconds for the handshake of TLS.
        unread: seconds until the client reads the answer.
        connections: maximum number in each process.
    """

    head: float = 10
    idle: int = 120
    handshake: float = 10
    unread: float = 10
    connections: int = 1000


class _Strict(h11.Connection):
    """Refuses a request with two lengths: a proxy before us may have taken the other one (RFC 9112, 6.1)."""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request) and {name for name, _ in event.headers} >= _LENGTHS:
            raise h11.RemoteProtocolError("Transfer-Encoding and Content-Length in one request")
        return event


class Connection(H11Protocol):
    """A protocol in uvicorn's terms. `look` has to be called periodically."""

    def __init__(self, *args: Any, patience: Patience, certified: bool, **named: Any) -> None:
        super().__init__(*args, **named)
        self.conn = _Strict(h11.SERVER)
        self._patience = patience
        self._certified = certified
        # Start of the wait for a head, for the next request, and for the client to read; 0 if not waiting.
        self._waiting = self._idle = self._stuck = 0.0
        self._quick: _Exchange | None = None
        self._ahead = b""
        self._base: dict[str, Any] = {}

    def connection_made(self, transport: Any) -> None:
        """Begins to wait for a head, if the limit allows another connection."""
        super().connection_made(transport)
        if len(self.connections) > self._patience.connections:
            transport.abort()
            return
        if self._certified and not _has_certificate(transport):
            self.app = uncertified(self.app)
        self._waiting = self.loop.time()
        self._base = {
            "type": "http",
            "asgi": {"version": self.config.asgi_version, "spec_version": "2.3"},
            "http_version": "1.1",
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "method": "POST",
            "root_path": self.root_path,
        }

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends all waits."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        """Handles data by the fast path or h11, and starts the waits."""
        if self._quick is not None:
            self._ahead += data
            if len(self._ahead) > _MOST_AHEAD:
                self.flow.pause_reading()
            return
        conn = self.conn
        if self._idle or (conn.our_state is h11.IDLE and not conn.trailing_data[0]):
            found = read_head(data)
            if found is not None:
                self._answer(*found)
                return
        self._idle = 0.0
        super().data_received(data)
        ours, theirs = conn.our_state, conn.their_state
        # Between requests, or an answer was given before the whole body was there.
        if ours is h11.IDLE or (ours is h11.DONE and theirs is h11.SEND_BODY):
            self._waiting = self._waiting or self.loop.time()
        else:
            self._waiting = 0.0

    def _answer(self, path: str, query: bytes, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        """Answers a complete request."""
        self._waiting = self._idle = 0.0
        self._unset_keepalive_if_required()
        scope = {
            **self._base,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query,
            "headers": headers,
            "state": self.app_state.copy(),
        }
        self._quick = self.cycle = exchange = _Exchange(self, body)  # type: ignore[assignment]
        task = self.loop.create_task(exchange.run(self.app, scope))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    def answered(self) -> None:
        """Continues with buffered data after an answer by the fast path."""
        self._quick = None
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self._idle = self.loop.time()
        data, self._ahead = self._ahead, b""
        self.flow.resume_reading()
        if data:
            self.data_received(data)

    def send_400_response(self, msg: str) -> None:
        """Answers that the request is no HTTP, unless an answer has begun."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.close()

    def pause_writing(self) -> None:
        """Starts the wait for a client that does not read."""
        super().pause_writing()
        self._stuck = self._stuck or self.loop.time()

    def resume_writing(self) -> None:
        """Ends the wait for a client that reads again."""
        super().resume_writing()
        self._stuck = 0.0

    def look(self, now: float) -> None:
        """Closes the connection after a timeout."""
        patience = self._patience
        too_slow = self._waiting and now - self._waiting > patience.head
        if too_slow or (self._stuck and now - self._stuck > patience.unread):
            self.transport.abort()
        elif self._idle and now - self._idle > patience.idle:
            self.transport.close()


class _Exchange:
    """A request and its answer; a cycle in uvicorn's terms."""

    def __init__(self, connection: Connection, body: bytes) -> None:
        self._connection = connection
        self._body: bytes | None = body
        self._start: dict[str, Any] | None = None
        self._sent: list[bytes] = []
        self.keep_alive = True
        self.disconnected = False
        self.response_complete = False
        self.message_event = asyncio.Event()

    async def run(self, app: Callable[..., Any], scope: Any) -> None:
        try:
            await app(scope, self.receive, self.send)
        except BaseException as problem:
            self._connection.logger.error("the application failed: %s", type(problem).__name__)
            if not self.response_complete:
                self._connection.transport.abort()
            if not isinstance(problem, Exception):
                raise
        else:
            if not self.response_complete and not self.disconnected:
                self._connection.transport.abort()

    async def receive(self) -> dict[str, Any]:
        body, self._body = self._body, None
        if body is not None:
            return {"type": "http.request", "body": body, "more_body": False}
        if not self.response_complete and not self.disconnected:
            await self.message_event.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        connection = self._connection
        if connection.flow.write_paused and not self.disconnected:
            await connection.flow.drain()
        if self.disconnected or self.response_complete:
            return
        if message["type"] == "http.response.start":
            self._start = message
            return
        self._sent.append(message.get("body", b""))
        if message.get("more_body"):
            return
        assert self._start is not None
        headers = connection.server_state.default_headers + list(self._start["headers"])
        body = b"".join(self._sent)
        if not self.keep_alive and _CLOSE not in headers:
            headers.append(_CLOSE)
        parts = [_LINES[self._start["status"]]]
        length = False
        for name, value in headers:
            parts += (name, b": ", value, b"\r\n")
            length = length or name == b"content-length"
        parts.append(b"\r\n" if length else b"content-length: %d\r\n\r\n" % len(body))
        parts.append(body)
        self.response_complete = True
        self.message_event.set()
        connection.transport.write(b"".join(parts))
        if _CLOSE in headers:
            connection.transport.close()
        connection.answered()


def _has_certificate(transport: Any) -> bool:
    found = transport.get_extra_info("ssl_object")
    return found is not None and found.getpeercert(binary_form=True) is not None


def uncertified(app: Callable[..., Any]) -> Any:
    """ASGI app for clients without a certificate: health probes only."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"][1:] in PROBES:
            await app(scope, receive, send)
            return
        body = failure(403, "show a certificate of the client CA")
        headers = [FORM, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return answer
