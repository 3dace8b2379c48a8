"""Controllers: parts of the server that follow the store, and act on changes in a task of their own."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from typing import Any, Generic, TypeVar

from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.interface import Resource
from validation_gen.apiserver.storage import ConflictError, Follower, Store, StoreError
from validation_gen.apiserver.writes import encode_object

#: Seconds until another look at objects that wait, and until another attempt after a failure.
_POLL_SECONDS = 0.2


class Controller(Follower):
    """A follower with a task. `_wake` is set when there is something to do."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await super().start()
        self._task = asyncio.get_running_loop().create_task(self._work())

    def reload(self) -> None:
        super().reload()
        self._wake.set()

    async def close(self) -> None:
        """Ends the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @abstractmethod
    async def _work(self) -> None:
        """Acts until the task is cancelled."""


R = TypeVar("R", bound=Resource)


class Reconciler(Controller, Generic[R]):
    """A controller that looks at all objects of a resource after each change.

    Args:
        manager: the name under which the server changes the objects.
        clock: the time of the server.
    """

    def __init__(self, store: Store, resource: R, manager: str, clock: Clock) -> None:
        super().__init__(store)
        self._resource, self._manager, self._clock = resource, manager, clock

    async def _work(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self.catch_up()
                await self._reconcile()
            except (ApiError, StoreError):  # a webhook or the store does not answer now
                await asyncio.sleep(_POLL_SECONDS)
                continue
            await self._wake.wait()

    @abstractmethod
    async def _reconcile(self) -> None:
        """Takes the next step for each object."""

    async def _write(self, key: str, old: dict[str, Any], new: dict[str, Any], subresource: str = "status") -> None:
        """Writes an object, or deletes a finished one, unless another write was earlier."""
        fields = self._resource.fields(self._resource.find_storage(), subresource)
        found = fields.update(old, new, self._manager, self._clock.stamp())
        revision = int(old["metadata"]["resourceVersion"])
        try:
            if found["metadata"].get("deletionTimestamp") and self._resource.is_finished(found):
                await self._store.delete(key, revision)
            else:
                await self._store.put(key, encode_object(found), revision)
        except ConflictError:
            self._wake_later()

    def _wake_later(self, seconds: float = _POLL_SECONDS) -> None:
        asyncio.get_running_loop().call_later(seconds, self._wake.set)
