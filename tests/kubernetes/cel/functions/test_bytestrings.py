"""Texts of the format `byte`, as Go's decoder of the alphabet for addresses reads them."""

from __future__ import annotations

from tests.kubernetes.cel.functions.helpers import error_of
from tests.tables import each
from validation_gen.kubernetes.cel.functions.conversions import decode_base64


@each(
    ("text", "data"),
    [
        ("", b""),
        ("aGVsbG8=", b"hello"),
        ("aGVsbA==", b"hell"),
        ("aGVs", b"hel"),
        ("-_-_", b"\xfb\xff\xbf"),
        ("aG\r\nVs\nbA=\n=\n", b"hell"),
        ("aGVsbB==", b"hell"),
        ("\n", b""),
    ],
)
def test_bytes(text: str, data: bytes) -> None:
    assert decode_base64(text) == data


@each(
    ("text", "at"),
    [
        ("+/+/", 0),
        ("aGVs+/+/", 4),
        ("aGVsb", 4),
        ("aGVsbG8", 4),
        ("aGVsb\nG8", 5),
        ("=", 0),
        ("a===", 1),
        ("aG=", 3),
        ("aG=\n", 4),
        ("aG=a", 2),
        ("aG==a", 4),
        ("aGV=\na", 5),
        ("aGV==", 4),
        ("é", 0),
    ],
)
def test_what_is_no_base64(text: str, at: int) -> None:
    message = f"Invalid byte formatted string {text}: illegal base64 data at input byte {at}"
    assert error_of(lambda: decode_base64(text)) == message
