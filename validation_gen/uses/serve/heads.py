"""Parses the head of a plain request, as API servers send it: a complete POST of HTTP/1.1, with its length.

`read_head` returns None for anything ambiguous, which the full HTTP parser handles. So it accepts a subset of valid
requests, and no invalid ones.
"""

from __future__ import annotations

import re

_LONGEST = 8 << 10
_REQUEST = re.compile(rb"POST (/[A-Za-z0-9/_.-]*)(?:\?([A-Za-z0-9=&_.-]*))? HTTP/1\.1", re.ASCII)
#: A line of a head: names are those of tokens, values have no spaces at their ends and no control characters.
_LINE = re.compile(rb"([A-Za-z0-9-]+): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)", re.ASCII)
#: Headers about the end of a request, the connection, or a required wait.
_OTHERS = frozenset((b"transfer-encoding", b"connection", b"expect", b"upgrade", b"te", b"trailer", b"keep-alive"))
#: Cache of parsed lines, as clients repeat them. It is cleared when it is full.
_known: dict[bytes, tuple[bytes, bytes]] = {}
_MOST_KNOWN, _LONGEST_KNOWN = 256, 200


def read_head(data: bytes) -> tuple[str, bytes, list[tuple[bytes, bytes]], bytes] | None:
    """Returns the path, the query, the headers and the body of a request that fills `data`; None if it is not plain."""
    end = data.find(b"\r\n\r\n", 0, _LONGEST)
    if end < 0:
        return None
    first, *lines = data[:end].split(b"\r\n")
    request = _REQUEST.fullmatch(first)
    if request is None:
        return None
    headers = []
    length = -1
    host = False
    for line in lines:
        found = _known.get(line) or _read_line(line)
        if found is None:
            return None
        name, value = found
        if name in _OTHERS:
            return None
        if name == b"content-length":
            if length >= 0 or not value.isdigit() or len(value) > 8:
                return None
            length = int(value)
        elif name == b"host":
            if host:
                return None
            host = True
        headers.append(found)
    if not host or length != len(data) - end - 4:
        return None
    path, query = request.groups(b"")
    return path.decode("ascii"), query, headers, data[end + 4 :]


def _read_line(line: bytes) -> tuple[bytes, bytes] | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    header = found[1].lower(), found[2]
    if len(line) <= _LONGEST_KNOWN:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[line] = header
    return header
