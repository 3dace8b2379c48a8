"""The head of a plain request, as API servers send it: a POST of HTTP/1.1 that is there as a whole, with its length.

Everything that could mean something else is left to who knows all of HTTP: `read_head` gives None for it. So it accepts
a part of what is right, and nothing that is not.
"""

from __future__ import annotations

import re

_LONGEST = 8 << 10
_REQUEST = re.compile(rb"POST (/[A-Za-z0-9/_.-]*)(?:\?([A-Za-z0-9=&_.-]*))? HTTP/1\.1", re.ASCII)
#: A line of a head: names are those of tokens, values have no spaces at their ends and no control characters.
_LINE = re.compile(rb"([A-Za-z0-9-]+): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)", re.ASCII)
#: Headers that say how a request ends, what becomes of the connection, or that something is to be waited for.
_OTHERS = frozenset((b"transfer-encoding", b"connection", b"expect", b"upgrade", b"te", b"trailer", b"keep-alive"))
#: Lines that were read before, as clients say the same again and again. It is cleared when it is full.
_known: dict[bytes, tuple[bytes, bytes]] = {}
_MOST_KNOWN, _LONGEST_KNOWN = 256, 200


def read_head(data: bytes) -> tuple[str, bytes, list[tuple[bytes, bytes]], bytes] | None:
    """The path, the query, the headers and the body of a request that fills `data`; None if it is not so plain."""
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
