"""URLs and their parts.

Sources of the behaviour: `pkg/cel/library/urls.go` of `k8s.io/apiserver`, and Go's `net/url`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.formats.gourl import GoUrlError, Url, parse_url, request_url

_PORT = re.compile(r":[0-9]*\Z")
#: What a path may have as it is.
_VALID_PATH = re.compile(r"(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@\[\]/]|%[0-9A-Fa-f]{2})*\Z")
_WRONG_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class URL:
    """A URL; two are one if all of their parts are."""

    parts: Url

    @property
    def _host_and_port(self) -> tuple[str, str]:
        host, port = self.parts.host, ""
        if match := _PORT.search(host):
            host, port = host[: match.start()], match[0][1:]
        if host.startswith("[") and host.endswith("]"):
            host = host[1:-1]
        return host, port


def url(text: str) -> URL:
    """`url(text)`: absolute URLs, and absolute paths."""
    try:
        request_url(text)
        return URL(parse_url(text))
    except GoUrlError as error:
        raise EvaluationError(f"URL parse error during conversion from string: {error}") from None


def is_url(text: str) -> bool:
    """`isURL(text)`."""
    try:
        request_url(text)
    except GoUrlError:
        return False
    return True


def scheme(url: URL) -> str:
    return url.parts.scheme


def host(url: URL) -> str:
    """Host and port."""
    return url.parts.host


def hostname(url: URL) -> str:
    """The host without its port, and without the brackets of an address."""
    return url._host_and_port[0]


def port(url: URL) -> str:
    return url._host_and_port[1]


def escaped_path(url: URL) -> str:
    """The path as it is written if it could be, else as it should be."""
    path = url.parts.path
    if _VALID_PATH.match(path):
        return path
    return quote(unquote_to_bytes(path), safe="$&+,/:;=@-_.~")


def query(url: URL) -> dict[str, list[str]]:
    """All values of each parameter. What cannot be read is left out."""
    found: dict[str, list[str]] = {}
    for pair in url.parts.query.split("&"):
        if not pair or ";" in pair or _WRONG_ESCAPE.search(pair):
            continue
        name, _, value = pair.replace("+", " ").partition("=")
        found.setdefault(_text(name), []).append(_text(value))
    return found


def _text(escaped: str) -> str:
    return unquote_to_bytes(escaped).decode("utf-8", "replace")
