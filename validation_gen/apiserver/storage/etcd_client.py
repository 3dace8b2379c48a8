"""A connection to etcd v3: its URL, its options, the deadlines of its calls, and its errors in our words.

The calls are those of the gRPC stubs of aetcd. Its client above them has no reads at a revision, no pages, and watches
that end with their connection.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import grpc
from aetcd import rpc

from validation_gen.apiserver.storage import CompactedError, FutureRevisionError, StoreError, UnavailableError
from validation_gen.files.reading import read as read_file

_PORT = 2379
#: Seconds for an answer of etcd.
_CALL_SECONDS = 5.0
_TLS_FILES = ("cafile", "certfile", "keyfile")
_OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
)
_GONE = (rpc.StatusCode.UNAVAILABLE, rpc.StatusCode.DEADLINE_EXCEEDED, rpc.StatusCode.CANCELLED)


def read_url(url: str) -> tuple[str, dict[str, str] | None]:
    """Returns the address of etcd and, for https, the files of its URL.

    Raises:
        ValueError: it is no such URL.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be a URL such as http://127.0.0.1:2379")
    if parts.username is not None or parts.path not in ("", "/") or parts.fragment:
        raise ValueError("must have only a host and a port, without user, path and fragment")
    files = dict(parse_qsl(parts.query, keep_blank_values=True))
    if unknown := [name for name in files if name not in _TLS_FILES or parts.scheme == "http"]:
        raise ValueError(f"unknown parameter {unknown[0]}: https has {', '.join(_TLS_FILES)}, http has none")
    if ("certfile" in files) != ("keyfile" in files):
        raise ValueError("certfile and keyfile belong together")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{host}:{parts.port or _PORT}", files if parts.scheme == "https" else None


class EtcdClient:
    """A connection to etcd.

    Args:
        url: `http://HOST:PORT`, or `https://HOST:PORT?cafile=FILE&certfile=FILE&keyfile=FILE`.

    Raises:
        ValueError: the URL is malformed.
    """

    def __init__(self, url: str) -> None:
        self.address, self._files = read_url(url)
        self._channel: Any = None

    def open(self) -> None:
        """Connects to etcd, with the first call.

        Raises:
            StoreError: a file of the URL cannot be read.
        """
        self._channel = self._connect()
        self._keys, self._watches = rpc.KVStub(self._channel), rpc.WatchStub(self._channel)

    def _connect(self) -> Any:
        if self._files is None:
            return rpc.insecure_channel(self.address, options=_OPTIONS)
        try:
            read = {name: read_file(path) for name, path in self._files.items()}
        except OSError as problem:
            raise StoreError(f"{problem.filename}: {problem.strerror}") from None
        credentials = grpc.ssl_channel_credentials(read.get("cafile"), read.get("keyfile"), read.get("certfile"))
        return rpc.secure_channel(self.address, credentials, options=_OPTIONS)

    async def close(self) -> None:
        """Closes the connection."""
        if self._channel is not None:
            await self._channel.close()

    async def revision(self) -> int:
        """Returns the newest revision."""
        return int((await self.call("Range", rpc.RangeRequest(key=b"\0", count_only=True))).header.revision)

    def watch(self) -> Any:
        """Returns a stream of watches. Without a leader etcd ends it, where it would be silent otherwise."""
        return self._watches.Watch(metadata=(("hasleader", "true"),))

    async def call(self, method: str, request: Any) -> Any:
        """Calls a method for keys.

        Raises:
            CompactedError: etcd does not have the revision any more.
            FutureRevisionError: etcd does not have the revision yet.
            UnavailableError: etcd does not answer in time.
            StoreError: etcd refuses the call.
        """
        try:
            return await getattr(self._keys, method)(request, timeout=_CALL_SECONDS)
        except rpc.AioRpcError as problem:
            code, text = problem.code(), problem.details() or problem.code().name
        if code is rpc.StatusCode.OUT_OF_RANGE and "compacted" in text:
            raise CompactedError(0)
        if code is rpc.StatusCode.OUT_OF_RANGE and "future" in text:
            raise FutureRevisionError(await self.revision())
        if code in _GONE:
            raise UnavailableError(f"etcd at {self.address} does not answer: {text.rpartition(': ')[2]}")
        raise StoreError(text)
