"""Regular expressions of Go."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from validation_gen.markers.patterns import problem_of


@pytest.mark.parametrize(
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
    ],
)
def test_go_compiles_it(pattern: str) -> None:
    assert problem_of(pattern) == ""


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(a", "the group (a has no ')'"),
        ("a)", "there is a ')' without a '('"),
        ("[a", "the brackets [a are not closed"),
        ("[]", "the brackets [] are not closed"),
        ("*a", "nothing stands before * that could be repeated"),
        ("(|+)", "nothing stands before + that could be repeated"),
        ("a**", "* follows *: a repetition cannot be repeated"),
        ("a+?{2}", "{2} follows +?: a repetition cannot be repeated"),
        ("a{3,2}", "{3,2} asks for more than it allows"),
        ("a{1001}", "{1001} repeats more than 1000 times"),
        ("(a{100}){11}", "{11} repeats a part more than 1000 times"),
        ("(?=a)", "Go has no groups that begin with (?="),
        ("(?<!a)", "Go has no groups that begin with (?<!"),
        ("(?>a)", "Go has no groups that begin with (?>"),
        ("(?P<a>x)(?P<a>y)", "there are two groups of the name a"),
        (r"(a)\1", r"\1: Go has no references to groups"),
        (r"\Z", r"\Z: it means nothing in Go"),
        (r"\é", r"\é: it means nothing in Go"),
        ("a\\", "there is a backslash at the end"),
        (r"\pX", r"\pX names no class of characters"),
        ("[[:letter:]]", "[:letter:]] names no class of characters"),
        ("[z-a]", "the range z-a is empty"),
        (r"[a-\d]", r"\d: it means nothing in Go"),
        (r"\x{110000}", r"\x{110000} is no character"),
    ],
)
def test_go_refuses_it(pattern: str, problem: str) -> None:
    assert problem_of(pattern) == problem


@settings(max_examples=300)
@given(st.text(alphabet=r"ab()[]{}*+?|^$\-.,:pPQExXdw012é<>=!", max_size=20))
def test_every_text_is_answered(pattern: str) -> None:
    assert isinstance(problem_of(pattern), str)
