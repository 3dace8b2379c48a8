"""Storage of objects: keys, revisions and changes.

A store is a map from keys to values with revisions, as etcd has it: each write gets the next revision, reads may name
an older one, and changes are delivered in their order, each once. `SqliteStore` keeps them in one file, or in memory;
`EtcdStore` in etcd, where several servers may share them. The values are JSON; a store does not look into them.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

#: First revision with a history. Tools ask for the history after 1 or 2 to see how a server answers that it has none.
FIRST_REVISION = 10


class ConflictError(Exception):
    """The key has another revision than the expected one."""


class CompactedError(Exception):
    """The revision is too old: its history is no longer kept. `floor` is the oldest revision, 0 if unknown."""

    def __init__(self, floor: int) -> None:
        super().__init__(f"compacted up to {floor}")
        self.floor = floor


class FutureRevisionError(Exception):
    """The revision is too large: no write has reached it. `current` is the newest one."""

    def __init__(self, current: int) -> None:
        super().__init__(f"the newest revision is {current}")
        self.current = current


class StoreError(Exception):
    """The store cannot read or write; the text has the reason."""


class UnavailableError(StoreError):
    """The store does not answer now. A write may have happened or not."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value, and the revision of the last write to it."""

    key: str
    value: bytes
    revision: int


@dataclass(frozen=True, slots=True)
class Change:
    """A write: the value after it, None for a delete, and the entry before it, None for a create."""

    key: str
    revision: int
    value: bytes | None
    before: Entry | None

    @property
    def size(self) -> int:
        """The bytes of both values."""
        return len(self.value or b"") + (len(self.before.value) if self.before else 0)


Listener = Callable[[Sequence[Change]], None]


class Store(Protocol):
    """A store. All methods raise `StoreError` if it cannot answer."""

    async def start(self, listener: Listener, lost: Callable[[], None]) -> None:
        """Opens the store. From then on the listener receives all changes, in order, each once.

        A read may show a change before the listener receives it. A write of this server returns after the listener has
        received its change. The listener may also receive the last deletes before the start.

        Args:
            listener: receives the changes.
            lost: called if the store no longer has the history, so that the listener misses changes.
        """

    async def close(self) -> None:
        """Closes the store."""

    async def revision(self) -> int:
        """Returns the newest revision."""
        ...

    async def get(self, key: str) -> Entry | None:
        """Returns the newest entry of a key, None if there is none."""
        ...

    async def scan(self, prefix: str, *, revision: int = 0, after: str = "", limit: int = 0) -> tuple[list[Entry], int]:
        """Returns the entries below a prefix, by key, and the revision at which they were read.

        Args:
            prefix: the beginning of the keys.
            revision: the revision at which to read, 0 for the newest.
            after: the last key that is left out.
            limit: the greatest number of entries, 0 for all.

        Raises:
            CompactedError: the history does not reach that far.
            FutureRevisionError: there is no such revision yet.
        """
        ...

    async def count(self, prefix: str, *, revision: int = 0, after: str = "") -> int:
        """Returns the number of entries below a prefix."""
        ...

    async def put(self, key: str, value: bytes, expected: int) -> int:
        """Writes a value if the key has the expected revision, 0 for none, and returns the new revision.

        Raises:
            ConflictError: it has another one.
        """
        ...

    async def delete(self, key: str, expected: int) -> int:
        """Deletes a key that has the expected revision, and returns the new revision.

        Raises:
            ConflictError: it has another one.
        """
        ...

    async def changes(self, prefix: str, after: int) -> list[Change]:
        """Returns the changes below a prefix after a revision.

        Raises:
            CompactedError: the history does not reach that far.
        """
        ...

    async def compact(self, revision: int) -> None:
        """Forgets the history before a revision."""


async def read_changes(store: Store, prefix: str) -> list[Change]:
    """Returns all changes below a prefix that the store still has."""
    try:
        return await store.changes(prefix, 0)
    except CompactedError as problem:
        return await store.changes(prefix, problem.floor)


#: Types of the parts of `metadata`, with those of the parts of maps and lists.
_METADATA: dict[str, tuple[Any, type | None]] = {
    **dict.fromkeys(("name", "generateName", "namespace", "uid", "selfLink", "resourceVersion"), (str, None)),
    **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), (str, None)),
    **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), (int, None)),
    **dict.fromkeys(("labels", "annotations"), (dict, str)),
    **dict.fromkeys(("ownerReferences", "managedFields"), (list, dict)),
    "finalizers": (list, str),
}


def is_object(value: Any) -> bool:
    """Returns whether a value has the form of an API object. Other programs may write to a shared store."""
    if not isinstance(value, dict) or not isinstance(meta := value.get("metadata"), dict):
        return False
    if not isinstance(value.get("apiVersion"), str) or not isinstance(meta.get("name"), str):
        return False
    for name, found in meta.items():
        if found is None or name not in _METADATA:
            continue
        form, part = _METADATA[name]
        if not isinstance(found, form) or isinstance(found, bool):
            return False
        if part is not None:
            parts: Iterable[Any] = found.values() if isinstance(found, dict) else found
            if not all(isinstance(each, part) for each in parts):
                return False
    return True


class Follower(ABC):
    """Keeps a view of the store up to date: it reads the store once, and then applies each later change.

    Changes that arrive during the read wait; those that the read has shown are skipped.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._early: list[Change] | None = []
        self._revision = 0
        self._lock = asyncio.Lock()

    @abstractmethod
    async def _read(self) -> int:
        """Reads the store, and returns the revision of the read."""

    @abstractmethod
    def _apply(self, changes: Sequence[Change]) -> None:
        """Applies changes."""

    async def start(self) -> None:
        """Begins with a read of the store."""
        await self.catch_up()

    def publish(self, changes: Sequence[Change]) -> None:
        """Takes changes of the store."""
        fresh = [change for change in changes if change.revision > self._revision]
        if self._early is not None:
            self._early += fresh
        elif fresh:
            self._apply(fresh)

    def reload(self) -> None:
        """Makes the next `catch_up` read the store, because changes were missed."""
        self._early, self._revision = [], 0

    async def catch_up(self) -> None:
        """Reads the store, if that is necessary.

        Raises:
            StoreError: the store does not answer.
        """
        if self._early is None:
            return
        async with self._lock:
            while (early := self._early) is not None:
                revision = await self._read()
                if self._early is early:  # else changes are lost again
                    self._early, self._revision = None, revision
                    self.publish(early)
