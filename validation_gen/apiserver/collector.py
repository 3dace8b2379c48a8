"""Garbage collection: deletes objects without existing owners; deleted owners wait for dependents or release them.

The index (`ownership`) follows the changes of the store at once. The collector acts a second later, about as in a
cluster, and at once after its own changes.

Sources of the behaviour: `pkg/controller/garbagecollector` of `k8s.io/kubernetes`.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from validation_gen.apiserver.controllers import Controller
from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.ownership import (
    FOREGROUND,
    ORPHAN,
    IndexedObject,
    Owner,
    OwnerIndex,
    Reference,
    read_indexed,
    read_metadata,
    read_namespace,
)
from validation_gen.apiserver.requests import DeleteOptions
from validation_gen.apiserver.storage import Change, Entry, Store, StoreError

#: Objects that live too short to have owners or dependents.
_IGNORED = ("/core/events/",)
#: Entries of a page at the start.
_PAGE = 500
#: Pauses between attempts that fail, in seconds: each is twice as long as the one before.
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 60.0

#: Finds the resource of a key, or None.
FindByKey = Callable[[str], Any]
#: Finds the resource of a group, version and kind, or None.
FindByKind = Callable[[str, str, str], Any]
Delete = Callable[[Any, str, DeleteOptions], Awaitable[None]]
Patch = Callable[[Any, str, dict[str, Any]], Awaitable[None]]


class _UnknownKindError(Exception):
    """The kind of an owner is not served: it may be, later."""


class Collector(Controller):
    """Deletes dependents of objects that are gone.

    Args:
        delay: seconds between a change and its consequences.
        by_key: finds the resource of a key.
        by_kind: finds the resource of a group, a version and a kind.
        delete: deletes an object of a resource, by its key.
        patch: applies a merge patch to an object of a resource, by its key.
    """

    def __init__(
        self, store: Store, delay: float, by_key: FindByKey, by_kind: FindByKind, delete: Delete, patch: Patch
    ) -> None:
        super().__init__(store)
        self._delay = delay
        self._by_key, self._by_kind, self._delete, self._patch = by_key, by_kind, delete, patch
        self._index = OwnerIndex()
        self._due: dict[str, float] = {}
        self._queue: list[tuple[float, int, str]] = []
        self._numbers = itertools.count()
        self._failures: dict[str, int] = {}
        self._own: set[str] = set()

    async def _read(self) -> int:
        for known in (self._index, self._due, self._queue, self._failures, self._own):
            known.clear()
        first, last = 0, ""
        while True:
            entries, revision = await self._store.scan("/", after=last, limit=_PAGE)
            first = first or revision
            for entry in entries:
                self._plan(self._index.update(entry.key, read_indexed(entry.value)), self._delay)
            if len(entries) < _PAGE:
                return first
            last = entries[-1].key

    @property
    def size(self) -> int:
        """The number of objects and owners in the index, and of plans."""
        return len(self._index) + len(self._due) + len(self._failures) + len(self._own)

    def _apply(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.key.startswith(_IGNORED):
                continue
            delay = self._delay
            if change.key in self._own:
                self._own.discard(change.key)
                delay = 0.0
            after = None if change.value is None else read_indexed(change.value)
            deleted_uid = ""
            if change.value is None and change.before is not None and self._index.owners:
                deleted_uid = str(read_metadata(change.before.value).get("uid") or "")
            self._plan(self._index.update(change.key, after, deleted_uid), delay)

    # --- work ---------------------------------------------------------------------------------------------------------

    def _plan(self, keys: Sequence[str], delay: float) -> None:
        due = asyncio.get_running_loop().time() + delay
        for key in keys:
            if self._due.get(key, due + 1) > due:
                self._due[key] = due
                heapq.heappush(self._queue, (due, next(self._numbers), key))
                self._wake.set()

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self._wake.clear()
            try:
                await self.catch_up()
            except StoreError:
                await asyncio.sleep(_SHORTEST_PAUSE)
                self._wake.set()
            wait = self._queue[0][0] - loop.time() if self._queue else None
            if wait is None or wait > 0:
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), wait)
                continue
            due, _, key = heapq.heappop(self._queue)
            if self._due.get(key) != due:
                continue  # it was planned for an earlier time
            del self._due[key]
            await self._try(key)
            await asyncio.sleep(0)  # a store in memory never waits

    async def _try(self, key: str) -> None:
        """Collects or releases one object, and tries again later if that fails."""
        try:
            await self._attend(key)
        except Exception:  # an odd object must not end the work on others
            failures = self._failures[key] = self._failures.get(key, 0) + 1
            self._plan([key], min(_SHORTEST_PAUSE * 2**failures, _LONGEST_PAUSE))
        else:
            self._failures.pop(key, None)

    async def _attend(self, key: str) -> None:
        """Deletes an object without owners, or finishes the deletion of one that waits for its dependents.

        Raises:
            ApiError: a write is refused.
            StoreError: the store does not answer.
            _UnknownKindError: the kind of an owner is not served.
        """
        entry = await self._store.get(key)
        resource = self._by_key(key)
        known = None if entry is None else read_indexed(entry.value)
        if entry is None or known is None or resource is None:
            return
        meta = read_metadata(entry.value)
        if known.waits == ORPHAN:
            await self._release_dependents(known.uid)
            await self._finish(resource, entry, meta, ORPHAN)
        elif known.waits == FOREGROUND:
            owner = self._index.owners.get(known.uid)
            if owner is None or not owner.blocking:
                await self._finish(resource, entry, meta, FOREGROUND)
        elif not meta.get("deletionTimestamp") and known.owners:
            await self._judge(resource, entry, meta, known)

    async def _judge(self, resource: Any, entry: Entry, meta: dict[str, Any], known: IndexedObject) -> None:
        """Deletes an object unless one of its owners exists; then it only removes the references to missing owners."""
        living: set[Reference] = set()
        waiting: set[Reference] = set()
        for reference in known.owners:
            state = await self._look(reference, read_namespace(entry.key))
            if state is None:
                return
            if state:
                (waiting if state == FOREGROUND else living).add(reference)
        if living:
            if len(living) < len(known.owners):
                uids = {reference.uid for reference in living}
                await self._set_owners(
                    resource, entry, meta, [each for each in meta["ownerReferences"] if each.get("uid") in uids]
                )
            return
        finalizers = meta.get("finalizers") or ()
        policy = "Orphan" if ORPHAN in finalizers else "Foreground" if FOREGROUND in finalizers else "Background"
        own = self._index.owners.get(known.uid)
        if waiting and own is not None and own.dependents:
            policy = "Foreground"
            if any(self._index.objects[key].waits == FOREGROUND for key in own.dependents):  # owners in a circle
                references = [{**each, "blockOwnerDeletion": False} for each in meta["ownerReferences"]]
                await self._set_owners(resource, entry, meta, references)
                meta = {}
        version = str(entry.revision) if meta else None
        options = DeleteOptions(propagation=policy, uid=known.uid, resource_version=version)
        await self._write(entry.key, self._delete(resource, entry.key, options))

    async def _look(self, reference: Reference, namespace: str) -> str | None:
        """Returns the state of an owner: empty if it is gone, `foregroundDeletion` while it waits, or `lives`.

        None: an object of no namespace refers to one in a namespace, which can never be resolved.
        """
        owner = self._index.owners.get(reference.uid)
        if owner is not None and owner.gone is not None and owner.gone in ("", namespace):
            return ""
        group, _, version = reference.api_version.rpartition("/")
        resource = self._by_kind(group, version, reference.kind)
        if resource is None:
            raise _UnknownKindError(reference.kind)
        if resource.namespaced and not namespace:
            return None
        entry = await self._store.get(f"{resource.make_prefix(namespace)}{reference.name}")
        if entry is None:
            return ""
        meta = read_metadata(entry.value)
        if meta.get("uid") != reference.uid:
            return ""
        is_waiting = meta.get("deletionTimestamp") and FOREGROUND in (meta.get("finalizers") or ())
        return FOREGROUND if is_waiting else "lives"

    async def _release_dependents(self, uid: str) -> None:
        """Removes the references of all dependents to an owner."""
        for key in list(self._index.owners.get(uid, Owner()).dependents):
            entry, resource = await self._store.get(key), self._by_key(key)
            if entry is None or resource is None:
                continue
            meta = read_metadata(entry.value)
            known = meta.get("ownerReferences") or []
            rest = [each for each in known if each.get("uid") != uid]
            if rest != known:
                await self._set_owners(resource, entry, meta, rest)
            await asyncio.sleep(0)

    async def _set_owners(self, resource: Any, entry: Entry, meta: dict[str, Any], owners: list[Any]) -> None:
        change = {"resourceVersion": str(entry.revision), "uid": meta.get("uid"), "ownerReferences": owners or None}
        await self._write(entry.key, self._patch(resource, entry.key, {"metadata": change}))

    async def _finish(self, resource: Any, entry: Entry, meta: dict[str, Any], finalizer: str) -> None:
        """Removes a finalizer of the collector."""
        rest = [name for name in meta.get("finalizers") or () if name != finalizer]
        change = {"resourceVersion": str(entry.revision), "finalizers": rest or None}
        await self._write(entry.key, self._patch(resource, entry.key, {"metadata": change}))

    async def _write(self, key: str, work: Awaitable[None]) -> None:
        """Writes a change of its own, whose dependents it then handles without a delay."""
        self._own.add(key)
        try:
            await work
        except (ApiError, StoreError) as problem:
            self._own.discard(key)
            if not isinstance(problem, ApiError) or problem.code != 404:
                raise
