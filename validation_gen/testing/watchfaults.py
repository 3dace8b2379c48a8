"""Faults of watches, each with its effect on a stream."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar
from urllib.parse import urlencode

from validation_gen.apiserver.reads import make_expired
from validation_gen.apiserver.storage import Store, read_changes
from validation_gen.apiserver.watching import make_error, too_old
from validation_gen.runtime.words import counted
from validation_gen.testing.gateway import Forward, Request, Send
from validation_gen.testing.injections import Conditions, Fault, check_number


class WatchFault(Fault):
    """Watches that fail after some events: new ones, and those that are open.

    Attributes:
        after: the number of events before the fault; bookmarks do not count.
    """

    verbs: ClassVar[Sequence[str]] = ("watch",)

    def __init__(self, conditions: Conditions, after: int) -> None:
        super().__init__(conditions)
        check_number("after", after, 0)
        self.after = after

    async def inject(self, request: Request, forward: Forward) -> None:
        if request.stream is not None:
            await request.stream.attach(self)
        await forward(request)

    @abstractmethod
    async def fail(self, request: Request, send: Send) -> None:
        """Ends the stream, or stops its events."""


class WatchStream:
    """The response of a watch, into which faults can be injected while it is open.

    Args:
        request: the request of the watch, which sends through the stream from then on.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        self.failed = False
        self._original, request.send = request.send, self.send
        self._began = False
        self._left: dict[WatchFault, int] = {}

    async def attach(self, fault: WatchFault) -> None:
        """Makes the stream fail once `fault.after` more events have been sent."""
        self._left[fault] = fault.after
        if self._began:
            await self._fail_if_due()

    async def send(self, message: Any) -> None:
        """Sends a part of the response, without the events after the fault."""
        if self.failed:
            return
        if not self._left or message["type"] != "http.response.body" or not message.get("more_body"):
            self._began |= message["type"] == "http.response.body"
            await self._original(message)
            return
        passed = []
        for line in message["body"].splitlines(keepends=True):
            if not line.startswith(b'{"type":"BOOKMARK"'):
                if not all(self._left.values()):
                    break
                self._left = {fault: left - 1 for fault, left in self._left.items()}
            passed.append(line)
        self._began = True
        await self._original({**message, "body": b"".join(passed)})
        await self._fail_if_due()

    async def _fail_if_due(self) -> None:
        due = next((fault for fault, left in self._left.items() if not left), None)
        if due is not None and not self.failed:
            self.failed = True
            await due.fail(self.request, self._original)


class DroppedWatch(WatchFault):
    """Watches whose connection breaks."""

    title = "dropped watch"

    async def fail(self, request: Request, send: Send) -> None:
        await request.break_off()


class StalledWatch(WatchFault):
    """Watches that stay open, and never send anything again."""

    title = "stalled watch"

    async def fail(self, request: Request, send: Send) -> None:
        pass


class ExpiredVersion(WatchFault):
    """Watches, or lists, whose resource version is too old."""

    title = "expired version (410)"
    verbs = ("watch", "list")

    def __init__(self, conditions: Conditions, after: int, store: Store) -> None:
        super().__init__(conditions, after)
        self._store = store

    async def inject(self, request: Request, forward: Forward) -> None:
        if request.verb == "watch":
            await super().inject(request, forward)
        else:
            await request.refuse(make_expired())

    async def fail(self, request: Request, send: Send) -> None:
        wanted = request.query.get("resourceVersion", ["0"])[0] or "0"
        event = make_error(too_old(wanted, await self._store.revision()))
        await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


class DuplicateEvents(Fault):
    """Watches that begin again, and get events that they have had before."""

    verbs = ("watch",)

    def __init__(self, conditions: Conditions, events: int, store: Store) -> None:
        super().__init__(conditions)
        check_number("events", events, 1)
        self._store = store
        self.events = events
        self.title = f"{counted(events, 'duplicate event')} after a reconnect"

    async def meets(self, request: Request) -> bool:
        version = request.query.get("resourceVersion", [""])[0]
        return version.isdigit() and version != "0" and await super().meets(request)

    async def inject(self, request: Request, forward: Forward) -> None:
        revision = int(request.query["resourceVersion"][0])
        assert request.target is not None
        assert request.resource is not None
        prefix = request.resource.make_prefix(request.target.namespace)
        known = [each.revision for each in await read_changes(self._store, prefix) if each.revision <= revision]
        if known:
            before = str(known[-self.events :][0] - 1)
            query = urlencode({**request.query, "resourceVersion": [before]}, doseq=True)
            request = replace(request, scope={**request.scope, "query_string": query.encode()})
        await forward(request)
