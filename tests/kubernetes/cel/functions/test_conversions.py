"""What can be converted to what, and what it becomes."""

from __future__ import annotations

import math

from tests.kubernetes.cel.functions.helpers import error_of
from tests.tables import each
from validation_gen.kubernetes.cel.functions.conversions import CONVERSIONS
from validation_gen.kubernetes.cel.functions.numbers import type_name
from validation_gen.kubernetes.cel.values import (
    ABSENT,
    INT_LEAST,
    INT_MOST,
    UINT_MOST,
    Duration,
    Timestamp,
    TypeValue,
    Uint,
)


@each(
    ("function", "value", "result"),
    [
        ("int", -4, -4),
        ("int", Uint(4), 4),
        ("int", 4.2, 4),
        ("int", -4.7, -4),
        ("int", 9223372036854774784.0, 9223372036854774784),
        ("int", "-1", -1),
        ("int", "+007", 7),
        ("int", "-9223372036854775808", INT_LEAST),
        ("int", "0" * 5000 + "1", 1),
        ("int", Timestamp(7654_000_000_321), 7654),
        ("int", Timestamp(-1), -1),
        ("int", Duration(7506000001000), 7506000001000),
        ("uint", 4, Uint(4)),
        ("uint", Uint(UINT_MOST), Uint(UINT_MOST)),
        ("uint", 4.9, Uint(4)),
        ("uint", "18446744073709551615", Uint(UINT_MOST)),
        ("double", 4, 4.0),
        ("double", Uint(4), 4.0),
        ("double", -4.2, -4.2),
        ("double", INT_MOST, 9223372036854775807.0),
        ("double", "2.5", 2.5),
        ("double", "-.5e1", -5.0),
        ("double", "1_23.50_0_0e+1_2", 1.235e14),
        ("double", "0x_1_2.3_4_5p+1_2", 74565.0),
        ("double", "0x1p-2", 0.25),
        ("double", "-Infinity", -math.inf),
        ("double", "+inf", math.inf),
        ("double", "1e-400", 0.0),
        ("bool", True, True),
        ("bool", "1", True),
        ("bool", "True", True),
        ("bool", "f", False),
        ("bytes", "héllo", "héllo".encode()),
        ("bytes", "\ud800", b"\xef\xbf\xbd"),
        ("bytes", b"\xff", b"\xff"),
        ("string", "goodbye", "goodbye"),
        ("string", True, "true"),
        ("string", False, "false"),
        ("string", -4, "-4"),
        ("string", Uint(4), "4"),
        ("string", b"h\xc3\xa9llo", "héllo"),
        ("string", Timestamp(7654_000_000_321), "1970-01-01T02:07:34.000000321Z"),
        ("string", Duration(7506000001000), "7506.000001s"),
        ("timestamp", 946684800, Timestamp(946684800_000_000_000)),
        ("timestamp", Timestamp(1), Timestamp(1)),
        ("timestamp", "2017-01-01T00:00:00Z", Timestamp(1483228800_000_000_000)),
        ("duration", Duration(1), Duration(1)),
        ("duration", "1h5s", Duration(3605_000_000_000)),
        ("dyn", [1], [1]),
    ],
)
def test_a_value_becomes_another(function: str, value: object, result: object) -> None:
    found = CONVERSIONS[function](value)
    assert found == result
    assert type(found) is type(result)


def test_not_a_number() -> None:
    found = CONVERSIONS["double"]("nan")
    assert isinstance(found, float)
    assert math.isnan(found)


@each(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (-4.5, "-4.5"),
        (-1.23e4, "-12300"),
        (100000.0, "100000"),
        (1000000.0, "1e+06"),
        (123456789.0, "1.23456789e+08"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (2e-09, "2e-09"),
        (1e100, "1e+100"),
        (5e-324, "5e-324"),
        (0.1, "0.1"),
        (math.inf, "+Inf"),
        (-math.inf, "-Inf"),
        (math.nan, "NaN"),
    ],
)
def test_doubles_in_texts(value: float, text: str) -> None:
    assert CONVERSIONS["string"](value) == text


@each(
    ("function", "value", "message"),
    [
        ("int", Uint(INT_MOST + 1), "integer overflow"),
        ("int", math.nan, "integer overflow"),
        ("int", math.inf, "integer overflow"),
        ("int", float(INT_MOST), "integer overflow"),
        ("int", float(INT_LEAST), "integer overflow"),
        ("uint", -1, "unsigned integer overflow"),
        ("uint", -0.5, "unsigned integer overflow"),
        ("uint", math.nan, "unsigned integer overflow"),
        ("uint", float(UINT_MOST), "unsigned integer overflow"),
        ("string", b"\xff", "invalid UTF-8 in bytes, cannot convert to string"),
        ("timestamp", 253402300800, "timestamp overflow"),
    ],
)
def test_what_has_no_place_in_a_type(function: str, value: object, message: str) -> None:
    assert error_of(lambda: CONVERSIONS[function](value)) == message


@each(
    ("function", "text"),
    [
        ("int", ""),
        ("int", "1.0"),
        ("int", "1_000"),
        ("int", " 1"),
        ("int", "٣"),
        ("int", "0x1"),
        ("int", "9223372036854775808"),
        ("int", "1" * 5000),
        ("uint", "-1"),
        ("uint", "+1"),
        ("uint", "18446744073709551616"),
        ("double", ""),
        ("double", "1__2"),
        ("double", "_1"),
        ("double", "+nan"),
        ("double", "1e400"),
        ("double", "0x1p1024"),
        ("double", "0x1"),
        ("bool", "tRUE"),
        ("bool", "yes"),
    ],
)
def test_what_no_text_is(function: str, text: str) -> None:
    message = f"type conversion error from 'string' to '{function}'"
    assert error_of(lambda: CONVERSIONS[function](text)) == message


@each(
    ("function", "value", "type"),
    [
        ("int", True, "bool"),
        ("int", None, "null_type"),
        ("uint", Timestamp(0), "google.protobuf.Timestamp"),
        ("double", Duration(0), "google.protobuf.Duration"),
        ("bool", 1, "int"),
        ("bytes", 1.0, "double"),
        ("string", None, "null_type"),
        ("string", {}, "map"),
        ("timestamp", Uint(0), "uint"),
        ("duration", 1, "int"),
        ("string", TypeValue("int"), "type"),
        ("string", ABSENT, "optional_type"),
        ("bool", [True], "list"),
        ("bool", b"", "bytes"),
    ],
)
def test_what_no_conversion_takes(function: str, value: object, type: str) -> None:
    assert error_of(lambda: CONVERSIONS[function](value)) == f"no such overload: {function}({type})"


def test_values_may_name_their_type() -> None:
    class Quantity:
        type_name = "kubernetes.Quantity"

    assert type_name(Quantity()) == "kubernetes.Quantity"
    assert type_name("text") == "string"
