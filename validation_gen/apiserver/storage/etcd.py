"""A store in etcd v3, which several servers may share.

All changes come from one watch of etcd, those of this server as well, so that every server delivers the same changes in
the same order. A write returns after its own change was delivered. Reads are linearizable reads of etcd.

`etcd_client` has the connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import json
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from aetcd import rpc

from validation_gen.apiserver.storage import (
    FIRST_REVISION,
    Change,
    CompactedError,
    ConflictError,
    Entry,
    FutureRevisionError,
    Listener,
    StoreError,
    UnavailableError,
    is_object,
)
from validation_gen.apiserver.storage.etcd_client import EtcdClient

#: Seconds for the change of a write that etcd has answered.
_DELIVERY_SECONDS = 5.0
#: Seconds until the next attempt to watch, and between compactions.
_RETRY_SECONDS, _COMPACT_SECONDS = 0.2, 300.0
#: Limits of the changes in memory: their number, and the bytes of their values.
_MOST_CHANGES, _MOST_BYTES = 10_000, 32 * 1024 * 1024
#: Entries of one read of etcd.
_PAGE = 10_000
#: Key for which the servers of one etcd compete.
_COMPACT_KEY = "/compact_rev_key"


class EtcdStore:
    """A store in etcd.

    Args:
        url: `http://HOST:PORT`, or `https://HOST:PORT?cafile=FILE&certfile=FILE&keyfile=FILE`.
        prefix: the beginning of its keys in etcd.

    Raises:
        ValueError: the URL is malformed.
    """

    def __init__(self, url: str, prefix: str = "/registry") -> None:
        self._client = EtcdClient(url)
        self._prefix = prefix
        self._listener: Listener = lambda changes: None
        self._lost: Callable[[], None] = lambda: None
        # Changes after `floor` and up to `seen`; later ones than `begun` go to the listener.
        self._changes: deque[Change] = deque()
        self._bytes = self._floor = self._seen = self._begun = 0
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, listener: Listener, lost: Callable[[], None]) -> None:
        self._listener, self._lost = listener, lost
        self._client.open()
        try:
            current, last = await self._begin()
            self._floor = self._seen = max(current - _MOST_CHANGES, FIRST_REVISION)
            self._begun = max(last, self._floor)
            self._tasks = [asyncio.ensure_future(work) for work in (self._follow(), self._compact_regularly())]
            if not await self._is_delivered(self._begun):
                raise UnavailableError(f"etcd at {self._client.address} delivers no changes")
        except BaseException:
            await self.close()
            raise

    async def _begin(self) -> tuple[int, int]:
        """Returns the newest revision, and that of the newest entry.

        Only deletes come later in the history of the entries; the listener gets them, too, as their number is unknown.
        """
        newest = self._range("/", 0, "")
        newest.limit, newest.keys_only = 1, True
        newest.sort_order, newest.sort_target = rpc.RangeRequest.DESCEND, rpc.RangeRequest.MOD
        found = await self._client.call("Range", newest)
        current = found.header.revision
        while current < FIRST_REVISION:
            put = rpc.PutRequest(key=self._name(_COMPACT_KEY))
            current = (await self._client.call("Put", put)).header.revision
        return current, found.kvs[0].mod_revision if found.kvs else 0

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.close()

    # --- reads --------------------------------------------------------------------------------------------------------

    async def revision(self) -> int:
        return await self._client.revision()

    async def get(self, key: str) -> Entry | None:
        response = await self._client.call("Range", rpc.RangeRequest(key=self._name(key)))
        if not response.kvs:
            return None
        entry = self._entry(response.kvs[0])
        if entry is None:
            raise StoreError(f"the value of {self._prefix}{key} in etcd is no object of an API server")
        return entry

    async def scan(self, prefix: str, *, revision: int = 0, after: str = "", limit: int = 0) -> tuple[list[Entry], int]:
        """See `Store`. Values of other programs, which are no objects, are left out."""
        try:
            return await self._scan(prefix, revision, after, limit)
        except CompactedError:
            entries = await self._rewind(prefix, revision, after)
            return entries[:limit] if limit else entries, revision

    async def _scan(self, prefix: str, revision: int, after: str, limit: int) -> tuple[list[Entry], int]:
        request, found = self._range(prefix, revision, after), list[Entry]()
        while True:
            request.limit = min(limit - len(found), _PAGE) if limit else _PAGE
            response = await self._client.call("Range", request)
            request.revision = request.revision or response.header.revision
            found += [entry for entry in map(self._entry, response.kvs) if entry is not None]
            if not response.more or len(found) >= limit > 0:
                return found, request.revision
            request.key = response.kvs[-1].key + b"\0"

    async def _rewind(self, prefix: str, revision: int, after: str) -> list[Entry]:
        """Returns the entries at a revision that etcd no longer has, by the changes in memory.

        So paged lists can continue after a compaction, as in the API server, which keeps snapshots.
        """
        if revision < self._floor:
            raise CompactedError(self._floor)
        entries, at = await self._scan(prefix, self._seen, "", 0)
        found = {entry.key: entry for entry in entries}
        for change in reversed(await self.changes(prefix, revision)):
            if change.revision <= at:
                found.pop(change.key, None)
                if change.before is not None:
                    found[change.key] = change.before
        return [found[key] for key in sorted(found) if key > after]

    async def count(self, prefix: str, *, revision: int = 0, after: str = "") -> int:
        try:
            request = self._range(prefix, revision, after)
            request.count_only = True
            return int((await self._client.call("Range", request)).count)
        except CompactedError:
            return len(await self._rewind(prefix, revision, after))

    def _range(self, prefix: str, revision: int, after: str) -> Any:
        if 0 < revision < FIRST_REVISION:
            raise CompactedError(self._floor)
        start = self._name(f"{after}\0" if after else prefix)
        name = self._name(prefix)
        return rpc.RangeRequest(key=start, range_end=name[:-1] + bytes([name[-1] + 1]), revision=revision)

    async def changes(self, prefix: str, after: int) -> list[Change]:
        """See `Store`. Reads the latest changes, which are in memory."""
        if after < self._floor:
            raise CompactedError(self._floor)
        found: list[Change] = []
        for change in reversed(self._changes):
            if change.revision <= after:
                break
            if change.key.startswith(prefix):
                found.append(change)
        return found[::-1]

    # --- writes -------------------------------------------------------------------------------------------------------

    async def put(self, key: str, value: bytes, expected: int) -> int:
        put = rpc.PutRequest(key=self._name(key), value=value)
        return await self._write(key, rpc.RequestOp(request_put=put), expected)

    async def delete(self, key: str, expected: int) -> int:
        delete = rpc.DeleteRangeRequest(key=self._name(key))
        return await self._write(key, rpc.RequestOp(request_delete_range=delete), expected)

    async def _write(self, key: str, operation: Any, expected: int) -> int:
        compare = rpc.Compare(
            key=self._name(key), target=rpc.Compare.MOD, result=rpc.Compare.EQUAL, mod_revision=expected
        )
        response = await self._client.call("Txn", rpc.TxnRequest(compare=[compare], success=[operation]))
        if not response.succeeded:
            raise ConflictError(key)
        revision = int(response.header.revision)
        # If the change is late, the write counts all the same: etcd has it on disk.
        await self._is_delivered(revision)
        return revision

    async def _is_delivered(self, revision: int) -> bool:
        """Waits for the changes up to a revision, and returns whether they have come in time."""
        if self._seen < revision:
            waiter = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (revision, waiter))
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(waiter, _DELIVERY_SECONDS)
        return self._seen >= revision

    # --- compaction ---------------------------------------------------------------------------------------------------

    async def compact(self, revision: int) -> None:
        with contextlib.suppress(CompactedError):
            await self._client.call("Compact", rpc.CompactionRequest(revision=revision))
        self._forget(lambda: self._changes[0].revision <= revision)
        self._floor = max(self._floor, revision)

    async def _compact_regularly(self) -> None:
        """Compacts the history that is older than an interval.

        Of several servers, one compacts in each interval: the first whose transaction finds the key unchanged.
        Source of the behaviour: `pkg/storage/etcd3/compact.go` of `k8s.io/apiserver`.
        """
        key, version, revision = self._name(_COMPACT_KEY), 0, 0
        while True:
            await asyncio.sleep(_COMPACT_SECONDS)
            compare = rpc.Compare(key=key, target=rpc.Compare.VERSION, result=rpc.Compare.EQUAL, version=version)
            put = rpc.RequestOp(request_put=rpc.PutRequest(key=key, value=str(revision).encode()))
            read = rpc.RequestOp(request_range=rpc.RangeRequest(key=key))
            with contextlib.suppress(StoreError, CompactedError, FutureRevisionError):
                request = rpc.TxnRequest(compare=[compare], success=[put], failure=[read])
                response = await self._client.call("Txn", request)
                if not response.succeeded:
                    found = response.responses[0].response_range.kvs
                    version = found[0].version if found else 0
                else:
                    version += 1
                    if revision:
                        await self._client.call("Compact", rpc.CompactionRequest(revision=revision))
                revision = response.header.revision

    # --- changes ------------------------------------------------------------------------------------------------------

    async def _follow(self) -> None:
        """Receives changes, from a new watch whenever one ends."""
        while True:
            with contextlib.suppress(rpc.AioRpcError):
                if await self._receive():
                    continue
            await asyncio.sleep(_RETRY_SECONDS)

    async def _receive(self) -> bool:
        """Receives changes from one watch, and returns whether the next one begins at another revision."""
        name, begin = self._name("/"), self._seen + 1
        create = rpc.WatchCreateRequest(
            key=name, range_end=name[:-1] + b"0", start_revision=begin, prev_kv=True, fragment=True
        )
        stream = self._client.watch()
        held: list[Any] = []
        try:
            await stream.write(rpc.WatchRequest(create_request=create))
            while isinstance(response := await stream.read(), rpc.WatchResponse):
                is_older = response.created and response.header.revision < self._seen  # a backup, or other data
                if response.compact_revision or is_older:
                    self._skip(response.compact_revision or response.header.revision)
                    return True
                if response.canceled:
                    break
                events = [*held, *response.events]
                # A fragment may end within a revision, whose changes come together.
                last = events[-1].kv.mod_revision if events and response.fragment else None
                held = [event for event in events if event.kv.mod_revision == last]
                self._deliver([event for event in events if event.kv.mod_revision != last])
        finally:
            stream.cancel()
        return False

    def _deliver(self, events: Sequence[Any]) -> None:
        if not events:
            return
        changes = [change for change in map(self._change, events) if change is not None]
        self._changes += changes
        self._bytes += sum(change.size for change in changes)
        self._forget(lambda: len(self._changes) > _MOST_CHANGES or self._bytes > _MOST_BYTES)
        if fresh := [change for change in changes if change.revision > self._begun]:
            self._listener(fresh)
        self._reach(events[-1].kv.mod_revision)

    def _skip(self, revision: int) -> None:
        """Continues after a revision, and reports the changes up to it as lost unless the server has just started."""
        self._forget(lambda: True)
        if revision < self._seen:
            self._begun = 0
        if revision > self._begun:
            self._lost()
        self._floor = revision
        self._reach(revision)

    def _reach(self, revision: int) -> None:
        self._seen = revision
        while self._waiting and self._waiting[0][0] <= revision:
            _, waiter = heapq.heappop(self._waiting)
            if not waiter.done():
                waiter.set_result(None)

    def _forget(self, is_due: Callable[[], bool]) -> None:
        while self._changes and is_due():
            old = self._changes.popleft()
            self._bytes -= old.size
            self._floor = old.revision

    def _change(self, event: Any) -> Change | None:
        """Returns the change of an event, None if it has no object before or after."""
        before = self._entry(event.prev_kv) if event.prev_kv.key else None
        after = None if event.type == rpc.Event.DELETE else self._entry(event.kv)
        if before is None and after is None:
            return None
        key, revision = (after or before).key, event.kv.mod_revision  # type: ignore[union-attr]  # one is an entry
        return Change(key, revision, None if after is None else after.value, before)

    # --- etcd ---------------------------------------------------------------------------------------------------------

    def _name(self, key: str) -> bytes:
        return f"{self._prefix}{key}".encode()

    def _entry(self, pair: Any) -> Entry | None:
        """Returns an entry, None for the value of another program."""
        try:
            key, found = pair.key[len(self._prefix) :].decode(), json.loads(pair.value)
        except (ValueError, RecursionError):
            return None
        return Entry(key, pair.value, pair.mod_revision) if is_object(found) else None
