"""IP addresses as Go's `net/netip` reads them, with its words for what is none."""

from __future__ import annotations

import ipaddress
import re

from validation_gen.runtime.gotext import go_quote

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_HEX = re.compile(r"[0-9a-fA-F]*")


class AddressError(ValueError):
    """The text is no address."""


def parse_address(text: str) -> tuple[Address, str]:
    """An address and its zone.

    Raises:
        AddressError: with Go's text.
    """
    for char in text:
        if char == ".":
            return ipaddress.IPv4Address(_fields(text, text)), ""
        if char == ":":
            return _version_6(text)
        if char == "%":
            raise _error(text, "missing IPv6 address")
    raise _error(text, "unable to parse IP")


def _error(text: str, message: str, at: str = "") -> AddressError:
    where = f" (at {go_quote(at)})" if at else ""
    return AddressError(f"ParseAddr({go_quote(text)}): {message}{where}")


def _fields(whole: str, text: str) -> int:
    """The number that four fields stand for."""
    fields: list[int] = []
    value = digits = 0
    for index, char in enumerate(text):
        if char in "0123456789":
            if digits == 1 and value == 0:
                raise _error(whole, "IPv4 field has octet with leading zero")
            value = value * 10 + int(char)
            digits += 1
            if value > 255:
                raise _error(whole, "IPv4 field has value >255")
        elif char == ".":
            if index in (0, len(text) - 1) or text[index - 1] == ".":
                raise _error(whole, "IPv4 field must have at least one digit", text[index:])
            if len(fields) == 3:
                raise _error(whole, "IPv4 address too long")
            fields.append(value)
            value = digits = 0
        else:
            raise _error(whole, "unexpected character", text[index:])
    if len(fields) < 3:
        raise _error(whole, "IPv4 address too short")
    return int.from_bytes(bytes([*fields, value]), "big")


def _version_6(whole: str) -> tuple[Address, str]:
    text, percent, zone = whole.partition("%")
    if percent and not zone:
        raise _error(whole, "zone must be a non-empty string")
    groups, ellipsis = _groups(whole, text)
    if len(groups) < 8:
        if ellipsis < 0:
            raise _error(whole, "address string too short")
        groups[ellipsis:ellipsis] = [0] * (8 - len(groups))
    elif ellipsis >= 0:
        raise _error(whole, "the :: must expand to at least one field of zeros")
    return ipaddress.IPv6Address(b"".join(group.to_bytes(2, "big") for group in groups)), zone


def _groups(whole: str, text: str) -> tuple[list[int], int]:
    """The groups of 16 bits, and before which of them `::` stands, -1 if nowhere."""
    groups: list[int] = []
    ellipsis = -1
    if text.startswith("::"):
        ellipsis, text = 0, text[2:]
        if not text:
            return groups, ellipsis
    while len(groups) < 8:
        digits = _HEX.match(text)[0]  # type: ignore[index]  # it matches always
        if len(digits) > 4:
            raise _error(whole, "each group must have 4 or fewer digits", text)
        if not digits:
            raise _error(whole, "each colon-separated field must have at least one digit", text)
        if text[len(digits) : len(digits) + 1] == ".":
            if ellipsis < 0 and len(groups) != 6:
                raise _error(whole, "embedded IPv4 address must replace the final 2 fields of the address", text)
            if len(groups) > 6:
                raise _error(whole, "too many hex fields to fit an embedded IPv4 at the end of the address", text)
            number = _fields(whole, text)
            return [*groups, number >> 16, number & 0xFFFF], ellipsis
        groups.append(int(digits, 16))
        text = text[len(digits) :]
        if not text:
            return groups, ellipsis
        if text[0] != ":":
            raise _error(whole, "unexpected character, want colon", text)
        if len(text) == 1:
            raise _error(whole, "colon must be followed by more characters", text)
        text = text[1:]
        if text[0] == ":":
            if ellipsis >= 0:
                raise _error(whole, "multiple :: in address", text)
            ellipsis, text = len(groups), text[1:]
            if not text:
                return groups, ellipsis
    if text:
        raise _error(whole, "trailing garbage after address", text)
    return groups, ellipsis


def parse_network(text: str) -> tuple[Address, int]:
    """An address and the length of its prefix.

    Raises:
        AddressError: with Go's text.
    """
    before, slash, bits = text.rpartition("/")
    start = f"netip.ParsePrefix({go_quote(text)}): "
    if not slash:
        raise AddressError(f"{start}no '/'")
    try:
        address, zone = parse_address(before)
    except AddressError as error:
        raise AddressError(f"{start}{error}") from None
    if zone:
        raise AddressError(f"{start}IPv6 zones cannot be present in a prefix")
    if not bits.isascii() or not bits.isdigit() or (len(bits) > 1 and bits[0] == "0") or len(bits) > 18:
        raise AddressError(f"{start}bad bits after slash: {go_quote(bits)}")
    if int(bits) > address.max_prefixlen:
        raise AddressError(f"{start}prefix length out of range")
    return address, int(bits)
