"""URLs as Go's `net/url` reads them: their parts, or the words in which it refuses a text."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, replace
from urllib.parse import unquote

from validation_gen.runtime.gotext import go_quote

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORT = re.compile(r"(?::[0-9]*)?")
_USER = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
#: The ASCII characters that a host may not have as they are.
_NO_HOST = re.compile(r"[^A-Za-z0-9\-_.~!$&'()*+,;=:\[\]<>\"%\x80-\U0010ffff]")


class GoUrlError(ValueError):
    """The text is no URL."""


@dataclass(frozen=True, slots=True)
class Url:
    scheme: str = ""
    host: str = ""
    user: str | None = None
    query: str = ""
    fragment: str = ""
    path: str = ""  #: as it is written
    opaque: str = ""


def parse_url(text: str) -> Url:
    """The parts of a URL, relative ones included (`url.Parse`).

    Raises:
        GoUrlError: with Go's text.
    """
    before, _, fragment = text.partition("#")
    try:
        url = _parse(before, request=False)
    except GoUrlError as error:
        raise GoUrlError(f"parse {go_quote(before)}: {error}") from None
    try:
        fragment = _unescaped(fragment)
    except GoUrlError as error:
        raise GoUrlError(f"parse {go_quote(text)}: {error}") from None
    return replace(url, fragment=fragment)


def request_url(text: str) -> Url:
    """The parts of an absolute URL or path (`url.ParseRequestURI`), in which `#` begins no fragment.

    Raises:
        GoUrlError: with Go's text.
    """
    try:
        return _parse(text, request=True)
    except GoUrlError as error:
        raise GoUrlError(f"parse {go_quote(text)}: {error}") from None


def is_request_url(text: str, *, with_host: bool = False) -> bool:
    """Whether a text is an absolute URL or an absolute path (`url.ParseRequestURI`)."""
    try:
        url = _parse(text, request=True)
    except GoUrlError:
        return False
    return not with_host or bool(url.host and url.scheme)


def _parse(text: str, *, request: bool) -> Url:
    if re.search(r"[\x00-\x1f\x7f]", text):
        raise GoUrlError("net/url: invalid control character in URL")
    if not text and request:
        raise GoUrlError("empty url")
    if text == "*":
        return Url(path="*")
    if text.startswith(":"):
        raise GoUrlError("missing protocol scheme")
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest, _, query = text[match.end() if match else 0 :].partition("?")
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, query=query, opaque=rest)
        if request:
            raise GoUrlError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise GoUrlError("first path segment in URL cannot contain colon")
    user, host = None, ""
    if rest.startswith("//") and (scheme or (not request and not rest.startswith("///"))):
        authority, slash, path = rest[2:].partition("/")
        rest = slash + path
        user, host = _authority(scheme, authority)
    _unescaped(rest)
    return Url(scheme, host, user, query, path=rest)


def _authority(scheme: str, text: str) -> tuple[str | None, str]:
    userinfo, at, host = text.rpartition("@")
    host = _host(scheme, host)
    if not at:
        return None, host
    if not _USER.fullmatch(userinfo):
        raise GoUrlError("net/url: invalid userinfo")
    return _unescaped(userinfo), host


def _host(scheme: str, text: str) -> str:
    bracket = text.rfind("[")
    if bracket > 0:
        raise GoUrlError("invalid IP-literal")
    if bracket == 0:
        return _literal(text)
    if ":" in text:
        strict = scheme in ("http", "https")
        port = text[text.index(":") if strict else text.rindex(":") :]
        if not _PORT.fullmatch(port):
            raise GoUrlError(f"invalid port {go_quote(port)} after host")
    return _unescaped(text, host=True)


def _literal(text: str) -> str:
    end = text.rfind("]")
    if end < 0:
        raise GoUrlError("missing ']' in host")
    if not _PORT.fullmatch(text, end + 1):
        raise GoUrlError(f"invalid port {go_quote(text[end + 1 :])} after host")
    address = _unescaped(text[1:end], host=True)
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        raise GoUrlError(f"invalid host: ParseAddr({go_quote(address)}): unable to parse IP") from None
    return text


def _unescaped(text: str, *, host: bool = False) -> str:
    for match in _ESCAPE.finditer(text):
        digits = match[1]
        if digits is None or (host and int(digits, 16) < 0x80 and digits != "25"):
            shown = text[match.start() : match.start() + 3]
            raise GoUrlError(f"invalid URL escape {go_quote(shown)}")
    if host and (wrong := _NO_HOST.search(text)):
        raise GoUrlError(f"invalid character {go_quote(wrong[0])} in host name")
    return unquote(text)
