"""The way of a request into a server under test: its author is noted, faults are injected, the application answers."""

from __future__ import annotations

import contextvars
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

from validation_gen.apiserver.application import Application
from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.interface import Resource
from validation_gen.apiserver.requests import Target, find_verb, read_path, read_query
from validation_gen.testing.loops import TRANSPORT

if TYPE_CHECKING:
    from validation_gen.testing.faults import Faults
    from validation_gen.testing.watchfaults import WatchStream

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Forward = Callable[["Request"], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Author:
    """The request that makes a change.

    Attributes:
        subresource: the subresource that it names, if any.
    """

    agent: str = "the server itself"
    verb: str = ""
    subresource: str = ""


#: Author of what the present task does.
AUTHOR: contextvars.ContextVar[Author] = contextvars.ContextVar("author", default=Author())  # noqa: B039 - frozen


@dataclass(slots=True)
class Request:
    """A request on its way to the application.

    Attributes:
        target: the target of its URL, None for discovery and the like.
        resource: the resource that is named, None for an unknown one.
        verb: its verb, `get`, `list`, `watch` and so on.
        query: the parameters of its URL.
        stream: the response of a watch.
    """

    scope: dict[str, Any]
    receive: Receive
    send: Send
    target: Target | None
    resource: Resource | None
    verb: str
    query: Mapping[str, list[str]]
    agent: str
    stream: WatchStream | None = None
    _body: bytes | None = field(default=None)

    async def body(self) -> bytes:
        """Returns its body, which the application can still receive."""
        if self._body is None:
            parts, more = [], True
            while more:
                message = await self.receive()
                parts.append(message.get("body", b""))
                more = message["type"] == "http.request" and bool(message.get("more_body"))
            self._body = b"".join(parts)
            waiting = [{"type": "http.request", "body": self._body, "more_body": False}]
            receive = self.receive

            async def again() -> Any:
                return waiting.pop() if waiting else await receive()

            self.receive = again
        return self._body

    async def name(self) -> str:
        """Returns the name of the object. For a create, it is in the body."""
        if self.target is None or self.target.name or self.verb != "create":
            return "" if self.target is None else self.target.name
        try:
            return str(json.loads(await self.body())["metadata"]["name"])
        except (ValueError, KeyError, TypeError):
            return ""

    async def refuse(self, problem: ApiError) -> None:
        """Sends a refusal, as the application does."""
        content = json.dumps(problem.status(), separators=(",", ":")).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"cache-control", b"no-cache, private"),
            (b"content-length", str(len(content)).encode()),
        ]
        if problem.retry_after:
            headers.append((b"retry-after", str(problem.retry_after).encode()))
        await self.send({"type": "http.response.start", "status": problem.code, "headers": headers})
        await self.send({"type": "http.response.body", "body": content})

    async def break_off(self) -> None:
        """Breaks its connection, and returns when it is broken.

        Raises:
            ConnectionError: it comes from this process, without a connection.
        """
        transport = (self.scope.get("state") or {}).get(TRANSPORT)
        if transport is None:
            raise ConnectionError("the connection is broken")
        transport.abort()
        await self.wait_for_disconnect()

    @property
    def is_connected(self) -> bool:
        """True while its client can receive a response, as far as is known."""
        transport = (self.scope.get("state") or {}).get(TRANSPORT)
        return transport is None or not transport.is_closing()

    async def wait_for_disconnect(self) -> None:
        """Returns when its connection is closed, or its response is complete."""
        while (await self.receive())["type"] != "http.disconnect":
            pass


class Gateway:
    """The ASGI application that clients of a server under test reach.

    Args:
        app: the API server.
        needs_token: whether each request must have the token.
    """

    def __init__(self, app: Application, faults: Faults, *, needs_token: bool) -> None:
        self._app = app
        self._faults = faults
        self._serve = app if needs_token else app.serve

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answers a request, with faults."""
        request = self._read(scope, receive, self._dated(send))
        AUTHOR.set(_author(request))
        if request.verb != "watch":
            await self._inject(request)
            return
        with self._faults.following(request) as stream:
            await self._inject(request)
            if stream.failed:
                await request.wait_for_disconnect()

    async def _inject(self, request: Request) -> None:
        forward: Forward = self._forward
        for fault in reversed(await self._faults.choose(request)):
            forward = fault.around(forward)
        await forward(request)

    async def serve_directly(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answers a request of the test itself: without faults, and without a token."""
        AUTHOR.set(_author(self._read(scope, receive, send)))
        await self._app.serve(scope, receive, send)

    async def _forward(self, request: Request) -> None:
        await self._serve(request.scope, request.receive, request.send)

    def _read(self, scope: Any, receive: Receive, send: Send) -> Request:
        target, query = read_path(scope["path"]), read_query(scope.get("query_string", b"").decode("latin-1"))
        resource = None
        if target is not None:
            resource = self._app.catalog.find(target.group, target.resource)
        verb = scope["method"].lower() if target is None else find_verb(scope["method"], target, query)
        agent = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"user-agent"), "")
        return Request(scope, receive, send, target, resource, verb, query, agent)

    def _dated(self, send: Send) -> Send:
        async def dated(message: Any) -> None:
            if message["type"] == "http.response.start":
                date = format_datetime(self._app.clock.now(), usegmt=True)
                message = {**message, "headers": [*message["headers"], (b"date", date.encode())]}
            await send(message)

        return dated


def _author(request: Request) -> Author:
    return Author(request.agent, request.verb, "" if request.target is None else request.target.subresource)
