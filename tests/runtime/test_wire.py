"""JSON forms of types that decode themselves. Expectations were checked against upstream's decoders and `Semantic`."""

from __future__ import annotations

import datetime
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.runtime.shapes import ListOf, Wire
from validation_gen.runtime.wire import WIRE, Unpacked, identical, unpacked

texts = st.text(st.characters(exclude_categories=()))
keys = texts | st.integers() | st.floats() | st.booleans() | st.none()
leaves = keys | st.dates() | st.binary() | st.tuples(st.integers()) | st.sets(st.integers())
documents: st.SearchStrategy[Any] = st.recursive(
    leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=12
)
near_misses = st.text("0123456789.+-:eEinumkKMGTPZhsµ,= \n", max_size=12)

DAY = "2020-01-01T"
NOT_JSON: list[object] = [datetime.date(2020, 1, 1), b"YQ==", 1j, {1}, (1,)]

ACCEPTED: dict[str, list[object]] = {
    "quantity": [
        None, 0, 1, -3, 10**30, 1.5, 0.1, 1e22, 1e-7, "0", "0Ki", "1", "+1", "-1m", "00012", "1.", ".5", "1.5Gi", "3Ei",
        "5n", "4u", "3m", "8k", "7M", "6G", "5T", "2P", "1E", "1e3", "1E-3", "1e+5", "1e-10", " 1 ", "\u00a01",
        # Upstream reads a missing number as zero, as long as few digits are involved.
        "+", "-", ".", "-.", "k", "+k", "Ki", "Ti", "e3", "1e4294967296", "9" * 5000, "1e2147483647",
    ],
    "time": [
        None, DAY + "00:00:00Z", DAY + "23:59:59+05:30", DAY + "00:00:00-00:00", DAY + "00:00:00.5Z",
        DAY + "00:00:00.1234567890123Z", "2020-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "0000-02-29T00:00:00Z",
        "9999-12-31T23:59:59Z",
        # Go is lenient here.
        DAY + "1:02:03Z", DAY + "00:00:00,5Z", DAY + "00:00:00+24:60",
    ],
    "microtime": [
        None, DAY + "00:00:00.123456Z", DAY + "00:00:00.000000+01:00", DAY + "00:00:00,123456Z",
        DAY + "00:00:00.+12345Z", DAY + "00:00:00.-00000Z",
    ],
    "gotime": [None, DAY + "00:00:00.5Z"],
    "duration": [
        "0", "+0", "-0", "1s", "-1.5h", "+5ns", "1h2m3.5s", ".5s", "5.s", "1us", "1\u00b5s", "1\u03bcs", "1ms", "007m",
        "1s1s", "9223372036854775807ns", "-9223372036854775808ns", "2562047h47m16.854775807s", "0.1ns",
    ],
    "intorstring": [None, 0, -1, 2**31 - 1, -(2**31), "", "80%", "http"],
    "bytes": [None, "", "YQ==", "YWI=", "YWJj", "YR==", "YW\r\nJj\n", "YQ=\n=", [], [0, 255], [None]],
    "raw": [None, True, 1.5, "x", [], {"a": [1]}],
    "any": [None, True, 1.5, "x", [], {"a": [1]}],
}  # fmt: skip

REJECTED: dict[str, list[object]] = {
    "quantity": [
        True, False, [], {}, math.nan, math.inf, "", " ", "\n1", "1\t", "1 Ki", "1_0", "１", "٣", "1,5", "1.1.1", "1..",
        "0x1", "NaN", "Inf", "1e", "1ki", "1K", "1g", "1mi", "1Mi5", "1m3", "1+5", "0+5", "1ee5", "1e5k", "1e1.5",
        "--1", "+-1", "Pi", "-Ei", ".e-20", "5Kii", "1e99999999999999999999",
        "1e9223372036854775808", "\ud800", *NOT_JSON,
    ],
    "time": [
        0, True, [], {}, "", "2020-01-01", DAY + "00:00:00", DAY + "00:00:00z", "2020-01-01t00:00:00Z",
        "2020-01-01 00:00:00Z", DAY + "00:00:00Z\n", " " + DAY + "00:00:00Z", DAY + "00:00:00.Z", DAY + "00:00:00 Z",
        DAY + "24:00:00Z", DAY + "00:60:00Z", DAY + "00:00:60Z", DAY + "0:0:00Z", DAY + "00:00:00+0100",
        DAY + "00:00:00+25:00", DAY + "00:00:00+00:61", DAY + "00:00:00+1:00", "2019-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2020-00-01T00:00:00Z", "2020-13-01T00:00:00Z", "2020-01-00T00:00:00Z",
        "2020-1-01T00:00:00Z", "20200-01-01T00:00:00Z", "+020-01-01T00:00:00Z", "٢٠٢٠-01-01T00:00:00Z", *NOT_JSON,
    ],
    "microtime": [
        "", DAY + "00:00:00Z", DAY + "00:00:00.12345Z", DAY + "00:00:00.1234567Z", DAY + "00:00:00.-00001Z",
        DAY + "00:00:00.+1234Z", *NOT_JSON,
    ],
    "gotime": ["", 0, DAY + "00:00:00", *NOT_JSON],
    "duration": [
        None, 0, 5, True, [], {}, "", "1", "00", "s", ".s", "+", "1d", "1S", "1 s", " 1s", "1s\n", "1e3s", "--1s",
        "1s-1s", "9223372036854775808ns", "2562047h47m16.854775808s", "99999999999999999999ns", "٣s", *NOT_JSON,
    ],
    "intorstring": [True, False, 1.0, 1.5, 2**31, -(2**31) - 1, [], {}, *NOT_JSON],
    "bytes": [
        True, 5, {}, "YQ", "YQ=", "Y===", "====", "YQ==YQ==", "Y Q==", "YW-_", "YQ===", "é", ["a"], [256], [-1], [1.0],
        [True], [[1]], *NOT_JSON,
    ],
    "raw": [],
    "any": [],
}  # fmt: skip

REASONS = {
    "quantity": "must be a quantity",
    "time": "must be an RFC 3339 time",
    "microtime": "must be an RFC 3339 time with six decimals of the second",
    "gotime": "must be an RFC 3339 time",
    "duration": "must be a duration",
    "intorstring": "must be a 32-bit integer or a string",
    "bytes": "must be a base64 string",
}


for _table in (ACCEPTED, REJECTED):
    _table["exactquantity"] = _table["quantity"]
REASONS["exactquantity"] = REASONS["quantity"]


def _cases(table: dict[str, list[object]]) -> list[tuple[str, object]]:
    return [(kind, value) for kind, values in table.items() for value in values]


def test_the_kinds() -> None:
    assert set(WIRE) == set(ACCEPTED) == set(REJECTED)


@each(("kind", "value"), _cases(ACCEPTED), ids=lambda part: ascii(part)[:40])
def test_accepted(kind: str, value: object) -> None:
    assert WIRE[kind].check(value) is None
    assert WIRE[kind].same(value, value)


@each(("kind", "value"), _cases(REJECTED), ids=lambda part: ascii(part)[:40])
def test_rejected(kind: str, value: object) -> None:
    ending = ", not a date" if isinstance(value, datetime.date) else ""
    assert WIRE[kind].check(value) == REASONS[kind] + ending
    assert WIRE[kind].same(value, value)


SAME: list[tuple[str, list[object]]] = [
    ("quantity", [None, "0", 0, -0.0, "0Gi", "-0", "+", "k", "0e5", ".", "Ki", "0.000"]),
    ("quantity", ["1", 1, 1.0, "1000m", "1e0", "0.001k", "1e4294967296", "+01.0", " 1", "1000000000n"]),
    ("quantity", ["1Gi", "1024Mi", 1073741824, "1073741824", "1073741824000m"]),
    ("quantity", ["1.5Gi", "1536Mi"]),
    # Rounded away from zero to nanos, ...
    ("quantity", ["1n", "0.1n", "1e-10", "1e-100", "0.0000000001", "1e-2147483600"]),
    ("quantity", ["-1n", "-0.1n"]),
    ("quantity", ["1.0000000001Gi", "1073741824107374183n"]),
    # ... and binary amounts capped.
    ("quantity", ["9223372036854775807", "8Ei", "9Ei", "10000000000Ei"]),
    ("quantity", ["-9223372036854775807", "-9Ei"]),
    ("quantity", ["100E", "1e20"]),
    ("quantity", ["1" + "0" * 5000, "1e5000", "1000e4997"]),
    ("time", [None, "0001-01-01T00:00:00Z", "0001-01-01T01:00:00+01:00", "0000-12-31T23:00:00-01:00"]),
    ("time", [DAY + "00:00:00Z", DAY + "00:00:00.000Z", DAY + "01:00:00+01:00", "2019-12-31T22:30:00-01:30"]),
    ("time", [DAY + "00:00:00.5Z", DAY + "00:00:00,50Z", DAY + "0:00:00.5000000009Z"]),
    ("microtime", [DAY + "00:00:00.012345Z", DAY + "01:00:00.012345+01:00", DAY + "00:00:00.+12345Z"]),
    ("gotime", [DAY + "00:00:00Z", DAY + "01:00:00+01:00"]),
    ("duration", [None, "0", "0s", "-0h", "0.1ns", "-0.9ns"]),
    ("duration", ["1.5h", "90m", "1h30m", "5400s", "1h29m60s"]),
    ("duration", ["1us", "1\u00b5s", "1\u03bcs", "1000ns", "0.001ms", "1000.9ns"]),
    ("duration", ["0." + "0" * 10 + "9" * 20 + "h", "360ns"]),
    ("intorstring", [None, 0]),
    ("intorstring", ["80%", "80%"]),
    ("bytes", [None, "", [], "\n"]),
    ("bytes", ["YQ==", "YR==", "Y\nQ==", [97]]),
    ("raw", [{"a": 1, "b": [True]}, {"b": [True], "a": 1}]),
]

DIFFERENT: list[tuple[str, list[object]]] = [
    ("quantity", ["0", "1", "1n", "-1", "1Ki", "1k", "1u", "9223372036854775808", "8Ei", "1e2147483647"]),
    ("time", [None, DAY + "00:00:00Z", DAY + "00:00:00.000000001Z", DAY + "00:00:01Z", "0000-01-01T00:00:00Z"]),
    ("microtime", [None, DAY + "00:00:00.000001Z", DAY + "00:00:00.000002Z"]),
    ("duration", [None, "1ns", "-1ns", "1s"]),
    ("intorstring", [0, 1, "", "0", "1"]),
    ("bytes", ["", "YQ==", "YWI="]),
    ("raw", [None, 0, 0.0, False, "", [], {}, [0], [False], {"a": 1}, {"a": 1.0}, {"a": True}, {"a": None}]),
]


@each(("kind", "values"), SAME, ids=lambda part: ascii(part)[:40])
def test_same(kind: str, values: list[object]) -> None:
    for a in values:
        for b in values:
            assert WIRE[kind].same(a, b), (a, b)
            assert WIRE[kind].is_zero(a) == WIRE[kind].same(a, None)


@each(("kind", "values"), DIFFERENT, ids=lambda part: ascii(part)[:40])
def test_different(kind: str, values: list[object]) -> None:
    for i, a in enumerate(values):
        for j, b in enumerate(values):
            assert WIRE[kind].same(a, b) == (i == j), (a, b)


@each("kind", WIRE)
def test_nothing_is_zero(kind: str) -> None:
    assert WIRE[kind].is_zero(None)


def test_malformed_values_are_neither_zero_nor_equal_to_well_formed_ones() -> None:
    form = WIRE["quantity"]
    assert not form.is_zero("x")
    assert not form.same("x", "0")
    assert not form.same("x", None)
    assert not form.same("x", "y")
    assert form.same("x", "x")


@each(
    ("value", "want"),
    [
        (None, None),
        ("", b""),
        ("YQ==", b"a"),
        ("YR==", b"a"),
        ("YWI=", b"ab"),
        ("YWJj\n", b"abc"),
        ([1, None], b"\x01\x00"),
        (Unpacked(b"ab"), b"ab"),
        (b"ab", b""),
        ("x", b""),
        (5, b""),
        ("\ud800", b""),
    ],
    ids=ascii,
)
def test_unpacked(value: object, want: bytes | None) -> None:
    assert unpacked(value) == want


@each(
    ("form", "value", "want"),
    [
        ("quantity", None, "0"),
        ("quantity", "0Ki", "0"),
        ("quantity", "-0", "0"),
        ("quantity", "1.0", "1"),
        ("quantity", "+5", "+5"),
        ("quantity", 1000, "1k"),
        ("quantity", 1.5, "1500m"),
        ("quantity", "0.5", "500m"),
        ("quantity", "1500", "1500"),
        ("quantity", "2e4", "20e3"),
        ("quantity", "2e0", "2e0"),
        ("quantity", "20e-1", "2"),
        ("quantity", "1024Ki", "1Mi"),
        ("quantity", "1025Ki", "1025Ki"),
        ("quantity", "0.5Ki", "512"),
        ("quantity", "1.1Ki", "1126400m"),
        ("quantity", "-2048", "-2048"),
        ("quantity", "-8Ki", "-8Ki"),
        ("quantity", "100Ei", "9223372036854775807"),
        ("quantity", "1000E", "1"),  # beyond the greatest suffix Go writes none
        ("quantity", "0.0000000001", "1n"),
        ("exactquantity", None, "0"),
        ("exactquantity", "1000E", "1e21"),
        ("exactquantity", "-1234000E", "-1234e21"),
        ("exactquantity", "100E", "100E"),
        ("exactquantity", "1e21", "1e21"),
        ("exactquantity", "100Ei", "9223372036854775807"),
        ("exactquantity", "1024Ki", "1Mi"),
        ("exactquantity", "+9223372036854775807", "+9223372036854775807"),  # the fast way takes 64 bits
        ("exactquantity", "+9223372036854775808", "9223372036854775808"),
        ("exactquantity", "1e4294967297", "10"),  # is still cut to 32 bits
        ("exactquantity", "0e2147483648", "0e2147483648"),  # is refused, and stays as it is
        ("time", None, None),
        ("time", "0001-01-01T00:00:00Z", None),
        ("time", "2024-02-29T23:30:00.999+00:30", "2024-02-29T23:00:00Z"),
        ("time", "9999-12-31T23:59:59-01:00", "10000-01-01T00:59:59Z"),
        ("time", "0000-01-01T00:00:00+01:00", "-0001-12-31T23:00:00Z"),
        ("microtime", "0001-01-01T00:00:00.000000Z", None),
        ("microtime", "2024-02-29T23:30:00.120000+00:30", "2024-02-29T23:00:00.120000Z"),
        ("duration", None, "0s"),
        ("duration", "90m", "1h30m0s"),
        ("duration", "61500ms", "1m1.5s"),
        ("duration", "-1500us", "-1.5ms"),
        ("duration", "1001ns", "1.001\u00b5s"),
        ("duration", "7ns", "7ns"),
        ("intorstring", None, 0),
        ("intorstring", "5", "5"),
        ("bytes", None, None),
        ("bytes", "Y\nR==", "YQ=="),
        ("bytes", [97, 98], "YWI="),
        ("raw", None, None),
        ("raw", {"b": 1}, {"b": 1}),
    ],
    ids=ascii,
)
def test_encoding_as_go_does_it(form: str, value: object, want: object) -> None:
    assert WIRE[form].write(value) == want


@each(
    ("form", "value", "want"),
    [
        ("time", None, False),
        ("quantity", "0", False),
        ("bytes", "", True),
        ("bytes", [], True),
        ("bytes", "YQ==", False),
        ("any", None, True),
        ("any", 0, False),
    ],
)
def test_what_omitempty_leaves_out(form: str, value: object, want: bool) -> None:
    assert WIRE[form].is_empty(value) is want


@each(
    ("a", "b"),
    [
        (1, True),
        (1, 1.0),
        (0, False),
        (0.0, False),
        (1, "1"),
        (None, 0),
        ([], {}),
        ([1], [1, 2]),
        ([1, 2], [2, 1]),
        ([1], [True]),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": {"b": [1]}}, {"a": {"b": [1.0]}}),
        ({1: "x"}, {True: "x"}),
        ({1: "x"}, {1.0: "x"}),
        ({"1": "x"}, {1: "x"}),
        ("a\ud800", "a\ufffd"),
    ],
    ids=ascii,
)
def test_not_identical(a: object, b: object) -> None:
    assert not identical(a, b)
    assert not identical(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({None: 1, 2: [3]}, {2: [3], None: 1}),
        (math.nan, float("nan")),
        (0.0, -0.0),
        (datetime.date(2020, 1, 1), datetime.date(2020, 1, 1)),
    ],
    ids=ascii,
)
def test_identical(a: object, b: object) -> None:
    assert identical(a, b)
    assert identical(b, a)


def test_subclasses_count_as_their_json_type() -> None:
    class Text(str):
        __slots__ = ()

    class Table(dict[str, object]):
        pass

    assert identical(Table(a=Text("x")), {"a": "x"})
    assert not identical(Table(a=Text("1")), {"a": 1})


def test_objects_that_cannot_be_compared_are_not_identical() -> None:
    class Odd:
        __hash__ = object.__hash__

        def __eq__(self, other: object) -> bool:
            raise RuntimeError

    odd = Odd()
    assert identical(odd, odd)
    assert not identical(odd, Odd())


def _deep(leaf: object) -> object:
    for _ in range(20_000):
        leaf = [{"a": leaf}]
    return leaf


def test_depth_is_not_limited() -> None:
    assert identical(_deep(1), _deep(1))
    assert not identical(_deep(1), _deep(True))
    assert WIRE["raw"].same(_deep(1), _deep(1))


def test_cycles_end() -> None:
    def looped(leaf: object) -> object:
        outer: dict[str, object] = {"leaf": leaf}
        outer["self"] = [outer]
        return outer

    assert identical(looped(1), looped(1))
    assert not identical(looped(1), looped(2))


def test_shared_parts_are_compared_once() -> None:
    def doubled() -> object:
        value: object = [1]
        for _ in range(200):
            value = [value, value]
        return value

    assert identical(doubled(), doubled())


def test_immense_numbers_take_no_immense_time() -> None:
    form = WIRE["quantity"]
    nines = "9" * 10**5
    for text in ("1e2147483647", "1e-2147483648", f"{nines}e2147483647", f"0.{nines}Ei", f"{nines}Ei"):
        assert form.check(text) is None
        assert form.same(text, text + " ")
        assert not form.same(text, "1e2147483646")
    assert WIRE["duration"].check("1" * 10**5) is not None


@given(documents | near_misses, documents | near_misses)
def test_never_raises(a: object, b: object) -> None:
    for form in WIRE.values():
        assert form.check(a) in (None, form.reason, f"{form.reason}, not a date")
        assert form.same(a, a)
        assert form.same(a, b) == form.same(b, a)
        assert form.is_zero(a) == form.same(a, None)
        form.write(a if form.check(a) is None else None)
        form.is_empty(a)
    assert unpacked(a) is None or isinstance(unpacked(a), bytes)
    assert identical(a, a)
    assert identical(a, b) == identical(b, a)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_a_copy_is_identical(value: object) -> None:
    assert identical(value, json.loads(json.dumps(value)))


@given(st.datetimes(), st.integers(-23 * 60, 23 * 60))
def test_times_of_python_decode(moment: datetime.datetime, minutes: int) -> None:
    zone = datetime.timezone(datetime.timedelta(minutes=minutes))
    text = moment.replace(tzinfo=zone).isoformat(timespec="microseconds")
    assert WIRE["microtime"].check(text) is None
    assert WIRE["time"].same(text, text.replace("+00:00", "Z"))


@given(st.datetimes(datetime.datetime(2, 1, 1), datetime.datetime(9998, 1, 1)), st.integers(-23 * 60, 23 * 60))
def test_the_zone_does_not_matter(moment: datetime.datetime, minutes: int) -> None:
    utc = moment.replace(tzinfo=datetime.timezone.utc)
    elsewhere = utc.astimezone(datetime.timezone(datetime.timedelta(minutes=minutes)))
    assert WIRE["time"].same(utc.isoformat(), elsewhere.isoformat())
    assert not WIRE["time"].same(utc.isoformat(), (elsewhere + datetime.timedelta(microseconds=1)).isoformat())


@given(st.integers(-(2**63), 2**63 - 1))
def test_durations_in_nanoseconds_decode(nanoseconds: int) -> None:
    assert WIRE["duration"].check(f"{nanoseconds}ns") is None
    assert WIRE["duration"].is_zero(f"{nanoseconds}ns") == (nanoseconds == 0)


@each("name", WIRE)
def test_forms_that_take_texts_alone_say_so(name: str) -> None:
    """Of all others, Python holds values for equal that differ: `1 == True == 1.0`."""
    form = WIRE[name]
    values: list[object] = [1, True, 1.0, [], {}]
    assert form.text_only == all(form.check(value) is not None for value in values)


def test_one_is_not_true() -> None:
    for name in ("any", "raw"):
        shape = Wire(WIRE[name])
        assert not shape.same(1, True)
        assert not shape.unchanged(1, True)
        assert not ListOf(shape).unchanged([1], [True])
        assert shape.same({"a": 1}, {"a": 1})
