"""Connections to a webhook with a deadline for the whole answer, and with a limit of its size.

Clients of HTTP have timeouts for single reads: a server that sends a byte now and then blocks them for ever. Here every
read and write of a socket checks the deadline of the thread. Redirects, compression, proxies and the environment are
ignored. This is the one module that imports urllib3, so nothing imports it at the start.
"""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.util import SKIP_HEADER

T = TypeVar("T")

#: Functions that see the URL and the body of a request before it is sent, by the host and the port. A test injects
#: faults so: an exception of a function ends the request.
interceptors: dict[str, Callable[[str, bytes], None]] = {}

_PIECE = 1 << 16
#: Interval in seconds at which a waiting thread checks for cancellation.
_LOOK = 0.25


class AnswerError(Exception):
    """A request got no answer; the text is the reason.

    Attributes:
        again: True if a retry may help.
        cause: the error of the system or of TLS, None if there is none.
    """

    def __init__(self, text: str, *, again: bool = False, cause: BaseException | None = None) -> None:
        super().__init__(text)
        self.again = again
        self.cause = cause


class DialError(OSError):
    """A connection cannot be opened. `address` has the host and the port."""

    address = ""


class _Waiting(threading.local):
    """The thread's deadline, and its cancellation event."""

    until = float("inf")
    unwanted = threading.Event()


_waiting = _Waiting()


@contextlib.contextmanager
def waiting_until(deadline: float, unwanted: threading.Event) -> Iterator[None]:
    """Sets a monotonic deadline for all socket operations of this thread."""
    before = _waiting.until, _waiting.unwanted
    _waiting.until, _waiting.unwanted = deadline, unwanted
    try:
        yield
    finally:
        _waiting.until, _waiting.unwanted = before


def pause(seconds: float) -> bool:
    """Waits. Returns whether there is time left."""
    left = _waiting.until - time.monotonic()
    return seconds < left and not _waiting.unwanted.wait(seconds)


def _remaining_time() -> float:
    """Returns the time to wait before the next check."""
    left = _waiting.until - time.monotonic()
    if left <= 0 or _waiting.unwanted.is_set():
        raise TimeoutError("the time is over")
    return min(left, _LOOK)


def _insist(sock: socket.socket, operation: Callable[[], T]) -> T:
    """Repeats an operation until it succeeds, or the time is over."""
    while True:
        sock.settimeout(_remaining_time())
        with contextlib.suppress(TimeoutError):
            return operation()


class _Patient(socket.socket):
    """Reads and writes that check the deadline."""

    def recv_into(self, *args: Any, **named: Any) -> int:
        return _insist(self, lambda: super(_Patient, self).recv_into(*args, **named))

    def send(self, *args: Any) -> int:
        return _insist(self, lambda: super(_Patient, self).send(*args))


class _Socket(_Patient):
    """A socket without TLS."""

    def sendall(self, data: Any, flags: int = 0) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self.send(rest[:_PIECE], flags) :]


class _SecureSocket(_Patient, ssl.SSLSocket):
    """A socket with TLS."""

    def do_handshake(self, block: bool = False) -> None:
        _insist(self, lambda: super(_SecureSocket, self).do_handshake(block))


# --- names ------------------------------------------------------------------------------------------------------------

_Addresses = list[tuple[Any, ...]]


class Names:
    """Resolves names in threads, as the system has no deadline for it. There is one for each name at a time."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[str, int], queue.SimpleQueue[_Addresses | OSError]] = {}
        self._lock = threading.Lock()

    def addresses(self, host: str, port: int) -> _Addresses:
        """Returns the addresses of a name.

        Raises:
            OSError: it has none, or they are not known in time.
        """
        with self._lock:
            answers = self._under_way.get((host, port))
            if answers is None:
                answers = self._under_way[host, port] = queue.SimpleQueue()
                threading.Thread(target=self._look_up, args=(host, port, answers), daemon=True).start()
        while True:
            with contextlib.suppress(queue.Empty):
                found = answers.get(timeout=_remaining_time())
                answers.put(found)  # for other threads that wait for it
                if isinstance(found, OSError):
                    raise found
                return found

    def _look_up(self, host: str, port: int, answers: queue.SimpleQueue[_Addresses | OSError]) -> None:
        try:
            answers.put(list(socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)))
        except (OSError, UnicodeError) as error:
            answers.put(error if isinstance(error, OSError) else OSError(f"{host!r} is not the name of a host"))
        finally:
            with self._lock:
                del self._under_way[host, port]


_names = Names()


def _open_connection(host: str, port: int) -> socket.socket:
    """Returns a connection to the first address that takes one."""
    failure: OSError = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in _names.addresses(host, port):
        try:
            sock = _Socket(family, kind, protocol)
        except OSError as error:
            failure = error
            continue
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _connect(sock, address)
            return sock
        except DialError as error:
            sock.close()
            name = f"[{address[0]}]" if ":" in address[0] else address[0]
            error.address = f"{name}:{address[1]}"
            failure = error
        except OSError as error:
            sock.close()
            failure = error
    raise failure


def _connect(sock: socket.socket, address: Any) -> None:
    """Connects a socket, and checks the deadline meanwhile."""
    sock.setblocking(False)
    code = sock.connect_ex(address)
    if code in (errno.EINPROGRESS, errno.EWOULDBLOCK):
        with selectors.DefaultSelector() as selector:
            selector.register(sock, selectors.EVENT_WRITE)
            while not selector.select(_remaining_time()):
                pass
        code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if code:
        raise DialError(code, os.strerror(code))
    sock.settimeout(_LOOK)  # the TLS handshake fails on a non-blocking socket


class _Plain(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        return _open_connection(self._dns_host, self.port or 80)


class _Secure(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        return _open_connection(self._dns_host, self.port or 443)


class _PlainPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _Secure


# --- answers ----------------------------------------------------------------------------------------------------------


class Connections:
    """Reusable connections to one host.

    Args:
        context: verifies certificates.
        most: the maximum number of connections.
        server_name: the name to expect in the certificate, if it is not the host of the URL.
        longest: the greatest size of an answer, in bytes.
    """

    def __init__(self, context: ssl.SSLContext, most: int, server_name: str = "", *, longest: int) -> None:
        self._longest = longest
        context.sslsocket_class = _SecureSocket
        secure: dict[str, Any] = {"ssl_context": context}
        if server_name:
            secure["server_hostname"] = server_name
        self._pools = urllib3.PoolManager(maxsize=most, block=True, retries=False, **secure)
        self._pools.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}

    def close(self) -> None:
        self._pools.clear()

    def post(self, url: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes, str]:
        """Sends a POST; returns the status, the body and its media type, before the deadline of the thread.

        Raises:
            AnswerError: there is no answer, or it is too large.
            TimeoutError: it has not come in time.
        """
        headers = {**headers, "Accept-Encoding": SKIP_HEADER}
        try:
            if interceptors and (intercept := interceptors.get(urlsplit(url).netloc)):
                intercept(url, body)
            response = self._pools.urlopen(
                "POST",
                url,
                body=body,
                headers=headers,
                redirect=False,
                preload_content=False,
                decode_content=False,
                pool_timeout=max(_waiting.until - time.monotonic(), 0),
            )
            try:
                data = self._read(response)
            except BaseException:
                response.close()
                raise
            finally:
                response.release_conn()  # a closed one, too: the next request waits for it, and opens it again
            return response.status, data, response.headers.get("Content-Type", "")
        except TimeoutError:
            raise
        except (HTTPError, OSError) as error:
            _remaining_time()
            raise _no_answer(error) from None

    def _read(self, response: urllib3.BaseHTTPResponse) -> bytes:
        encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding not in ("", "identity"):
            raise AnswerError(f"it answered with content in {encoding!r:.40}, which was not requested")
        found = bytearray()
        while data := response.read(_PIECE):
            found += data
            if len(found) > self._longest:
                raise AnswerError(f"its answer has more than {self._longest >> 20} MiB")
        return bytes(found)


def _no_answer(error: BaseException) -> AnswerError:
    """Returns the root cause of a client error. An untrusted certificate is not retried."""
    inner: BaseException | None = error
    known = []
    while inner is not None and inner not in known:
        known.append(inner)
        reason = getattr(inner, "reason", None)
        inner = reason if isinstance(reason, BaseException) else inner.__cause__ or inner.__context__
    if any(isinstance(each, TimeoutError) for each in known):
        raise TimeoutError("the time is over")
    deepest = next((each for each in reversed(known) if not isinstance(each, HTTPError)), error)
    secure = any(isinstance(each, ssl.SSLError | ssl.CertificateError) for each in known)
    return AnswerError(str(deepest) or type(deepest).__name__, again=not secure, cause=deepest)
