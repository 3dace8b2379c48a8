"""Lines that a decoder without hooks reads as one with them would: native code says so, and is never wrong."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.native.twoways import needs_native
from tests.tables import each
from tests.thorough import drawn
from validation_gen.runtime import native

pytestmark = needs_native

_fastpath: Any = native.accept


def plain(line: bytes) -> bool:
    return bool(_fastpath.plain(line, json.loads(line)))


def loses_something(line: bytes) -> bool:
    """The same question, slowly: what a decoder with hooks meets in a line."""
    lost = False

    def pairs(given: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal lost
        lost |= len(dict(given)) < len(given)
        return dict(given)

    def number(text: str) -> float:
        nonlocal lost
        lost |= not math.isfinite(float(text))
        return float(text)

    def integer(text: str) -> int:
        nonlocal lost
        lost |= text == "-0"
        return int(text)

    found = json.loads(line, object_pairs_hook=pairs, parse_float=number, parse_int=integer)
    return lost or any("\ud800" <= character <= "\udfff" for character in json.dumps(found, ensure_ascii=False))


@each(
    "line",
    [
        b"{}",
        b'{"a": 1, "b": {"a": 2}, "c": [{"a": 1}, {"a": 2}]}\n',
        b'{"a" \r\n\t: ":8080", "b": "\\":", "\\"": ":", "a:": "x\\\\"}',
        b'{"a": "\\u0041\\uFFFd\\ucfff", "b": -1, "c": -10.5, "d": 1e300, "e": "-0", "f-0": 0}',
        '{"ä": "日本", "\U0001f600": "-0"}'.encode(),
        b'["a", "b"]',
        b"[true, false, null, 1.5]",
        b"[" * 60 + b"]" * 60,
    ],
)
def test_usual_lines_are_plain(line: bytes) -> None:
    assert plain(line)
    assert not loses_something(line)


@each(
    "line",
    [
        b'{"a": 1, "a": 1}',
        b'{"a": {"b": 1, "\\u0062": 2}}',
        b'{"x": {}, "x": {"a": 1}}',
        b'{"x": {"a": 1}, "x": {}}',
        b'[[{"a": 1, "b": 1, "a": 1}]]',
        b'{"a": -0}',
        b"[1,-0]",
        b"-0",
        b'{"a": 1e400}',
        b"[-1e999]",
        b'{"a": "\\ud800"}',
        b'{"\\uDFff": 1}',
        b"[NaN]",
    ],
)
def test_what_is_lost_is_seen(line: bytes) -> None:
    assert not plain(line)
    assert line == b"[NaN]" or loses_something(line)


def test_what_is_unusual_is_a_doubt() -> None:
    class Mapping(dict[str, Any]):
        pass

    class Number(int):
        pass

    for value in (Mapping(), Number(), object(), (), b"", {"a": Mapping()}, [Number()], 1j):
        assert not _fastpath.plain(b"{}", value)
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert not _fastpath.plain(b"[]", deep)
    while deep:
        deep = deep.pop()


def test_only_bytes_and_a_value_are_taken() -> None:
    wrong: tuple[Any, ...]
    for wrong in ((), (b"",), ("{}", {}), (b"{}", {}, {}), (bytearray(b"{}"), {})):
        with pytest.raises(TypeError):
            _fastpath.plain(*wrong)


@each("line", [b"", b'"', b'"\\', b'"\\u', b'"\\ud', b'{"a', b'"a"  ', b"-", b'"\\"'])
def test_a_text_that_ends_early_is_read_to_its_end_and_no_further(line: bytes) -> None:
    assert _fastpath.plain(line, {"a": 1, "b": 2, "c": 3}) is False


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc:\"'") | st.text(), inner),
    max_leaves=20,
)


@settings(max_examples=drawn(400, least=50), deadline=None)
@given(value=VALUES, ascii=st.booleans(), seed=st.integers(0, 2**32))
def test_no_line_is_plain_that_loses_something(value: Any, ascii: bool, seed: int) -> None:
    text = json.dumps(value, ensure_ascii=ascii)
    damaged = text
    chance = random.Random(seed)
    for old, new in (('"b"', '"a"'), (":", " \t:"), ("1", "-0"), ("0", "1e999"), ('"c"', '"\\u0061"')):
        if chance.random() < 0.3:
            damaged = damaged.replace(old, new)
    for item in (text, damaged):
        line = item.encode("utf-8", "replace")
        try:
            found = json.loads(line)
        except ValueError:
            continue
        lost = loses_something(line)
        if _fastpath.plain(line, found):
            assert not lost, line
