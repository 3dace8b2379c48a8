"""A connection of the server: HTTP/1.1 as uvicorn has it, with the limits that it does not have.

Somebody who sends the head of a request slowly, never ends a body that nobody wants, or does not read what is answered,
is not waited for. Reviews may ask for a client's certificate; probes never do, as nodes have none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from validation_gen.webhooks.app import PROBES


@dataclass(frozen=True, slots=True)
class Patience:
    """What a connection may cost.

    Attributes:
        head: seconds until the head of a request is there, and until the rest of a body is that nobody wants.
        idle: seconds between requests. Servers of a cluster let connections rest for 90; who closes first must not be
            us, or a request may be lost on the way.
        handshake: seconds for the handshake of TLS.
        unread: seconds until somebody reads what is answered.
        connections: how many there are at once, in each process.
    """

    head: float = 10
    idle: int = 120
    handshake: float = 10
    unread: float = 10
    connections: int = 1000


class Connection(H11Protocol):
    """What uvicorn calls a protocol."""

    def __init__(self, *args: Any, patience: Patience, certified: bool, **named: Any) -> None:
        super().__init__(*args, **named)
        self._patience = patience
        self._certified = certified
        self._waiting: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begins to wait for a head, if there is room."""
        super().connection_made(transport)
        if len(self.connections) > self._patience.connections:
            transport.abort()
            return
        if self._certified and not _has_certificate(transport):
            self.app = uncertified(self.app)
        self._waiting = self.loop.call_later(self._patience.head, self._abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits for nothing more."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        for timer in (self._waiting, self._stuck):
            if timer is not None:
                timer.cancel()

    def data_received(self, data: bytes) -> None:
        """Takes data, and looks whether that was all that is waited for."""
        super().data_received(data)
        ours, theirs = self.conn.our_state, self.conn.their_state
        # Between requests, or an answer was given before all of the body was there.
        waits = ours is h11.IDLE or (ours is h11.DONE and theirs is h11.SEND_BODY)
        if not waits:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self._patience.head, self._abort)

    def send_400_response(self, msg: str) -> None:
        """Says that this is no HTTP, unless something is being said already."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.close()

    def pause_writing(self) -> None:
        """Is called where nobody reads what is answered."""
        super().pause_writing()
        if self._stuck is None:
            self._stuck = self.loop.call_later(self._patience.unread, self._abort)

    def resume_writing(self) -> None:
        """Is called where somebody does."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def _abort(self) -> None:
        self._waiting = self._stuck = None
        self.transport.abort()


def _has_certificate(transport: Any) -> bool:
    found = transport.get_extra_info("ssl_object")
    return found is not None and found.getpeercert(binary_form=True) is not None


def uncertified(app: Callable[..., Any]) -> Any:
    """The application as those see it who have shown no certificate: probes alone."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"][1:] in PROBES:
            await app(scope, receive, send)
            return
        body = b"show a certificate of the client CA"
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return answer
