"""What Go's `regexp` finds: the leftmost match, and of those the one that Perl finds first."""

from __future__ import annotations

import re

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel.functions.strings import find, find_all, matches
from validation_gen.kubernetes.cel.values import EvaluationError


@each(
    ("text", "pattern", "found"),
    [
        ("abc 123", "[0-9]+", "123"),
        ("abc 123", "xyz", ""),
        ("abc", "a|ab|abc", "a"),
        ("abc", "abc|ab|a", "abc"),
        ("xaaay", "a+?", "a"),
        ("xaaay", "(?U)a+", "a"),
        ("xaaay", "(?U)a+?", "aaa"),
        ("xaaay", "a{2}", "aa"),
        ("xaaay", "a{1,2}?", "a"),
        ("aab", "a*?b", "aab"),
        ("ab", "(|a)*", ""),
        ("ab", "(|a)+", ""),
        ("aab", "(a|b)*?b", "aab"),
        ("foo bar", r"\bbar\b", "bar"),
        ("one\ntwo", "(?m)^t.*$", "two"),
        ("äöü", "ö.", "öü"),
        ("<a><b>", "<.*>", "<a><b>"),
        ("<a><b>", "<.*?>", "<a>"),
    ],
)
def test_find(text: str, pattern: str, found: str) -> None:
    assert find(text, pattern) == found
    assert matches(text, pattern) is (re.search(pattern.replace("(?U)", ""), text) is not None)


@each(
    ("text", "pattern", "limit", "found"),
    [
        ("123 abc 456", "[0-9]+", -1, ["123", "456"]),
        ("123 abc 456", "[0-9]+", 1, ["123"]),
        ("123 abc 456", "[0-9]+", 0, []),
        ("123 abc 456", "[0-9]*", 3, ["123", "", ""]),
        ("123 abc 456", "xyz", -1, []),
        ("baac", "a*", -1, ["", "aa", ""]),
        ("", "a*", -1, [""]),
        ("abc", "", -1, ["", "", "", ""]),
        ("aaa", "^a", -1, ["a"]),
    ],
)
def test_find_all(text: str, pattern: str, limit: int, found: list[str]) -> None:
    assert find_all(text, pattern, limit) == found


def test_invalid_patterns() -> None:
    with pytest.raises(EvaluationError) as caught:
        matches("", "(")
    assert caught.value.message == "error parsing regexp: missing closing ): `(`"
    for call in (find, find_all):
        with pytest.raises(EvaluationError) as caught:
            call("", "(")
        assert caught.value.message == "Illegal regex: error parsing regexp: missing closing ): `(`"


def test_patterns_that_cannot_be_run() -> None:
    with pytest.raises(EvaluationError, match=r"^the pattern is too large"):
        matches("", "a{1000}" * 21)


def test_nothing_is_gone_twice() -> None:
    assert find("a" * 3000 + "b", "(a+)+$") == ""
    assert find("a" * 3000, "(a*)*") == "a" * 3000
