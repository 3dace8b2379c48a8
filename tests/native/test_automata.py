"""Tables of patterns say what `re` says, and what they are sure of is right to the functions of formats and forms."""

from __future__ import annotations

import functools
import random
import re

import pytest

from tests.tables import each
from tests.thorough import drawn
from validation_gen.runtime.formats import FORMATS, SURE
from validation_gen.runtime.goregex.pattern import build_whole_table
from validation_gen.runtime.wire import WIRE

_PATTERNS = [
    "",
    "a",
    "a|bc*",
    "(?:a|b)+c?",
    "a{2,4}b?|c+",
    "(a|bc)*d{0,2}",
    "a{0,3}",
    "x{2,}y",
    "[a-c-]+",
    r"a\.b",
    "(|a)b",
]
_SURE = {name: pattern for name, (pattern, _) in SURE.items()} | {n: f.sure for n, f in WIRE.items() if f.sure}


def _walk(table: bytes, text: str) -> bool:
    state = 1
    for char in text:
        state = table[state * 128 + ord(char)]
    return bool(table[len(table) // 129 * 128 + state])


@functools.cache
def _ways(table: bytes, state: int) -> list[int]:
    """Returns the characters that lead on from a state."""
    return [char for char in range(128) if table[state * 128 + char]]


def _drawn_from(table: bytes, rng: random.Random) -> str:
    """A text that a table may well take: each step is one that leads somewhere."""
    state, text = 1, ""
    for _ in range(rng.randrange(70)):
        ways = _ways(table, state)
        if not ways:
            break
        char = rng.choice(ways)
        state, text = table[state * 128 + char], text + chr(char)
    return text


@each("pattern", [*_PATTERNS, *_SURE.values()])
def test_a_table_takes_what_the_pattern_takes(pattern: str) -> None:
    rng = random.Random(pattern)
    table = build_whole_table(pattern)
    assert table is not None
    whole = re.compile(pattern).fullmatch
    for _ in range(drawn(2_000)):
        text = (
            _drawn_from(table, rng)
            if rng.random() < 0.5
            else "".join(rng.choices("aabcdxy1-._/0A", k=rng.randrange(9)))
        )
        if text and rng.random() < 0.2:
            text = text[:-1] + rng.choice("\n \0~Z9")
        assert _walk(table, text) is bool(whole(text)), text


def test_large_patterns_have_none() -> None:
    assert build_whole_table("a{300}") is None
    assert build_whole_table("(a|b)*a(a|b){12}") is None


@each("name", sorted(SURE))
def test_what_is_sure_is_of_the_format(name: str) -> None:
    pattern, longest = SURE[name]
    rng, table = random.Random(name), build_whole_table(pattern)
    assert table is not None
    taken = 0
    for _ in range(drawn(4_000)):
        text = _drawn_from(table, rng)
        if rng.random() < 0.1:
            text = "a" * (longest - rng.randrange(3)) + text
        if len(text) <= longest and _walk(table, text):
            taken += 1
            assert not FORMATS[name](text), text
    assert taken


@pytest.mark.parametrize("name", [name for name, form in WIRE.items() if form.sure])
def test_what_is_sure_decodes(name: str) -> None:
    rng, table = random.Random(name), build_whole_table(WIRE[name].sure)
    assert table is not None
    taken = 0
    for _ in range(drawn(4_000)):
        if _walk(table, text := _drawn_from(table, rng)):
            taken += 1
            assert WIRE[name].check(text) is None, text
    assert taken
