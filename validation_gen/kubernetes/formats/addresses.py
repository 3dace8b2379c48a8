"""Parses addresses as Go's `netip.ParseAddr` does: returns the number, or raises with Go's text."""

from __future__ import annotations

import re

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
    """Returns the four numbers of an address, which may be the end of a longer one."""
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
        rest = _behind_colon(whole, rest)
        if rest[0] == ":":
            if gap >= 0:
                raise AddressError(whole, "multiple :: in address", rest)
            gap, rest = len(found), rest[1:]
            if not rest:
                break
    if rest:
        raise AddressError(whole, "trailing garbage after address", rest)
    return _expanded(whole, found, gap)


def _field6(whole: str, rest: str) -> str:
    match = _HEX.match(rest)
    field = match[0] if match else ""
    if len(field) > 4:
        raise AddressError(whole, "each group must have 4 or less digits", rest)
    if not field:
        raise AddressError(whole, _NO_DIGIT, rest)
    return field


def _behind_colon(whole: str, rest: str) -> str:
    if rest[0] != ":":
        raise AddressError(whole, "unexpected character, want colon", rest)
    if len(rest) == 1:
        raise AddressError(whole, "colon must be followed by more characters", rest)
    return rest[1:]


def _expanded(whole: str, found: bytes, gap: int) -> bytes:
    missing = 16 - len(found)
    if gap < 0 and missing:
        raise AddressError(whole, "address string too short")
    if gap >= 0 and not missing:
        raise AddressError(whole, "the :: must expand to at least one field of zeros")
    return found if gap < 0 else found[:gap] + bytes(missing) + found[gap:]
