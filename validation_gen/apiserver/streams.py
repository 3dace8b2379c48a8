"""The watch verb: streams of events, from a state or a revision on, with bookmarks.

Source of the behaviour: `pkg/endpoints/handlers/watch.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

from validation_gen.apiserver.calls import Call, Response
from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.errors import ApiError, internal, server_fault, storage_failure
from validation_gen.apiserver.negotiation import YAML
from validation_gen.apiserver.reads import read_wanted, selection
from validation_gen.apiserver.requests import ListOptions, list_options, refuse_invalid
from validation_gen.apiserver.storage import CompactedError, Store, StoreError
from validation_gen.apiserver.watching import BATCH, Events, Hub, Subscription, make_error, too_old

#: Bytes that a watch sends at once.
_PIECE = 1 << 16
#: Seconds between bookmarks, and the longest watch without an own limit.
_BOOKMARK_SECONDS, _LONGEST_SECONDS = 60.0, 3600.0
_FIRST_BOOKMARK, _LAST_BOOKMARK = 1.0, 2.0


class Watcher:
    """Watches of objects in a store."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self.store = store
        self.hub = hub

    async def watch(self, call: Call) -> Response:
        """Returns a stream of events."""
        options = list_options(call.query, watches=True)
        chosen = selection(call, options)
        if call.target.name:
            raise internal("watch of one object")
        refuse_invalid(options)
        if call.media.type == YAML:
            text = "only the following media types are accepted: application/json, application/vnd.kubernetes.protobuf"
            raise ApiError(406, "NotAcceptable", text)
        revision = read_wanted(options.resource_version)
        stream = self._stream(call, options, Events(call, chosen), revision)
        content_type = "application/json;stream=watch" if call.media.stream else "application/json"
        return Response(200, stream=stream, content_type=content_type)

    async def _stream(self, call: Call, options: ListOptions, events: Events, revision: int) -> AsyncIterator[bytes]:
        clock = call.clock
        subscription = self.hub.subscribe(call.prefix)
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
                yield make_error(too_old(revision, problem.floor))
                return
            async for part in self._rest(clock, options, subscription, events, last, deadline):
                yield part
        except ApiError as problem:
            yield make_error(problem)
        except StoreError as problem:
            yield make_error(storage_failure(problem))
        except Exception as problem:
            yield make_error(server_fault(problem))
        finally:
            subscription.close()

    async def _beginning(
        self, call: Call, options: ListOptions, events: Events, revision: int
    ) -> AsyncIterator[tuple[bytes, int]]:
        """Yields the events before the live ones in chunks, each with the revision that the watch has then reached."""
        wants_state = options.initial_events or (options.initial_events is None and revision == 0)
        if wants_state:
            entries, at = await self.store.scan(call.prefix)
            for start in range(0, len(entries), BATCH):
                for piece in _join(await events.added(entries[start : start + BATCH])):
                    yield piece, at
            bookmark = events.bookmark(at, initial=True) if options.initial_events and options.bookmarks else b""
            yield bookmark, at
        elif revision == 0 or revision > await self.store.revision():
            yield b"", revision or await self.store.revision()
        else:
            changes = await self.store.changes(call.prefix, revision)
            for start in range(0, len(changes), BATCH):
                batch = changes[start : start + BATCH]
                for piece in _join(await events.changed(batch)):
                    yield piece, batch[-1].revision

    async def _rest(
        self,
        clock: Clock,
        options: ListOptions,
        subscription: Subscription,
        events: Events,
        last: int,
        deadline: float,
    ) -> AsyncIterator[bytes]:
        # As the server does: one soon after the end of the first events, two seconds before the end, and each minute.
        first = _FIRST_BOOKMARK if options.initial_events else _BOOKMARK_SECONDS
        due = [clock.seconds() + first, *([deadline - _LAST_BOOKMARK] if options.timeout else [])]
        reported = last
        while True:
            if clock.seconds() >= deadline:
                return
            until = min(deadline, *due) if options.bookmarks else deadline
            found = await subscription.take(clock, until)
            if subscription.overflowed:
                yield make_error(too_old(last, last))
                return
            found = [each for each in found if each.change.revision > last]
            if found:
                for piece in _join(await events.published(found)):
                    yield piece
                last = found[-1].change.revision
            elif subscription.ended:
                return
            if options.bookmarks and clock.seconds() >= min(due):
                due = [each for each in due if each > clock.seconds()] or [clock.seconds() + _BOOKMARK_SECONDS]
                if last > reported:
                    reported = last
                    yield events.bookmark(reported)


def _join(parts: Sequence[bytes]) -> Iterator[bytes]:
    """Joins parts to pieces, each of which is sent at once."""
    found: list[bytes] = []
    size = 0
    for part in parts:
        found.append(part)
        size += len(part)
        if size >= _PIECE:
            yield b"".join(found)
            found, size = [], 0
    if found:
        yield b"".join(found)
