"""Controllers: parts of the server that follow the store, and act on changes in a task of their own."""

from __future__ import annotations

import asyncio
from abc import abstractmethod

from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.storage import Follower, Store, StoreError

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


class Reconciler(Controller):
    """A controller that looks at all its objects after each change."""

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

    def _wake_later(self, seconds: float = _POLL_SECONDS) -> None:
        asyncio.get_running_loop().call_later(seconds, self._wake.set)
