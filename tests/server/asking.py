"""Asks the API server in the process, without sockets."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from validation_gen.apiserver.application import Application
from validation_gen.apiserver.storage import Store
from validation_gen.apiserver.storage.sqlite import SqliteStore

#: Rounds in which a busy store must end.
_ROUNDS = 10_000


@dataclass
class Answer:
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    ended: bool = False
    #: The sizes of the parts in which the body came.
    sizes: list[int] = field(default_factory=list)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]

    @property
    def events(self) -> list[Any]:
        return [json.loads(line) for line in self.body.splitlines()]


class Asking:
    def __init__(self, app: Application) -> None:
        self.app = app
        self.watches: list[asyncio.Task[Answer]] = []

    async def ask(
        self,
        method: str,
        url: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        *,
        into: Answer | None = None,
        reads: asyncio.Event | None = None,
    ) -> Answer:
        """Returns an answer. A client with `reads` takes parts of a body only while that is set."""
        path, _, query = url.partition("?")
        given = {"accept": "application/json", "user-agent": "test/1"}
        given |= {name.lower(): value for name, value in (headers or {}).items()}
        if isinstance(body, (dict, list)):
            given.setdefault("content-type", "application/json")
            body = json.dumps(body)
        content = body.encode() if isinstance(body, str) else body or b""
        scope = {
            "type": "http",
            "method": method,
            "path": unquote(path),
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in given.items()],
        }
        answer = Answer() if into is None else into
        sent = [{"type": "http.request", "body": content}]

        async def receive() -> dict[str, Any]:
            if sent:
                return sent.pop()
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = [
                    (name.decode().lower(), value.decode("latin-1")) for name, value in message["headers"]
                ]
            else:
                if reads is not None:
                    await reads.wait()
                answer.body += message.get("body", b"")
                answer.sizes.append(len(message.get("body", b"")))

        await self.app(scope, receive, send)
        answer.ended = True
        return answer

    async def watch(
        self, url: str, headers: dict[str, str] | None = None, *, reads: asyncio.Event | None = None
    ) -> Answer:
        """Begins a watch, whose events are added to the answer."""
        answer = Answer()
        self.watches.append(asyncio.ensure_future(self.ask("GET", url, headers=headers, into=answer, reads=reads)))
        await self.settle()
        return answer

    async def settle(self) -> None:
        """Lets the server do what it has to do at once."""
        for _ in range(_ROUNDS):
            for _ in range(30):
                await asyncio.sleep(0)
            if not getattr(self.app.store, "calls", 0):
                return
            await asyncio.sleep(0.001)
        raise AssertionError("the store is busy")


@asynccontextmanager
async def serving(store: Store | None = None, **options: Any) -> AsyncIterator[Asking]:
    asking = Asking(Application(SqliteStore() if store is None else store, **options))
    await asking.app.start()
    try:
        yield asking
    finally:
        for task in asking.watches:
            task.cancel()
        await asyncio.gather(*asking.watches, return_exceptions=True)
        await asking.app.close()


Serve = Callable[..., AbstractAsyncContextManager[Asking]]


def ask(work: Callable[[Asking], Awaitable[None]], serve: Serve = serving, seconds: float = 60, **options: Any) -> None:
    """Lets a function ask a server, within a time."""

    async def run() -> None:
        async with serve(**options) as asking:
            await asyncio.wait_for(work(asking), seconds)

    asyncio.run(run())


def in_server(
    serve: Serve = serving, *, seconds: float = 60, **options: Any
) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Declares a coroutine function as a test that asks a server; its argument is `asking`."""

    def declare(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        def run(**fixtures: Any) -> None:
            ask(lambda asking: test(**fixtures, asking=asking), serve, seconds, **options)

        signature = inspect.signature(test)
        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        own = [each for name, each in signature.parameters.items() if name != "asking"]
        run.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
        return run

    return declare
