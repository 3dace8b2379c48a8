"""URLs as `net/url` of Go reads them."""

from __future__ import annotations

import pytest

from validation_gen.kubernetes.formats.gourl import GoUrlError, parse_url


@pytest.mark.parametrize("host", ["a%80b", "a%ffb", "%C3%BC", "a.b", "[::1]"])
def test_hosts(host: str) -> None:
    parse_url(f"https://{host}/path")


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("a%7fb", 'invalid URL escape "%7f"'),  # in hosts, only bytes that are no ASCII may be escaped
        ("a%41b", 'invalid URL escape "%41"'),
        ("a%8", 'invalid URL escape "%8"'),
        ("[::1", "missing ']' in host"),
    ],
)
def test_hosts_that_are_refused(host: str, reason: str) -> None:
    with pytest.raises(GoUrlError, match=reason.replace("]", r"\]")):
        parse_url(f"https://{host}/path")
