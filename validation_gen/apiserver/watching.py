"""Changes of a store on their way to watches, in their order, each once, and their form as events.

Source of the behaviour: `pkg/storage/cacher` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from validation_gen.apiserver.calls import Call
from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.negotiation import MediaType
from validation_gen.apiserver.reads import Selection, convert_objects
from validation_gen.apiserver.storage import Change, Entry
from validation_gen.apiserver.tables import partial, table

#: Limits of changes and bytes that wait for a slow client. Beyond them its watch ends.
_MOST_WAITING, _MOST_BYTES = 10_000, 32 << 20
#: Shares of these limits after which the waiting changes are counted.
_COUNTED, _COUNTED_BYTES = _MOST_WAITING // 10, _MOST_BYTES // 10
#: Changes that a watch handles at once.
BATCH = 500
_INITIAL_END = "k8s.io/initial-events-end"


class Published:
    """A change with its events, as watches without selectors have encoded them."""

    __slots__ = ("change", "lines")

    def __init__(self, change: Change) -> None:
        self.change = change
        self.lines: dict[Any, bytes] = {}


class _Link:
    """A link in the chain of published changes, with the number and the bytes of changes up to it.

    Each watch holds the last link that it has sent. So the chain keeps the links that the slowest watch needs, and no
    watch has a buffer of its own.
    """

    __slots__ = ("bytes", "following", "number", "published")

    def __init__(self, published: Published | None, number: int, size: int) -> None:
        self.published, self.number, self.bytes = published, number, size
        self.following: _Link | None = None


class _Feed:
    """The changes below a prefix, and their watches."""

    def __init__(self) -> None:
        self.watches: set[Subscription] = set()
        self.idle: set[Subscription] = set()
        self.last = _Link(None, 0, 0)
        self._counted = (0, 0)

    def add(self, published: Published) -> None:
        """Adds a change, and cuts off the watches that are too slow."""
        last = self.last
        self.last = last.following = _Link(published, last.number + 1, last.bytes + published.change.size)
        for watch in self.idle:
            watch.wake()
        self.idle.clear()
        if self.last.number - self._counted[0] >= _COUNTED or self.last.bytes - self._counted[1] >= _COUNTED_BYTES:
            self._counted = (self.last.number, self.last.bytes)
            for watch in self.watches:
                watch.cut(self.last)


class Hub:
    """Delivers the changes of a store to watches."""

    def __init__(self) -> None:
        self._feeds: dict[str, _Feed] = {}

    def publish(self, changes: Sequence[Change]) -> None:
        """Delivers changes; a store calls it."""
        for change in changes:
            group, resource = (*change.key.split("/", 3), "", "")[1:3]
            published = Published(change)
            # Those of a namespace, if the object is in one, and those of all.
            for prefix in {f"{change.key.rpartition('/')[0]}/", f"/{group}/{resource}/"}:
                if feed := self._feeds.get(prefix):
                    feed.add(published)

    def subscribe(self, prefix: str) -> Subscription:
        """Returns a subscription to the changes of a resource, or of one of its namespaces."""
        feed = self._feeds.setdefault(prefix, _Feed())
        found = Subscription(self, prefix, feed)
        feed.watches.add(found)
        return found

    def drop(self, prefix: str, subscription: Subscription) -> None:
        """Ends a subscription."""
        feed = self._feeds[prefix]
        feed.watches.discard(subscription)
        feed.idle.discard(subscription)
        if not feed.watches:
            del self._feeds[prefix]

    def end(self, prefix_of_resource: str) -> None:
        """Ends all watches of a resource."""
        for prefix, feed in self._feeds.items():
            if prefix.startswith(prefix_of_resource):
                for watch in feed.watches:
                    watch.end()

    def reload(self) -> None:
        """Ends all watches with 410, because changes were missed."""
        for feed in self._feeds.values():
            for watch in feed.watches:
                watch.expire()

    def close(self) -> None:
        """Ends all watches."""
        self.end("/")

    @property
    def count(self) -> int:
        """The number of watches."""
        return sum(len(feed.watches) for feed in self._feeds.values())


class Subscription:
    """The changes that wait for one watch.

    Attributes:
        overflowed: whether too many have waited, so that it has missed some.
        ended: whether no others will come.
    """

    def __init__(self, hub: Hub, prefix: str, feed: _Feed) -> None:
        self.overflowed = self.ended = False
        self._hub, self._prefix, self._feed = hub, prefix, feed
        self._taken = feed.last
        self._event = asyncio.Event()

    def wake(self) -> None:
        """Ends the wait for a change."""
        self._event.set()

    def cut(self, last: _Link) -> None:
        """Ends the watch if too many events, or too many bytes, wait for its client."""
        taken = self._taken
        if last.number - taken.number > _MOST_WAITING or last.bytes - taken.bytes > _MOST_BYTES:
            self.expire()

    def expire(self) -> None:
        """Ends the watch and drops the waiting events; its client begins again with a list."""
        self.overflowed, self._taken = True, self._feed.last
        self._event.set()

    def end(self) -> None:
        """Ends the watch once it has sent the waiting events."""
        self.ended = True
        self._event.set()

    async def take(self, clock: Clock, until: float) -> list[Published]:
        """Waits for changes and returns them; none if the clock reaches a time or is changed."""
        if self._taken.following is None and not self.overflowed and not self.ended:
            self._event.clear()
            self._feed.idle.add(self)
            await clock.wait(self._event, until)
        found: list[Published] = []
        link = self._taken
        while link.following is not None and len(found) < BATCH:
            link = link.following
            assert link.published is not None
            found.append(link.published)
        self._taken = link
        return found

    def close(self) -> None:
        """Unsubscribes."""
        self._hub.drop(self._prefix, self)


class Events:
    """Encoder of events, in the representation of one watch."""

    def __init__(self, call: Call, chosen: Selection) -> None:
        self._call = call
        self._chosen = chosen
        self._is_first = True

    async def added(self, entries: Sequence[Entry]) -> list[bytes]:
        """Returns the events of objects that are there and that the watch shows."""
        shown = await convert_objects(self._call, entries)
        return [self._event("ADDED", obj) for obj in shown if self._chosen.selects(obj)]

    async def published(self, published: Sequence[Published]) -> list[bytes]:
        """Returns the events of published changes, encoded once for all watches with the same representation."""
        media = self._call.media
        if self._chosen or media.kind == "Table":
            return await self.changed([each.change for each in published])
        form = (self._call.resource, self._call.version.api_version, media.kind, media.version)
        if new := [each for each in published if form not in each.lines]:
            for each, line in zip(new, await self.changed([each.change for each in new]), strict=True):
                each.lines[form] = line
        return [each.lines[form] for each in published]

    async def changed(self, changes: Sequence[Change]) -> list[bytes]:
        """Returns the events of changes that the watch shows; without selectors, one for each."""
        pairs = [self._find_entries(change) for change in changes]
        shown = iter(await convert_objects(self._call, [each for pair in pairs for each in pair if each is not None]))
        found = []
        for change, pair in zip(changes, pairs, strict=True):
            before, obj = (None if each is None else next(shown) for each in pair)
            if event := self._changed(change, before, obj):
                found.append(event)
        return found

    def _find_entries(self, change: Change) -> tuple[Entry | None, Entry | None]:
        """Returns the entries before and after a change, as far as its event depends on them."""
        if change.value is None:
            return change.before, None
        return change.before if self._chosen else None, Entry(change.key, change.value, change.revision)

    def _changed(self, change: Change, before: dict[str, Any] | None, obj: dict[str, Any] | None) -> bytes:
        was = change.before is not None if before is None else self._chosen.selects(before)
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


def make_error(problem: ApiError) -> bytes:
    """Returns the event of an error, after which a stream ends."""
    return _line({"type": "ERROR", "object": problem.status()})


def too_old(wanted: int | str, floor: int) -> ApiError:
    """Returns the error 410 for a watch from a revision whose history is no longer kept."""
    return ApiError(410, "Expired", f"too old resource version: {wanted} ({floor})")
