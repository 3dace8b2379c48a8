"""Values as Go prints them. The expectations were printed by Go 1.26, with which Kubernetes 1.37 is built."""

from __future__ import annotations

import datetime
import json
import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.runtime.gotext import go_json, go_quote, render_bad_value

#: Any text that a JSON decoder of Python can return, half surrogate pairs included.
texts = st.text(st.characters(exclude_categories=()))
keys = texts | st.integers() | st.floats() | st.booleans() | st.none()
leaves = keys | st.dates() | st.datetimes() | st.binary() | st.sets(st.integers())
documents: st.SearchStrategy[Any] = st.recursive(
    leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=12
)

QUOTED = [
    ("", '""'),
    ("abc", '"abc"'),
    ("a b~!", '"a b~!"'),
    ('say "hi"', r'"say \"hi\""'),
    ("back\\slash", r'"back\\slash"'),
    ("it's `fine`", '"it\'s `fine`"'),
    ("<a>&b", '"<a>&b"'),
    ("\a\b\f\n\r\t\v", r'"\a\b\f\n\r\t\v"'),
    ("\x00\x1b\x1f\x7f", r'"\x00\x1b\x1f\x7f"'),
    ("é中文", '"é中文"'),
    ("🙂", '"🙂"'),
    ("\x80\x85\xa0\xad", r'"\u0080\u0085\u00a0\u00ad"'),
    ("\u200b\u2028\u3000\ufeff\uffff", r'"\u200b\u2028\u3000\ufeff\uffff"'),
    ("\ue000\U000e0001\U0010ffff", r'"\ue000\U000e0001\U0010ffff"'),
    ("e\u0301", '"e\u0301"'),
    ("\ufffd", '"\ufffd"'),
]


@each(("text", "want"), QUOTED, ids=ascii)
def test_quote(text: str, want: str) -> None:
    assert go_quote(text) == want


@pytest.mark.parametrize("text", ["\U0001fae0", "\U0001fae8", "\u061d"], ids=ascii)
def test_quote_knows_unicode_15_on_every_python(text: str) -> None:
    # Assigned in Unicode 14 and 15: Python 3.10 and 3.11 hold some of these for unprintable.
    assert go_quote(text) == f'"{text}"'


@pytest.mark.parametrize(
    ("text", "want"), [("\u2ffc", r"\u2ffc"), ("\U0002ebf0", r"\U0002ebf0"), ("\U0001fae9", r"\U0001fae9")], ids=ascii
)
def test_quote_knows_nothing_beyond_unicode_15(text: str, want: str) -> None:
    # Assigned in Unicode 15.1 and 16: newer Pythons hold these for printable.
    assert go_quote(text) == f'"{want}"'


def test_quote_gives_half_a_surrogate_pair_as_the_replacement_character() -> None:
    assert go_quote("a\ud800b\udfff") == '"a\ufffdb\ufffd"'


@given(texts)
def test_quote_escapes_whatever_would_break_a_line_or_the_quotes(text: str) -> None:
    inside = go_quote(text)[1:-1]
    assert "\n" not in inside
    assert not re.search(r'(?<!\\)(?:\\\\)*"', inside)
    inside.encode()


JSON = [
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (0, "0"),
    (-12, "-12"),
    (2**70, "1180591620717411303424"),
    ("", '""'),
    ('a"\\\b\f\n\r\t', r'"a\"\\\b\f\n\r\t"'),
    ("\x00\x0b\x1f\x7f", '"\\u0000\\u000b\\u001f\x7f"'),
    ("<a>&b", r'"\u003ca\u003e\u0026b"'),
    ("\u2028\u2029", r'"\u2028\u2029"'),
    ("é\u200b🙂\x85", '"é\u200b🙂\x85"'),
    ("\ud800", '"\ufffd"'),
    ([], "[]"),
    ({}, "{}"),
    ([[], {}, [None]], "[[],{},[null]]"),
    ({"b": 1, "a": [1, {"c": "<"}]}, r'{"b":1,"a":[1,{"c":"\u003c"}]}'),
    ({"<k>": 1}, r'{"\u003ck\u003e":1}'),
    ({1: 1, None: 2, False: 3, 1.5: 4}, '{"1":1,"null":2,"false":3,"1.5":4}'),
    ((1, 2), "[1,2]"),
]


@each(("value", "want"), JSON, ids=ascii)
def test_json(value: object, want: str) -> None:
    assert go_json(value) == want


# As encoding/json and as %v print them.
FLOATS = [
    (0.0, "0", "0"),
    (-0.0, "-0", "-0"),
    (1.0, "1", "1"),
    (-1.5, "-1.5", "-1.5"),
    (0.1, "0.1", "0.1"),
    (100000.0, "100000", "100000"),
    (999999.0, "999999", "999999"),
    (123456.7, "123456.7", "123456.7"),
    (1000000.0, "1000000", "1e+06"),
    (1234567.5, "1234567.5", "1.2345675e+06"),
    (123456789.0, "123456789", "1.23456789e+08"),
    (1e16, "10000000000000000", "1e+16"),
    (2.5e20, "250000000000000000000", "2.5e+20"),
    (1e21, "1e+21", "1e+21"),
    (1e100, "1e+100", "1e+100"),
    (0.0001, "0.0001", "0.0001"),
    (0.00001, "0.00001", "1e-05"),
    (0.000001, "0.000001", "1e-06"),
    (0.0000001, "1e-7", "1e-07"),
    (1.5e-10, "1.5e-10", "1.5e-10"),
    (5e-324, "5e-324", "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308"),
    (math.inf, "+Inf", "+Inf"),
    (-math.inf, "-Inf", "-Inf"),
    (math.nan, "NaN", "NaN"),
]


@each(("value", "in_json", "plain"), FLOATS, ids=repr)
def test_floats(value: float, in_json: str, plain: str) -> None:
    assert go_json([value]) == f"[{in_json}]"
    assert go_json(value) == in_json
    assert render_bad_value(value, json_string=False) == plain


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_keep_their_value(value: float) -> None:
    assert float(go_json(value)) == value
    assert float(render_bad_value(value, json_string=False)) == value


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_json_is_json(value: object) -> None:
    assert json.loads(go_json(value)) == value


@each(
    ("value", "json_string", "want"),
    [
        ("<\a>", False, r'"<\a>"'),
        ("<\a>", True, r'"\u003c\u0007\u003e"'),
        (True, False, "true"),
        (3, False, "3"),
        (3, True, "3"),
        (1e6, True, "1000000"),
        (None, False, "null"),
        ([1e6], False, "[1000000]"),
        ({"a": "<"}, False, r'{"a":"\u003c"}'),
    ],
    ids=repr,
)
def test_bad_value(value: object, json_string: bool, want: str) -> None:
    assert render_bad_value(value, json_string=json_string) == want


def test_foreign_objects_appear_as_their_repr() -> None:
    assert go_json([datetime.timedelta(1)]) == '["datetime.timedelta(days=1)"]'


def test_dates_appear_as_yaml_has_them() -> None:
    assert go_json([datetime.date(2026, 7, 24)]) == '["2026-07-24"]'


def test_objects_that_cannot_say_what_they_are_appear_as_their_type() -> None:
    class Mute:
        def __repr__(self) -> str:
            raise RuntimeError

    assert go_json(Mute()) == r'"\u003cMute\u003e"'


def test_depth_is_not_limited() -> None:
    deep: object = "x"
    for _ in range(20_000):
        deep = [{"a": deep}]
    assert go_json(deep) == '[{"a":' * 20_000 + '"x"' + "}]" * 20_000


def test_cycles_end() -> None:
    looped: dict[str, object] = {"a": 1}
    looped["self"] = [looped]
    assert go_json(looped) == '{"a":1,"self":[null]}'


def test_a_value_met_twice_is_no_cycle() -> None:
    shared = [1]
    assert go_json({"a": shared, "b": [shared, shared]}) == '{"a":[1],"b":[[1],[1]]}'


def test_integers_beyond_the_interpreters_limit_on_digits() -> None:
    assert go_json([16**5000]) == "[0x1" + "0" * 5000 + "]"


@given(documents, st.booleans())
def test_never_raises(value: object, json_string: bool) -> None:
    render_bad_value(value, json_string=json_string).encode()
    go_json(value).encode()
