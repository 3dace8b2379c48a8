"""Where patterns match: as Go tells it, in linear time."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thorough import drawn
from validation_gen.kubernetes.goregex.spans import finder


def found(pattern: str, text: str, limit: int = -1) -> list[str]:
    each = finder(pattern)
    assert each is not None
    return [text[start:end] for start, end in each.all(text, limit)]


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        ("a+", "xaayaaa", ["aa", "aaa"]),
        ("a+?", "aaa", ["a", "a", "a"]),
        ("(?U)a+", "aaa", ["a", "a", "a"]),
        ("(?U)a+?", "aaa", ["aaa"]),
        ("a|ab", "ab", ["a"]),
        ("ab|a", "ab", ["ab"]),
        ("a*", "baac", ["", "aa", ""]),
        ("", "ab", ["", "", ""]),
        ("^a|b$", "aab", ["a", "b"]),
        (r"\b\w", "hi yo", ["h", "y"]),
        ("(a|b){2,3}?", "abab", ["ab", "ab"]),
        ("(a|b){2,3}", "abab", ["aba"]),
        ("x{0}", "x", ["", ""]),
    ],
)
def test_matches(pattern: str, text: str, wanted: list[str]) -> None:
    assert found(pattern, text) == wanted
    assert found(pattern, text, 1) == wanted[:1]
    assert found(pattern, text, 0) == []


@settings(max_examples=drawn(300), deadline=None)
@given(st.text("ab|*?+()", max_size=7), st.text("abc", max_size=8))
def test_python_says_the_same_of_what_both_can(pattern: str, text: str) -> None:
    """Where both take an expression and no repetition can be empty, the first match is the same one."""
    try:
        theirs, each = re.compile(pattern), finder(pattern)
    except (re.error, ValueError):
        return
    if each is None or re.search(r"[*?+]\)?[*?+]|\(\)|\|\)|\(\||\)[*?+]", pattern):
        return
    match = theirs.search(text)
    assert each.find(text) == (match.span() if match else None)


def test_nothing_runs_away() -> None:
    """Twice the text, about twice the time, where Python would need all the time there is."""
    each = finder("(a|aa|a*)*$b")
    assert each is not None

    def seconds(size: int) -> float:
        start = time.process_time()
        assert each.find("a" * size) is None
        return time.process_time() - start

    seconds(50)
    assert seconds(400) < 40 * max(seconds(100), 1e-3)
