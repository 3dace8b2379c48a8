"""The quick way of requests: what it reads, h11 reads in the same way, and where there is a doubt it reads nothing."""

from __future__ import annotations

import h11
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.uses.serve.heads import read_head

HEAD = (
    b"POST /validate?timeout=10s HTTP/1.1\r\nHost: a.b.svc:443\r\n"
    b"Content-Length: 2\r\nContent-Type: application/json\r\n"
)


def test_what_an_api_server_sends() -> None:
    found = read_head(HEAD + b"User-Agent: kube-apiserver-admission\r\nAccept: application/json, */*\r\n\r\n{}")
    assert found == (
        "/validate",
        b"timeout=10s",
        [
            (b"host", b"a.b.svc:443"),
            (b"content-length", b"2"),
            (b"content-type", b"application/json"),
            (b"user-agent", b"kube-apiserver-admission"),
            (b"accept", b"application/json, */*"),
        ],
        b"{}",
    )


@each(
    "data",
    [
        HEAD + b"\r\n{",
        HEAD + b"\r\n{}x",
        HEAD + b"Content-Length: 2\r\n\r\n{}",
        HEAD + b"Host: b\r\n\r\n{}",
        HEAD + b"Connection: close\r\n\r\n{}",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n{}",
        HEAD + b"Expect: 100-continue\r\n\r\n{}",
        HEAD + b"Upgrade: h2c\r\n\r\n{}",
        HEAD + b"X: a\r\n b\r\n\r\n{}",
        HEAD + b"X : a\r\n\r\n{}",
        HEAD + b"X:\ta\r\n\r\n{}",
        HEAD + b"X: a\nY: b\r\n\r\n{}",
        HEAD + b"X: \xe9\r\n\r\n{}",
        HEAD + b"X: \x00\r\n\r\n{}",
        HEAD.replace(b"POST", b"GET") + b"\r\n{}",
        HEAD.replace(b"1.1", b"1.0") + b"\r\n{}",
        HEAD.replace(b"/validate", b"/%76alidate") + b"\r\n{}",
        HEAD.replace(b"/validate", b"http://a/validate") + b"\r\n{}",
        HEAD.replace(b": 2", b": +2") + b"\r\n{}",
        HEAD.replace(b": 2", b": 0x2") + b"\r\n{}",
        HEAD.replace(b"Host: a.b.svc:443\r\n", b"") + b"\r\n{}",
    ],
)
def test_what_is_left_to_others(data: bytes) -> None:
    assert read_head(data) is None


_pieces = st.sampled_from(
    [
        *(
            b"POST ",
            b"GET ",
            b"/validate",
            b"?timeout=1s",
            b" HTTP/1.1",
            b" HTTP/1.0",
            b"\r\n",
            b"\n",
            b"\r",
            b" ",
            b"\t",
        ),
        *(
            b"Host: a",
            b"Content-Length: 2",
            b"Content-Length: 02",
            b"content-length:2",
            b"Content-Type: application/json",
        ),
        *(b"Transfer-Encoding: chunked", b"X: y", b":", b"{}", b"\x00", b"\xff", b",", b"Content-Length: 2, 2"),
    ]
)


@given(st.lists(_pieces, max_size=9), st.lists(_pieces, max_size=2))
@example([b"Content-Length: 02"], [])
def test_both_ways_agree(lines: list[bytes], end: list[bytes]) -> None:
    for data in (
        b"".join(lines),
        b"POST /validate HTTP/1.1\r\nHost: a\r\n" + b"\r\n".join(lines) + b"\r\n\r\n{}" + b"".join(end),
        HEAD + b"\r\n".join(lines) + b"\r\n\r\n{}" + b"".join(end),
    ):
        found = read_head(data)
        if found is None:
            continue
        path, query, headers, body = found
        other = h11.Connection(h11.SERVER)
        other.receive_data(data)
        event = other.next_event()
        assert isinstance(event, h11.Request)
        assert (event.method, event.http_version) == (b"POST", b"1.1")
        assert event.target == path.encode() + (b"?" + query if query else b"")
        assert list(event.headers) == headers
        parts = b""
        while isinstance(part := other.next_event(), h11.Data):
            parts += bytes(part.data)
        assert isinstance(part, h11.EndOfMessage)
        assert parts == body
        assert other.trailing_data[0] == b""
