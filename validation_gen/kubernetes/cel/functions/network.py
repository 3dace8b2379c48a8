"""IP addresses and networks.

Sources of the behaviour: `pkg/cel/library/ip.go` and `cidr.go` of `k8s.io/apiserver`. Zones are refused, and so are
addresses of version 4 that are written as version 6.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from validation_gen.kubernetes.cel.functions.addresses import Address, AddressError, parse_address, parse_network
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.runtime.gotext import go_quote

_MAPPED = ipaddress.ip_network("::ffff:0:0/96")
_LOCAL_MULTICAST = ipaddress.ip_network("224.0.0.0/24")
_BROADCAST = ipaddress.ip_address("255.255.255.255")


@dataclass(frozen=True, slots=True)
class IP:
    """An address."""

    address: Address

    @property
    def byte_size(self) -> int:
        """How many bytes it has, which expressions pay for."""
        return self.address.max_prefixlen // 8

    def __str__(self) -> str:
        return str(self.address)


@dataclass(frozen=True, slots=True)
class CIDR:
    """An address and the length of its prefix; the bits behind that may be set."""

    address: Address
    bits: int

    @property
    def byte_size(self) -> int:
        """How many bytes the prefix has, which expressions pay for."""
        return -(-self.bits // 8)

    @property
    def network(self) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
        return ipaddress.ip_network((self.address, self.bits), strict=False)

    def __str__(self) -> str:
        return f"{self.address}/{self.bits}"


def _address(text: str) -> Address:
    try:
        address, zone = parse_address(text)
    except AddressError as error:
        raise EvaluationError(
            f"IP Address {go_quote(text)} parse error during conversion from string: {error}"
        ) from None
    if zone:
        raise EvaluationError(f"IP address {go_quote(text)} with zone value is not allowed")
    _refuse_mapped(address, text)
    return address


def _refuse_mapped(address: Address, text: str) -> None:
    if address.version == 6 and address in _MAPPED:
        raise EvaluationError(f"IPv4-mapped IPv6 address {go_quote(text)} is not allowed")


def ip(text: str) -> IP:
    """`ip(text)`."""
    return IP(_address(text))


def is_ip(text: str) -> bool:
    """`isIP(text)`."""
    return _is(ip, text)


def is_canonical(text: str) -> bool:
    """`ip.isCanonical(text)`: whether the text is how the address is written."""
    return str(_address(text)) == text


def family(ip: IP) -> int:
    return ip.address.version


def is_unspecified(ip: IP) -> bool:
    return ip.address.is_unspecified


def is_loopback(ip: IP) -> bool:
    return ip.address.is_loopback


def is_link_local_multicast(ip: IP) -> bool:
    if ip.address.version == 4:
        return ip.address in _LOCAL_MULTICAST
    return int(ip.address) >> 112 & 0xFF0F == 0xFF02


def is_link_local_unicast(ip: IP) -> bool:
    return ip.address.is_link_local


def is_global_unicast(ip: IP) -> bool:
    """Whether it is none of the special ones; private addresses are global, too."""
    address = ip.address
    special = address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local
    return not special and address != _BROADCAST


_PREFIX = "network address parse error during conversion from string: "


def cidr(text: str) -> CIDR:
    """`cidr(text)`."""
    try:
        address, bits = parse_network(text)
    except AddressError as error:
        raise EvaluationError(f"{_PREFIX}{_PREFIX}{error}") from None
    try:
        _refuse_mapped(address, text)
    except EvaluationError as error:
        raise EvaluationError(f"{_PREFIX}{error.message}") from None
    return CIDR(address, bits)


def is_cidr(text: str) -> bool:
    """`isCIDR(text)`."""
    return _is(cidr, text)


def _is(read: object, text: str) -> bool:
    try:
        read(text)  # type: ignore[operator]  # one of the two above
    except EvaluationError:
        return False
    return True


def contains_ip(network: CIDR, other: IP | str) -> bool:
    """`network.containsIP(address)`."""
    address = ip(other).address if isinstance(other, str) else other.address
    return address.version == network.address.version and address in network.network


def contains_cidr(network: CIDR, other: CIDR | str) -> bool:
    """`network.containsCIDR(network)`."""
    inner = cidr(other) if isinstance(other, str) else other
    return contains_ip(network, IP(inner.address)) and network.bits <= inner.bits


def prefix_length(network: CIDR) -> int:
    return network.bits


def masked(network: CIDR) -> CIDR:
    """The network without the bits behind its prefix."""
    return CIDR(network.network.network_address, network.bits)


def ip_of(network: CIDR) -> IP:
    return IP(network.address)
