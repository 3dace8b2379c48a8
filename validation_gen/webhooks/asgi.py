"""The webhook as an ASGI application: a path for each endpoint, `/livez`, `/readyz` and `/healthz`, and `/metrics`.

No content of a body is a server error: bad bodies get a status of 4xx. A body that is no review gets 400, a too large
one 413, one that is no plain JSON 415, and too many requests at once get 429; the text is in a `Status`, as an API
server ignores a plain text for most codes. An internal failure, or an answer later than the client's timeout (the
parameter `timeout` of its URL), becomes an answer that refuses (`Endpoint.failed`). It runs in servers that use
asyncio. Probes have the form of the API server: `ok`, or a line for each check with `?verbose`; `exclude=NAME` omits
one.

Sources of the behaviour: `pkg/server/healthz` of `k8s.io/apiserver`, `newUnstructuredResponseError` in
`rest/request.go` of `k8s.io/client-go`, and `NewGenericServerResponse` in `pkg/api/errors` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

import asyncio
import functools
import json
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from validation_gen.runtime.gotime import parse_duration
from validation_gen.webhooks.bodies import Bodies, Limits
from validation_gen.webhooks.logs import Observer, RequestRecord
from validation_gen.webhooks.reviews import Answer, Endpoint, ReviewError
from validation_gen.webhooks.reviews import Request as Asked


def report(name: str, checks: Mapping[str, bool], excluded: Collection[str], *, verbose: bool) -> tuple[bool, str]:
    """Returns whether all included checks have passed, and the text of the answer.

    Args:
        name: name of the probe, such as `readyz`.
        checks: the names of checks, and whether each has passed.
        excluded: the names of those that do not count.
        verbose: whether to list each check even if all have passed.
    """
    lines = []
    passed = True
    for check, holds in checks.items():
        if check in excluded:
            lines.append(f"[+]{check} excluded: ok")
        elif holds:
            lines.append(f"[+]{check} ok")
        else:
            passed = False
            lines.append(f"[-]{check} failed: reason withheld")
    unknown = sorted(set(excluded) - checks.keys())
    if unknown:
        shown = ", ".join(f'"{each:.80}"' for each in unknown[:10])
        lines.append(f"warn: some health checks cannot be excluded: no matches for {shown}")
    if passed and not verbose:
        return True, "ok"
    return passed, "\n".join([*lines, f"{name} check {'passed' if passed else 'failed'}", ""])


#: Greatest length of a duration, in characters.
_LONGEST = 100
#: Share of the timeout reserved for the way back, and its limit in seconds.
_SHARE, _MARGIN = 0.1, 1.0


@functools.lru_cache(maxsize=64)
def time_to_answer(query: bytes, most: float) -> float:
    """Returns the seconds until an answer must be sent.

    Args:
        query: the query of the URL, such as `timeout=10s`.
        most: the default and the limit.

    Raises:
        ReviewError: it is no duration.
    """
    if not query:
        return most
    text = dict(parse_qsl(query.decode("latin-1"), max_num_fields=100) if query.count(b"&") < 99 else ()).get("timeout")
    if not text:
        return most
    given = seconds(text)
    if given <= 0:
        return most
    return min(most, given - min(given * _SHARE, _MARGIN))


def seconds(text: str) -> float:
    """Parses a duration such as `1m30s`.

    Raises:
        ReviewError: the text is no duration.
    """
    found = parse_duration(text) if len(text) <= _LONGEST and not text.startswith(("+", "-")) else None
    if found is None:
        raise ReviewError(f"timeout is no duration such as 10s: {text!r:.60}")
    return found / 1e9


#: Content type of such a body.
JSON = "application/json"
#: Reasons of a `Status`, by codes.
REASONS = {
    400: "BadRequest",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    408: "Timeout",
    413: "RequestEntityTooLarge",
    415: "UnsupportedMediaType",
    429: "TooManyRequests",
}


def failure(code: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Returns an answer with an HTTP code other than 200."""
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
    # ASCII, so that a lone surrogate from a client is escaped.
    body = json.dumps({**status, "reason": REASONS.get(code, ""), "code": code}, separators=(",", ":"))
    return Response(body, code, headers, JSON)


#: Metric label for unknown paths.
OTHER = "other"
PROBES = ("livez", "healthz", "readyz")
#: Greatest size of bodies that are validated without a thread, and the time limit in seconds after which a kind is not.
_SMALL, _QUICK = 16 << 10, 0.005
#: Number of requests of a slow kind that use a thread before the next attempt, and of remembered kinds.
_APART, _MOST_SLOW = 200, 100
_encode = json.JSONEncoder(separators=(",", ":")).encode


class Webhook:
    """Answers reviews. `app` is the ASGI application; `ready` becomes false at shutdown.

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
        self._limits = limits or Limits()
        self._observers = tuple(observers)
        self._exposition = exposition
        self._running = 0
        self._bodies = Bodies(self._limits)
        self._slow: dict[str, int] = {}
        routes = [Route(f"/{name}", self._probe) for name in PROBES]
        routes += [Route("/metrics", self._metrics)] if exposition else []
        #: The endpoints have no routes, as they change while the server runs (`webhook serve --watch`).
        self.app = Router(routes, redirect_slashes=False, default=self._serve)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request that is neither a probe nor for metrics."""
        if scope["type"] != "http":
            await self.app.not_found(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))  # path prefix of an outer application
        endpoint = self.endpoints.get(path)
        record = RequestRecord(path if endpoint else OTHER)
        began = time.perf_counter()
        for observer in self._observers:
            observer.began(record.path)
        try:
            try:
                if endpoint is None:
                    # A configuration of a webhook may have a wrong path, and its author needs to read that.
                    there = ", ".join(self.endpoints) or "no endpoint"
                    raise HTTPException(404, f"nothing is at {path:.80}; there is {there}")
                response = await self._review(Request(scope, receive), endpoint, record)
            except HTTPException as problem:
                record.reason = problem.detail if endpoint else path
                response = failure(problem.status_code, problem.detail, problem.headers)
            if not self.ready:
                response.headers["connection"] = "close"  # so that the client connects to another server
            record.code = response.status_code
            await response(scope, receive, send)
        finally:
            record.seconds = time.perf_counter() - began
            for observer in self._observers:
                observer.ended(record)

    async def _review(self, request: Request, endpoint: Endpoint[Any], record: RequestRecord) -> Response:
        """Returns the answer to a review, or the refusal at its deadline.

        Late work goes on, and counts as a request in progress: it may be in a thread.
        """
        if self._running >= self._limits.requests:
            raise HTTPException(429, "too many requests at once", {"retry-after": "1"})
        if request.method != "POST":
            raise HTTPException(405, "reviews are sent by POST", {"allow": "POST"})
        self._running += 1
        work: asyncio.Future[Answer] | None = None
        try:
            due = await self._read(request, endpoint, record)
            answer = self._answer_at_once(endpoint, record)
            if answer is None:
                if isinstance(record.asked, Asked):
                    record.asked = replace(record.asked, due=due)
                work = asyncio.ensure_future(self._answer(endpoint, record.asked))
                done, _ = await asyncio.wait([work], timeout=due - asyncio.get_running_loop().time())
                answer = work.result() if done else None
            if answer is None:
                answer = endpoint.failed(record.asked, 504, "Timeout", "there was no answer in time")
            return self._respond(endpoint, record, answer)
        finally:
            if work is None or work.done():
                self._release(record)
            else:
                work.add_done_callback(lambda _: self._release(record))

    def _release(self, record: RequestRecord) -> None:
        self._running -= 1
        self._bodies.release(record)

    def _answer_at_once(self, endpoint: Endpoint[Any], record: RequestRecord) -> Answer | None:
        """Returns the answer without a thread, which costs more than most validations.

        It returns None for a large body, for a kind that was slow recently, and if the endpoint has to wait.
        """
        at_once = getattr(endpoint, "at_once", None) if record.size <= _SMALL else None
        if at_once is None:
            return None
        kind = _kind(record.asked)
        if left := self._slow.get(kind):
            self._slow[kind] = left - 1
            return None
        began = time.thread_time()  # other load on the machine does not count
        try:
            answer: Answer | None = at_once(record.asked)
        except Exception as problem:
            return _fail(endpoint, record.asked, problem)
        if time.thread_time() - began > _QUICK:
            if len(self._slow) >= _MOST_SLOW:
                self._slow.clear()
            self._slow[kind] = _APART
        return answer

    async def _answer(self, endpoint: Endpoint[Any], asked: Any) -> Answer:
        try:
            return await endpoint.answer(asked)
        except Exception as problem:
            return _fail(endpoint, asked, problem)

    def _respond(self, endpoint: Endpoint[Any], record: RequestRecord, answer: Answer) -> Response:
        try:
            body = _encode(answer.review)  # ASCII: a lone surrogate from a client is escaped
        except (TypeError, ValueError, RecursionError):
            answer = endpoint.failed(record.asked, 500, "InternalError", "the answer cannot be written as JSON")
            body = _encode(answer.review)
        record.answer = answer
        return Response(body, media_type=JSON)

    # --- bodies -------------------------------------------------------------------------------------------------------

    async def _read(self, request: Request, endpoint: Endpoint[Any], record: RequestRecord) -> float:
        """Reads the review into the record. Returns when the answer is due, by the clock of the loop."""
        begun = asyncio.get_running_loop().time()
        try:
            most = time_to_answer(request.scope["query_string"], self._limits.answering)
            record.asked = endpoint.read(await self._body(request, record, min(self._limits.reading, most)))
        except HTTPException:
            raise
        except ReviewError as problem:
            raise HTTPException(400, str(problem)) from None
        except Exception as problem:  # a body is never a server error, whatever its reader raises
            raise HTTPException(400, f"the body cannot be read: {type(problem).__name__}") from None
        return begun + most

    async def _body(self, request: Request, record: RequestRecord, seconds: float) -> bytes:
        """Returns the body, up to the limits."""
        headers = request.headers
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON or headers.get("content-encoding", "identity").lower() != "identity":
            raise HTTPException(415, f"send {JSON}, not compressed")
        return await self._bodies.read(request.receive, headers.get("content-length", ""), record, seconds)

    # --- other paths --------------------------------------------------------------------------------------------------

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


def _fail(endpoint: Endpoint[Any], asked: Any, problem: Exception) -> Answer:
    return endpoint.failed(asked, 500, "InternalError", f"the answer failed: {type(problem).__name__}")


def _kind(asked: Any) -> str:
    about = getattr(asked, "about", None)
    return about[2] if isinstance(about, tuple) else ""
