"""Event loops in threads, and HTTP servers in them: many short-lived servers share one loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import ssl
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, TypeVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

T = TypeVar("T")

#: Seconds in which a loop answers its own caller; only a blocked loop takes so long.
PATIENCE = 60.0
#: Seconds for requests that are under way when a server ends.
_GRACE = 1.0
_BACKLOG = 256
#: Key of the transport of a connection, in the state of the scopes of its requests.
TRANSPORT = "validation_gen.transport"


class LoopThread:
    """An event loop in a daemon thread."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Starts a coroutine in the loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine in the loop, and returns its result.

        Raises:
            RuntimeError: the caller is in the loop itself.
            TimeoutError: the loop is blocked.
        """
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("this call would wait for itself: make it in another thread")
        future = self.submit(work)
        try:
            return future.result(PATIENCE)
        except FutureTimeoutError:
            if future.done():
                raise
            raise TimeoutError(f"no answer in {PATIENCE:g} s: does something block the loop of the server?") from None


class Bridge:
    """Calls an ASGI application that runs in one loop from the loops of other threads."""

    def __init__(self, app: Any, loop: LoopThread) -> None:
        self._app, self._loop = app, loop

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Runs the application in its loop, and the other functions in the loop of the caller."""
        own = asyncio.get_running_loop()

        async def receive_there() -> Any:
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(receive(), own))

        async def send_there(message: Any) -> None:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(send(message), own))

        await asyncio.wrap_future(self._loop.submit(self._app(scope, receive_there, send_there)))


_loops: dict[str, LoopThread] = {}
_lock = threading.Lock()


def get_loop(name: str) -> LoopThread:
    """Returns the loop of a name in this process."""
    with _lock:
        if name not in _loops:
            _loops[name] = LoopThread(f"validation-gen {name}")
        return _loops[name]


def _forget() -> None:
    """Drops loops whose threads a fork has left behind."""
    global _lock  # noqa: PLW0603 - another thread may have held it
    _lock = threading.Lock()
    _loops.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


class _Connection(H11Protocol):
    """A connection of uvicorn that the application can break."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.app_state = {TRANSPORT: transport}


class HttpServer:
    """An HTTP server on loopback, at a free port. uvicorn's own one takes a tenth of a second to end.

    Args:
        tls: the context of TLS, None for plain HTTP.
    """

    def __init__(self, app: Any, tls: ssl.SSLContext | None = None) -> None:
        self._app = app
        self._is_closing = False
        self._config = uvicorn.Config(
            self._run,
            interface="asgi3",
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=75,
        )
        self._tls = tls
        self._state = ServerState()
        self._server: asyncio.Server | None = None
        #: The address, once it listens.
        self.url = ""

    async def start(self) -> None:
        """Begins to listen.

        Raises:
            OSError: there is no free port.
        """
        self._config.load()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connect, "127.0.0.1", 0, ssl=self._tls, backlog=_BACKLOG)
        scheme = "http" if self._tls is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _run(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            if not self._is_closing:  # else uvicorn would log an error
                raise

    def _connect(self) -> _Connection:
        return _Connection(self._config, self._state, {})

    async def close(self) -> None:
        """Ends, and breaks the connections that are open."""
        self._is_closing = True
        if self._server is not None:
            self._server.close()
        for connection in list(self._state.connections):
            transport = getattr(connection, "transport", None)
            if transport is not None:
                transport.abort()
        tasks = list(self._state.tasks)
        if tasks:
            _, left = await asyncio.wait(tasks, timeout=_GRACE)
            for task in left:
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(*left, return_exceptions=True)
