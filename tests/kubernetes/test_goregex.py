"""Which regular expressions Go accepts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import each
from tests.thorough import drawn
from validation_gen.runtime.goregex import GoRegexError, compiled
from validation_gen.runtime.goregex.parser import parsed


@each(
    "pattern",
    [
        "",
        "a|b|",
        "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        r"^$|^((https):\/\/?)[^\s()<>]+(?:\([\w\d]+\)|([^[:punct:]\s]|\/?))$",
        r"^(\d+|\d+%|)$",
        "a{2,3}b{2}?c{,3}d{x}",
        "[]a][^]a][a-][-a][[:^alpha:]]",
        "(?i)a(?P<name>b)(?<other>c)(?s-m:d)(?:e)",
        r"\pL\p{Greek}\P{^Lu}\x41\x{10FFFF}\07\12\Qa*\E\z\b\_\-",
        "(a*)*(?i)*",
        "((((a{10}){10}){10}))",
        "(?P<a>x)(?P<a>y)",
    ],
)
def test_go_compiles_it(pattern: str) -> None:
    assert compiled(pattern).text == pattern


@each(
    "pattern",
    [
        "(a",
        "a)",
        "[a",
        "[]",
        "*a",
        "(|+)",
        "a**",
        "a+?{2}",
        "a{3,2}",
        "a{1001}",
        "(a{100}){11}",
        "(?=a)",
        "(?<!a)",
        "(?>a)",
        "[[:letter:]]",
        "[z-a]",
    ],
)
def test_go_refuses_it(pattern: str) -> None:
    with pytest.raises(GoRegexError, match=r"^error parsing regexp: "):
        compiled(pattern)


@each(
    ("pattern", "problem"),
    [
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        (r"\1", r"invalid escape sequence: `\1`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("[b-a]", "invalid character class range: `b-a`"),
        ("[a", "missing closing ]: `[a`"),
        ("(a", "missing closing ): `(a`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("\\", "trailing backslash at end of expression: ``"),
        (r"\p{Nonsense}", r"invalid character class range: `\p{Nonsense}`"),
        ("(" * 1001 + ")" * 1001, "expression nests too deeply: `((("),
        ("(a{1000}b{1000}){1000}", "invalid repeat count: `{1000}`"),
    ],
)
def test_the_words_are_those_of_go(pattern: str, problem: str) -> None:
    with pytest.raises(GoRegexError) as raised:
        compiled(pattern)
    assert str(raised.value).startswith(f"error parsing regexp: {problem}")


@each(
    ("pattern", "good", "bad"),
    [
        ("^a$", ["a"], ["a\n", "\na", "ab"]),
        ("(?m)^a$", ["b\na\nc"], ["ba"]),
        (".", ["a", "é"], ["\n", ""]),
        ("(?s)^.$", ["\n"], [""]),
        (r"^\d$", ["1"], ["١"]),
        (r"^\w+$", ["aZ_9"], ["é"]),
        (r"^\s$", [" ", "\f"], ["\v", "\u00a0"]),
        (r"\bé\b", [], ["é"]),
        (r"^\B$", [""], ["a"]),
        (r"^\pL\PN$", ["éé"], ["11", "é1"]),
        ("^[[:alpha:]_]+$", ["a_Z"], ["é", "1"]),
        ("^[^[:space:]a]$", ["b"], [" ", "a"]),
        (r"^[^\W\d]$", ["a"], ["1", "-"]),
        ("(?i)^K$", ["k", "K", "\u212a"], ["c"]),
        ("(?i)^[^k]$", ["a"], ["K"]),
        ("^a{2,3}?$", ["aa", "aaa"], ["a", "aaaa"]),
        ("^a{,2}$", ["a{,2}"], ["a", "aa"]),
        (r"^\Qa.b\E$", ["a.b"], ["axb"]),
        (r"^\x{1F600}\x41\101$", ["😀AA"], ["A"]),
        ("^(a|)$", ["a", ""], ["b"]),
        ("^*a", ["ba"], ["b"]),
    ],
)
def test_matches_are_those_of_go(pattern: str, good: list[str], bad: list[str]) -> None:
    judged = {text: compiled(pattern).matches(text) for text in [*good, *bad]}
    assert judged == dict.fromkeys(good, True) | dict.fromkeys(bad, False)


def test_scripts_are_known_by_name_only() -> None:
    assert compiled(r"^\p{Greek}$").matches("α") is None


def test_classes_that_overlap_take_no_time() -> None:
    """Python tries every way through alternatives, so there must be none."""
    assert compiled(r"^[a-zA-Z\pL\w]{0,60}$").matches("a" * 60 + "!") is False


_PIECES = [
    *"ab.^$|()*+?",
    "(?:",
    "(?i)",
    "(?m)",
    "[^a]",
    "(?i:[^a])",
    r"\b",
    r"\B",
    r"\w",
    "{2}",
    "{0,2}",
    "{1,}",
    r"\A",
    r"\z",
]


@settings(max_examples=drawn(300), deadline=None)
@given(
    st.lists(st.sampled_from(_PIECES), max_size=9).map("".join), st.lists(st.text("abAB-\né", max_size=7), max_size=4)
)
def test_matches_are_those_of_re(pattern: str, texts: list[str]) -> None:
    try:
        whole = parsed(pattern)
    except GoRegexError:
        return
    assert whole is not None
    for text in texts:
        assert compiled(pattern).matches(text) is (re.search(whole.text, text) is not None)


@each("pattern", ["^(a+)+$", "^(a|a)*$", "^(a*)*$", "^(a|b|ab)*$", "(a*a*)*b", "^(([a-z])+.)+[A-Z]$"])
def test_no_pattern_takes_forever(pattern: str) -> None:
    assert compiled(pattern).matches("a" * 5_000 + "!") is False
    assert compiled("^(?:" + "a?" * 30 + "){1}" + "a" * 30 + "$").matches("a" * 30) is True


def test_repetitions_have_a_limit() -> None:
    assert compiled("a{1000}").matches("a" * 1000) is True
    assert compiled(f"(?:{'ab' * 100}){{1000}}").matches("a") is None
