"""What Go's `net/url` reads, as upstream's library asks for it."""

from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel.functions.network import FUNCTIONS, get_hostname, get_query, url
from validation_gen.kubernetes.cel.values import EvaluationError


@each(
    ("text", "scheme", "host", "name", "port", "path"),
    [
        ("https://example.com:80/", "https", "example.com:80", "example.com", "80", "/"),
        ("https://example.com/path", "https", "example.com", "example.com", "", "/path"),
        ("https://[::1]:80/path", "https", "[::1]:80", "::1", "80", "/path"),
        ("https://[::1]/", "https", "[::1]", "::1", "", "/"),
        ("https://example.com/path with spaces/", "https", "example.com", "example.com", "", "/path%20with%20spaces/"),
        ("https://example.com/a(b)%2f", "https", "example.com", "example.com", "", "/a(b)%2f"),
        ("/path", "", "", "", "", "/path"),
        ("HTTP://user:pw@host/#f", "http", "host", "host", "", "/"),
        ("mailto:a@b", "mailto", "", "", "", ""),
        ("https://[fe80::1%25en0]:1", "https", "[fe80::1%en0]:1", "fe80::1%en0", "1", ""),
        ("*", "", "", "", "", "*"),
    ],
)
def test_parts(text: str, scheme: str, host: str, name: str, port: str, path: str) -> None:
    value = url(text)
    assert FUNCTIONS["is_url_string"](text)
    assert [FUNCTIONS[f"url_get_{part}"](value) for part in ("scheme", "host", "port")] == [scheme, host, port]
    assert (get_hostname(value), FUNCTIONS["url_get_escaped_path"](value)) == (name, path)


@each(
    ("text", "problem"),
    [
        ("../relative-path", "invalid URI for request"),
        ("", "empty url"),
        ("https://a:b:c/", 'invalid port ":b:c" after host'),
        ("https://[::1", "missing ']' in host"),
        ("https://[1.2.3.4]", "invalid IP-literal"),
        ("https://[::g]", 'invalid host: ParseAddr("::g"): each colon-separated field must have at least one digit'),
        ("https://a|%zz", 'invalid character "|" in host name'),
        ("/%zz", 'invalid URL escape "%zz"'),
    ],
)
def test_no_urls(text: str, problem: str) -> None:
    assert not FUNCTIONS["is_url_string"](text)
    with pytest.raises(EvaluationError) as caught:
        url(text)
    assert caught.value.message.startswith(f'URL parse error during conversion from string: parse "{text}": {problem}')


def test_queries() -> None:
    value = url("https://example.com/path?k1=a&k2=b&k2=c&k3&=x&d;e=1&%zz=1&sp+ace=%20+#frag")
    assert get_query(value) == {
        "k1": ["a"],
        "k2": ["b", "c"],
        "k3": [""],
        "": ["x"],
        "sp ace": ["  "],
    }
    assert get_query(url("https://example.com/path")) == {}


@each(
    ("text", "written"),
    [
        ("https://example.com/", "https://example.com/"),
        ("HTTPS://example.com?", "https://example.com?"),
        ("https://u:p%40@h/a b?q#f g", "https://u:p%40@h/a%20b?q#f%20g"),
        ("mailto:a@b?x", "mailto:a@b?x"),
        ("file:///a", "file:///a"),
        ("file:/a", "file:/a"),
        ("//a/b", "//a/b"),
    ],
)
def test_equality(text: str, written: str) -> None:
    assert str(url(text)) == written
    assert url(text) == url(written)
    assert hash(url(text)) == hash(url(written))
    assert url(text) != url("https://other")
