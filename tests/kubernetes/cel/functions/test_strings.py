"""The functions of strings, which count code points."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kubernetes.cel.functions.helpers import error_of
from tests.tables import each
from validation_gen.kubernetes.cel.functions import strings
from validation_gen.kubernetes.cel.values import ABSENT, Duration, Optional, Timestamp, Uint

LONG = "a" * strings.MOST_CHARACTERS


@each(
    ("text", "index", "char"),
    [("tacocat", 3, "o"), ("tacocat", 7, ""), ("", 0, ""), ("©αT", 0, "©"), ("©αT", 1, "α"), ("😀T", 1, "T")],
)
def test_the_character_at_a_position(text: str, index: int, char: str) -> None:
    assert strings.char_at(text, index) == char


@each(
    ("text", "part", "offset", "index"),
    [
        ("tacocat", "", 0, 0),
        ("tacocat", "ac", 0, 1),
        ("tacocat", "none", 0, -1),
        ("tacocat", "", 3, 3),
        ("tacocat", "a", 3, 5),
        ("tacocat", "at", 3, 5),
        ("ta©o©αT", "©", 0, 2),
        ("ta©o©αT", "©", 3, 4),
        ("ta©o©αT", "©αT", 3, 4),
        ("ta©o©αT", "©α", 5, -1),
        ("ijk", "k", 0, 2),
        ("hello wello", "hello wello", 0, 0),
        ("hello wello", "ello", 6, 7),
        ("hello wello", "elbo room!!", 0, -1),
        ("tacocat", "a", 30, -1),
        ("tacocat", "", 7, 7),
        ("tacocat", "", 30, 7),
    ],
)
def test_the_first_position_of_a_part(text: str, part: str, offset: int, index: int) -> None:
    assert strings.find_index(text, part, offset) == index


@each(
    ("text", "part", "offset", "index"),
    [
        ("", "@@", None, -1),
        ("tacocat", "", None, 7),
        ("tacocat", "at", None, 5),
        ("tacocat", "none", None, -1),
        ("tacocat", "", 3, 3),
        ("tacocat", "a", 3, 1),
        ("ta©o©αT", "©", None, 4),
        ("ta©o©αT", "©", 3, 2),
        ("ta©o©αT", "©α", 4, 4),
        ("hello wello", "ello", 6, 1),
        ("hello wello", "low", None, -1),
        ("hello wello", "elbo room!!", None, -1),
        ("hello wello", "elbo room!!!", None, -1),
        ("hello wello", "hello wello", None, 0),
        ("bananananana", "nana", 7, 6),
        ("tacocat", "a", 30, -1),
        ("tacocat", "a", 7, -1),
        ("tacocat", "", 7, 7),
        ("tacocat", "", 30, 7),
        ("©", "ab", None, -1),
    ],
)
def test_the_last_position_of_a_part(text: str, part: str, offset: int | None, index: int) -> None:
    assert strings.find_last_index(text, part, offset) == index


@pytest.mark.parametrize("offset", [-1, 3, 30])
def test_servers_did_not_look_where_nothing_is_searched(offset: int) -> None:
    assert strings.find_index("tacocat", "", offset, clamped=False) == offset
    assert strings.find_last_index("tacocat", "", offset, clamped=False) == offset
    assert strings.find_last_index("tacocat", "", clamped=False) == 7


@pytest.mark.parametrize(
    ("text", "lower", "upper"),
    [
        ("TacoCat", "tacocat", "TACOCAT"),
        ("TacoCÆt Xii", "tacocÆt xii", "TACOCÆT XII"),
        ("tacoCαt", "tacocαt", "TACOCαT"),
    ],
)
def test_only_letters_of_ascii_change(text: str, lower: str, upper: str) -> None:
    assert strings.FUNCTIONS["string_lower_ascii"](text) == lower
    assert strings.FUNCTIONS["string_upper_ascii"](text) == upper


@each(
    ("text", "old", "new", "limit", "result"),
    [
        ("12 days 12 hours", "{0}", "2", -1, "12 days 12 hours"),
        ("{0} days {0} hours", "{0}", "2", -1, "2 days 2 hours"),
        ("{0} days {0} hours", "{0}", "2", 1, "2 days {0} hours"),
        ("1 ©αT taco", "αT", "o©α", -1, "1 ©o©α taco"),
        ("hello hello", "", "_", -1, "_h_e_l_l_o_ _h_e_l_l_o_"),
        ("hello", "", "_", 2, "_h_ello"),
        ("hello hello", "h", "", -1, "ello ello"),
        ("hello hello", "h", "j", 0, "hello hello"),
        ("hello hello", "h", "j", 9, "jello jello"),
    ],
)
def test_replacements(text: str, old: str, new: str, limit: int, result: str) -> None:
    assert strings.replace(text, old, new, limit) == result


@each(
    ("text", "separator", "limit", "parts"),
    [
        ("hello world", " ", -1, ["hello", "world"]),
        ("hello world events!", " ", 0, []),
        ("hello world events!", " ", 1, ["hello world events!"]),
        ("hello world events!", " ", 2, ["hello", "world events!"]),
        ("o©o©o©o", "©", -1, ["o", "o", "o", "o"]),
        ("", ",", -1, [""]),
        ("", "", -1, []),
        ("", "", 1, []),
        ("©αT", "", -1, ["©", "α", "T"]),
        ("©αT", "", 2, ["©", "αT"]),
        ("©αT", "", 1, ["©αT"]),
        ("©αT", "", 9, ["©", "α", "T"]),
    ],
)
def test_parts(text: str, separator: str, limit: int, parts: list[str]) -> None:
    assert strings.split(text, separator, limit) == parts


@each(
    ("text", "start", "end", "result"),
    [
        ("tacocat", 4, None, "cat"),
        ("tacocat", 7, None, ""),
        ("tacocat", 0, 4, "taco"),
        ("tacocat", 4, 4, ""),
        ("ta©o©αT", 2, 6, "©o©α"),
        ("ta©o©αT", 7, 7, ""),
    ],
)
def test_a_part_by_its_positions(text: str, start: int, end: int | None, result: str) -> None:
    assert strings.substring(text, start, end) == result


@each(
    ("text", "result"),
    [
        (" \f\n\r\t\vtext  ", "text"),
        ("\u0085\u00a0\u1680text", "text"),
        ("text\u2000\u2001\u2002\u2003\u2004\u2004\u2006\u2007\u2008\u2009", "text"),
        ("\u200atext\u2028\u2029\u202f\u205f\u3000", "text"),
        ("\u180etext\u200b\u200c\u200d\u2060\ufeff", "\u180etext\u200b\u200c\u200d\u2060\ufeff"),
        ("\x1ctext\x1f", "\x1ctext\x1f"),
    ],
)
def test_white_space_is_what_unicode_says(text: str, result: str) -> None:
    assert strings.FUNCTIONS["string_trim"](text) == result


def test_texts_become_one() -> None:
    assert strings.join(["x", "y"]) == "xy"
    assert strings.join(("x", "y"), "-") == "x-y"
    assert strings.join([]) == ""
    assert strings.join([], "-") == ""
    assert strings.concatenate("a", "b") == "ab"


@each(
    ("value", "printed"),
    [
        (1, "1"),
        (Uint(1), "1"),
        (1.5, "1.5"),
        (True, "true"),
        (None, "0"),
        (b"hi", "[104 105]"),
        (Duration(5_400_000_000_000), "1h30m0s"),
        (Timestamp(500_000_000), "1970-01-01 00:00:00.5 +0000 UTC"),
        (Timestamp(0, 5400), "1970-01-01 01:30:00 +0130 +0130"),
        (["a", 1], "[a, 1]"),
        ({"a": 1}, "{a: 1}"),
        (ABSENT, "optional.none()"),
        (Optional(True, 1), "optional(1)"),
        (NotImplemented, "NotImplemented"),
    ],
)
def test_only_texts_become_one(value: object, printed: str) -> None:
    assert error_of(lambda: strings.join(["a", value])) == f"join: invalid input: {printed}"


@each(
    ("text", "quoted"),
    [
        ("first\nsecond", r'"first\nsecond"'),
        ("bell\a", r'"bell\a"'),
        ("\bbackspace", r'"\bbackspace"'),
        ("\fform feed", r'"\fform feed"'),
        ("carriage \r return", r'"carriage \r return"'),
        ("horizontal tab\t", r'"horizontal tab\t"'),
        ("vertical \v tab", r'"vertical \v tab"'),
        (r"double \\ slash", r'"double \\\\ slash"'),
        ("verbatim", '"verbatim"'),
        ('mid string " quote', r'"mid string \" quote"'),
        ("printable unicode😀", '"printable unicode😀"'),
        ("завтра", '"завтра"'),
        ("\x01", '"\x01"'),
        ("\ud800", '"\ufffd"'),
        ("", '""'),
    ],
)
def test_literals(text: str, quoted: str) -> None:
    assert strings.quote(text) == quoted


@each(
    ("call", "message"),
    [
        (lambda: strings.char_at("tacocat", 30), "index out of range: 30"),
        (lambda: strings.char_at("tacocat", -1), "index out of range: -1"),
        (lambda: strings.find_index("tacocat", "a", -1), "index out of range: -1"),
        (lambda: strings.find_index("tacocat", "", -1), "index out of range: -1"),
        (lambda: strings.find_last_index("tacocat", "a", -1), "index out of range: -1"),
        (lambda: strings.find_last_index("tacocat", "", -1), "index out of range: -1"),
        (lambda: strings.substring("tacocat", 40), "index out of range: 40"),
        (lambda: strings.substring("tacocat", -1), "index out of range: -1"),
        (lambda: strings.substring("tacocat", 1, 50), "index out of range: 50"),
        (lambda: strings.substring("tacocat", 49, 50), "index out of range: 49"),
        (lambda: strings.substring("tacocat", 4, 3), "invalid substring range. start: 4, end: 3"),
    ],
)
def test_positions_outside_of_a_text(call: Callable[[], object], message: str) -> None:
    assert error_of(call) == message


@each(
    "call",
    [
        lambda: strings.concatenate(LONG, "a"),
        lambda: strings.replace(LONG, "a", "ab"),
        lambda: strings.replace("a" * 5000, "", "a" * 5000),
        lambda: strings.join(["a"] * 5000, "a" * 5000),
        lambda: strings.join([LONG, "a"]),
        lambda: strings.quote(LONG),
    ],
    ids=["sum", "replace", "between", "separators", "join", "quote"],
)
def test_results_are_bounded(call: Callable[[], object]) -> None:
    assert error_of(call) == "result is too large"


def test_a_result_may_be_as_long_as_the_bound() -> None:
    assert strings.concatenate(LONG[1:], "a") == LONG
    assert len(strings.replace(LONG, "a", "b")) == len(LONG)
