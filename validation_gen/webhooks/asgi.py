"""The webhook as an ASGI application: a path for each endpoint, `/livez`, `/readyz` and `/healthz`, and `/metrics`.

No content of a body is a server error: bad bodies get a status of 4xx. A body that is no review gets 400, a too large
one 413, one that is no plain JSON 415, and too many requests at once get 429; the text is in a `Status`. An internal
failure, or an answer later than the client's timeout, becomes an answer that refuses (`Endpoint.failed`). It runs in
servers that use asyncio.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from validation_gen.webhooks.durations import time_to_answer
from validation_gen.webhooks.health import report
from validation_gen.webhooks.reviews import Answer, Endpoint, ReviewError
from validation_gen.webhooks.reviews import Request as Asked
from validation_gen.webhooks.statuses import FORM, failure
from validation_gen.webhooks.turns import Ended, Observer

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

#: Metric label for unknown paths.
OTHER = "other"
PROBES = ("livez", "healthz", "readyz")
#: Greatest size of bodies that are validated without a thread, and the time limit in seconds after which a kind is not.
_SMALL, _QUICK = 16 << 10, 0.005
#: Number of requests of a slow kind that use a thread before the next attempt, and of remembered kinds.
_APART, _MOST_SLOW = 200, 100
_CLOSE = (b"connection", b"close")
_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of requests.

    Attributes:
        body: bytes of a body, as in servers.
        reading: seconds to read a body.
        requests: number of concurrent requests.
        answering: seconds for an answer without a client's timeout; it is the greatest one of servers.
        bodies: bytes of all bodies in memory.
    """

    body: int = 3 << 20
    reading: float = 10
    requests: int = 64
    answering: float = 30
    bodies: int = 32 << 20


class _RefusedError(Exception):
    def __init__(self, code: int, text: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(text)
        self.code = code
        self.headers = headers


class _Turn:
    """A request in progress. Its answer is sent once: when it is ready, or at its deadline."""

    __slots__ = (
        "answer",
        "asked",
        "code",
        "due",
        "endpoint",
        "expired",
        "late",
        "path",
        "reason",
        "send",
        "size",
        "task",
        "timer",
    )

    def __init__(self, path: str, endpoint: Endpoint[Any], send: Send) -> None:
        self.path = path
        self.endpoint = endpoint
        self.send = send
        self.asked: Any = None
        self.answer: Answer | None = None
        self.code = 0
        self.reason = ""
        self.size = 0
        self.due = 0.0  # by the clock of the loop; unknown before the body is complete
        self.expired = False
        self.late: asyncio.Task[None] | None = None  # sends the refusal at the deadline
        self.task: asyncio.Task[Any] | None = None
        self.timer: asyncio.TimerHandle | None = None


class Webhook:
    """ASGI application that answers reviews. `app` is the application; `ready` becomes false at shutdown.

    Args:
        endpoints: endpoints by path, such as `{"/validate": Validating(judge)}`.
        limits: limits of requests.
        observers: receive each finished request, such as `Metrics()` and `Log()`.
        exposition: returns the body and content type of `/metrics` for the header `Accept`.
    """

    def __init__(
        self,
        endpoints: Mapping[str, Endpoint[Any]],
        limits: Limits | None = None,
        observers: Iterable[Observer] = (),
        exposition: Callable[[str], tuple[bytes, str]] | None = None,
    ) -> None:
        self.ready = True
        self.endpoints = dict(endpoints)
        self.app = self
        self._limits = limits or Limits()
        self._observers = tuple(observers)
        self._exposition = exposition
        self._running = self._held = 0
        self._slow: dict[str, int] = {}
        routes = [Route(f"/{name}", self._probe) for name in PROBES]
        routes += [Route("/metrics", self._metrics)] if exposition else []
        self._others = Starlette(routes=routes)
        self._known = {route.path for route in routes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request by the ASGI protocol."""
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))  # path prefix of an outer application
        endpoint = self.endpoints.get(path) if scope["type"] == "http" else None
        if endpoint is None:
            await self._other(path, scope, receive, send)
            return
        began = time.perf_counter()
        turn = _Turn(path, endpoint, send)
        for observer in self._observers:
            observer.began(path)
        try:
            await self._take(turn, scope, receive)
        finally:
            if turn.timer is not None:
                turn.timer.cancel()
            seconds = time.perf_counter() - began
            ended = Ended(path, turn.code, seconds, turn.size, turn.asked, turn.answer, turn.reason)
            for observer in self._observers:
                observer.ended(ended)

    # --- reviews ------------------------------------------------------------------------------------------------------

    async def _take(self, turn: _Turn, scope: Scope, receive: Receive) -> None:
        """Answers a request unless too many are in progress."""
        if self._running >= self._limits.requests:
            await self._say(turn, 429, "too many requests at once", (b"retry-after", b"1"))
            return
        self._running += 1
        try:
            await self._answer(turn, scope, receive)
        except _RefusedError as problem:
            await self._say(turn, problem.code, str(problem), *problem.headers)
        finally:
            self._running -= 1
            self._held -= turn.size

    async def _answer(self, turn: _Turn, scope: Scope, receive: Receive) -> None:
        if scope["method"] != "POST":
            raise _RefusedError(405, "reviews are sent by POST", (b"allow", b"POST"))
        loop = asyncio.get_running_loop()
        begun = loop.time()
        turn.task = asyncio.current_task()
        try:
            most = time_to_answer(scope["query_string"], self._limits.answering)
            turn.timer = loop.call_at(begun + min(self._limits.reading, most), self._on_time, turn)
            body = await self._body(turn, scope, receive)
            turn.due = begun + most
            turn.asked = turn.endpoint.read(body)
        except asyncio.CancelledError:
            if not turn.expired:
                raise
            getattr(turn.task, "uncancel", lambda: None)()  # which Python 3.10 does not have
            raise _RefusedError(408, "the body did not come in time") from None
        except ReviewError as problem:
            raise _RefusedError(400, str(problem)) from None
        except _RefusedError:
            raise
        except Exception as problem:  # a body is never a server error, whatever its reader raises
            raise _RefusedError(400, f"the body cannot be read: {type(problem).__name__}") from None
        answer = await self._judged(turn, len(body))
        if turn.late is not None:
            await turn.late  # it may only have begun; otherwise the server would assume that there is no answer
            return
        turn.timer.cancel()
        await self._tell(turn, answer)

    async def _judged(self, turn: _Turn, size: int) -> Answer:
        endpoint = turn.endpoint
        at_once = getattr(endpoint, "at_once", None) if size <= _SMALL else None
        try:
            if at_once is not None and (answer := self._quickly(at_once, turn.asked)) is not None:
                return answer
            if isinstance(turn.asked, Asked):
                turn.asked = replace(turn.asked, due=turn.due)
            return await endpoint.answer(turn.asked)
        except Exception as problem:
            return endpoint.failed(turn.asked, 500, "InternalError", f"the answer failed: {type(problem).__name__}")

    def _quickly(self, at_once: Callable[[Any], Answer | None], asked: Any) -> Answer | None:
        """Returns the answer without a thread, which costs more than most validations.

        It returns None for a kind that was slow recently.
        """
        kind = _kind(asked)
        left = self._slow.get(kind)
        if left:
            self._slow[kind] = left - 1
            return None
        began = time.thread_time()  # other load on the machine does not count
        answer = at_once(asked)
        if time.thread_time() - began > _QUICK:
            if len(self._slow) >= _MOST_SLOW:
                self._slow.clear()
            self._slow[kind] = _APART
        return answer

    async def _tell(self, turn: _Turn, answer: Answer) -> None:
        """Sends an answer."""
        try:
            body = _encode(answer.review).encode()  # ASCII: a lone surrogate from a client is escaped
        except (TypeError, ValueError, RecursionError):
            answer = turn.endpoint.failed(turn.asked, 500, "InternalError", "the answer cannot be written as JSON")
            body = _encode(answer.review).encode()
        turn.answer = answer
        turn.code = 200
        await self._respond(turn.send, 200, body, FORM)

    async def _say(self, turn: _Turn, code: int, text: str, *headers: tuple[bytes, bytes]) -> None:
        turn.reason = text
        turn.code = code
        await self._respond(turn.send, code, failure(code, text), FORM, *headers)

    async def _respond(self, send: Send, code: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
        found = [*headers, (b"content-length", b"%d" % len(body))]
        if not self.ready:
            found.append(_CLOSE)  # so that the client connects to another server
        await send({"type": "http.response.start", "status": code, "headers": found})
        await send({"type": "http.response.body", "body": body})

    # --- time ---------------------------------------------------------------------------------------------------------

    def _on_time(self, turn: _Turn) -> None:
        """Ends a body that does not arrive, and refuses a request without an answer at its deadline.

        The work goes on, and counts as a request in progress: it may be in a thread.
        """
        loop = asyncio.get_running_loop()
        if turn.due > loop.time():
            turn.timer = loop.call_at(turn.due, self._on_time, turn)
            return
        turn.expired = True
        if not turn.due:
            if turn.task is not None:
                turn.task.cancel()
            return
        answer = turn.endpoint.failed(turn.asked, 504, "Timeout", "there was no answer in time")
        turn.late = loop.create_task(self._tell(turn, answer))

    # --- bodies -------------------------------------------------------------------------------------------------------

    async def _body(self, turn: _Turn, scope: Scope, receive: Receive) -> bytes:
        """Returns the body, up to the limit.

        Raises:
            _RefusedError: it is too large, or in another form, or incomplete.
        """
        length = b""
        kind = b""
        for name, value in scope["headers"]:
            if name == b"content-type":
                kind = value
            elif name == b"content-length":
                length = value
            elif name == b"content-encoding" and value.lower() != b"identity":
                raise _RefusedError(415, "send application/json, not compressed")
        if kind != b"application/json" and kind.partition(b";")[0].strip().lower() != b"application/json":
            raise _RefusedError(415, "send application/json, not compressed")
        if length.isdigit() and (len(length) > 19 or int(length) > self._limits.body):
            raise self._too_large()
        message = await receive()
        found = self._taken(turn, message)
        if not message.get("more_body"):
            return found
        parts = bytearray(found)
        while message.get("more_body"):
            message = await receive()
            parts += self._taken(turn, message)
        return bytes(parts)

    def _taken(self, turn: _Turn, message: Mapping[str, Any]) -> bytes:
        """Returns a part of a body, and counts it."""
        if message["type"] != "http.request":
            raise _RefusedError(400, "the body has no end")  # the client is gone
        part: bytes = message.get("body", b"")
        turn.size += len(part)
        self._held += len(part)
        if turn.size > self._limits.body:
            raise self._too_large()
        if self._held > self._limits.bodies:
            raise _RefusedError(429, "too much is asked at once", (b"retry-after", b"1"))
        return part

    def _too_large(self) -> _RefusedError:
        return _RefusedError(413, f"the body has more than {self._limits.body} bytes")

    # --- other paths --------------------------------------------------------------------------------------------------

    async def _other(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers probes, metrics, and unknown paths."""
        if scope["type"] != "http":
            await self._others(scope, receive, send)  # type: ignore[arg-type]
            return
        began = time.perf_counter()
        code = 0

        async def noted(message: Any) -> None:
            nonlocal code
            if message["type"] == "http.response.start":
                code = message["status"]
            await send(message)

        if path in self._known:
            await self._others(scope, receive, noted)  # type: ignore[arg-type]
        else:
            # A configuration of a webhook may have a wrong path, and its author needs to read that.
            there = ", ".join(self.endpoints) or "no endpoint"
            await self._respond(noted, 404, failure(404, f"nothing is at {path:.80}; there is {there}"), FORM)
        if code >= 400 and path[1:] not in PROBES:
            for observer in self._observers:
                observer.began(OTHER)
                observer.ended(Ended(OTHER, code, time.perf_counter() - began, 0, None, None, path))

    async def _probe(self, request: Request) -> Response:
        name = request.url.path.rpartition("/")[2]
        checks = {"ping": True, **({"shutdown": self.ready} if name == "readyz" else {})}
        asked = request.query_params
        passed, text = report(name, checks, asked.getlist("exclude"), verbose="verbose" in asked)
        return PlainTextResponse(text, 200 if passed else 503)

    async def _metrics(self, request: Request) -> Response:
        assert self._exposition is not None
        body, kind = await asyncio.to_thread(self._exposition, request.headers.get("accept", ""))
        return Response(body, headers={"content-type": kind})


def _kind(asked: Any) -> str:
    about = getattr(asked, "about", None)
    return about[2] if isinstance(about, tuple) else ""
