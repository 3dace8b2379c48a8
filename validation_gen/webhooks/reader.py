"""Other objects, for functions of users: a client that is handed in is asked, and what it says is kept for a while.

There is no client here. Nothing is written.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

#: Asks for an object: its API version, kind, namespace and name. None says that there is none.
Get = Callable[[str, str, str, str], Awaitable[Any]]
_Key = tuple[str, str, str, str]


class Reader:
    """Reads objects, and keeps them. What fails is not kept, and each object is asked for once at a time.

    Args:
        get: asks for an object: `async def get(api_version, kind, namespace, name)`. It gives a dictionary, or None
            if there is no such object.
        ttl: seconds for which an object, or that there is none, is kept.
        most: how many are kept; those that were not asked for longest go first.
        timeout: seconds for a question.
        clock: tells seconds.
    """

    def __init__(
        self,
        get: Get,
        *,
        ttl: float = 5.0,
        most: int = 1000,
        timeout: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._get = get
        self._ttl = ttl
        self._most = most
        self._timeout = timeout
        self._clock = clock
        self._kept: OrderedDict[_Key, tuple[float, Any]] = OrderedDict()
        self._asked: dict[_Key, asyncio.Task[Any]] = {}

    async def get(
        self, api_version: str, kind: str, namespace: str = "", name: str = "", *, fresh: bool = False
    ) -> Any:
        """An object, a copy of one's own; None if there is none.

        Args:
            api_version: of the object, such as `v1`.
            kind: of the object.
            namespace: empty for objects that are in none.
            name: of the object.
            fresh: whether it is asked for although it is kept.

        Raises:
            TimeoutError: there was no answer in time.
            Exception: whatever the client raises.
        """
        key = api_version, kind, namespace, name
        kept = None if fresh else self._kept.get(key)
        if kept is not None and self._clock() < kept[0]:
            self._kept.move_to_end(key)
            return copy.deepcopy(kept[1])
        task = self._asked.get(key)
        if task is None:
            task = self._asked[key] = asyncio.get_running_loop().create_task(self._ask(key))
            task.add_done_callback(lambda done: self._settle(key, done))
        return copy.deepcopy(await asyncio.shield(task))  # others may wait for it when one has given up

    async def _ask(self, key: _Key) -> Any:
        try:
            return await asyncio.wait_for(self._get(*key), self._timeout)
        except asyncio.TimeoutError:  # which is no other before Python 3.11
            raise TimeoutError(f"no answer about {key[1]} {key[3]} in {self._timeout:g} s") from None

    def _settle(self, key: _Key, done: asyncio.Task[Any]) -> None:
        if self._asked.get(key) is done:
            del self._asked[key]
        if done.cancelled() or done.exception() is not None:
            return
        self._kept[key] = self._clock() + self._ttl, done.result()
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


class BlockingReader:
    """The same for plain functions, which run in threads of their own."""

    def __init__(self, reader: Reader, loop: asyncio.AbstractEventLoop) -> None:
        self._reader = reader
        self._loop = loop

    def get(self, api_version: str, kind: str, namespace: str = "", name: str = "", *, fresh: bool = False) -> Any:
        """As `Reader.get`."""
        asked = self._reader.get(api_version, kind, namespace, name, fresh=fresh)
        return asyncio.run_coroutine_threadsafe(asked, self._loop).result()
