"""Texts at the limits of rules: valid and nearly valid ones for each format, and texts of a given length."""

from __future__ import annotations

from collections.abc import Iterator

_UUID = "123e4567-e89b-12d3-a456-426614174000"

#: For each format valid texts, the simplest first, and nearly valid texts.
FORMAT_SAMPLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "k8s-extended-resource-name": (
        ("a/b", "example.com/a_b.C", "a/" + "b" * 63, "a" * 244 + "/b"),
        ("a", "A/b", "/b", "a/", "a/b/c", "kubernetes.io/a", "requests.a/b", "a/" + "b" * 64, "a" * 245 + "/b"),
    ),
    "k8s-ip": (
        ("10.0.0.1", "::1", "2001:db8::ffff", "010.0.0.1", "::ffff:1.2.3.4", "0.0.0.0", "255.255.255.255"),  # noqa: S104
        ("a", "10.0.0.256", "10.0.0", "10.0.0.1.2", "::g", "1:2:3:4:5:6:7", "10.0.0.0/8", "fe80::1%eth0", "[::1]"),
    ),
    "k8s-label-key": (
        ("a", "example.com/a", "A_b.c", "a" * 63, "a" * 253 + "/a"),
        ("A/a", "/a", "a/", "a/b/c", "-a", "a-", "a b", "a" * 64, "a" * 254 + "/a", "é"),
    ),
    "k8s-label-value": (
        ("a", "A_b.c", "1", "a" * 63, ""),
        ("-a", "a-", "a b", "a/b", "a" * 64, "é"),
    ),
    "k8s-long-name": (
        ("a", "a.b", "a-1.b", "1", "a" * 64, "a" * 253),
        ("A", "a..b", ".a", "a.", "-a", "a_b", "a/b", "a" * 254, "é"),
    ),
    "k8s-long-name-caseless": (
        ("a", "A.b", "a.b", "1", "a" * 64, "a" * 253, "\u017f", "\u212a"),
        ("a..b", ".a", "a.", "-a", "a_b", "a" * 254, "é", "\u0131"),
    ),
    "k8s-path-segment-name": (
        ("a", "A b", "...", "é", "a" * 254),
        (".", "..", "a/b", "a%", "/", "%2f"),
    ),
    "k8s-prefixed-label-key": (
        ("a/b", "example.com/A_b.c", "a/" + "b" * 63, "a" * 253 + "/b"),
        ("a", "A/b", "/b", "a/", "a/b/c", "a/" + "b" * 64, "a" * 254 + "/b"),
    ),
    "k8s-resource-fully-qualified-name": (
        ("a/b", "a.b/C_d", "a/_", "a" * 63 + "/b", "a/" + "b" * 32),
        ("a", "A/b", "/b", "a/", "a/1b", "a/b-c", "a" * 64 + "/b", "a/" + "b" * 33),
    ),
    "k8s-resource-pool-name": (
        ("a", "a/b", "a.b/c", "a" * 253, "a" * 126 + "/" + "b" * 126),
        ("A", "a//b", "/a", "a/", "a b", "a" * 126 + "/" + "b" * 127, "a" * 254),
    ),
    "k8s-short-name": (
        ("a", "a-b", "1", "a" * 63),
        ("A", "a.b", "-a", "a-", "a_b", "a b", "a" * 64, "é"),
    ),
    "k8s-uuid": (
        (_UUID, "00000000-0000-0000-0000-000000000000"),
        (_UUID.upper(), _UUID.replace("-", ""), _UUID[:-1], f"{_UUID}0", f"{{{_UUID}}}", f"urn:uuid:{_UUID}", "a"),
    ),
}

#: Typical texts of fields, with or without a rule.
USUAL = (
    *("a", "", "abc", "my-name", "MyName", "example.com/name", "a.b", "Not a name!", "-a", "1", "é", " ", "0", "true"),
    *("a/b", "https://example.com/", "a=b", "*", "a_b"),
)
#: Typical limits of handwritten checks.
USUAL_LENGTHS = (63, 64, 253, 254)
#: Texts for values without rules. The first ones break most handwritten checks.
UNRULED = ("Näme No. 1", "", "a" * 254, "a" * 64, *USUAL, *("a" * length for length in (63, 253, 1025)))
LONG = "a" * 65537


def of_length(length: int) -> Iterator[str]:
    """Yields texts of this length in ASCII characters, which fit various formats."""
    if length >= 0:
        yield "a" * length
    if length > 2:
        yield "a/" + "b" * (length - 2)
        yield "b" * (length - 2) + "/a"
        half = (length - 1) // 2
        yield "a" * half + "/" + "b" * (length - 1 - half)


def of_bytes(count: int) -> Iterator[str]:
    """Yields texts of so many bytes or characters for which the two differ."""
    if count > 0:
        yield "é" * count
        yield "é" * (count // 2) + "a" * (count % 2)
        yield "é" * (count // 2 + 1)


def near(text: str) -> Iterator[str]:
    """Yields texts that look almost the same."""
    yield from (text.lower(), text.upper(), text.capitalize(), f"{text} ", f" {text}", f"{text}x", text[:-1])


def number_variants(text: str, number: int) -> Iterator[str]:
    """Yields variants of a text, different ones for each number. Variants of a valid text are mostly valid."""
    digits = str(number)
    yield f"{text}{digits}"
    if len(digits) < len(text):
        yield text[: -len(digits)] + digits
        yield digits + text[len(digits) :]
