"""Index of the garbage collector: objects with owners, and objects that wait for their dependents."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

ORPHAN, FOREGROUND = "orphan", "foregroundDeletion"
#: Texts of objects that the index has.
_MARKS = (b'"ownerReferences"', b'"foregroundDeletion"', b'"orphan"')


class Reference(NamedTuple):
    """A reference to an owner."""

    uid: str
    api_version: str
    kind: str
    name: str
    blocks: bool


@dataclass(slots=True)
class IndexedObject:
    """An object of the index.

    Attributes:
        waits: the finalizer on whose behalf it waits for the collector, empty if it does not.
    """

    uid: str
    owners: tuple[Reference, ...]
    waits: str = ""


@dataclass(slots=True)
class Owner:
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


class OwnerIndex:
    """The objects by key, and their owners by uid."""

    def __init__(self) -> None:
        self.objects: dict[str, IndexedObject] = {}
        self.owners: dict[str, Owner] = {}

    def __len__(self) -> int:
        return len(self.objects) + len(self.owners)

    def clear(self) -> None:
        """Forgets everything."""
        self.objects.clear()
        self.owners.clear()

    def update(self, key: str, new: IndexedObject | None, gone: str = "") -> list[str]:
        """Records a change of an object. Returns the keys of objects to handle. `gone`: the uid of a deleted object."""
        due: list[str] = []
        old = self.objects.pop(key, None)
        if new is not None:
            self.objects[key] = new
        before, after = (each.owners if each else () for each in (old, new))
        if before != after:
            due += self._refer(key, before, after)
            if set(after) - set(before):
                due.append(key)
        if new is not None and new.waits and (old is None or old.waits != new.waits or old.uid != new.uid):
            self.owners.setdefault(new.uid, Owner()).key = key
            due += [*(self.owners[new.uid].dependents if new.waits == FOREGROUND else ()), key]
        if old is not None and old.waits and (new is None or not new.waits or old.uid != new.uid):
            owner = self.owners.get(old.uid)
            if owner is not None and owner.key == key:
                owner.key = ""
                self._forget_unused(old.uid)
        if gone and (owner := self.owners.get(gone)):
            owner.gone = read_namespace(key)
            due += owner.dependents
        return due

    def _refer(self, key: str, before: tuple[Reference, ...], after: tuple[Reference, ...]) -> list[str]:
        """Updates the owners of an object, and returns the keys of the owners that it no longer blocks."""
        released = []
        uids = {reference.uid for reference in after}
        blocked = {reference.uid for reference in after if reference.blocks}
        for reference in after:
            owner = self.owners.setdefault(reference.uid, Owner())
            owner.dependents[key] = None
            if reference.uid in blocked:
                owner.blocking.add(key)
        for reference in before:
            owner = self.owners.setdefault(reference.uid, Owner())
            if reference.uid not in uids:
                owner.dependents.pop(key, None)
            if reference.uid not in blocked and key in owner.blocking:
                owner.blocking.discard(key)
                if owner.key:
                    released.append(owner.key)
            self._forget_unused(reference.uid)
        return released

    def _forget_unused(self, uid: str) -> None:
        owner = self.owners.get(uid)
        if owner is not None and not owner.dependents and not owner.key:
            del self.owners[uid]


# --- stored objects ---------------------------------------------------------------------------------------------------


def read_namespace(key: str) -> str:
    """Returns the namespace of a key, empty if it has none."""
    parts = key.split("/")
    return parts[3] if len(parts) > 4 else ""


def read_metadata(value: bytes) -> dict[str, Any]:
    """Returns the metadata of a stored object, empty if malformed: other programs may write to the store."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return {}
    meta = found.get("metadata") if isinstance(found, dict) else None
    return meta if isinstance(meta, dict) else {}


def read_indexed(value: bytes) -> IndexedObject | None:
    """Returns the index entry of a stored object, None if it has no owners and waits for no dependents."""
    if not any(mark in value for mark in _MARKS):
        return None
    meta = read_metadata(value)
    references = tuple(
        Reference(
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
    return IndexedObject(str(meta.get("uid") or ""), references, waits) if references or waits else None


def _list_items(meta: dict[str, Any], name: str, wanted: type) -> list[Any]:
    found = meta.get(name)
    return [each for each in found if isinstance(each, wanted)] if isinstance(found, list) else []
