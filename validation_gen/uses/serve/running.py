"""Runs a webhook until a signal: it then reports that it is not ready, answers pending requests, and ends."""

from __future__ import annotations

import asyncio
import functools
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import uvicorn

from validation_gen.uses.serve.connections import Connection, Patience
from validation_gen.uses.serve.tls import Watched
from validation_gen.webhooks import Webhook

#: Seconds for pending requests at the end.
GRACE = 10
#: Seconds between checks of the certificate files.
_LOOKS = 1
_BACKLOG = 1024


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


class Server(uvicorn.Server):
    """Uvicorn server that signals readiness and shutdown.

    Args:
        served: configuration.
        listening: called once requests are answered.
        parent: a pipe whose other end closes when the parent process has ended.
    """

    def __init__(self, served: Served, listening: Callable[[], None], *, parent: int = -1) -> None:
        config = uvicorn.Config(
            served.webhook.app,
            http="h11",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            timeout_keep_alive=served.patience.idle,
            timeout_graceful_shutdown=GRACE,
            timeout_notify=_LOOKS,
            callback_notify=self.look,
        )
        super().__init__(config)
        self._parent = parent
        self._served = served
        self._told_listening = listening
        self._hurried = False

    async def startup(self, sockets: Any = None) -> None:
        """Starts to listen."""
        await self.lifespan.startup()
        self.servers = []
        await self.listen(self._served.context)
        self.started = True
        if self._parent >= 0:
            asyncio.get_running_loop().add_reader(self._parent, self.end)
        self._told_listening()

    async def listen(self, context: ssl.SSLContext) -> None:
        """Accepts new connections with this context; existing ones continue unchanged."""
        loop = asyncio.get_running_loop()
        served = self._served
        make = functools.partial(
            Connection,
            self.config,
            self.server_state,
            self.lifespan.state,
            patience=served.patience,
            certified=served.certified,
        )
        timeouts: dict[str, Any] = {"ssl_handshake_timeout": served.patience.handshake}
        if sys.version_info >= (3, 11):
            timeouts["ssl_shutdown_timeout"] = served.patience.unread
        before, self.servers = self.servers, []
        for each in served.sockets:
            # A duplicate of each socket, which stays open when the original is closed.
            server = await loop.create_server(make, sock=each.dup(), ssl=context, backlog=_BACKLOG, **timeouts)
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
