"""Where patterns match: as Go tells it, in linear time."""

from __future__ import annotations

import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import each
from tests.thorough import drawn
from validation_gen.kubernetes.cel.functions.strings import find_all
from validation_gen.runtime.goregex import compiled


@each(
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
    assert find_all(text, pattern) == wanted
    assert find_all(text, pattern, 1) == wanted[:1]
    assert find_all(text, pattern, 0) == []


@settings(max_examples=drawn(300), deadline=None)
@given(st.text("ab|*?+()", max_size=7), st.text("abc", max_size=8))
def test_python_says_the_same_of_what_both_can(pattern: str, text: str) -> None:
    """Where both take an expression and no repetition can be empty, the first match is the same one."""
    try:
        theirs, each = re.compile(pattern), compiled(pattern)
    except (re.error, ValueError):
        return
    if each.automaton is None or re.search(r"[*?+]\)?[*?+]|\(\)|\|\)|\(\||\)[*?+]", pattern):
        return
    match = theirs.search(text)
    assert each.span(text) == (match.span() if match else None)


def test_nothing_runs_away() -> None:
    """Twice the text, about twice the time, where Python would need all the time there is."""
    each = compiled("(a|aa|a*)*$b")

    def seconds(size: int) -> float:
        start = time.process_time()
        assert each.span("a" * size) is None
        return time.process_time() - start

    seconds(50)
    assert seconds(400) < 40 * max(seconds(100), 1e-3)
