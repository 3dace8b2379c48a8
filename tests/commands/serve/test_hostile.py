"""What nobody should send: the server says so, or ends the connection, and goes on answering others."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
import urllib3

from tests.commands.serve.serving import Certificates, Process, answer, connected, ended, request, review, served, thing
from tests.thorough import drawn
from tests.webhooks.test_app import _nothing_wrong
from validation_gen.commands.serve.running import Patience, Server
from validation_gen.commands.serve.tls import Files
from validation_gen.webhooks import Limits, Validating, Webhook

GOOD = review(thing("a"))


@pytest.fixture(scope="module")
def context(authority: trustme.CA) -> ssl.SSLContext:
    found = ssl.create_default_context()
    authority.configure_trust(found)
    return found


@pytest.fixture(autouse=True)
def goes_on(server: Process, context: ssl.SSLContext) -> Iterator[None]:
    """Whatever a test has done, others are answered."""
    yield
    with connected(server.port, context) as sock:
        sock.sendall(request(GOOD))
        assert answer(sock)[0] == 200


def _memory(server: Process) -> int:
    """The bytes that it holds; 0 where the system does not tell."""
    if not Path("/proc/self/status").is_file():
        return 0
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert found
    return int(found[1]) << 10


def _bodies(count: int) -> Iterator[bytes]:
    """Bytes, damaged reviews, and JSON that is none."""
    random_ = random.Random(20)
    pieces = [b"{", b"[", b'"', b"\\u0000", b"\\ud800", b"\xff", b"\x00", b"1e999", b"NaN", b"null", b":", b",", b"}"]
    for number in range(count):
        kind = number % 4
        if kind == 0:
            yield random_.randbytes(random_.randrange(400))
        elif kind == 1:
            damaged = bytearray(GOOD)
            for _ in range(random_.randrange(1, 6)):
                damaged[random_.randrange(len(damaged))] = random_.randrange(256)
            yield bytes(damaged)
        elif kind == 2:
            yield GOOD[: random_.randrange(len(GOOD))]
        else:
            yield b"".join(random_.choice(pieces) for _ in range(random_.randrange(60)))


@pytest.mark.process
def test_random_bodies(server: Process, context: ssl.SSLContext) -> None:
    count = drawn(10_000)
    before = 0
    with connected(server.port, context) as sock:
        for number, body in enumerate(_bodies(count)):
            sock.sendall(request(body))
            code, said = answer(sock)
            assert code in (200, 400), (body, said)
            if code == 200:
                assert json.loads(said)["response"]["uid"]
            if number == count // 4:
                before = _memory(server)
    assert _memory(server) < before + (16 << 20)


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        (b"[" * (3 << 20), {400}),
        (b'{"a":' * (600 << 10), {400}),
        (b'{"request":' + b"[" * 100_000 + b"]" * 100_000 + b"}", {400}),
        (b"[" + b"[]," * (1 << 19) + b"[]]", {400}),
        (b'{"a": ' + b"1" * 200_000 + b"}", {400}),
        (review({**thing("a"), "spec": {"name": "\0"}}), {200}),
        (review({**thing("a"), "spec": {"name": "a" * 1_000_000}}), {200}),
        (review({**thing("a"), "metadata": {"name": "\r\nlevel=error", "namespace": "\x1b[31m"}}), {200}),
        (review(thing("a")).replace(b'"a"', b'"\xff"'), {400}),
        (b"\xef\xbb\xbf" + GOOD, {200, 400}),
        (GOOD.decode().encode("utf-16"), {200, 400}),
    ],
    ids=["brackets", "names", "nested", "many lists", "number", "NUL", "long", "lines", "utf-8", "mark", "utf-16"],
)
def test_odd_bodies(client: urllib3.HTTPSConnectionPool, body: bytes, codes: set[int]) -> None:
    found = client.request("POST", "/validate", body=body, headers={"Content-Type": "application/json"})
    assert found.status in codes, found.data
    assert len(found.data) < 3000 or found.status == 200


def test_forged_lines_stay_one_line(server: Process, client: urllib3.HTTPSConnectionPool) -> None:
    body = review(
        thing("too long"), name="a\nallowed user=admin", userInfo={"username": "\x1b[2J\u2028eve " + "x" * 5000}
    )
    client.request("POST", "/validate", body=body, headers={"Content-Type": "application/json"})
    line = server.lines_until("eve")
    assert '"a\\nallowed user=admin"' in line
    assert line.isascii()
    assert "\x1b" not in line
    assert len(line) < 1500


def test_a_bomb_is_not_unpacked(client: urllib3.HTTPSConnectionPool) -> None:
    bomb = gzip.compress(b" " * (200 << 20))
    for encoding in ("gzip", "deflate", "br", "zstd", "gzip, identity"):
        headers = {"Content-Type": "application/json", "Content-Encoding": encoding}
        assert client.request("POST", "/validate", body=bomb, headers=headers).status == 415


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/yaml", "application/json5", "multipart/form-data", "\xe9"]
)
def test_other_types(client: urllib3.HTTPSConnectionPool, kind: str) -> None:
    assert client.request("POST", "/validate", body=GOOD, headers={"Content-Type": kind}).status == 415


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"])
def test_other_methods(client: urllib3.HTTPSConnectionPool, method: str) -> None:
    found = client.request(method, "/validate")
    assert (found.status, found.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("query", ["timeout=ten", "timeout=10", "timeout=10s10", "timeout=1e9s", "timeout=-5s"])
def test_odd_times(client: urllib3.HTTPSConnectionPool, query: str) -> None:
    found = client.request("POST", f"/validate?{query}", body=GOOD, headers={"Content-Type": "application/json"})
    assert found.status == 400
    assert b"timeout is no duration such as 10s" in found.data


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 100,
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /validate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /validate HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
        b"POST /validate HTTP/1.1\r\nHost: a\r\nX: " + b"x" * (1 << 20) + b"\r\n\r\n",
        b"POST /validate HTTP/1.1\r\n" + b"X: x\r\n" * 100_000,
        b"POST /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST /validate HTTP/1.1\nHost: a\n\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=lambda data: data[:40].decode("latin-1").split("\r")[0],
)
def test_no_http(server: Process, context: ssl.SSLContext, data: bytes) -> None:
    with connected(server.port, context) as sock:
        with contextlib.suppress(OSError):
            sock.sendall(data)
        with contextlib.suppress(OSError, EOFError):
            assert 400 <= answer(sock)[0] < 500


@pytest.mark.parametrize("path", ["/validate", "/livez", "/nowhere"])
@pytest.mark.parametrize(
    "lengths", [("Content-Length: 5", "Transfer-Encoding: chunked"), ("transfer-encoding:chunked", "CONTENT-LENGTH:5")]
)
def test_two_lengths_are_refused(server: Process, context: ssl.SSLContext, path: str, lengths: tuple[str, str]) -> None:
    """A proxy may take one length and we the other: the rest would be a request that the proxy has not seen."""
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + "\r\n".join(lengths)
    with connected(server.port, context) as sock:
        sock.sendall(head.encode() + b"\r\n\r\n0\r\n\r\n" + request(b"", path="/livez", method="GET"))
        assert answer(sock)[0] == 400
        assert ended(sock)  # so that nothing that follows is taken for a request


def test_requests_one_behind_the_other(server: Process, context: ssl.SSLContext) -> None:
    sent = [
        request(GOOD),
        request(b"{"),
        request(GOOD, "Expect: 100-continue"),
        request(b"", path="/livez", method="GET"),
    ]
    with connected(server.port, context) as sock:
        sock.sendall(b"".join(sent) * 20)
        found: list[int] = []
        while len(found) < 80:
            code, _ = answer(sock)
            if code != 100:
                found.append(code)
    assert found == [200, 400, 200, 200] * 20


def test_requests_in_pieces(server: Process, context: ssl.SSLContext) -> None:
    whole = request(GOOD)
    with connected(server.port, context) as sock:
        for size in (1, 7, 100, 700):
            for begin in range(0, len(whole), size):
                sock.sendall(whole[begin : begin + size])
            assert answer(sock)[0] == 200
    chunked = (
        b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with connected(server.port, context) as sock:
        sock.sendall(chunked + b"".join(b"1\r\n%c\r\n" % each for each in GOOD) + b"0\r\n\r\n")
        assert answer(sock)[0] == 200


def test_a_body_without_end_is_refused(server: Process, context: ssl.SSLContext) -> None:
    head = b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    part = b"10000\r\n" + b" " * (1 << 16) + b"\r\n"
    with connected(server.port, context) as sock:
        sock.sendall(head + part * 50)
        assert answer(sock)[0] == 413


# --- those who are not waited for -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def impatient_server(tmp_path_factory: pytest.TempPathFactory, authority: trustme.CA) -> Iterator[tuple[Server, int]]:
    """A server in this process with little patience, and its port."""
    files = Certificates(authority, tmp_path_factory.mktemp("impatient")).files
    webhook = Webhook({"/validate": Validating(_nothing_wrong)}, Limits(reading=1.5))
    patience = Patience(head=1.5, idle=2, handshake=3, unread=1, connections=20)
    with served(webhook, Files(*files), patience=patience) as found:
        yield found


@pytest.fixture
def impatient(impatient_server: tuple[Server, int]) -> int:
    return impatient_server[1]


def test_slow_heads(impatient: int, context: ssl.SSLContext) -> None:
    """One byte after the other, on a new connection and after an answer."""
    for before in (b"", request(GOOD)):
        with connected(impatient, context) as sock:
            if before:
                sock.sendall(before)
                assert answer(sock)[0] == 200
            with contextlib.suppress(OSError):
                for _ in range(600):
                    sock.sendall(b"P")
                    time.sleep(0.1)
                pytest.fail("it was waited for")
            assert ended(sock)


def test_silence(impatient: int, context: ssl.SSLContext) -> None:
    with connected(impatient, context) as sock:
        assert ended(sock)
    with connected(impatient, context) as sock:
        sock.sendall(request(GOOD))
        assert answer(sock)[0] == 200
        assert ended(sock)


def test_slow_bodies(impatient: int, context: ssl.SSLContext) -> None:
    head = request(GOOD)[: -len(GOOD)]
    with connected(impatient, context) as sock:
        sock.sendall(head + GOOD[:10])
        code, said = answer(sock)
        assert (code, json.loads(said)["message"]) == (408, "the body did not come in time")
        with contextlib.suppress(OSError):  # who goes on sending has not won time
            for _ in range(600):
                sock.sendall(b" ")
                time.sleep(0.1)
            pytest.fail("it was waited for")
        assert ended(sock)


def test_no_handshake(impatient: int) -> None:
    with socket.create_connection(("127.0.0.1", impatient), 60) as plain:
        assert plain.recv(1) == b""


def test_answers_that_nobody_reads(impatient_server: tuple[Server, int], context: ssl.SSLContext) -> None:
    server, port = impatient_server
    long = request(review(thing("a"), uid="u" * 200_000))
    with connected(port, context) as sock:
        sender = threading.Thread(target=_send, args=(sock, long, 200))
        sender.start()
        end = time.monotonic() + 60
        while not server.server_state.connections and time.monotonic() < end:
            time.sleep(0.05)
        while server.server_state.connections and time.monotonic() < end:
            time.sleep(0.05)
        assert not server.server_state.connections
        sender.join(60)
        assert not sender.is_alive()


def _send(sock: ssl.SSLSocket, data: bytes, count: int) -> None:
    with contextlib.suppress(OSError):
        for _ in range(count):
            sock.sendall(data)


def test_more_connections_than_there_may_be(impatient: int, context: ssl.SSLContext) -> None:
    with contextlib.ExitStack() as stack:
        socks = []
        for _ in range(30):
            with contextlib.suppress(OSError):
                socks.append(stack.enter_context(connected(impatient, context)))
        answered = 0
        for sock in socks:
            with contextlib.suppress(OSError, EOFError):
                sock.sendall(request(GOOD))
                answered += answer(sock)[0] == 200
        assert answered <= 20
