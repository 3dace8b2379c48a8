from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.sources.go.literals import (
    JSONTag,
    float_value,
    integer_value,
    json_tag,
    rune_value,
    string_value,
    tag_value,
)


@each(
    ("literal", "value"),
    [
        (r'"a"', "a"),
        (r'""', ""),
        (r'"\a\b\f\n\r\t\v\\\""', '\a\b\f\n\r\t\v\\"'),
        (r'"\x41\101\u00e9\U0001F600"', "AAé😀"),
        (r'"\xc3\xa9"', "é"),
        (r'"\xff"', "\ufffd"),
        ('`a\\n"\r\nb`', 'a\\n"\nb'),
        (r'"\q"', None),
        (r'"\x4"', None),
        (r'"\400"', None),
        (r'"\ud800"', None),
        (r'"\U00110000"', None),
        ('"a\nb"', None),
        ('"', None),
        ("'a'", None),
        ("", None),
    ],
)
def test_string(literal: str, value: str | None) -> None:
    assert string_value(literal) == value


@each(
    ("literal", "value"),
    [
        ("'a'", 97),
        ("'é'", 0xE9),
        (r"'\n'", 10),
        (r"'\''", 39),
        (r"'\xff'", 255),
        (r"'\377'", 255),
        (r"'\u00e9'", 0xE9),
        ("'ab'", None),
        (r"'\q'", None),
        ("''", None),
        ("'", None),
    ],
)
def test_rune(literal: str, value: int | None) -> None:
    assert rune_value(literal) == value


@each(
    ("literal", "value"),
    [
        ("0", 0),
        ("1_000", 1000),
        ("0x_Ff", 255),
        ("0b11", 3),
        ("0o17", 15),
        ("017", 15),
        ("0O7", 7),
        ("08", None),
        ("9" * 5000, None),
    ],
)
def test_integer(literal: str, value: int | None) -> None:
    assert integer_value(literal) == value


@pytest.mark.parametrize(
    ("literal", "value"), [("1.5", 1.5), (".5e1", 5.0), ("1_0.0", 10.0), ("0x1p-2", 0.25), ("0x1p99999", None)]
)
def test_float(literal: str, value: float | None) -> None:
    assert float_value(literal) == value


@each(
    ("tag", "value"),
    [
        ('json:"a"', "a"),
        ('protobuf:"x" json:"a,omitempty"', "a,omitempty"),
        ('  json:"a" json:"b"', "a"),
        (r'json:"a\"b"', 'a"b'),
        ('json:"a"protobuf:"x"', "a"),
        ('protobuf:"x"json:"a"', "a"),
        ("json:a", ""),
        ('json :"a"', ""),
        ('json: "a"', ""),
        ('bad json:"a"', ""),
        ('\tjson:"a"', ""),
        ("", ""),
        ('json:"a', ""),
        (r'json:"\q"', ""),
    ],
)
def test_struct_tag(tag: str, value: str) -> None:
    assert tag_value(tag, "json") == value


@pytest.mark.parametrize(
    ("tag", "wanted"),
    [
        ("", JSONTag("", (), omitted=False)),
        ("-", JSONTag("-", (), omitted=True)),
        ("-,", JSONTag("-", (), omitted=False)),
        ("a,omitempty", JSONTag("a", ("omitempty",), omitted=False)),
        (",inline", JSONTag("", ("inline",), omitted=False)),
    ],
)
def test_json_tag(tag: str, wanted: JSONTag) -> None:
    assert json_tag(f'json:"{tag}"') == wanted


def test_options_of_json_tags() -> None:
    assert json_tag('json:",inline"').inline
    assert not json_tag('json:"inline"').inline
    assert [json_tag(f'json:"a,{option}"').omit for option in ("omitempty", "omitzero", "string")] == [
        "omitempty",
        "omitzero",
        "",
    ]
