"""`ip(...)`, `cidr(...)`, `url(...)` and their methods."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import unquote_plus

from validation_gen.kubernetes.cel.functions import accepts
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.formats.gourl import (
    AddressError,
    GoUrlError,
    Url,
    is_request_url,
    parse_address,
    parse_request_url,
    parse_url,
)
from validation_gen.runtime.gotext import go_quote

_CONVERSION = "network address parse error during conversion from string: "
_BITS = re.compile(r"0|[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class IP:
    """An address of 32 or of 128 bits."""

    type_name: ClassVar[str] = "net.IP"
    number: int
    bits: int

    def __str__(self) -> str:
        if self.bits == 32:
            return str(ipaddress.IPv4Address(self.number))
        return str(ipaddress.IPv6Address(self.number))

    @property
    def size(self) -> int:
        """Size in bytes, for the cost."""
        return self.bits // 8


@dataclass(frozen=True, slots=True)
class CIDR:
    """An address and the length of its prefix."""

    type_name: ClassVar[str] = "net.CIDR"
    address: IP
    length: int

    def __str__(self) -> str:
        return f"{self.address}/{self.length}"

    @property
    def size(self) -> int:
        """Size in bytes, for the cost: upstream counts the prefix only."""
        return -(-self.length // 8)


# --- addresses --------------------------------------------------------------------------------------------------------


def ip(text: str) -> IP:
    """Parses an address. Zones and IPv4 addresses in IPv6 ones are errors."""
    try:
        number, bits, zone = parse_address(text)
    except AddressError as error:
        what = f"IP Address {go_quote(text)}"
        raise EvaluationError(f"{what} parse error during conversion from string: {error}") from None
    if zone:
        raise EvaluationError(f"IP address {go_quote(text)} with zone value is not allowed")
    if _is_mapped(number, bits):
        raise EvaluationError(f"IPv4-mapped IPv6 address {go_quote(text)} is not allowed")
    return IP(number, bits)


def _is_mapped(number: int, bits: int) -> bool:
    return bits == 128 and number >> 32 == 0xFFFF


def _begins(v4: tuple[int, int], v6: tuple[int, int], mask: int = -1) -> Callable[[IP], bool]:
    """Returns a predicate about the first bits of an address, as pairs of a number of bits to drop and the rest."""

    def test(address: IP) -> bool:
        if address.bits == 32:
            return address.number >> v4[0] == v4[1]
        return (address.number >> v6[0]) & mask == v6[1]

    return test


_is_unspecified = _begins((0, 0), (0, 0))
_is_loopback = _begins((24, 127), (0, 1))
_is_multicast = _begins((28, 0xE), (120, 0xFF))
_is_link_local_unicast = _begins((16, 0xA9FE), (118, 0xFE80 >> 6))


def _is_global_unicast(address: IP) -> bool:
    """Returns whether an address is global; private addresses are."""
    if address.bits == 32 and address.number == 0xFFFFFFFF:
        return False
    others = (_is_unspecified, _is_loopback, _is_multicast, _is_link_local_unicast)
    return not any(is_other(address) for is_other in others)


# --- networks ---------------------------------------------------------------------------------------------------------


def cidr(text: str) -> CIDR:
    """Parses a network. Bits behind the prefix stay."""
    before, slash, after = text.rpartition("/")
    if not slash:
        raise _prefix_error(text, "no '/'")
    try:
        number, bits, zone = parse_address(before)
    except AddressError as error:
        raise _prefix_error(text, str(error)) from None
    if zone:
        raise _prefix_error(text, "IPv6 zones cannot be present in a prefix")
    if not _BITS.fullmatch(after) or int(after) >= 1 << 63:
        raise _prefix_error(text, f"bad bits after slash: {go_quote(after)}")
    length = int(after)
    if length > bits:
        raise _prefix_error(text, "prefix length out of range")
    if _is_mapped(number, bits):
        raise EvaluationError(f"{_CONVERSION}IPv4-mapped IPv6 address {go_quote(text)} is not allowed")
    return CIDR(IP(number, bits), length)


def _prefix_error(text: str, problem: str) -> EvaluationError:
    # Upstream repeats the prefix.
    return EvaluationError(f"{_CONVERSION}{_CONVERSION}netip.ParsePrefix({go_quote(text)}): {problem}")


def _prefix(address: IP, length: int) -> int:
    return address.number >> (address.bits - length)


def contains_ip(network: CIDR, address: IP) -> bool:
    if address.bits != network.address.bits:
        return False
    return _prefix(address, network.length) == _prefix(network.address, network.length)


def contains_ip_text(network: CIDR, text: str) -> bool:
    """Returns the same for a text. The server does not report why a text is no address."""
    try:
        return contains_ip(network, ip(text))
    except EvaluationError:
        raise EvaluationError("no such overload") from None


def contains_cidr(network: CIDR, other: CIDR | str) -> bool:
    found = cidr(other) if isinstance(other, str) else other
    return network.length <= found.length and contains_ip(network, found.address)


def masked(network: CIDR) -> CIDR:
    bits = network.address.bits
    number = _prefix(network.address, network.length) << (bits - network.length)
    return CIDR(IP(number, bits), network.length)


#: Greatest number of parts of a query; Go reads none with more.
_MOST_PARTS = 10_000
_WRONG_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PORT = re.compile(r"(.*):([0-9]*)", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class URL:
    """A URL. Two are equal if their normalized texts are."""

    type_name: ClassVar[str] = "kubernetes.URL"
    parts: Url

    def __eq__(self, other: object) -> bool:
        return isinstance(other, URL) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self.parts)


def url(text: str) -> URL:
    """Parses a text, which has to be an absolute URL or an absolute path."""
    try:
        parse_request_url(text)
        # Parsed again: a request URL has no fragment and takes `#` as part of the rest.
        return URL(parse_url(text))
    except GoUrlError as error:
        raise EvaluationError(f"URL parse error during conversion from string: {error}") from None


def get_hostname(value: URL) -> str:
    """Returns the host without the port, and without the brackets of an IPv6 address."""
    name, _ = _host_and_port(value)
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name


def _host_and_port(value: URL) -> tuple[str, str]:
    match = _PORT.fullmatch(value.parts.host)
    return (match[1], match[2]) if match else (value.parts.host, "")


def get_query(value: URL) -> dict[str, list[str]]:
    """Returns the values of each key, without the parts that Go cannot read."""
    found: dict[str, list[str]] = {}
    parts = value.parts.query.split("&")
    if len(parts) > _MOST_PARTS:
        return found
    for part in parts:
        if not part or ";" in part or _WRONG_ESCAPE.search(part):
            continue
        key, _, text = part.partition("=")
        found.setdefault(unquote_plus(key), []).append(unquote_plus(text))
    return found


#: Implementations by the names of types and of overloads.
CLASSES: dict[str, type] = {each.type_name: each for each in (IP, CIDR, URL)}
FUNCTIONS: dict[str, Callable[..., object]] = {
    "string_to_url": url,
    "is_url_string": is_request_url,
    "url_get_scheme": lambda value: value.parts.scheme,
    "url_get_host": lambda value: value.parts.host,  # with the port
    "url_get_hostname": get_hostname,
    "url_get_port": lambda value: _host_and_port(value)[1],
    "url_get_escaped_path": lambda value: value.parts.escaped_path(),
    "url_get_query": get_query,
    "string_to_ip": ip,
    "is_ip": accepts(ip),
    "ip_to_string": str,
    "ip_family": lambda address: 4 if address.bits == 32 else 6,
    "ip_is_canonical": lambda text: str(ip(text)) == text,
    "ip_is_unspecified": _is_unspecified,
    "ip_is_loopback": _is_loopback,
    "ip_is_link_local_multicast": _begins((8, 0xE00000), (112, 0xFF02), 0xFF0F),
    "ip_is_link_local_unicast": _is_link_local_unicast,
    "ip_is_global_unicast": _is_global_unicast,
    "string_to_cidr": cidr,
    "is_cidr": accepts(cidr),
    "cidr_to_string": str,
    "cidr_ip": lambda network: network.address,  # as it was written
    "cidr_contains_ip_string": contains_ip_text,
    "cidr_contains_ip_ip": contains_ip,
    "cidr_contains_cidr_string": contains_cidr,
    "cidr_contains_cidr": contains_cidr,
    "cidr_prefix_length": lambda network: network.length,
    "cidr_masked": masked,
}
