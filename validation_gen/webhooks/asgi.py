"""The webhook as an ASGI application: a path for each endpoint, and `/livez`, `/readyz` and `/healthz` for probes.

Nothing that a body holds is a failure of ours: it is told with a status of 4xx. What is no review is 400, what is too
large 413, what is no plain JSON 415, and 429 says that too many are asked at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from validation_gen.webhooks.health import report
from validation_gen.webhooks.reviews import Endpoint, ReviewError


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request may cost: the bytes of its body (as servers have it), seconds to read it, and how many at once."""

    body: int = 3 << 20
    reading: float = 10
    requests: int = 64


class _RefusedError(Exception):
    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Webhook:
    """Answers reviews. `app` is the application; `ready` is false as soon as it is to end.

    Args:
        endpoints: what answers at which path, such as `{"/validate": Validating(judge)}`.
        limits: what a request may cost.
    """

    def __init__(self, endpoints: Mapping[str, Endpoint[Any]], limits: Limits | None = None) -> None:
        self.ready = True
        self._endpoints = dict(endpoints)
        self._limits = limits or Limits()
        self._running = 0
        routes = [Route(path, self._review, methods=["POST"]) for path in self._endpoints]
        routes += [Route(f"/{name}", self._probe) for name in ("livez", "healthz", "readyz")]
        self.app = Starlette(routes=routes)

    async def _probe(self, request: Request) -> Response:
        name = request.url.path[1:]
        checks = {"ping": True, **({"shutdown": self.ready} if name == "readyz" else {})}
        asked = request.query_params
        passed, text = report(name, checks, asked.getlist("exclude"), verbose="verbose" in asked)
        return PlainTextResponse(text, 200 if passed else 503)

    async def _review(self, request: Request) -> Response:
        if self._running >= self._limits.requests:
            return PlainTextResponse("too many requests at once", 429, {"Retry-After": "1"})
        endpoint = self._endpoints[request.url.path]
        self._running += 1
        try:
            answer = await endpoint.answer(endpoint.read(await self._body(request)))
        except _RefusedError as problem:
            return PlainTextResponse(str(problem), problem.code)
        except ReviewError as problem:
            return PlainTextResponse(str(problem), 400)
        except ClientDisconnect:
            return Response(status_code=400)
        finally:
            self._running -= 1
        return Response(_as_json(answer.review), media_type="application/json")

    async def _body(self, request: Request) -> bytes:
        """The body, no more of it than is allowed.

        Raises:
            _RefusedError: it is too large, too slow, or in another form.
        """
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json" or request.headers.get("content-encoding", "identity") != "identity":
            raise _RefusedError(415, "send application/json, not compressed")
        most = self._limits.body
        too_large = _RefusedError(413, f"the body has more than {most} bytes")
        length = request.headers.get("content-length", "")
        if length.isascii() and length.isdigit() and len(length) < 20 and int(length) > most:
            raise too_large
        found = bytearray()
        try:
            with anyio.fail_after(self._limits.reading):
                async for part in request.stream():
                    found += part
                    if len(found) > most:
                        raise too_large
        except TimeoutError:
            raise _RefusedError(408, f"the body took more than {self._limits.reading:g} s") from None
        return bytes(found)


def _as_json(review: Any) -> bytes:
    # What JSON cannot say in UTF-8, such as half of a pair, comes from a value that the client sent so.
    return json.dumps(review, separators=(",", ":")).encode()
