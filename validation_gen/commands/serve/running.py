"""Runs a webhook until a signal: it then reports that it is not ready, answers pending requests, and ends.

A connection is uvicorn's HTTP/1.1, with additional limits: a client that sends the head of a request slowly, never ends
an unwanted body, or does not read the answer, is disconnected. Reviews may require a client's certificate; probes never
do, as nodes have none.
"""

from __future__ import annotations

import asyncio
import functools
import multiprocessing
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from validation_gen.commands.serve.tls import Watched
from validation_gen.webhooks import Webhook
from validation_gen.webhooks.asgi import PROBES, failure

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
        size: bytes of the head of a request.
    """

    head: float = 10
    idle: int = 120
    handshake: float = 10
    unread: float = 10
    connections: int = 1000
    size: int = 16 << 10


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
        self.conn = _Strict(h11.SERVER, patience.size)
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


#: Seconds for pending requests at the end.
GRACE = 10
#: Seconds between checks of the certificate files.
_LOOKS = 1
#: Connections that wait in the system, and those that are accepted at once before those above the limit are closed.
_BACKLOG, _ACCEPTED = 1024, 16


@dataclass(frozen=True, slots=True)
class Served:
    """Configuration of a server.

    Attributes:
        webhook: the application.
        sockets: listening sockets; see `listening_at`.
        context: initial TLS context.
        watched: its files, if it has to be rebuilt when they change.
        certified: True if reviews require a client's certificate.
        delay: seconds between reporting that it is not ready and ending, so that clients notice.
        patience: limits of a connection.
    """

    webhook: Webhook
    sockets: Sequence[socket.socket]
    context: ssl.SSLContext
    watched: Watched | None = None
    certified: bool = False
    delay: float = 0
    patience: Patience = field(default_factory=Patience)


def listening_at(host: str, port: int) -> list[socket.socket]:
    """Returns sockets for all addresses of a host, at the same port.

    Raises:
        OSError: there is none, or the port is in use.
    """
    found: list[socket.socket] = []
    failure = OSError(f"{host} has no address")
    flags = socket.AI_PASSIVE
    for family, kind, protocol, _, address in socket.getaddrinfo(host or None, port, 0, socket.SOCK_STREAM, 0, flags):
        try:
            each = socket.socket(family, kind, protocol)
        except OSError as problem:
            failure = problem
            continue
        try:
            if sys.platform != "win32":
                each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                each.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            each.bind((address[0], port, *address[2:]))
            each.listen(_BACKLOG)
            each.setblocking(False)
        except OSError as problem:
            failure = problem
            each.close()
            continue
        port = port or each.getsockname()[1]
        found.append(each)
    if not found:
        raise failure
    return found


class BoundedServer(uvicorn.Server):
    """Uvicorn server whose connections have limits.

    Args:
        app: the application.
        sockets: listening sockets.
        context: TLS context, None without TLS.
        patience: limits of a connection.
        certified: True if requests other than probes require a client's certificate.
        settings: settings of `uvicorn.Config`.
    """

    def __init__(
        self,
        app: Any,
        sockets: Sequence[socket.socket],
        context: ssl.SSLContext | None,
        patience: Patience,
        *,
        certified: bool = False,
        **settings: Any,
    ) -> None:
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            timeout_keep_alive=patience.idle,
            **settings,
        )
        super().__init__(config)
        self._sockets, self._context = sockets, context
        self._patience, self._certified = patience, certified

    async def startup(self, sockets: Any = None) -> None:
        """Starts to listen."""
        await self.lifespan.startup()
        self.servers = []
        await self.listen(self._context)
        self.started = True

    async def listen(self, context: ssl.SSLContext | None) -> None:
        """Accepts new connections with this context; existing ones continue unchanged."""
        loop = asyncio.get_running_loop()
        patience = self._patience
        make = functools.partial(
            Connection,
            self.config,
            self.server_state,
            self.lifespan.state,
            patience=patience,
            certified=self._certified,
        )
        timeouts: dict[str, Any] = {}
        if context is not None:
            timeouts["ssl_handshake_timeout"] = patience.handshake
            if sys.version_info >= (3, 11):
                timeouts["ssl_shutdown_timeout"] = patience.unread
        before, self.servers = self.servers, []
        for each in self._sockets:
            # A duplicate of each socket, which stays open when the original is closed.
            sock = each.dup()
            server = await loop.create_server(make, sock=sock, ssl=context, backlog=_ACCEPTED, **timeouts)
            sock.listen(_BACKLOG)
            self.servers.append(server)
        for old in before:
            old.close()

    async def on_tick(self, counter: int) -> bool:
        """Checks connections, ten times a second."""
        self._look_after()
        return await super().on_tick(counter)

    def _look_after(self) -> None:
        now = asyncio.get_running_loop().time()
        for each in list(self.server_state.connections):
            each.look(now)  # type: ignore[union-attr]


class Server(BoundedServer):
    """Server of a webhook that signals readiness and shutdown.

    Args:
        served: configuration.
        listening: called once requests are answered.
    """

    def __init__(self, served: Served, listening: Callable[[], None]) -> None:
        super().__init__(
            served.webhook.app,
            served.sockets,
            served.context,
            served.patience,
            certified=served.certified,
            timeout_graceful_shutdown=GRACE,
            timeout_notify=_LOOKS,
            callback_notify=self.look,
        )
        self._served = served
        self._told_listening = listening
        self._hurried = False

    async def startup(self, sockets: Any = None) -> None:
        """Starts to listen."""
        await super().startup(sockets)
        if (parent := multiprocessing.parent_process()) is not None:
            asyncio.get_running_loop().add_reader(parent.sentinel, self.end)
        self._told_listening()

    async def look(self) -> None:
        """Loads new certificates."""
        watched = self._served.watched
        context = watched.renewed() if watched else None
        if context is not None:
            await self.listen(context)

    async def shutdown(self, sockets: Any = None) -> None:
        """Ends, after a delay in which clients can notice."""
        self._served.webhook.ready = False
        loop = asyncio.get_running_loop()
        end = loop.time() + (0 if self._hurried else self._served.delay)
        while loop.time() < end and not (self._hurried or self.force_exit):
            await asyncio.sleep(0.05)
            self._look_after()
        await super().shutdown([*self._served.sockets])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handles a signal.

        SIGTERM ends it in good order, and is no failure; Ctrl-C skips the delay, and a second one stops.
        """
        if self.should_exit:
            self.force_exit = self._hurried and sig == signal.SIGINT
        if sig == signal.SIGINT:
            self._hurried = True
            self._captured_signals.append(sig)  # so that the exit status is that of the signal
        self.should_exit = True

    def end(self) -> None:
        """Ends as SIGTERM does."""
        self.should_exit = True
