"""`string.format`: what each clause makes of each type, and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import pytest

from tests.kubernetes.cel.functions.helpers import error_of
from tests.tables import each
from validation_gen.kubernetes.cel.functions import strings
from validation_gen.kubernetes.cel.functions.formatting import format_string
from validation_gen.kubernetes.cel.functions.times import parse_duration, parse_timestamp
from validation_gen.kubernetes.cel.values import ABSENT, INT_LEAST, TypeValue, Uint

_NANOSECONDS = parse_duration("2ns")


class Elements(Sequence[object]):
    """A list that is no `list`."""

    def __init__(self, *elements: object) -> None:
        self.elements = elements

    @overload
    def __getitem__(self, index: int) -> object: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[object]: ...
    def __getitem__(self, index: int | slice) -> object:
        return self.elements[index]

    def __len__(self) -> int:
        return len(self.elements)


class Entries(Mapping[str, object]):
    """A map that is no `dict`."""

    def __getitem__(self, key: str) -> object:
        return key * 2

    def __iter__(self) -> Iterator[str]:
        return iter("ba")

    def __len__(self) -> int:
        return 2


@each(
    ("text", "arguments", "result"),
    [
        ("no substitution", [], "no substitution"),
        ("str is %s and some more", ["filler"], "str is filler and some more"),
        ("%% and also %%", [], "% and also %"),
        ("%%%s%%", ["text"], "%text%"),
        ("%s%%", ["percent on the right"], "percent on the right%"),
        ("%%%s", ["percent on the left"], "%percent on the left"),
        ("%d %d, %s %s", [1, 2, "A", "B"], "1 2, A B"),
        ("%s", ["a", "left over"], "a"),
        ("é%sé", ["é"], "ééé"),
        ("", [], ""),
    ],
)
def test_texts(text: str, arguments: list[object], result: str) -> None:
    assert format_string(text, arguments) == result


@each(
    ("clause", "argument", "result"),
    [
        ("%.3f", 1.2345, "1.234"),
        ("%f", 2.71828, "2.718280"),
        ("%.0f", 2.5, "2"),
        ("%.1f", 1.0, "1.0"),
        ("%f", 1234.5678e3, "1,234,567.800000"),
        ("%f", 1234.5678e-8, "0.000012"),
        ("%f", -7.0, "-7.000000"),
        ("%f", -1e-9, "-0.000000"),
        ("%f", -0.0, "0.000000"),
        ("%.2f", 12345678901.23456789, "12,345,678,901.23"),
        ("%.02f", 1.5, "1.50"),
        ("%.200f", 1.0, f"1.{'0' * 200}"),
        ("%.300f", 1.5, f"1.5{'0' * 43}"),
        ("%.32768f", 0.1, "0.1"),
        ("%.10000010f", 1.5, "%!(NOVERB)"),
        ("%f", "NaN", "NaN"),
        ("%f", "Infinity", "∞"),
        ("%f", "-Infinity", "-∞"),
        ("%f", math.inf, "∞"),
        ("%.6e", 1052.032911275, "1.052033×10⁰³"),
        ("%e", 2.71828, "2.718280×10⁰⁰"),
        ("%e", 1234.5678e-8, "1.234568×10⁻⁰⁵"),
        ("%e", -7.0, "-7.000000×10⁰⁰"),
        ("%e", 0.0, "0.000000×10⁰⁰"),
        ("%.0e", 1.6e100, "2×10¹⁰⁰"),
        ("%.32768e", 0.125, "1.25×10⁻⁰¹"),
        ("%e", "NaN", "NaN"),
        ("%e", -math.inf, "-∞"),
        ("%b", 5, "101"),
        ("%b", -5, "-101"),
        ("%b", INT_LEAST, f"-1{'0' * 63}"),
        ("%b", Uint(64), "1000000"),
        ("%b", True, "1"),
        ("%b", False, "0"),
        ("%o", 11, "13"),
        ("%o", -11, "-13"),
        ("%o", Uint(65535), "177777"),
        ("%x", 30, "1e"),
        ("%X", 30, "1E"),
        ("%x", -30, "-1e"),
        ("%X", Uint(6000), "1770"),
        ("%x", "Hello world!", "48656c6c6f20776f726c6421"),
        ("%X", "Hello world!", "48656C6C6F20776F726C6421"),
        ("%x", "é", "c3a9"),
        ("%x", b"\x00\x00byte string\x00", "00006279746520737472696e6700"),
        ("%X", b"byte string", "6279746520737472696E67"),
        ("%d", 64, "64"),
        ("%d", Uint(64), "64"),
        ("%.2d", 64, "64"),
    ],
)
def test_numbers(clause: str, argument: object, result: str) -> None:
    assert format_string(clause, [argument]) == result


@each(
    ("argument", "result"),
    [
        (2.71, "2.71"),
        (0.000000002, "2e-09"),
        (math.nan, "NaN"),
        (math.inf, "+Inf"),
        (-math.inf, "-Inf"),
        (999999999999, "999999999999"),
        (None, "null"),
        (True, "true"),
        (b"xyz", "xyz"),
        (TypeValue("string"), "string"),
        (parse_timestamp("2023-02-03T23:31:20+00:00"), "2023-02-03T23:31:20Z"),
        (parse_duration("1h45m47s"), "6347s"),
        (_NANOSECONDS, "0.000000002s"),
        ([2.71], "[2.710000]"),
        ([0.000000002], "[0.000000]"),
        ([math.nan, math.inf, -math.inf], '["NaN", "+Inf", "-Inf"]'),
        ([[[1, 2, [3.0, 4]]]], "[[[1, 2, [3.000000, 4]]]]"),
        (["\n\u200b", "é"], r'["\n\u200b", "é"]'),
        ([TypeValue("int"), Uint(1), False], "[int, 1, false]"),
        ([], "[]"),
        ({}, "{}"),
        (
            ["abc", 3.14, None, [9, 8, 7, 6], parse_timestamp("2023-02-03T23:31:20Z")],
            '["abc", 3.140000, null, [9, 8, 7, 6], timestamp("2023-02-03T23:31:20Z")]',
        ),
        (
            {"key1": b"xyz", "key5": None, "key2": parse_duration("2h"), "key4": True, "key3": 2.71828},
            '{"key1":b"xyz", "key2":duration("7200s"), "key3":2.718280, "key4":true, "key5":null}',
        ),
        ({1: "value1", Uint(2): "value2"}, '{1:"value1", 2:"value2"}'),
        ({"strKey": "x", True: 42, 6: parse_duration("7m2s")}, '{"strKey":"x", 6:duration("422s"), true:42}'),
        (Elements(1, Elements("a")), '[1, ["a"]]'),
        (Entries(), '{"a":"aa", "b":"bb"}'),
    ],
)
def test_values_as_texts(argument: object, result: str) -> None:
    assert format_string("is %s", [argument]) == f"is {result}"


_STRING = (
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and "
    "timestamps"
)
_HEX = "only integers, byte buffers, and strings can be formatted as hex"


class Quantity:
    type_name = "kubernetes.Quantity"


@each(
    ("clause", "argument", "message"),
    [
        ("%s", Quantity(), f"{_STRING}, was given kubernetes.Quantity"),
        ("%s", ABSENT, f"{_STRING}, was given optional_type"),
        ("%s", [1, Quantity()], "no formatting function for kubernetes.Quantity"),
        ("%s", {1: Quantity()}, "no formatting function for kubernetes.Quantity"),
        ("%s", {1.5: 1}, "no formatting function for map key of type double"),
        (
            "%s",
            b"\xff",
            'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
        ),
        (
            "%s",
            [b"\xff"],
            'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
        ),
        (
            "%d",
            parse_duration("30m2s"),
            "decimal clause can only be used on integers, was given google.protobuf.Duration",
        ),
        ("%d", 5.2, "decimal clause can only be used on integers, was given double"),
        ("%d", True, "decimal clause can only be used on integers, was given bool"),
        ("%d", None, "decimal clause can only be used on integers, was given null_type"),
        ("%f", True, "fixed-point clause can only be used on doubles, was given bool"),
        ("%f", 1, "fixed-point clause can only be used on doubles, was given int"),
        ("%f", "1.5", "fixed-point clause can only be used on doubles, was given string"),
        ("%f", [], "fixed-point clause can only be used on doubles, was given list"),
        ("%e", None, "scientific clause can only be used on doubles, was given null_type"),
        ("%b", "abc", "only integers and bools can be formatted as binary, was given string"),
        ("%o", "a string", "octal clause can only be used on integers, was given string"),
        ("%o", True, "octal clause can only be used on integers, was given bool"),
        ("%x", 0.5, f"{_HEX}, was given double"),
        ("%X", None, f"{_HEX}, was given null_type"),
        ("%x", True, f"{_HEX}, was given bool"),
    ],
)
def test_what_does_not_fit_a_clause(clause: str, argument: object, message: str) -> None:
    assert error_of(lambda: format_string(f"a {clause}", [argument])) == f"error during formatting: {message}"


_CLAUSE = "could not parse formatting clause"
_PRECISION = f"{_CLAUSE}: error while parsing precision"
_CONVERSION = f"{_PRECISION}: error while converting precision to integer"


@each(
    ("text", "arguments", "message"),
    [
        ("%a", [1], f'{_CLAUSE}: unrecognized formatting clause "a"'),
        ("%E", [0.5], f'{_CLAUSE}: unrecognized formatting clause "E"'),
        ("%é", [0.5], f'{_CLAUSE}: unrecognized formatting clause "Ã"'),
        ("%d %d %d", [0, 1], "index 2 out of range"),
        ("filler %", [], "index 0 out of range"),
        ("filler %", [1], "unexpected end of string"),
        ("double is %.34", [5.0], f"{_PRECISION}: could not find end of precision specifier"),
        (
            "%.f",
            [5.0],
            f'{_CONVERSION}: strconv.Atoi: parsing "": invalid syntax',
        ),
        (
            "%.9223372036854775808f",
            [5.0],
            f'{_CONVERSION}: strconv.Atoi: parsing "9223372036854775808": value out of range',
        ),
    ],
)
def test_formats_that_are_none(text: str, arguments: list[object], message: str) -> None:
    assert error_of(lambda: format_string(text, arguments)) == message


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("%s%s", "a" * strings.MOST_CHARACTERS),
        ("%s", ["a" * strings.MOST_CHARACTERS]),
        ("%x", "a" * strings.MOST_CHARACTERS),
    ],
    ids=["text", "list", "digits"],
)
def test_results_are_bounded(text: str, argument: Any) -> None:
    assert error_of(lambda: format_string(text, [argument, argument])) == "result is too large"
