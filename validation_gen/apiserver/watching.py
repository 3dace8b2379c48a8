"""Watches: changes of a store as events, in their order, each once.

Sources of the behaviour: `pkg/endpoints/handlers/watch.go` and `pkg/storage/cacher` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from validation_gen.apiserver.calls import Call, Response
from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.errors import ApiError, internal
from validation_gen.apiserver.negotiation import YAML, MediaType, encode
from validation_gen.apiserver.reads import Selection, read_revision, selection, shown_objects
from validation_gen.apiserver.requests import ListOptions, list_options, refuse_invalid
from validation_gen.apiserver.storage import Change, CompactedError, Entry, Store
from validation_gen.apiserver.tables import partial, table
from validation_gen.runtime.errors import FieldError

#: Events that wait for a slow client; one that is slower is cut off.
_MOST_WAITING = 10_000
#: Seconds between bookmarks, and the longest watch without an own limit.
_BOOKMARK_SECONDS, _LONGEST_SECONDS = 60.0, 3600.0
_FIRST_BOOKMARK, _LAST_BOOKMARK = 1.0, 2.0
_INITIAL_END = "k8s.io/initial-events-end"


class Hub:
    """Delivers the changes of a store to watches."""

    def __init__(self) -> None:
        self._watches: dict[str, set[Subscription]] = {}

    def publish(self, changes: Sequence[Change]) -> None:
        """Delivers changes; a store calls it."""
        for change in changes:
            _, group, resource, _ = change.key.split("/", 3)
            for watch in self._watches.get(f"/{group}/{resource}/", ()):
                watch.put(change)

    def subscribe(self, prefix_of_resource: str, prefix: str) -> Subscription:
        """Returns a subscription to the changes below a prefix."""
        found = Subscription(self, prefix_of_resource, prefix)
        self._watches.setdefault(prefix_of_resource, set()).add(found)
        return found

    def drop(self, subscription: Subscription) -> None:
        """Ends a subscription."""
        watches = self._watches.get(subscription.resource, set())
        watches.discard(subscription)
        if not watches:
            self._watches.pop(subscription.resource, None)

    def end(self, prefix_of_resource: str) -> None:
        """Ends all watches of a resource."""
        for watch in self._watches.get(prefix_of_resource, ()):
            watch.end()

    def close(self) -> None:
        """Ends all watches."""
        for watches in self._watches.values():
            for watch in watches:
                watch.end()

    @property
    def count(self) -> int:
        """The number of watches."""
        return sum(map(len, self._watches.values()))


class Subscription:
    """The changes that wait for one watch."""

    def __init__(self, hub: Hub, resource: str, prefix: str) -> None:
        self.resource = resource
        self.overflowed = self.ended = False
        self._hub, self._prefix = hub, prefix
        self._waiting: deque[Change] = deque()
        self._event = asyncio.Event()

    def put(self, change: Change) -> None:
        """Adds a change."""
        if not change.key.startswith(self._prefix):
            return
        if len(self._waiting) >= _MOST_WAITING:
            self.overflowed = True
            self._waiting.clear()
        elif not self.overflowed:
            self._waiting.append(change)
        self._event.set()

    def end(self) -> None:
        """Ends the watch once it has sent what waits."""
        self.ended = True
        self._event.set()

    async def take(self, clock: Clock, until: float) -> list[Change]:
        """Returns the waiting changes, none if the clock reaches a time or changes."""
        if not self._waiting and not self.overflowed and not self.ended:
            self._event.clear()
            await clock.wait(self._event, until)
        found = list(self._waiting)
        self._waiting.clear()
        return found

    def close(self) -> None:
        """Unsubscribes."""
        self._hub.drop(self)


class Watcher:
    """Watches of objects in a store."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self.store = store
        self.hub = hub

    async def watch(self, call: Call) -> Response:
        """Returns a stream of events.

        Raises:
            ApiError: the request is refused.
        """
        options = list_options(call.query, watches=True)
        chosen = selection(call, options)
        if call.target.name:
            raise internal("watch of one object")
        refuse_invalid(options)
        if call.media.type == YAML:
            text = "only the following media types are accepted: application/json, application/vnd.kubernetes.protobuf"
            raise ApiError(406, "NotAcceptable", text)
        try:
            revision = read_revision(options.resource_version)
        except ValueError as problem:
            error = FieldError.invalid("resourceVersion", options.resource_version, str(problem))
            raise internal(str(error)) from None
        subscription = self.hub.subscribe(call.prefix_of_resource, call.prefix)
        events = Events(call, chosen)
        stream = self._stream(call, options, subscription, events, revision)
        content_type = "application/json;stream=watch" if call.media.stream else "application/json"
        return Response(200, stream=stream, content_type=content_type)

    async def _stream(
        self, call: Call, options: ListOptions, subscription: Subscription, events: Events, revision: int
    ) -> AsyncIterator[bytes]:
        clock = call.clock
        limit = _LONGEST_SECONDS if not options.timeout else float(options.timeout)
        try:
            if (options.timeout or 0) < 0 or call.media.kind == "PartialObjectMetadataList":
                yield b""
                return
            deadline = clock.seconds() + limit
            yield b""
            last = revision
            try:
                async for part, at in self._beginning(call, options, events, revision):
                    last = max(last, at)
                    if part:
                        yield part
            except CompactedError as problem:
                yield events.error(_too_old(revision, problem.floor))
                return
            async for part in self._rest(clock, options, subscription, events, last, deadline):
                yield part
        except ApiError as problem:
            yield events.error(problem)
        finally:
            subscription.close()

    async def _beginning(
        self, call: Call, options: ListOptions, events: Events, revision: int
    ) -> AsyncIterator[tuple[bytes, int]]:
        """Yields the events before the first live one, and the revisions up to which they reach."""
        wants_state = options.initial_events or (options.initial_events is None and revision == 0)
        if wants_state:
            entries, at = await self.store.scan(call.prefix)
            parts = await events.added(entries)
            if options.initial_events and options.bookmarks:
                parts.append(events.bookmark(at, initial=True))
            yield b"".join(parts), at
        elif revision == 0 or revision > await self.store.revision():
            yield b"", revision or await self.store.revision()
        else:
            changes = await self.store.changes(call.prefix, revision)
            parts = await events.changed(changes)
            yield b"".join(parts), max((change.revision for change in changes), default=revision)

    async def _rest(
        self,
        clock: Clock,
        options: ListOptions,
        subscription: Subscription,
        events: Events,
        last: int,
        deadline: float,
    ) -> AsyncIterator[bytes]:
        # As the server does: one soon after the first events, two seconds before the end, and each minute.
        due = [clock.seconds() + _FIRST_BOOKMARK, *([deadline - _LAST_BOOKMARK] if options.timeout else [])]
        told = last
        while True:
            if clock.seconds() >= deadline:
                return
            until = min(deadline, *due) if options.bookmarks else deadline
            changes = await subscription.take(clock, until)
            if subscription.overflowed:
                yield events.error(_too_old(last, last))
                return
            changes = [change for change in changes if change.revision > last]
            if changes:
                last = changes[-1].revision
            if parts := await events.changed(changes):
                yield b"".join(parts)
            if subscription.ended:
                return
            if options.bookmarks and clock.seconds() >= min(due):
                due = [each for each in due if each > clock.seconds()] or [clock.seconds() + _BOOKMARK_SECONDS]
                if last > told:
                    told = last
                    yield events.bookmark(told)


class Events:
    """Encoder of events, in the representation of one watch."""

    def __init__(self, call: Call, chosen: Selection) -> None:
        self._call = call
        self._chosen = chosen
        self._is_first = True

    async def added(self, entries: Sequence[Entry]) -> list[bytes]:
        """Returns the events of objects that are there and that the watch shows."""
        shown = await shown_objects(self._call, entries)
        return [self._event("ADDED", obj) for obj in shown if self._chosen.selects(obj)]

    async def changed(self, changes: Sequence[Change]) -> list[bytes]:
        """Returns the events of changes that the watch shows."""
        entries = []
        for change in changes:
            after = None if change.value is None else Entry(change.key, change.value, change.revision)
            entries += [entry for entry in (change.before, after) if entry is not None]
        shown = iter(await shown_objects(self._call, entries))
        found = []
        for change in changes:
            before = None if change.before is None else next(shown)
            obj = None if change.value is None else next(shown)
            if event := self._changed(change, before, obj):
                found.append(event)
        return found

    def _changed(self, change: Change, before: dict[str, Any] | None, obj: dict[str, Any] | None) -> bytes:
        was = before is not None and self._chosen.selects(before)
        if obj is not None and self._chosen.selects(obj):
            return self._event("MODIFIED" if was else "ADDED", obj)
        if not was or before is None:
            return b""
        before["metadata"]["resourceVersion"] = str(change.revision)
        return self._event("DELETED", before)

    def bookmark(self, revision: int, *, initial: bool = False) -> bytes:
        """Returns a bookmark."""
        names, version = self._call.resource.names, self._call.version
        meta: dict[str, Any] = {"resourceVersion": str(revision)}
        if initial:
            meta["annotations"] = {_INITIAL_END: "true"}
        obj = {"kind": names.kind, "apiVersion": version.api_version, "metadata": meta}
        return self._event("BOOKMARK", obj)

    def error(self, problem: ApiError) -> bytes:
        """Returns the event of an error, after which the stream ends."""
        return _line({"type": "ERROR", "object": problem.status()})

    def _event(self, kind: str, obj: Mapping[str, Any]) -> bytes:
        media = self._call.media
        return _line({"type": kind, "object": self._form(kind, obj, media)})

    def _form(self, kind: str, obj: Mapping[str, Any], media: MediaType) -> Mapping[str, Any]:
        if media.kind == "Table":
            first, self._is_first = self._is_first, False
            meta = {"resourceVersion": (obj.get("metadata") or {}).get("resourceVersion")}
            include = self._call.query.get("includeObject", [""])[0]
            if kind == "BOOKMARK":
                include = "Metadata"
            columns = self._call.resource.columns(self._call.version.name)
            return table(columns, [obj], meta, media.version, include, self._call.clock.now(), with_columns=first)
        if media.kind == "PartialObjectMetadata":
            return partial(obj, media.version)
        return obj


def _line(event: Mapping[str, Any]) -> bytes:
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _too_old(wanted: int, floor: int) -> ApiError:
    return ApiError(410, "Expired", f"too old resource version: {wanted} ({floor})")


__all__ = ["Hub", "Watcher", "encode"]
