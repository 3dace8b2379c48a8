"""The cases of upstream's `format_test.go`."""

from __future__ import annotations

from tests.tables import each
from validation_gen.kubernetes.cel.functions.strings import FORMATS, named, validate
from validation_gen.kubernetes.cel.values import ABSENT, Optional

_LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
_SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_LABEL_1035 = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')"
)
_NAME = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
_VALUE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)


@each(
    ("name", "text"),
    [
        ("dns1123Label", "my-label-name"),
        ("dns1123Subdomain", "apiextensions.k8s.io"),
        ("dns1123Subdomain", "example.com"),
        ("dns1035Label", "my-label-name"),
        ("qualifiedName", "apiextensions.k8s.io/v1beta1"),
        ("qualifiedName", "my.name"),
        ("dns1123LabelPrefix", "my-label-prefix-"),
        ("dns1123SubdomainPrefix", "mysubdomain.prefix.-"),
        ("dns1035LabelPrefix", "my-label-prefix-"),
        ("labelValue", "my-cool-label-Value"),
        ("uri", "http://example.com"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
        ("byte", "aGVsbG8="),
        ("date", "2021-01-01"),
        ("datetime", "2021-01-01T00:00:00Z"),
    ],
)
def test_right(name: str, text: str) -> None:
    assert validate(FORMATS[name], text) == ABSENT


@each(
    ("name", "text", "message"),
    [
        ("dns1123Label", "contains a space", _LABEL),
        ("dns1123Subdomain", "contains a space", _SUBDOMAIN),
        ("dns1035Label", "contains a space", _LABEL_1035),
        ("qualifiedName", "contains a space", _NAME),
        ("dns1123LabelPrefix", "contains a space-", _LABEL),
        ("dns1123SubdomainPrefix", "contains a space-", _SUBDOMAIN),
        ("dns1035LabelPrefix", "contains a space-", _LABEL_1035),
        ("labelValue", "my-cool-label-Value!!\n\n!!!", _VALUE),
        ("uri", "example.com", 'parse "example.com": invalid URI for request'),
        ("uuid", "123", "does not match the UUID format"),
        ("byte", "aGVsbG8", "invalid base64"),
        ("date", "2020-01-32", "invalid date"),
        ("datetime", "2020-01-32T00:00:00Z", "invalid datetime"),
        ("dns1035Label", "a" * 64, "must be no more than 63 characters"),
        ("dns1123Label", "a" * 64, "must be no more than 63 characters"),
        ("dns1123Subdomain", "a" * 254, "must be no more than 253 characters"),
        ("dns1123Label", "a.b", "must not contain dots"),
        ("labelValue", "a" * 64, "must be no more than 63 bytes"),
        ("qualifiedName", "a" * 64, "name part must be no more than 63 bytes"),
    ],
)
def test_wrong(name: str, text: str, message: str) -> None:
    assert validate(FORMATS[name], text) == Optional(True, [message])


def test_a_dash_is_taken_with_the_byte_before_it() -> None:
    assert validate(FORMATS["dns1123LabelPrefix"], "a_-") == ABSENT
    assert validate(FORMATS["dns1123LabelPrefix"], "é-").present
    assert validate(FORMATS["dns1123LabelPrefix"], "-").present


@each("name", FORMATS)
def test_lookup(name: str) -> None:
    assert named(name) == Optional(True, FORMATS[name])
    assert [other for other in FORMATS if FORMATS[other] == FORMATS[name]] == [name]
    assert hash(FORMATS[name]) == hash(named(name).value)
    assert len(name) <= 64


def test_unknown() -> None:
    assert named("unknown") == ABSENT


def test_sizes() -> None:
    assert [format.pattern_size for format in FORMATS.values()] == [
        *(30, 60, 30, 60, 30, 60, 30, 40),
        *(1103, 70, 84, 71, 71),
    ]
