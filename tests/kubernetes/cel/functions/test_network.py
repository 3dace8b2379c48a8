"""The cases of upstream's `ip_test.go` and `cidr_test.go`, and the words of Go's `netip`."""

from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel.functions import network
from validation_gen.kubernetes.cel.functions.network import CIDR, FUNCTIONS, IP, cidr, ip
from validation_gen.kubernetes.cel.values import EvaluationError

V4, V6 = IP(0xC0A80001, 32), IP(0x20010DB8 << 96 | 0x68, 128)
_TWICE = "network address parse error during conversion from string: " * 2


def test_addresses_are_read() -> None:
    assert ip("192.168.0.1") == V4
    assert ip("2001:db8::68") == V6
    assert hash(ip("2001:DB8:0::68")) == hash(V6)
    assert (str(V4), str(V6)) == ("192.168.0.1", "2001:db8::68")
    assert (V4.size, V6.size) == (4, 16)
    assert ip("1::2:3.4.5.6") == IP(1 << 112 | 0x2 << 32 | 0x03040506, 128)


@each(
    ("text", "problem"),
    [
        ("192.168.0.1.0", "IPv4 address too long"),
        ("127.0.0.1.0", "IPv4 address too long"),
        ("1.2.3", "IPv4 address too short"),
        ("1.2..3", 'IPv4 field must have at least one digit (at ".3")'),
        ("1.2.3.", 'IPv4 field must have at least one digit (at ".")'),
        ("1.2.3.256", "IPv4 field has value >255"),
        ("1.2.3.04", "IPv4 field has octet with leading zero"),
        ("1.2.3.x", 'unexpected character (at "x")'),
        ("", "unable to parse IP"),
        ("abc", "unable to parse IP"),
        ("%eth0", "missing IPv6 address"),
        ("::1%", "zone must be a non-empty string"),
        ("2001:db8:::68", 'each colon-separated field must have at least one digit (at ":68")'),
        ("12345::", 'each group must have 4 or less digits (at "12345::")'),
        ("1:2", "address string too short"),
        ("1:2:3:4:5:6:7:8:9", 'trailing garbage after address (at "9")'),
        ("1:2:3:4:5:6:7::8", "the :: must expand to at least one field of zeros"),
        ("1::2::3", 'multiple :: in address (at ":3")'),
        ("1:2:", 'colon must be followed by more characters (at ":")'),
        ("1:2g", 'unexpected character, want colon (at "g")'),
        ("1:1.2.3.4", 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'),
        (
            "::1:2:3:4:5:6:7:1.2.3.4",
            'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")',
        ),
    ],
)
def test_no_addresses(text: str, problem: str) -> None:
    for read in (ip, FUNCTIONS["ip_is_canonical"]):
        with pytest.raises(EvaluationError) as caught:
            read(text)
        said = f'IP Address "{text}" parse error during conversion from string: ParseAddr("{text}"): {problem}'
        assert caught.value.message == said
    assert not FUNCTIONS["is_ip"](text)


def test_addresses_that_are_not_taken() -> None:
    with pytest.raises(EvaluationError, match=r'^IP address "fe80::1%eth0" with zone value is not allowed$'):
        ip("fe80::1%eth0")
    with pytest.raises(EvaluationError, match=r'^IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed$'):
        ip("::ffff:1.2.3.4")
    with pytest.raises(EvaluationError, match=r'string: IPv4-mapped IPv6 address "::ffff:1.2.3.4/96" is not allowed$'):
        cidr("::ffff:1.2.3.4/96")


@pytest.mark.parametrize(
    ("text", "answer"),
    [("127.0.0.1", True), ("2001:db8::68", True), ("2001:DB8::68", False), ("1:0:2:3:4:5:6:7", True)],
)
def test_canonical(text: str, answer: bool) -> None:
    assert FUNCTIONS["ip_is_canonical"](text) is answer
    assert FUNCTIONS["is_ip"](text)


def test_family() -> None:
    assert FUNCTIONS["ip_family"](V4) == 4
    assert FUNCTIONS["ip_family"](V6) == 6


@pytest.mark.parametrize(
    ("name", "kept", "missed"),
    [
        ("is_unspecified", ["0.0.0.0", "::"], ["127.0.0.1", "::1"]),
        ("is_loopback", ["127.0.0.1", "::1"], ["1.2.3.4", "2001:db8::abcd"]),
        ("is_link_local_multicast", ["224.0.0.1", "ff02::1", "ff12::1"], ["224.0.1.1", "fd00::1"]),
        ("is_link_local_unicast", ["169.254.169.254", "fe80::1", "febf::1"], ["192.168.0.1", "fd80::1"]),
        ("is_global_unicast", ["192.168.0.1", "2001:db8::abcd"], ["255.255.255.255", "ff00::1", "224.1.1.1"]),
    ],
)
def test_kinds(name: str, kept: list[str], missed: list[str]) -> None:
    kind = FUNCTIONS[f"ip_{name}"]
    assert [kind(ip(text)) for text in kept] == [True] * len(kept)
    assert [kind(ip(text)) for text in missed] == [False] * len(missed)


@each(
    ("text", "problem"),
    [
        ("192.168.0.0/", 'bad bits after slash: ""'),
        ("2001:db8::/", 'bad bits after slash: ""'),
        ("1.2.3.4/08", 'bad bits after slash: "08"'),
        ("1.2.3.4/+8", 'bad bits after slash: "+8"'),
        ("1.2.3.4/99999999999999999999", 'bad bits after slash: "99999999999999999999"'),
        ("1.2.3.4/33", "prefix length out of range"),
        ("1.2.3.4", "no '/'"),
        ("1.2.3/8", 'ParseAddr("1.2.3"): IPv4 address too short'),
        ("fe80::%a/8", "IPv6 zones cannot be present in a prefix"),
    ],
)
def test_no_networks(text: str, problem: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        cidr(text)
    assert caught.value.message == f'{_TWICE}netip.ParsePrefix("{text}"): {problem}'
    assert not FUNCTIONS["is_cidr"](text)


@pytest.mark.parametrize(
    ("text", "address", "answer"),
    [
        ("192.168.0.0/24", "192.168.0.1", True),
        ("192.168.0.0/24", "192.168.1.1", False),
        ("2001:db8::/32", "2001:db8::1", True),
        ("2001:db8::/32", "2001:dc8::1", False),
        ("0.0.0.0/0", "::", False),
    ],
)
def test_contains_ip(text: str, address: str, answer: bool) -> None:
    assert network.contains_ip(cidr(text), ip(address)) is answer
    assert network.contains_ip_text(cidr(text), address) is answer


@each(
    ("text", "other", "answer"),
    [
        ("192.168.0.0/24", "192.168.0.0/25", True),
        ("192.168.0.0/24", "192.168.0.1/32", True),
        ("192.168.0.0/24", "192.168.0.0/23", False),
        ("192.168.0.0/24", "192.169.0.1/32", False),
        ("2001:db8::/32", "2001:db8::/33", True),
        ("2001:db8::/32", "2001:db8::/31", False),
    ],
)
def test_contains_cidr(text: str, other: str, answer: bool) -> None:
    assert network.contains_cidr(cidr(text), cidr(other)) is answer
    assert network.contains_cidr(cidr(text), other) is answer


@pytest.mark.parametrize(
    ("text", "address", "length"), [("192.168.0.0/24", "192.168.0.0", 24), ("2001:db8::/32", "2001:db8::", 32)]
)
def test_parts_of_networks(text: str, address: str, length: int) -> None:
    found = cidr(text)
    assert found == CIDR(ip(address), length)
    assert FUNCTIONS["is_cidr"](text)
    assert FUNCTIONS["cidr_ip"](found) == ip(address)
    assert FUNCTIONS["cidr_prefix_length"](found) == length
    assert network.masked(found) == found
    assert str(found) == text
    assert found.size == length // 8


def test_masks() -> None:
    assert network.masked(cidr("192.168.0.1/24")) == cidr("192.168.0.0/24")
    assert network.masked(cidr("2001:db8:1::/32")) == cidr("2001:db8::/32")
    assert cidr("192.168.0.1/24") != cidr("192.168.0.0/24")
