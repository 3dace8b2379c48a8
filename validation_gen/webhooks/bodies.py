"""Limits of requests over HTTP, and bodies that are read within them. The API server has them, too."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from starlette.exceptions import HTTPException
from starlette.types import Receive


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


class Sized(Protocol):
    """A request whose body is being read. `size`: the bytes so far."""

    size: int


class Bodies:
    """Reads bodies, up to the limits of each and of all in memory."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._held = limits, 0

    async def read(self, receive: Receive, length: str, request: Sized, seconds: float) -> bytes:
        """Returns the body of a request. It counts until it is released, also if it is refused.

        Args:
            receive: receives its parts.
            length: the header `Content-Length`, empty if there is none.
            request: takes the number of bytes.
            seconds: the time until it is complete.

        Raises:
            HTTPException: it is too large, late or incomplete, or there are too many.
        """
        if length.isdigit() and (len(length) > 19 or int(length) > self._limits.body):
            raise self._too_large()
        try:
            return await asyncio.wait_for(self._join(receive, request), seconds)
        except asyncio.TimeoutError:
            raise HTTPException(408, "the body did not come in time") from None

    async def _join(self, receive: Receive, request: Sized) -> bytes:
        parts = []
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise HTTPException(400, "the body has no end")
            parts.append(message.get("body", b""))
            request.size += len(parts[-1])
            self._held += len(parts[-1])
            if request.size > self._limits.body:
                raise self._too_large()
            if self._held > self._limits.bodies:
                raise HTTPException(429, "too many requests", {"retry-after": "1"})
            if not message.get("more_body"):
                return b"".join(parts)

    def release(self, request: Sized) -> None:
        """Removes the body of a request from the count."""
        self._held -= request.size

    def _too_large(self) -> HTTPException:
        return HTTPException(413, f"the body has more than {self._limits.body} bytes")
