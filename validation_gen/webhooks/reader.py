"""Reads other objects for functions of users, through a given client and a cache.

There is no client here. Nothing is written.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

#: Fetches an object by API version, kind, namespace and name. None: there is none.
Get = Callable[[str, str, str, str], Awaitable[Any]]
_Key = tuple[str, str, str, str]


class Reader:
    """Cache of objects. Failures are not cached, and concurrent reads of an object share one fetch.

    Args:
        get: fetches an object: `async def get(api_version, kind, namespace, name)`. It returns a dictionary, or None if
            there is no such object.
        ttl: seconds for which an object, or its absence, is cached.
        most: size of the cache; the least recently used ones go first.
        timeout: seconds for a fetch.
        clock: returns seconds.
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
        """Returns a copy of an object; None if there is none.

        Args:
            api_version: of the object, such as `v1`.
            kind: of the object.
            namespace: empty for cluster-scoped objects.
            name: of the object.
            fresh: whether to ignore the cache.

        Raises:
            TimeoutError: there was no answer in time.
            Exception: the exception of the client.
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
        return copy.deepcopy(await asyncio.shield(task))  # others may await it when one has given up

    async def _ask(self, key: _Key) -> Any:
        try:
            return await asyncio.wait_for(self._get(*key), self._timeout)
        except asyncio.TimeoutError:  # before Python 3.11 it is another class
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
    """Reader for plain functions, which run in threads of their own."""

    def __init__(self, reader: Reader, loop: asyncio.AbstractEventLoop) -> None:
        self._reader = reader
        self._loop = loop

    def get(self, api_version: str, kind: str, namespace: str = "", name: str = "", *, fresh: bool = False) -> Any:
        """Reads as `Reader.get` does."""
        pending = self._reader.get(api_version, kind, namespace, name, fresh=fresh)
        return asyncio.run_coroutine_threadsafe(pending, self._loop).result()
