"""A connection of the server: uvicorn's HTTP/1.1, with additional limits.

A client that sends the head of a request slowly, never ends an unwanted body, or does not read the answer, is
disconnected. Reviews may require a client's certificate; probes never do, as nodes have none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from validation_gen.webhooks.asgi import PROBES
from validation_gen.webhooks.statuses import failure

_LENGTHS = {b"content-length", b"transfer-encoding"}


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
        # Start of the wait for a head, and for the client to read; 0 if not waiting.
        self._waiting = self._stuck = 0.0

    def connection_made(self, transport: Any) -> None:
        """Begins to wait for a head, if the limit allows another connection."""
        super().connection_made(transport)
        if len(self.connections) > self._patience.connections:
            transport.abort()
            return
        if self._certified and not _has_certificate(transport):
            self.app = uncertified(self.app)
        self._waiting = self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Handles data, and starts or ends the wait for a head."""
        super().data_received(data)
        ours, theirs = self.conn.our_state, self.conn.their_state
        # Between requests, or an answer was given before the whole body was there.
        if ours is h11.IDLE or (ours is h11.DONE and theirs is h11.SEND_BODY):
            self._waiting = self._waiting or self.loop.time()
        else:
            self._waiting = 0.0

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


def _has_certificate(transport: Any) -> bool:
    found = transport.get_extra_info("ssl_object")
    return found is not None and found.getpeercert(binary_form=True) is not None


def uncertified(app: Callable[..., Any]) -> Any:
    """ASGI app for clients without a certificate: health probes only."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"][1:] in PROBES:
            await app(scope, receive, send)
            return
        await failure(403, "show a certificate of the client CA")(scope, receive, send)

    return answer
