"""Formats: what each accepts, and its errors to the letter. Cases come from upstream's tests and from its parsers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.runtime.errors import ErrorType
from validation_gen.runtime.formats import FORMATS

LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
CASELESS = (
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'Example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
NAME = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
KEY = f"a valid label key {NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
VALUE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
IDENTIFIER = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters "
    "or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')"
)
UUID = "must be a lowercase UUID in 8-4-4-4-12 format"
IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
DOMAIN_PREFIXED = "a name must be a domain-prefixed path, such as 'example.com/my-prop'"
FULLY_QUALIFIED = "a fully qualified name must be a domain and a name separated by a slash"
LONG_63 = "must be no more than 63 bytes"
LONG_253 = "must be no more than 253 bytes"

LOWER_LABELS = ["a", "ab", "a1", "a-1", "a--1--2--b", "0", "012", "1-a", "a" * 63]
NAMES = ["simple", "now-with-dashes", "1-starts-with-num", "1234", "Uppercase_Is_OK_123", "a.b_c", "a" * 63]
BAD_NAMES = ["-app", "app-", ".app", "app.", "_app", "app_", "app^", "a b", "a\n", "\na", "Tama-nui-te-rā", "a\\b"]
KEYS = ["simple/simple", "1-num.2-num/3-num", "1.2/5678", "example.com/Uppercase_Is_OK_123", "a" * 253 + "/" + "b" * 63]
HEX = "123e4567-e89b-12d3-a456-426614174000"

ACCEPTED: dict[str, list[str]] = {
    "k8s-short-name": LOWER_LABELS,
    "k8s-long-name": [*LOWER_LABELS, "a.b.c", "1.2.3.4.5", "0.a", "a--1.b--2", "a" * 253, "a" * 100 + "." + "b" * 100],
    "k8s-long-name-caseless": [*LOWER_LABELS, "A", "a.B.c", "AA.BB", "A" * 253, "\u017f.\u212a", "x" * 251 + "\u017f"],
    "k8s-label-key": [*NAMES, *KEYS, "requests.storage-foo"],
    "k8s-prefixed-label-key": KEYS,
    "k8s-label-value": ["", *NAMES],
    "k8s-path-segment-name": [
        "",
        "valid-name",
        "MyResource",
        "a b",
        "...",
        ".test",
        "..test",
        "sha256:ABCDEF012345@ABCDEF012345",
        "Iñtërnâtiônàlizætiøn",
        "a\n",
        "\ud800",
        "x" * 1000,
    ],
    "k8s-uuid": [HEX, "00000000-0000-0000-0000-000000000000", "f" * 8 + "-ffff-ffff-ffff-" + "f" * 12],
    "k8s-resource-pool-name": ["a", "a.valid.long-name/another.one", "a/b/c.d.e", "1.2.3/4.5.6", "a" * 253],
    "k8s-extended-resource-name": ["example-kub.io/foo", "example.com/Foo_Bar.baz", "a" * 244 + "/" + "b" * 63],
    "k8s-resource-fully-qualified-name": [
        "prefix.com/name",
        "my-subdomain.example.com/_name",
        "a" * 63 + "/" + "b" * 32,
        # Upstream does not look at names with more than one slash.
        "a/b/c",
        "//",
        "-/\n/%",
    ],
    "k8s-ip": [
        "1.2.3.4",
        "0.0.0.0",
        "255.255.255.255",
        "010.002.003.004",
        "1.1.1.0000000000000255",
        "::",
        "::1",
        "1::",
        "1234::abcd",
        "1234::ABCD",
        "0:0:0:0:0:0:0:0",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "0001:002:03:4::",
        "::00001",
        "::ffff:1.2.3.4",
        "::01.2.3.4",
        "1:2:3:4:5:6:1.2.3.4",
        "64:ff9b::192.0.2.33",
    ],
}


@each(("name", "value"), [(name, value) for name in ACCEPTED for value in ACCEPTED[name]], ids=ascii)
def test_accepted(name: str, value: str) -> None:
    assert FORMATS[name](value) is None


BAD_UUIDS = [
    "", "not-a-uuid", HEX.upper(), HEX[:-1], HEX[:-1] + "g", HEX + "\n", HEX[:-1] + "\n", f"urn:uuid:{HEX}",
    HEX.replace("-", ""), "123e4567-e89b-12d3-a4564-26614174000", HEX[:-1] + "é", HEX[:-1] + "٣",
]  # fmt: skip
BAD_IPS = [
    "", "aaaaaaa", "myhost.mydomain", "1.2.3.0/24", "1.2.3.400", "1.2.3.256", "-1.0.0.0", "1.2.3", "1.2.3.4.5",
    "1.2.3.4:80", "[2001:db8::1]", "[2001:db8::1]:80", "example.com:80", "1234::abcd%eth0", "169.254.0.0%eth0",
    "1.2.3.4\n", " 1.2.3.4", "::1\n", "1.2.3.٤", "1..2.3", ".1.2.3.4", "1.2.3.4.", "\ud800", "1", "ffff",
    "2001:db8::10005", ":::", ":", ":1", "1:", "1::2::3", "::1::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:::2",
    "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1:2:3:4::5:6:7:8", "::g", "1.2.3.4::", "1.2.3.4::1", "::1.2.3",
    "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:1.2.3.4", "::1:2:3:4:5:6:1.2.3.4", "::1.2.3.4:5", "::1.2.3.256", "::0x1",
    "fe80::1%1",
]  # fmt: skip

#: One detail for each error, whose bad value is the whole value.
REJECTED: list[tuple[str, list[str], list[str]]] = [
    ("k8s-short-name", ["", "A", "aBc", "-a", "a-", "a_b", "a b", "a\n", "\na", "é", "a.", "\ud800"], [LABEL]),
    ("k8s-short-name", ["a.b", "1.2"], ["must not contain dots"]),
    ("k8s-short-name", ["a" * 64], [LONG_63]),
    ("k8s-short-name", ["a" * 63 + "\n", "é" * 32, "\ud800" * 22], [LONG_63, LABEL]),
    ("k8s-short-name", ["a" * 63 + ".b"], [LONG_63, "must not contain dots"]),
    ("k8s-long-name", ["", "A.b", "-a", "a.b-", "a_b.c", "a..b", ".", "a.b\n", "a%b", "\u017f", "\u212a"], [SUBDOMAIN]),
    ("k8s-long-name", ["a" * 254], [LONG_253]),
    ("k8s-long-name", ["a" * 252 + "é", "A" * 254], [LONG_253, SUBDOMAIN]),
    ("k8s-long-name-caseless", ["", "-A", "A.b.C-", "A_b.C", "A\n", "\u0130", "\u0131", "é"], [CASELESS]),
    ("k8s-long-name-caseless", ["A" * 254, "\u212a" * 85, "x" * 252 + "\u017f"], [LONG_253]),
    ("k8s-label-key", ["", "example.com/"], ["name part must be non-empty", f"name part {NAME}"]),
    ("k8s-label-key", BAD_NAMES, [f"name part {NAME}"]),
    ("k8s-label-key", ["a" * 64, "a/" + "b" * 64], ["name part must be no more than 63 bytes"]),
    ("k8s-label-key", ["é" * 32], ["name part must be no more than 63 bytes", f"name part {NAME}"]),
    ("k8s-label-key", ["/simple"], ["prefix part must be non-empty"]),
    ("k8s-label-key", ["Example.com/a", "example_com/a", "a\n/b", "-/a"], [f"prefix part {SUBDOMAIN}"]),
    ("k8s-label-key", ["a" * 254 + "/abc"], ["prefix part must be no more than 253 bytes"]),
    (
        "k8s-label-key",
        ["A" * 254 + "/-" + "b" * 63],
        [
            "prefix part must be no more than 253 bytes",
            f"prefix part {SUBDOMAIN}",
            "name part must be no more than 63 bytes",
            f"name part {NAME}",
        ],
    ),
    ("k8s-label-key", ["/"], ["prefix part must be non-empty", "name part must be non-empty", f"name part {NAME}"]),
    ("k8s-label-key", ["a/b/c", "//", "a/b/c\n"], [KEY]),
    ("k8s-prefixed-label-key", NAMES, ["must include a prefix (e.g. 'example.com/key')"]),
    ("k8s-prefixed-label-key", [""], ["name part must be non-empty", f"name part {NAME}"]),
    ("k8s-prefixed-label-key", ["/simple"], ["prefix part must be non-empty"]),
    ("k8s-prefixed-label-key", BAD_NAMES, [f"name part {NAME}"]),
    ("k8s-prefixed-label-key", ["only/one/slash"], [KEY]),
    ("k8s-label-value", [*BAD_NAMES, "\n", " ", "a/b", "\ud800"], [VALUE]),
    ("k8s-label-value", ["a" * 64], [LONG_63]),
    ("k8s-label-value", ["a" * 63 + "\n"], [LONG_63, VALUE]),
    ("k8s-path-segment-name", ["."], ["may not be '.'"]),
    ("k8s-path-segment-name", [".."], ["may not be '..'"]),
    ("k8s-path-segment-name", ["/", "foo/bar/", ".\n/"], ["may not contain '/'"]),
    ("k8s-path-segment-name", ["foo%bar"], ["may not contain '%'"]),
    ("k8s-path-segment-name", ["foo%bar/baz"], ["may not contain '/'", "may not contain '%'"]),
    (
        "k8s-uuid",
        BAD_UUIDS,
        [UUID],
    ),
    ("k8s-resource-pool-name", [""], ["segment 0: must not be empty"]),
    ("k8s-resource-pool-name", ["/"], ["segment 0: must not be empty", "segment 1: must not be empty"]),
    ("k8s-resource-pool-name", ["a.b.c//d"], ["segment 1: must not be empty"]),
    ("k8s-extended-resource-name", ["foo"], [DOMAIN_PREFIXED]),
    ("k8s-extended-resource-name", ["", "foo-", "foo\n"], [DOMAIN_PREFIXED, f"name part {NAME}"]),
    ("k8s-extended-resource-name", ["a" * 64], [DOMAIN_PREFIXED, "name part must be no more than 63 bytes"]),
    (
        "k8s-extended-resource-name",
        ["/"],
        [f"prefix part {SUBDOMAIN}", "name part must be non-empty", f"name part {NAME}"],
    ),
    (
        "k8s-extended-resource-name",
        ["kubernetes.io/foo", "something.kubernetes.io/foo"],
        ['must not have "kubernetes.io/" domain'],
    ),
    ("k8s-extended-resource-name", ["requests.example.com/foo"], ['must not have "requests." prefix']),
    (
        "k8s-extended-resource-name",
        ["requests.kubernetes.io/a/b"],
        ['must not have "kubernetes.io/" domain', 'must not have "requests." prefix', KEY],
    ),
    # The limit of the prefix holds for the name with "requests." before it.
    ("k8s-extended-resource-name", ["a" * 245 + "/b"], ["prefix part must be no more than 253 bytes"]),
    ("k8s-extended-resource-name", ["example.com/" + "a" * 64], ["name part must be no more than 63 bytes"]),
    ("k8s-resource-fully-qualified-name", ["name"], [FULLY_QUALIFIED]),
    ("k8s-resource-fully-qualified-name", ["", "9a", "a-b", "name\n"], [IDENTIFIER, FULLY_QUALIFIED]),
    ("k8s-ip", BAD_IPS, [IP]),
]


@each(
    ("name", "value", "details"),
    [(name, value, details) for name, values, details in REJECTED for value in values],
    ids=lambda part: ascii(part)[:40],
)
def test_rejected(name: str, value: str, details: list[str]) -> None:
    errors = FORMATS[name](value)
    assert errors is not None
    assert [(error.type, error.bad_value, error.detail, error.origin) for error in errors] == [
        (ErrorType.INVALID, value, detail, f"format={name}") for detail in details
    ]


TOO_LONG, INVALID = ErrorType.TOO_LONG, ErrorType.INVALID
OMITTED = "<value omitted>"
POOL, QUALIFIED = "k8s-resource-pool-name", "k8s-resource-fully-qualified-name"

#: Errors on parts, and on length apart from form: type, bad value, detail.
PARTS: list[tuple[str, str, list[tuple[ErrorType, str, str]]]] = [
    (POOL, "a.valid.name/Not.Valid", [(INVALID, "Not.Valid", f"segment 1: {SUBDOMAIN}")]),
    (POOL, "a/b\n", [(INVALID, "b\n", f"segment 1: {SUBDOMAIN}")]),
    (POOL, "N//-", [
        (INVALID, "N", f"segment 0: {SUBDOMAIN}"),
        (INVALID, "N//-", "segment 1: must not be empty"),
        (INVALID, "-", f"segment 2: {SUBDOMAIN}"),
    ]),
    (POOL, "a/" + "b" * 252, [(TOO_LONG, OMITTED, "may not be more than 253 bytes")]),
    (POOL, "b" * 254, [
        (TOO_LONG, OMITTED, "may not be more than 253 bytes"),
        (INVALID, "b" * 254, f"segment 0: {LONG_253}"),
    ]),
    (QUALIFIED, "prefix.com/name.with.dots", [(INVALID, "name.with.dots", IDENTIFIER)]),
    (QUALIFIED, "prefix.com/name\n", [(INVALID, "name\n", IDENTIFIER)]),
    (QUALIFIED, "/name", [(INVALID, "", "prefix must not be empty")]),
    (QUALIFIED, "prefix.com/", [(INVALID, "", "name must not be empty")]),
    (QUALIFIED, "/", [(INVALID, "", "prefix must not be empty"), (INVALID, "", "name must not be empty")]),
    (QUALIFIED, "Prefix/name", [(INVALID, "Prefix", f"prefix: {SUBDOMAIN}")]),
    (QUALIFIED, "a" * 64 + "/b", [(TOO_LONG, OMITTED, "may not be more than 63 bytes")]),
    (QUALIFIED, "A" * 254 + "/b", [
        (TOO_LONG, OMITTED, "may not be more than 63 bytes"),
        (INVALID, "A" * 254, f"prefix: {LONG_253}"),
        (INVALID, "A" * 254, f"prefix: {SUBDOMAIN}"),
    ]),
    (QUALIFIED, "a/" + "b" * 33, [(TOO_LONG, OMITTED, "may not be more than 32 bytes")]),
    (QUALIFIED, "a/" + "é" * 17, [
        (TOO_LONG, OMITTED, "may not be more than 32 bytes"),
        (INVALID, "é" * 17, IDENTIFIER),
    ]),
    (QUALIFIED, "b" * 33, [
        (TOO_LONG, OMITTED, "may not be more than 32 bytes"),
        (INVALID, "b" * 33, FULLY_QUALIFIED),
    ]),
]  # fmt: skip


@each(("name", "value", "want"), PARTS, ids=lambda part: ascii(part)[:40])
def test_errors_on_parts(name: str, value: str, want: list[tuple[ErrorType, str, str]]) -> None:
    errors = FORMATS[name](value)
    assert errors is not None
    assert [(error.type, error.bad_value, error.detail) for error in errors] == want
    assert {error.origin for error in errors} == {f"format={name}"}


#: The formats whose errors keep the type of the value. The rest make a plain string of it, which is quoted as Go does.
KEEP_TYPE = {
    "k8s-label-key",
    "k8s-label-value",
    "k8s-long-name",
    "k8s-long-name-caseless",
    "k8s-path-segment-name",
    "k8s-prefixed-label-key",
    "k8s-short-name",
}


@each("name", FORMATS)
def test_the_field_type_decides_on_quotes_only_where_upstream_keeps_it(name: str) -> None:
    errors = FORMATS[name]("<%")
    assert errors is not None
    assert {error.json_string for error in errors} == ({None} if name in KEEP_TYPE else {False})


def test_message() -> None:
    (error,) = FORMATS["k8s-resource-pool-name"]("a/<") or []
    error.segments.append("pool")
    assert str(error) == f'pool: Invalid value: "<": segment 1: {SUBDOMAIN}'


@pytest.mark.parametrize("name", FORMATS)
@given(st.text(st.characters(exclude_categories=())) | st.text("aA0-_./:%\n\u017f\ud800"))
def test_never_raises(name: str, value: str) -> None:
    errors = FORMATS[name](value)
    assert errors is None or errors
    for error in errors or []:
        str(error).encode()


@each("name", FORMATS)
@each("text", ["a" * 200_000 + "!", "a." * 100_000, "1." * 100_000, "::" * 100_000, "0" * 200_000])
def test_long_values_take_no_long_time(name: str, text: str) -> None:
    FORMATS[name](text)


def test_each_call_returns_errors_of_its_own() -> None:
    first, second = FORMATS["k8s-uuid"](""), FORMATS["k8s-uuid"]("")
    assert first is not None
    assert second is not None
    assert first[0] is not second[0]
