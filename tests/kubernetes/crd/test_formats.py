"""Formats of strings: which texts have them."""

from __future__ import annotations

from typing import Any

from tests.apiserver import ApiServer
from tests.kubernetes.crd.schemas import with_properties
from tests.tables import each
from validation_gen.kubernetes.formats.valueformats import FORMATS, is_known, normalize

#: By format, texts that have it and texts that do not.
TABLE: dict[str, tuple[list[str], list[str]]] = {
    "bsonobjectid": (["507f191e810c19729de860ea"], ["507f191e810c19729de860e", ""]),
    "byte": (["aGVsbG8=", "aGVsbA=="], ["aGVsbG8", "", "a b="]),
    "cidr": (["1.2.3.0/24", "01.2.3.0/8", "::/0"], ["1.2.3.4", "1.2.3.4/33", "::/129", "/8", "1.2.3.4/-1"]),
    "creditcard": (["4220 8554 2622 2389"], ["4220855426222388", "1", ""]),
    "date": (["2024-02-29", "0000-01-01"], ["2023-02-29", "2024-13-01", "2024-1-1", "x", ""]),
    "date-time": (
        ["2024-01-01T00:00:00Z", "2024-01-01t23:59:59.5+01:00"],
        ["2024-01-01", "2024-01-01T24:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00"],
    ),
    "duration": (["1h30m", "3 days", "-1.5s", "2 weeks and more"], ["", "5", "1 parsec"]),
    "email": (
        ["a@b", "a.b@c.de", "Talos <t@example.com>", '"a b"@c', "a@ b", '"a" < a@b>'],
        ["a", "a @b", "<a@b >", "a@", "@b", "a b@c", "<a@b", "a..b@c"],
    ),
    "hexcolor": (["#fff", "123456"], ["#ffff", "#ggg", ""]),
    "hostname": (["a", "a.bc", "a-b.example.com", "ä.de"], ["-a", "a_b", "a.b", "", "x" * 64]),
    "ipv4": (["1.2.3.4", "001.2.3.4", "::ffff:1.2.3.4"], ["1.2.3", "::1", "1.2.3.256"]),
    "ipv6": (["::1", "2001:db8::"], ["1.2.3.4", "::1%eth0", "1::2::3"]),
    "isbn": (["0321751043", "978-0321751041"], ["0321751044", "x"]),
    "isbn10": (["3 401 01319 X"], ["978-0321751041", "34010131X9"]),
    "isbn13": (["978 3401013190"], ["0321751043"]),
    "k8s-long-name": (["a.b-c"], ["a_b", "A", ""]),
    "k8s-short-name": (["a-b"], ["a.b", "-a"]),
    "mac": (["3D:F2:C9:A6:B3:4F", "3d-f2-c9-a6-b3-4f", "0000.5e00.5301"], ["3D:F2:C9:A6:B3", "3D-F2:C9-A6-B3-4F"]),
    "password": (["", "any"], []),
    "rgbcolor": (["rgb(0, 31,255)"], ["rgb(01,2,3)", "rgb(1,2)"]),
    "ssn": (["191-60-2869"], ["191602869", "1"]),
    "uri": (
        ["https://example.com/a?b#c", "/a", "mailto:a@b", "http://[fe80::1%25en0%20]/"],
        ["a", "", ":a", "http://[::1", "%zz", "http://[fe80::1%25en0}]/", "http://[fe80::1%25%C3%A9]/"],
    ),
    "uuid": (["550e8400-e29b-41d4-a716-446655440000", "550E8400E29B41D4A716446655440000"], ["550e8400"]),
    "uuid3": (["550e8400-e29b-31d4-a716-446655440000"], ["550e8400-e29b-41d4-a716-446655440000"]),
    "uuid4": (["550e8400-e29b-41d4-a716-446655440000"], ["550e8400-e29b-41d4-c716-446655440000"]),
    "uuid5": (["550e8400-e29b-51d4-a716-446655440000"], ["550e8400-e29b-41d4-a716-446655440000"]),
}


def test_all_formats_have_texts() -> None:
    assert {normalize(name) for name in TABLE} == set(FORMATS)


@each("name", TABLE)
def test_texts(name: str) -> None:
    good, bad = TABLE[name]
    judged = {text: FORMATS[normalize(name)](text) for text in [*good, *bad]}
    assert judged == dict.fromkeys(good, True) | dict.fromkeys(bad, False)


@each("name", TABLE)
def test_an_api_server_says_the_same(name: str, apiserver: ApiServer) -> None:
    texts = sorted({text for good, bad in TABLE.values() for text in [*good, *bad]})
    definition = with_properties(spec={"type": "string", "format": name})
    robots: list[tuple[Any, Any]] = [
        ({"apiVersion": "example.com/v1", "kind": "Robot", "spec": text}, None) for text in texts
    ]
    verdicts = apiserver.validate_all(definition, robots)
    theirs = {text: not verdict.errors for text, verdict in zip(texts, verdicts, strict=True)}
    assert {text: FORMATS[normalize(name)](text) for text in texts} == theirs


@each(
    ("type", "format", "known"),
    [
        ("string", "datetime", True),
        ("", "date-time", True),
        ("string", "int32", False),
        ("integer", "int64", True),
        ("integer", "date", False),
        ("number", "double", True),
        ("object", "date", False),
    ],
)
def test_formats_belong_to_types(type: str, format: str, known: bool) -> None:
    assert is_known(type, format) is known
