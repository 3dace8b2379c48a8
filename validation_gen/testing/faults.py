"""Faults of a server and of its network, injected into chosen requests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast

from validation_gen.testing.client import find_resources
from validation_gen.testing.gateway import Request
from validation_gen.testing.injections import (
    Conditions,
    ExpiredToken,
    F,
    Fault,
    Latency,
    LostAnswer,
    Refusal,
    WebhookTimeout,
)
from validation_gen.testing.loops import LoopThread
from validation_gen.testing.watchfaults import (
    DroppedWatch,
    DuplicateEvents,
    ExpiredVersion,
    StalledWatch,
    WatchFault,
    WatchStream,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from validation_gen.apiserver.application import Application

W = TypeVar("W", bound=WatchFault)
#: Turns of the loop in which it notices connections that a client has closed.
_TURNS = 5
_CHANGES, _WRITES = ("update", "patch"), ("create", "update", "patch", "delete")


class Where(TypedDict, total=False):
    """The requests that a fault hits; a condition that is left out holds for all.

    Attributes:
        verb: one verb, or several.
        kind: the kind, as for the client.
        name: the name of the object, or a pattern such as `red-*`.
        namespace: the namespace.
        subresource: `status`, `scale`, or empty for the object itself.
        agent: a part of the user agent.
        nth: the number of the first matching request that is hit, from 1 on.
        times: how many are hit, None for all.
        chance: the probability for each.
        seed: the seed of the probability; the report has it.
    """

    verb: str | Sequence[str]
    kind: str
    name: str
    namespace: str
    subresource: str
    agent: str
    nth: int
    times: int | None
    chance: float
    seed: int | None


@dataclass(frozen=True, slots=True)
class Injection:
    """One injection of a fault: when, by the monotonic clock, and into which request."""

    fault: Fault
    at: float
    request: str


class Faults:
    """The faults of a server. Each method adds one, and returns it; the keywords of `Where` choose the requests.

    A fault hits one request unless `times` says otherwise; a latency and an expired token hit all. Each method raises
    `LookupError` for a kind that the server does not have, and `ValueError` for conditions that no request meets.

    Args:
        app: the API server.
        loop: the loop in which it runs.
        renew_token: replaces the token of the server, and returns the old one.
    """

    def __init__(self, app: Application, loop: LoopThread, renew_token: Callable[[], str]) -> None:
        self.app = app
        self._loop = loop
        self._renew_token = renew_token
        self._streams: list[WatchStream] = []
        self.injections: list[Injection] = []
        self._faults: list[Fault] = []
        self._lock = threading.Lock()
        self._began = time.monotonic()

    # --- faults -------------------------------------------------------------------------------------------------------

    def latency(self, seconds: float, **where: Unpack[Where]) -> Fault:
        """Delays requests by real seconds."""
        return self._add(Latency(self._conditions(where, times=None), seconds))

    def conflict(self, message: str = "", **where: Unpack[Where]) -> Fault:
        """Refuses updates and patches with 409, as if another write had come before."""
        return self._add(Refusal(self._conditions(where, verb=_CHANGES), 409, message))

    def throttle(self, retry_after: int = 1, **where: Unpack[Where]) -> Fault:
        """Refuses requests with 429 and `Retry-After`."""
        return self._add(Refusal(self._conditions(where), 429, retry_after=retry_after))

    def error(self, code: int = 500, message: str = "", **where: Unpack[Where]) -> Fault:
        """Refuses requests with a code: 403, 500, 503, 504 or another one."""
        return self._add(Refusal(self._conditions(where), code, message))

    def unauthorized(self, **where: Unpack[Where]) -> Fault:
        """Refuses requests with 401, as if their token had expired."""
        return self._add(Refusal(self._conditions(where), 401))

    def expire_token(self, **where: Unpack[Where]) -> Fault:
        """Refuses the present token with 401 from now on; the kubeconfig gets another one."""
        return self._add(ExpiredToken(self._conditions(where, times=None), self._renew_token()))

    def lose_answer(self, **where: Unpack[Where]) -> Fault:
        """Carries writes out, and breaks the connection instead of an answer."""
        return self._add(LostAnswer(self._conditions(where, verb=_WRITES)))

    def drop_watch(self, after: int = 0, **where: Unpack[Where]) -> Fault:
        """Breaks the connection of watches, also of an open one, after some events."""
        return self._add_to_open(DroppedWatch(self._conditions(where, verb="watch"), after))

    def stall_watch(self, after: int = 0, **where: Unpack[Where]) -> Fault:
        """Makes watches, also open ones, send nothing more after `after` events. The connection stays open."""
        return self._add_to_open(StalledWatch(self._conditions(where, verb="watch"), after))

    def expire(self, after: int = 0, **where: Unpack[Where]) -> Fault:
        """Ends watches, also an open one, with 410 after some events; with `verb="list"`, refuses lists with 410."""
        return self._add_to_open(ExpiredVersion(self._conditions(where, verb="watch"), after, self.app.store))

    def duplicate_events(self, events: int = 1, **where: Unpack[Where]) -> Fault:
        """Sends the last events again to watches that resume at a resource version."""
        return self._add(DuplicateEvents(self._conditions(where, verb="watch"), events, self.app.store))

    def webhook_timeout(self, **where: Unpack[Where]) -> Fault:
        """Makes the server time out on a webhook of `webhooks=`; `verb` is the operation under review."""
        return self._add(WebhookTimeout(self._conditions(where)))

    def _conditions(self, where: Where, **defaults: Any) -> Conditions:
        found = defaults | cast("dict[str, Any]", where)
        kind = found.pop("kind", None)
        return Conditions(**found, resources=None if kind is None else find_resources(self.app, kind))

    def _add(self, fault: F) -> F:
        with self._lock:
            self._faults.append(fault)
        return fault

    def _add_to_open(self, fault: W) -> W:
        self._loop.run(self._attach(self._add(fault)))
        return fault

    async def _attach(self, fault: WatchFault) -> None:
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        for stream in list(self._streams):
            request = stream.request
            is_chosen = request.is_connected and not stream.failed and await fault.meets(request)
            if is_chosen and self._is_due(fault, _describe(request)):
                await stream.attach(fault)

    @contextlib.contextmanager
    def following(self, request: Request) -> Iterator[WatchStream]:
        """Lets faults reach a watch while it is open."""
        stream = request.stream = WatchStream(request)
        self._streams.append(stream)
        try:
            yield stream
        finally:
            self._streams.remove(stream)

    def clear(self) -> None:
        """Removes all faults, and forgets their injections."""
        with self._lock:
            self._faults.clear()
            self.injections.clear()
            self._began = time.monotonic()

    # --- injection ----------------------------------------------------------------------------------------------------

    async def choose(self, request: Request) -> list[Fault]:
        """Returns the faults that hit a request, the outer ones first."""
        found: list[Fault] = []
        for fault in sorted(self._active(), key=lambda each: not isinstance(each, Latency)):
            if await fault.meets(request) and self._is_due(fault, _describe(request)):
                found.append(fault)
                if fault.answers:
                    break
        return found

    def before_webhook(self, url: str, body: bytes) -> None:
        """Is called before the server calls a webhook.

        Raises:
            TimeoutError: a fault hits the call.
        """
        for fault in self._active():
            is_chosen = isinstance(fault, WebhookTimeout) and fault.meets_review(json.loads(body))
            if is_chosen and self._is_due(fault, f"POST {url}"):
                raise TimeoutError("the time is over")

    def _active(self) -> list[Fault]:
        with self._lock:
            return [fault for fault in self._faults if not fault.removed]

    def _is_due(self, fault: Fault, request: str) -> bool:
        with self._lock:
            if not fault.is_due():
                return False
            self.injections.append(Injection(fault, time.monotonic() - self._began, request))
            return True

    def report(self) -> str:
        """Returns the faults with the requests that they hit; empty without faults."""
        with self._lock:
            lines = [str(fault) for fault in self._faults]
            lines += [f"  +{each.at:.3f} s {each.fault.title}: {each.request}" for each in self.injections]
        return "\n".join(lines)


def _describe(request: Request) -> str:
    query = request.scope.get("query_string", b"").decode("latin-1")
    path = f"{request.scope['path']}?{query}" if query else request.scope["path"]
    return f"{request.scope['method']} {path} by {request.agent or 'an unknown client'}"


__all__ = ["Fault", "Faults", "Injection", "Where"]
