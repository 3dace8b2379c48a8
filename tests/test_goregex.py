"""Which regular expressions Go accepts."""

from __future__ import annotations

import pytest

from validation_gen.goregex import GoRegexError, compiled


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
    assert compiled(pattern).text == pattern


@pytest.mark.parametrize(
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
