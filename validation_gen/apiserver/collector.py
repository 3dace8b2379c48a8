"""Garbage collection: deletes objects without existing owners; deleted owners wait for dependents or release them.

The index has objects with owners and objects that wait for their dependents. It follows the changes of the store at
once. The collector acts a second later, about as in a cluster, and at once after its own changes.

Sources of the behaviour: `pkg/controller/garbagecollector` of `k8s.io/kubernetes`.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.requests import DeleteOptions
from validation_gen.apiserver.storage import Change, Entry, Follower, Store, StoreError

ORPHAN, FOREGROUND = "orphan", "foregroundDeletion"
#: Objects that live too short to have owners or dependents.
_IGNORED = ("/core/events/",)
#: Texts of objects that the index has.
_MARKS = (b'"ownerReferences"', b'"foregroundDeletion"', b'"orphan"')
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


class _Reference(NamedTuple):
    """A reference to an owner."""

    uid: str
    api_version: str
    kind: str
    name: str
    blocks: bool


@dataclass(slots=True)
class _Object:
    """An object of the index.

    Attributes:
        uid: its uid.
        owners: the references to its owners.
        waits: the finalizer on whose behalf it waits for the collector, empty if it does not.
    """

    uid: str
    owners: tuple[_Reference, ...]
    waits: str = ""


@dataclass(slots=True)
class _Owner:
    """Facts of the index about a uid to which objects refer.

    Attributes:
        dependents: the keys of these objects.
        blocking: the keys of those that block its deletion in the foreground.
        key: the key of the owner while it waits for them.
        gone: the namespace from which it was deleted, None if that was not seen.
    """

    dependents: dict[str, None] = field(default_factory=dict)
    blocking: set[str] = field(default_factory=set)
    key: str = ""
    gone: str | None = None


class Collector:
    """Deletes dependents of objects that are gone.

    Args:
        store: the store.
        delay: seconds between a change and its consequences.
        by_key: finds the resource of a key.
        by_kind: finds the resource of a group, a version and a kind.
        delete: deletes an object of a resource, by its key.
        patch: applies a merge patch to an object of a resource, by its key.
    """

    def __init__(
        self, store: Store, delay: float, by_key: FindByKey, by_kind: FindByKind, delete: Delete, patch: Patch
    ) -> None:
        self._store, self._delay = store, delay
        self._by_key, self._by_kind, self._delete, self._patch = by_key, by_kind, delete, patch
        self._objects: dict[str, _Object] = {}
        self._owners: dict[str, _Owner] = {}
        self._due: dict[str, float] = {}
        self._queue: list[tuple[float, int, str]] = []
        self._numbers = itertools.count()
        self._failures: dict[str, int] = {}
        self._own: set[str] = set()
        self._wake = asyncio.Event()
        self._follower = Follower(self._read_all, self._apply)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Reads the objects of the store."""
        await self._follower.catch_up()
        self._task = asyncio.get_running_loop().create_task(self._run())

    def reload(self) -> None:
        """Reads the objects of the store again, because changes were missed."""
        self._follower.reset()
        self._wake.set()

    async def _read_all(self) -> int:
        for known in (self._objects, self._owners, self._due, self._queue, self._failures, self._own):
            known.clear()
        first, last = 0, ""
        while True:
            entries, revision = await self._store.scan("/", after=last, limit=_PAGE)
            first = first or revision
            for entry in entries:
                self._note(entry.key, _read(entry), None, self._delay)
            if len(entries) < _PAGE:
                return first
            last = entries[-1].key

    async def close(self) -> None:
        """Ends the work."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def size(self) -> int:
        """The number of objects and owners in the index, and of plans."""
        return len(self._objects) + len(self._owners) + len(self._due) + len(self._failures) + len(self._own)

    def publish(self, changes: Sequence[Change]) -> None:
        """Follows changes of the store."""
        self._follower.publish(changes)

    def _apply(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.key.startswith(_IGNORED):
                continue
            delay = self._delay
            if change.key in self._own:
                self._own.discard(change.key)
                delay = 0.0
            after = None if change.value is None else _read(Entry(change.key, change.value, change.revision))
            gone = ""
            if change.value is None and change.before is not None and self._owners:
                gone = str(_read_metadata(change.before.value).get("uid") or "")
            self._note(change.key, after, gone, delay)

    # --- index --------------------------------------------------------------------------------------------------------

    def _note(self, key: str, new: _Object | None, gone: str | None, delay: float) -> None:
        """Updates the index, and plans the objects to attend. `gone` is the uid of a deleted object."""
        old = self._objects.pop(key, None)
        if new is not None:
            self._objects[key] = new
        before, after = (each.owners if each else () for each in (old, new))
        if before != after:
            self._refer(key, before, after, delay)
            if set(after) - set(before):
                self._plan(key, delay)
        if new is not None and new.waits and (old is None or old.waits != new.waits or old.uid != new.uid):
            self._owners.setdefault(new.uid, _Owner()).key = key
            for dependent in self._owners[new.uid].dependents if new.waits == FOREGROUND else ():
                self._plan(dependent, delay)
            self._plan(key, delay)
        if old is not None and old.waits and (new is None or not new.waits or old.uid != new.uid):
            owner = self._owners.get(old.uid)
            if owner is not None and owner.key == key:
                owner.key = ""
                self._forget_unused(old.uid)
        if gone and (owner := self._owners.get(gone)):
            owner.gone = _namespace(key)
            for dependent in owner.dependents:
                self._plan(dependent, delay)

    def _refer(self, key: str, before: tuple[_Reference, ...], after: tuple[_Reference, ...], delay: float) -> None:
        """Updates the owners of an object, and schedules the owners that it no longer blocks."""
        uids = {reference.uid for reference in after}
        blocked = {reference.uid for reference in after if reference.blocks}
        for reference in after:
            owner = self._owners.setdefault(reference.uid, _Owner())
            owner.dependents[key] = None
            if reference.uid in blocked:
                owner.blocking.add(key)
        for reference in before:
            owner = self._owners.setdefault(reference.uid, _Owner())
            if reference.uid not in uids:
                owner.dependents.pop(key, None)
            if reference.uid not in blocked and key in owner.blocking:
                owner.blocking.discard(key)
                if owner.key:
                    self._plan(owner.key, delay)
            self._forget_unused(reference.uid)

    def _forget_unused(self, uid: str) -> None:
        owner = self._owners.get(uid)
        if owner is not None and not owner.dependents and not owner.key:
            del self._owners[uid]

    # --- work ---------------------------------------------------------------------------------------------------------

    def _plan(self, key: str, delay: float) -> None:
        due = asyncio.get_running_loop().time() + delay
        if self._due.get(key, due + 1) > due:
            self._due[key] = due
            heapq.heappush(self._queue, (due, next(self._numbers), key))
            self._wake.set()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self._wake.clear()
            try:
                await self._follower.catch_up()
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
            self._plan(key, min(_SHORTEST_PAUSE * 2**failures, _LONGEST_PAUSE))
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
        known = None if entry is None else _read(entry)
        if entry is None or known is None or resource is None:
            return
        meta = _read_metadata(entry.value)
        if known.waits == ORPHAN:
            await self._release_dependents(known.uid)
            await self._finish(resource, entry, meta, ORPHAN)
        elif known.waits == FOREGROUND:
            owner = self._owners.get(known.uid)
            if owner is None or not owner.blocking:
                await self._finish(resource, entry, meta, FOREGROUND)
        elif not meta.get("deletionTimestamp") and known.owners:
            await self._judge(resource, entry, meta, known)

    async def _judge(self, resource: Any, entry: Entry, meta: dict[str, Any], known: _Object) -> None:
        """Deletes an object unless one of its owners exists; then it only removes the references to missing owners."""
        living: set[_Reference] = set()
        waiting: set[_Reference] = set()
        for reference in known.owners:
            state = await self._look(reference, _namespace(entry.key))
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
        own = self._owners.get(known.uid)
        if waiting and own is not None and own.dependents:
            policy = "Foreground"
            if any(self._objects[key].waits == FOREGROUND for key in own.dependents):  # owners in a circle
                references = [{**each, "blockOwnerDeletion": False} for each in meta["ownerReferences"]]
                await self._set_owners(resource, entry, meta, references)
                meta = {}
        version = str(entry.revision) if meta else None
        options = DeleteOptions(propagation=policy, uid=known.uid, resource_version=version)
        await self._write(entry.key, self._delete(resource, entry.key, options))

    async def _look(self, reference: _Reference, namespace: str) -> str | None:
        """Returns the state of an owner: empty if it is gone, `foregroundDeletion` while it waits, or `lives`.

        None: an object of no namespace refers to one in a namespace, which can never be resolved.

        Raises:
            _UnknownKindError: its kind is not served.
        """
        owner = self._owners.get(reference.uid)
        if owner is not None and owner.gone is not None and owner.gone in ("", namespace):
            return ""
        group, _, version = reference.api_version.rpartition("/")
        resource = self._by_kind(group, version, reference.kind)
        if resource is None:
            raise _UnknownKindError(reference.kind)
        if resource.namespaced and not namespace:
            return None
        space = f"{namespace}/" if resource.namespaced else ""
        entry = await self._store.get(f"{resource.prefix}{space}{reference.name}")
        if entry is None:
            return ""
        meta = _read_metadata(entry.value)
        if meta.get("uid") != reference.uid:
            return ""
        is_waiting = meta.get("deletionTimestamp") and FOREGROUND in (meta.get("finalizers") or ())
        return FOREGROUND if is_waiting else "lives"

    async def _release_dependents(self, uid: str) -> None:
        """Removes the references of all dependents to an owner."""
        for key in list(self._owners.get(uid, _Owner()).dependents):
            entry, resource = await self._store.get(key), self._by_key(key)
            if entry is None or resource is None:
                continue
            meta = _read_metadata(entry.value)
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
        """Writes a change, after which dependents are attended without another delay.

        Raises:
            ApiError: the write is refused, but not if the object is gone.
            StoreError: the store does not answer.
        """
        self._own.add(key)
        try:
            await work
        except (ApiError, StoreError) as problem:
            self._own.discard(key)
            if not isinstance(problem, ApiError) or problem.code != 404:
                raise


def _namespace(key: str) -> str:
    """Returns the namespace of a key, empty if it has none."""
    parts = key.split("/")
    return parts[3] if len(parts) > 4 else ""


def _read_metadata(value: bytes) -> dict[str, Any]:
    """Returns the metadata of a stored object, empty if malformed: other programs may write to the store."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return {}
    meta = found.get("metadata") if isinstance(found, dict) else None
    return meta if isinstance(meta, dict) else {}


def _list_items(meta: dict[str, Any], name: str, wanted: type) -> list[Any]:
    found = meta.get(name)
    return [each for each in found if isinstance(each, wanted)] if isinstance(found, list) else []


def _read(entry: Entry) -> _Object | None:
    """Returns the index entry of a stored object, None if it has no owners and waits for no dependents."""
    if not any(mark in entry.value for mark in _MARKS):
        return None
    meta = _read_metadata(entry.value)
    references = tuple(
        _Reference(
            str(each.get("uid") or ""),
            str(each.get("apiVersion") or ""),
            str(each.get("kind") or ""),
            str(each.get("name") or ""),
            bool(each.get("blockOwnerDeletion")),
        )
        for each in _list_items(meta, "ownerReferences", dict)
    )
    finalizers = _list_items(meta, "finalizers", str) if meta.get("deletionTimestamp") else []
    waits = next((name for name in (ORPHAN, FOREGROUND) if name in finalizers), "")
    return _Object(str(meta.get("uid") or ""), references, waits) if references or waits else None
