"""Webhooks that are broken or hostile: each request has one deadline, and no more is read than has been said."""

from __future__ import annotations

import contextlib
import datetime
import gzip
import json
import re
import resource
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.commands.compare.test_sides import shown
from tests.commands.compare.test_sides_webhooks import CREATE, ask, pem, serving
from tests.tables import each
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides import Refusal, Side, SideOptions, parse_spec
from validation_gen.commands.compare.sides.webhooks import read_answer
from validation_gen.webhooks.connections import Names, waiting_until

#: What is done with a connection whose request has been read. The event says that the test is over.
Behaviour = Callable[[socket.socket, threading.Event], None]


@contextlib.contextmanager
def peer(behave: Behaviour, context: ssl.SSLContext | None = None, *, reads: bool = True) -> Iterator[str]:
    """A server that does with each connection what a function says, until the test is over."""
    over = threading.Event()
    threads: list[threading.Thread] = []
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.05)

    def talk(connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            connection.settimeout(30)
            if reads:
                request(connection)
            behave(connection, over)

    def accept() -> None:
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                connection = listening.accept()[0]
                threads.append(threading.Thread(target=talk, args=(connection,)))
                threads[-1].start()

    accepting = threading.Thread(target=accept)
    accepting.start()
    try:
        yield f"webhook:http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        over.set()
        accepting.join()
        listening.close()
        for thread in threads:
            thread.join(40)


def request(connection: socket.socket) -> dict[str, Any]:
    """Reads a whole request."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += (part := connection.recv(65536))
        if not part:
            raise ConnectionError
    head, _, body = data.partition(b"\r\n\r\n")
    (length,) = (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    while len(body) < length:
        body += connection.recv(65536)
    review: dict[str, Any] = json.loads(body)
    return review


def repeating(data: bytes, begin: bytes = b"", pause: float = 0.0) -> Behaviour:
    """Sends the same for ever."""

    def behave(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(begin)
        for _ in range(2_000_000):
            if over.wait(pause) if pause else over.is_set():
                return
            connection.sendall(data)

    return behave


def saying(data: bytes) -> Behaviour:
    """Sends something once, and closes."""
    return lambda connection, over: connection.sendall(data)


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
SLOW = {
    "headers": repeating(b"X", OK + b"X-Slow: ", 0.02),
    "body": repeating(b" ", OK + b"Content-Length: 1000\r\n\r\n", 0.02),
    "chunks": repeating(b"1\r\n \r\n", CHUNKED, 0.02),
    "trailers": repeating(b"X-Trailer: 1\r\n", CHUNKED + b"0\r\n", 0.005),
    "continue": repeating(b"HTTP/1.1 100 Continue\r\n\r\n", b"", 0.005),
    "nothing": repeating(b"", b"", 0.02),
    "too short": repeating(b"", OK + b"Content-Length: 1000\r\n\r\n{}", 0.02),
}


@each("name", SLOW, parts=3)
def test_who_never_ends_has_a_deadline(name: str) -> None:
    begun = time.monotonic()
    with peer(SLOW[name]) as spec:
        assert shown(ask(spec, CREATE, timeout=0.5)) == ["the webhook has not answered within 0.5 seconds"]
    assert time.monotonic() - begun < 20


def test_a_webhook_that_does_not_read_has_a_deadline() -> None:
    large = {"apiVersion": "v1", "kind": "Widget", "text": "x" * 30_000_000}
    with peer(repeating(b"", b"", 0.02), reads=False) as spec:
        assert shown(ask(spec, Request("Widget", large), timeout=0.5)) == [
            "the webhook has not answered within 0.5 seconds"
        ]


@cache
def _compress_much() -> bytes:
    return gzip.compress(b" " * 50_000_000)


MUCH: dict[str, tuple[Behaviour, str]] = {
    "body": (repeating(b"x" * 65536, OK + b"\r\n"), "its answer has more than 8 MiB"),
    "chunks": (repeating(b"10000\r\n" + b"x" * 65536 + b"\r\n", CHUNKED), "its answer has more than 8 MiB"),
    "headers": (repeating(b"X-Much: 1\r\n", OK), "got more than 100 headers"),
    "header": (repeating(b"x" * 65536, OK + b"X-Long: "), "got more than 65536 bytes when reading header line"),
    "first line": (repeating(b"x" * 65536), "got more than 65536 bytes when reading status line"),
    "chunk size": (repeating(b"1" * 65536, CHUNKED), "got more than 65536 bytes when reading chunk size"),
    "gzip": (
        lambda connection, over: connection.sendall(OK + b"Content-Encoding: gzip\r\n\r\n" + _compress_much()),
        "it answered with content in 'gzip', which was not requested",
    ),
}


@each("name", MUCH)
def test_who_sends_too_much_is_not_read_to_the_end(name: str) -> None:
    behave, said = MUCH[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with peer(behave) as spec:
        [text] = shown(ask(spec, CREATE, retries=0))
    assert said in text
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10  # KiB


@each(
    ("behave", "said"),
    [
        (saying(OK + b"Content-Length: 1000\r\n\r\n{}"), "the webhook cannot be reached: "),
        (saying(OK + b"Content-Length: x\r\n\r\n{}"), "'{}', which is no response to an AdmissionReview"),
        (saying(OK + b"Content-Length: 0\r\n\r\n{}"), "'', which is not JSON"),
        (saying(CHUNKED + b"x\r\n"), "the webhook cannot be reached: "),
        (saying(b"garbage\r\n\r\n"), "the webhook cannot be reached: "),
        (saying(b""), "the webhook cannot be reached: "),
        (saying(b"HTTP/1.0 200 OK\r\n\r\n{}"), "'{}', which is no response to an AdmissionReview"),
        (saying(OK + b"Content-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>"), "'<html>', which is not JSON"),
        (saying(b"HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\nno\x1b!"), "answered with status 500: no"),
        (saying(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"), "status 302"),
        (saying(b"HTTP/1.1 204 No Content\r\n\r\n"), "the webhook answered with status 204"),
    ],
    ids=range(11),
)  # fmt: skip
def test_what_is_no_answer_is_told(behave: Behaviour, said: str) -> None:
    with peer(behave) as spec:
        [text] = shown(ask(spec, CREATE, retries=1))
    assert said in text


def reset(connection: socket.socket, over: threading.Event) -> None:
    """Closes a connection so that its peer gets an error."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def keeping(data: bytes) -> Behaviour:
    """Sends the same for each request of a connection, and leaves it open."""

    def behave(connection: socket.socket, over: threading.Event) -> None:
        while True:
            connection.sendall(data)
            request(connection)

    return behave


def _sized(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    lines = [b"HTTP/1.1 " + status, *headers, b"Content-Length: %d" % len(body)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


_LARGE = b" " * (9 << 20)
_PACKED = gzip.compress(b"{}" * 1000)
#: Each way in which an answer can fail, and a part of the reason.
FAILURES: dict[str, tuple[Behaviour, str]] = {
    "gzip": (keeping(_sized(_PACKED, b"Content-Encoding: gzip")), "it answered with content in 'gzip'"),
    "deflate": (keeping(_sized(_PACKED, b"Content-Encoding: deflate")), "it answered with content in 'deflate'"),
    "gzip in chunks": (
        keeping(OK + b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
        "it answered with content in 'gzip'",
    ),
    "too large": (keeping(_sized(_LARGE)), "its answer has more than 8 MiB"),
    "too large in chunks": (
        keeping(CHUNKED + b"900000\r\n" + _LARGE + b"\r\n0\r\n\r\n"),
        "its answer has more than 8 MiB",
    ),
    "too large by its length": (keeping(OK + b"Content-Length: 99999999999\r\n\r\n" + _LARGE), "more than 8 MiB"),
    "cut": (saying(OK + b"Content-Length: 1000\r\n\r\n{}"), "cannot be reached"),
    "cut in a chunk": (saying(CHUNKED + b"10\r\n{}"), "cannot be reached"),
    "cut in the head": (saying(b"HTTP/1.1 200 OK\r\nContent-Le"), "is not JSON"),
    "length is not a number": (saying(OK + b"Content-Length: x\r\n\r\n{}"), "no response to an AdmissionReview"),
    "two lengths": (saying(OK + b"Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}"), "cannot be reached"),
    "length is too small": (keeping(OK + b"Content-Length: 1\r\n\r\n{}"), "cannot be reached|not JSON"),
    "slow head": (repeating(b"X", OK + b"X-Slow: ", 0.02), "not answered within"),
    "slow body": (repeating(b" ", OK + b"Content-Length: 1000\r\n\r\n", 0.02), "not answered within"),
    "no answer": (repeating(b"", b"", 0.02), "not answered within"),
    "closed": (saying(b""), "cannot be reached"),
    "reset": (reset, "cannot be reached"),
    "no HTTP": (saying(b"garbage\r\n\r\n"), "cannot be reached"),
    "status 400": (keeping(_sized(b"no", status=b"400 Bad")), "answered with status 400: no"),
    "status 503": (keeping(_sized(b"", status=b"503 Busy")), "answered with status 503"),
    "redirect": (keeping(_sized(b"", b"Location: /other", status=b"302 Found")), "answered with status 302"),
    "no JSON": (keeping(_sized(b"<html>")), "which is not JSON"),
    "not UTF-8": (keeping(_sized(b"\xff\xfe{")), "which is not JSON"),
    "no review": (keeping(_sized(b"[]")), "no response to an AdmissionReview"),
    "review of another request": (keeping(_sized(b'{"response": {"uid": "x", "allowed": true}}')), "uid"),
    "no verdict": (keeping(_sized(b'{"response": {"uid": "x", "allowed": 1}}')), "uid|allowed"),
}


@each("name", FAILURES, parts=7)
def test_each_failure_can_come_back_many_times(name: str) -> None:
    behave, said = FAILURES[name]
    begun = time.monotonic()
    with peer(behave) as spec:
        found = shown(ask(spec, *[CREATE] * 30, retries=0, timeout=0.5 if "within" in said else 20))
    assert len(found) == 30
    assert [text for text in found if not re.search(said, text)] == []
    assert time.monotonic() - begun < 20


def _ask_until_closed(side: Side) -> None:
    with contextlib.suppress(CancelledError):  # of the requests that were waiting
        side.ask([CREATE] * 30)


@each("name", FAILURES, parts=5)
def test_no_failure_keeps_the_side_from_closing(name: str) -> None:
    behave, _ = FAILURES[name]
    with peer(behave) as spec:
        side = parse_spec(spec, SideOptions(timeout=3600, retries=0)).side()
        side.open()
        asking = threading.Thread(target=_ask_until_closed, args=(side,))
        asking.start()
        time.sleep(0.2)
        begun = time.monotonic()
        side.close()
        assert time.monotonic() - begun < 10


def test_a_connection_that_nobody_takes_has_a_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listening:
        address = listening.getsockname()
        with contextlib.ExitStack() as stack:
            for _ in range(3):  # until the system takes no more
                waiting = stack.enter_context(socket.socket())
                waiting.setblocking(False)
                waiting.connect_ex(address)
            time.sleep(0.1)
            spec = f"webhook:http://127.0.0.1:{address[1]}/"
            assert (
                shown(ask(spec, *[CREATE] * 30, timeout=0.5))
                == ["the webhook has not answered within 0.5 seconds"] * 30
            )
            side = parse_spec(spec, SideOptions(timeout=3600)).side()
            side.open()
            asking = threading.Thread(target=_ask_until_closed, args=(side,))
            asking.start()
            time.sleep(0.5)
            begun = time.monotonic()
            side.close()
            assert time.monotonic() - begun < 10


def test_a_connection_that_is_reset_is_told() -> None:
    with peer(reset) as spec:
        [text] = shown(ask(spec, CREATE, retries=1))
    assert "Connection reset by peer" in text or "closed connection" in text


def _allowed(uid: str, **response: Any) -> bytes:
    body = json.dumps({"response": {"uid": uid, "allowed": True, **response}}).encode()
    return OK + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def test_a_rest_of_an_answer_is_not_the_next_answer() -> None:
    """Behind its first answer a connection holds another one, for whoever asks next."""

    def behave(connection: socket.socket, over: threading.Event) -> None:
        forged = _allowed("forged", allowed=False, status={"message": "spec.forged: Required value"})
        connection.sendall(_allowed("first") + forged)
        request(connection)
        connection.sendall(forged * 2)

    with peer(behave) as spec, parse_spec(spec, SideOptions(in_flight=1, retries=0)).side() as side:
        for _ in range(3):
            [answer] = side.ask([CREATE])
            assert isinstance(answer, Refusal)  # a uid is never used twice


# --- certificates -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def test_certificates_that_are_not_to_be_trusted(authority: trustme.CA, tmp_path: Path) -> None:
    ca = pem(tmp_path / "ca.pem", authority.cert_pem)
    past = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
    cases: list[tuple[trustme.LeafCert, dict[str, Any], str]] = [
        (authority.issue_cert("127.0.0.1", not_after=past), {"ca_file": ca}, "certificate has expired"),
        (authority.issue_cert("other.example.com"), {"ca_file": ca}, "certificate is not valid for '127.0.0.1'"),
        (authority.issue_cert("127.0.0.1"), {"ca_file": ca, "server_name": "a.svc"}, "Hostname mismatch"),
        (authority.issue_cert("127.0.0.1"), {}, "unable to get local issuer certificate"),
        (trustme.CA().issue_cert("127.0.0.1"), {"ca_file": ca}, "certificate verify failed"),
    ]
    for certificate, options, said in cases:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        with serving(lambda review: {"allowed": True}, context) as server:
            [text] = shown(ask(server.spec, CREATE, **options))
            assert said in text
            assert server.seen == []


def test_tls_where_there_is_none_and_none_where_there_is(authority: trustme.CA, tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with serving(lambda review: {"allowed": True}, context) as server:
        [text] = shown(ask(server.spec.replace("https:", "http:"), CREATE, retries=0))
        assert text.startswith("the webhook cannot be reached: ")
    with serving(lambda review: {"allowed": True}) as server:
        [text] = shown(ask(server.spec.replace("http:", "https:"), CREATE, retries=0, timeout=5))
        assert text.startswith("the webhook cannot be reached: ") or "has not answered within" in text
    with peer(repeating(b"", b"", 0.02), reads=False) as spec:  # nobody shakes hands
        [text] = shown(ask(spec.replace("http:", "https:"), CREATE, timeout=0.5))
        assert text == "the webhook has not answered within 0.5 seconds"


# --- surroundings -----------------------------------------------------------------------------------------------------


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with serving(lambda review: {"allowed": True}) as server:
        assert ask(server.spec, CREATE, retries=0) == [[]]
        assert "Accept-Encoding" not in server.headers[0]


def test_names_that_nobody_resolves_have_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    asked: list[str] = []

    def hanging(host: str, *rest: Any) -> Any:
        asked.append(host)
        over.wait(60)
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", hanging)
    try:
        answers = shown(ask("webhook:http://nowhere.example/", *[CREATE] * 20, timeout=0.3))
    finally:
        over.set()
    assert answers == ["the webhook has not answered within 0.3 seconds"] * 20
    assert asked == ["nowhere.example"]  # there is one thread for a name, however often it is asked for
    monkeypatch.undo()
    with waiting_until(time.monotonic() + 20, threading.Event()):
        assert Names().addresses("127.0.0.1", 80)[0][4] == ("127.0.0.1", 80)
        with pytest.raises(OSError, match="name"):
            Names().addresses("x" * 300, 80)


def test_who_closes_the_side_does_not_wait_for_deadlines() -> None:
    begun = time.monotonic()
    with peer(repeating(b" ", OK + b"\r\n", 0.02)) as spec:
        side = parse_spec(spec, SideOptions(timeout=3600)).side()
        side.open()
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.extend(side.ask([CREATE])))
        thread.start()
        time.sleep(0.3)
        side.close()
        thread.join(30)
        assert isinstance(found[0], Refusal)
    assert time.monotonic() - begun < 30


def test_causes_have_limits() -> None:
    def body(causes: list[Any]) -> bytes:
        return json.dumps(
            {"response": {"uid": "1", "allowed": False, "status": {"details": {"causes": causes}}}}
        ).encode()

    many, long = (
        read_answer(body([{"field": "a"}] * 50_001), "1", {}),
        read_answer(body([{"field": "a" * 2_001}]), "1", {}),
    )
    assert isinstance(many, Refusal)
    assert "there are 50001 causes, of which only 50000 are read" in many.text
    assert isinstance(long, Refusal)
    assert "its field has 2001 characters" in long.text
    deep = read_answer(b"[" * 100_000, "1", {})
    assert isinstance(deep, Refusal)
    assert "nested deeper than 500 levels" in deep.text
