"""Whatever a text is, there is a judgement on it, and the same one every time."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.kubernetes.cel.samples import RULES, SCHEMA
from tests.kubernetes.cel.writer import spoiled
from validation_gen.kubernetes.cel import Scope, compile_message, compile_rule

_SCOPE = Scope(SCHEMA)
_WORDS = """
self .text .names .items .map ( ) [ ] { } , : ? . && || ! - + * in == < 1 2u 1.5 'a' b'x' r'\\' true null x .all( .map(
.exists( x, has( size( dyn( .optMap( .sortBy( .format( duration( ' " ''' \\ ` // é 😀 @ for
"""
_PIECES = st.sampled_from([*_WORDS.split(), "\n", "\t"])


@given(
    st.text(max_size=60) | st.lists(_PIECES, max_size=25).map("".join) | st.lists(_PIECES, max_size=25).map(" ".join)
)
def test_any_text(text: str) -> None:
    for compiled in (compile_rule, compile_message):
        first = compiled(text, _SCOPE)
        assert first == compiled(text, _SCOPE)
        assert first.error or first.base >= 0
        assert bool(first.error) == bool(first.issues)


@given(st.sampled_from(RULES), st.integers(0, 2**32))
def test_any_rule_with_a_mistake(rule: str, seed: int) -> None:
    rand = random.Random(seed)
    text = spoiled(rand, spoiled(rand, rule))
    found = compile_rule(text, _SCOPE)
    for issue in found.issues:
        line, column = issue.location(text)
        assert issue.offset < 0 or (1 <= line <= text.count("\n") + 1 and 1 <= column <= len(text) + 1)
