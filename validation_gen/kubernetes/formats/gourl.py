"""Parses URLs as Go's `net/url`, and addresses as `netip.ParseAddr`: returns the parts, or raises with Go's text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote, unquote_to_bytes

from validation_gen.runtime.gotext import go_quote

_HEX = re.compile(r"[0-9A-Fa-f]*")
_NO_DIGIT = "each colon-separated field must have at least one digit"
_WRONG_PLACE = "embedded IPv4 address must replace the final 2 fields of the address"
_NO_ROOM = "too many hex fields to fit an embedded IPv4 at the end of the address"


class AddressError(ValueError):
    """The text is no address."""

    def __init__(self, text: str, problem: str, at: str = "") -> None:
        place = f" (at {go_quote(at)})" if at else ""
        super().__init__(f"ParseAddr({go_quote(text)}): {problem}{place}")


def parse_address(text: str) -> tuple[int, int, str]:
    """Returns the number of an address, its number of bits, and its zone.

    Raises:
        AddressError: with Go's text.
    """
    first = re.search(r"[.:%]", text)
    if first is None:
        raise AddressError(text, "unable to parse IP")
    if first[0] == "%":
        raise AddressError(text, "missing IPv6 address")
    if first[0] == ".":
        return int.from_bytes(_fields4(text, text), "big"), 32, ""
    before, percent, zone = text.partition("%")
    if percent and not zone:
        raise AddressError(text, "zone must be a non-empty string")
    return int.from_bytes(_bytes6(text, before), "big"), 128, zone


def _fields4(whole: str, text: str) -> bytes:
    """Returns the four numbers of an IPv4 address, which may be at the end of an IPv6 address."""
    fields: list[int] = []
    value = digits = 0
    for at, char in enumerate(text):
        if "0" <= char <= "9":
            if digits == 1 and value == 0:
                raise AddressError(whole, "IPv4 field has octet with leading zero")
            value = value * 10 + int(char)
            digits += 1
            if value > 255:
                raise AddressError(whole, "IPv4 field has value >255")
        elif char == ".":
            if not digits or at == len(text) - 1:
                raise AddressError(whole, "IPv4 field must have at least one digit", text[at:])
            if len(fields) == 3:
                raise AddressError(whole, "IPv4 address too long")
            fields.append(value)
            value = digits = 0
        else:
            raise AddressError(whole, "unexpected character", text[at:])
    if len(fields) < 3:
        raise AddressError(whole, "IPv4 address too short")
    return bytes([*fields, value])


def _bytes6(whole: str, text: str) -> bytes:
    """Returns the sixteen bytes of an address without its zone."""
    found = b""
    gap = -1
    rest = text
    if rest.startswith("::"):
        gap, rest = 0, rest[2:]
        if not rest:
            return bytes(16)
    while len(found) < 16:
        field = _field6(whole, rest)
        if rest[len(field) : len(field) + 1] == ".":
            if gap < 0 and len(found) != 12:
                raise AddressError(whole, _WRONG_PLACE, rest)
            if len(found) > 12:
                raise AddressError(whole, _NO_ROOM, rest)
            found += _fields4(whole, rest)
            rest = ""
            break
        found += int(field, 16).to_bytes(2, "big")
        rest = rest[len(field) :]
        if not rest:
            break
        rest = _parse_port(whole, rest)
        if rest[0] == ":":
            if gap >= 0:
                raise AddressError(whole, "multiple :: in address", rest)
            gap, rest = len(found), rest[1:]
            if not rest:
                break
    if rest:
        raise AddressError(whole, "trailing garbage after address", rest)
    return _expand(whole, found, gap)


def _field6(whole: str, rest: str) -> str:
    match = _HEX.match(rest)
    field = match[0] if match else ""
    if len(field) > 4:
        raise AddressError(whole, "each group must have 4 or less digits", rest)
    if not field:
        raise AddressError(whole, _NO_DIGIT, rest)
    return field


def _parse_port(whole: str, rest: str) -> str:
    if rest[0] != ":":
        raise AddressError(whole, "unexpected character, want colon", rest)
    if len(rest) == 1:
        raise AddressError(whole, "colon must be followed by more characters", rest)
    return rest[1:]


def _expand(whole: str, found: bytes, gap: int) -> bytes:
    missing = 16 - len(found)
    if gap < 0 and missing:
        raise AddressError(whole, "address string too short")
    if gap >= 0 and not missing:
        raise AddressError(whole, "the :: must expand to at least one field of zeros")
    return found if gap < 0 else found[:gap] + bytes(missing) + found[gap:]


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORT = re.compile(r"(?::[0-9]*)?")
_USER = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
#: ASCII characters that a host needs to escape.
_NO_HOST = re.compile(r"[^A-Za-z0-9\-_.~!$&'()*+,;=:\[\]<>\"%\x80-\U0010ffff]")
_ZONE = re.compile(r"[A-Za-z0-9\-_.~!$&'()*+,;=:\[\]<>\" ]")

#: Characters that a path or fragment does not escape, and patterns of paths and fragments that stay as written.
_PATH, _FRAGMENT = "$&+,/:;=@", "!$&()*+,/:;=?@"
_WRITTEN = re.compile(r"[A-Za-z0-9\-_.~!$&'()*+,;=:@\[\]%/]*")
_WRITTEN_FRAGMENT = re.compile(r"[A-Za-z0-9\-_.~!$&'()*+,;=:@\[\]%/?]*")


class GoUrlError(ValueError):
    """The text is no URL."""


@dataclass(frozen=True, slots=True)
class Url:
    scheme: str = ""
    host: str = ""
    user: str | None = None
    query: str = ""
    fragment: str = ""
    #: As they are written.
    path: str = ""
    userinfo: str = ""
    raw_fragment: str = ""
    #: The text after a scheme without a slash.
    opaque: str = ""
    #: True for a question mark at the end.
    force_query: bool = False
    #: True if there is a scheme and a path, but no slashes for a host.
    omit_host: bool = False

    def escaped_path(self) -> str:
        return self.path if _WRITTEN.fullmatch(self.path) else quote(unquote_to_bytes(self.path), safe=_PATH)

    def __str__(self) -> str:
        """Formats the URL as `URL.String` does."""
        text = f"{self.scheme}:" if self.scheme else ""
        text += self.opaque or self._behind_scheme(bool(text))
        if self.force_query or self.query:
            text += f"?{self.query}"
        if self.raw_fragment:
            text += "#" + self._escaped_fragment()
        return text

    def _behind_scheme(self, has_scheme: bool) -> str:
        path = self.escaped_path()
        text = ""
        if self.host or self.user is not None or (has_scheme and not self.omit_host and path):
            user = "" if self.user is None else self._escaped_user() + "@"
            text = "//" + user + quote(self.host, safe="!\"$&'()*+,:;<=>[]")
        elif self.omit_host and path.startswith("//"):
            text, path = "%2F", path[1:]
        if path and path[0] != "/" and self.host:
            text += "/"
        if not text and not has_scheme and ":" in path.partition("/")[0]:
            text = "./"
        return text + path

    def _escaped_user(self) -> str:
        name, colon, password = self.userinfo.partition(":")
        return colon.join(quote(unquote_to_bytes(part), safe="$&+,;=") for part in (name, password)[: 1 + bool(colon)])

    def _escaped_fragment(self) -> str:
        raw = self.raw_fragment
        return raw if _WRITTEN_FRAGMENT.fullmatch(raw) else quote(unquote_to_bytes(raw), safe=_FRAGMENT)


def parse_url(text: str) -> Url:
    """Parses a URL, which may be relative (`url.Parse`).

    Raises:
        GoUrlError: with Go's text.
    """
    before, _, fragment = text.partition("#")
    try:
        url = _parse(before, request=False)
    except GoUrlError as error:
        raise GoUrlError(f"parse {go_quote(before)}: {error}") from None
    try:
        return replace(url, fragment=_unescape(fragment), raw_fragment=fragment)
    except GoUrlError as error:
        raise GoUrlError(f"parse {go_quote(text)}: {error}") from None


def is_request_url(text: str, *, with_host: bool = False) -> bool:
    """Returns whether a text is an absolute URL or an absolute path (`url.ParseRequestURI`)."""
    try:
        url = parse_request_url(text)
    except GoUrlError:
        return False
    return not with_host or bool(url.host and url.scheme)


def parse_request_url(text: str) -> Url:
    """Parses an absolute URL or path, in which `#` has no meaning (`url.ParseRequestURI`).

    Raises:
        GoUrlError: with Go's text.
    """
    try:
        return _parse(text, request=True)
    except GoUrlError as error:
        raise GoUrlError(f"parse {go_quote(text)}: {error}") from None


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
    rest, mark, query = text[match.end() if match else 0 :].partition("?")
    force = bool(mark) and not query
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, query=query, opaque=rest, force_query=force)
        if request:
            raise GoUrlError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise GoUrlError("first path segment in URL cannot contain colon")
    user, userinfo, host = None, "", ""
    omit_host = bool(scheme) and rest[:1] == "/"
    if rest.startswith("//") and (scheme or (not request and not rest.startswith("///"))):
        authority, slash, path = rest[2:].partition("/")
        rest = slash + path
        omit_host = False
        user, userinfo, host = _authority(scheme, authority)
    _unescape(rest)
    return Url(scheme, host, user, query, path=rest, userinfo=userinfo, force_query=force, omit_host=omit_host)


def _authority(scheme: str, text: str) -> tuple[str | None, str, str]:
    """Returns the user, also in its written form, and the host."""
    userinfo, at, host = text.rpartition("@")
    host = _host(scheme, host)
    if not at:
        return None, "", host
    if not _USER.fullmatch(userinfo):
        raise GoUrlError("net/url: invalid userinfo")
    return _unescape(userinfo), userinfo, host


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
    return _unescape(text, host=True)


def _literal(text: str) -> str:
    end = text.rfind("]")
    if end < 0:
        raise GoUrlError("missing ']' in host")
    if not _PORT.fullmatch(text, end + 1):
        raise GoUrlError(f"invalid port {go_quote(text[end + 1 :])} after host")
    before, mark, zone = text[1:end].partition("%25")
    address = _unescape(before, host=True)
    if mark:
        address += "%" + _unescape(zone, zone=True)
    try:
        _, bits, _ = parse_address(address)
    except AddressError as error:
        raise GoUrlError(f"invalid host: {error}") from None
    if bits == 32:
        raise GoUrlError("invalid IP-literal")
    return f"[{address}]{text[end + 1 :]}"


def _unescape(text: str, *, host: bool = False, zone: bool = False) -> str:
    """Resolves the escapes of a text. In a zone only a space and the characters of a host can be escaped."""
    wrong = _NO_HOST.search(text) if host or zone else None
    for match in _ESCAPE.finditer(text, 0, wrong.start() if wrong else len(text)):
        digits = match[1]
        code = int(digits, 16) if digits else -1
        refused = code != 0x25 and ((host and code < 0x80) or (zone and not _ZONE.fullmatch(chr(max(code, 0)))))
        if digits is None or refused:
            shown = text[match.start() : match.start() + 3]
            raise GoUrlError(f"invalid URL escape {go_quote(shown)}")
    if wrong:
        raise GoUrlError(f"invalid character {go_quote(wrong[0])} in host name")
    return unquote(text)
