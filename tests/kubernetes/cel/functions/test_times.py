"""Timestamps and durations as cel-go reads, writes, adds and takes them apart."""

from __future__ import annotations

import pytest

from tests.kubernetes.cel.functions.helpers import error_of
from tests.tables import each
from validation_gen.kubernetes.cel.functions import times
from validation_gen.kubernetes.cel.values import INT_LEAST, INT_MOST, Duration, Timestamp

SECOND = 1_000_000_000
HOUR = 3_600 * SECOND
FIRST, LAST = -62_135_596_800 * SECOND, 253_402_300_799 * SECOND


@each(
    ("text", "nanoseconds", "again"),
    [
        ("1970-01-01T02:07:34Z", 7654 * SECOND, "1970-01-01T02:07:34Z"),
        ("1970-01-01T02:07:34.000000321Z", 7654 * SECOND + 321, "1970-01-01T02:07:34.000000321Z"),
        ("1970-01-01T00:00:00.1230Z", SECOND * 123 // 1000, "1970-01-01T00:00:00.123Z"),
        ("1970-01-01T00:00:00.1234567899Z", 123_456_789, "1970-01-01T00:00:00.123456789Z"),
        ("1970-01-01T00:00:00,5Z", SECOND // 2, "1970-01-01T00:00:00.5Z"),
        ("1970-01-01T1:00:00Z", HOUR, "1970-01-01T01:00:00Z"),
        ("2023-02-03T23:31:20+00:00", 1_675_467_080 * SECOND, "2023-02-03T23:31:20Z"),
        ("1970-01-01T02:00:00+02:00", 0, "1970-01-01T02:00:00+02:00"),
        ("1969-12-31T22:30:00-01:30", 0, "1969-12-31T22:30:00-01:30"),
        ("1970-01-02T01:00:00+24:60", 0, "1970-01-02T01:00:00+25:00"),
        ("0001-01-01T00:00:00Z", FIRST, "0001-01-01T00:00:00Z"),
        ("0000-12-31T23:00:00-01:00", FIRST, "0000-12-31T23:00:00-01:00"),
        ("9999-12-31T23:59:59.999999999Z", LAST + SECOND - 1, "9999-12-31T23:59:59.999999999Z"),
        ("2024-02-29T00:00:00Z", 1_709_164_800 * SECOND, "2024-02-29T00:00:00Z"),
    ],
)
def test_timestamps_are_read_and_written(text: str, nanoseconds: int, again: str) -> None:
    timestamp = times.parse_timestamp(text)
    assert timestamp == Timestamp(nanoseconds)
    assert times.format_timestamp(timestamp) == again


@each(
    "text",
    ["", "2023", "2023-02-29T00:00:00Z", "2023-01-01 00:00:00Z", "2023-01-01T00:00:00", "2023-01-01T24:00:00Z"],
)
def test_what_is_no_timestamp_is_no_string_of_one(text: str) -> None:
    message = "type conversion error from 'string' to 'google.protobuf.Timestamp'"
    assert error_of(lambda: times.parse_timestamp(text)) == message


def test_timestamps_are_of_four_digits_of_years() -> None:
    assert error_of(lambda: times.parse_timestamp("0000-12-31T23:59:59Z")) == "timestamp overflow"
    assert error_of(lambda: times.parse_timestamp("9999-12-31T23:59:59-00:01")) == "timestamp overflow"
    assert error_of(lambda: times.timestamp_from_int(LAST // SECOND + 1)) == "timestamp overflow"
    assert times.timestamp_from_int(7654) == Timestamp(7654 * SECOND)


@each(
    ("text", "nanoseconds", "again"),
    [
        ("2h", 2 * HOUR, "7200s"),
        ("1h45m47s", 6347 * SECOND, "6347s"),
        ("2ns", 2, "0.000000002s"),
        ("-1.5h", -HOUR * 3 // 2, "-5400s"),
        ("0", 0, "0s"),
        ("7506.000001s", 7506 * SECOND + 1000, "7506.000001s"),
        ("2562047h47m16.854775807s", INT_MOST, "9223372036.854776s"),
        ("-2562047h47m16.854775808s", INT_LEAST, "-9223372036.854776s"),
    ],
)
def test_durations_are_read_and_written(text: str, nanoseconds: int, again: str) -> None:
    duration = times.parse_duration(text)
    assert duration == Duration(nanoseconds)
    assert times.format_duration(duration) == again


@each("text", ["", "1", "1d", "s", "1 s", "2562047h47m16.854775808s"])
def test_what_is_no_duration_is_no_string_of_one(text: str) -> None:
    message = "type conversion error from 'string' to 'google.protobuf.Duration'"
    assert error_of(lambda: times.parse_duration(text)) == message


def test_sums() -> None:
    hour, moment = Duration(HOUR), Timestamp(3506 * SECOND)
    assert times.add(moment, Duration(HOUR - 1_000_000)) == Timestamp(7106 * SECOND - 1_000_000)
    assert times.add(hour, moment) == Timestamp(7106 * SECOND)
    assert times.add(hour, hour) == Duration(2 * HOUR)
    assert times.add(Timestamp(SECOND + 1), Duration(-999_999_999)) == Timestamp(2)


def test_differences() -> None:
    moment = Timestamp(3506 * SECOND)
    assert times.subtract(Timestamp(100 * SECOND), Timestamp(SECOND)) == Duration(99 * SECOND)
    assert times.subtract(moment, Duration(HOUR)) == Timestamp(-94 * SECOND)
    assert times.subtract(Duration(HOUR), Duration(HOUR)) == Duration(0)
    assert times.subtract(Timestamp(FIRST + 2), Duration(-999_999_999)) == Timestamp(FIRST + SECOND + 1)


def test_a_sum_keeps_the_offset() -> None:
    moment = times.parse_timestamp("1970-01-01T02:00:00+02:00")
    later = times.add(Duration(HOUR), moment)
    assert isinstance(later, Timestamp)
    assert times.format_timestamp(later) == "1970-01-01T03:00:00+02:00"


def test_what_does_not_fit_is_an_error() -> None:
    longest, shortest, bit = Duration(INT_MOST), Duration(INT_LEAST), Duration(1)
    assert error_of(lambda: times.add(Timestamp(LAST), Duration(SECOND))) == "timestamp overflow"
    assert error_of(lambda: times.subtract(Timestamp(FIRST), Duration(SECOND))) == "timestamp overflow"
    assert error_of(lambda: times.subtract(Timestamp(SECOND), shortest)) == "integer overflow"
    assert error_of(lambda: times.subtract(Timestamp(LAST), Timestamp(FIRST))) == "integer overflow"
    assert error_of(lambda: times.add(longest, bit)) == "integer overflow"
    assert error_of(lambda: times.subtract(shortest, bit)) == "integer overflow"
    assert error_of(lambda: times.negate(shortest)) == "integer overflow"
    assert times.negate(longest) == Duration(INT_LEAST + 1)


def test_a_difference_must_fit_without_its_fractions() -> None:
    seconds = (1 << 63) // SECOND + 1
    earlier, later = Timestamp(0), Timestamp(seconds * SECOND)
    assert error_of(lambda: times.subtract(Timestamp(earlier.nanoseconds + SECOND // 2), later)) == "integer overflow"


@each(
    ("function", "zone", "part"),
    [
        ("getFullYear", "UTC", 1970),
        ("getMonth", "UTC", 0),
        ("getDayOfYear", "UTC", 0),
        ("getDayOfMonth", "UTC", 0),
        ("getDate", "UTC", 1),
        ("getDayOfWeek", "UTC", 4),
        ("getHours", "UTC", 2),
        ("getMinutes", "UTC", 5),
        ("getSeconds", "UTC", 6),
        ("getMilliseconds", "UTC", 1),
        ("getFullYear", "-07:30", 1969),
        ("getMonth", "-07:30", 11),
        ("getDayOfYear", "-07:30", 364),
        ("getDayOfMonth", "-07:30", 30),
        ("getDate", "-07:30", 31),
        ("getDayOfWeek", "-07:30", 3),
        ("getHours", "-07:30", 18),
        ("getMinutes", "-07:30", 35),
        ("getSeconds", "-07:30", 6),
        ("getMilliseconds", "-07:30", 1),
        ("getHours", "23:15", 1),
        ("getMinutes", "23:15", 20),
        ("getMinutes", "-00:05", 0),
        ("getMinutes", "00:90", 35),
        ("getHours", "+2:+0", 4),
        ("getHours", "", 2),
        ("getDayOfMonth", "America/Phoenix", 30),
        ("getHours", "America/St_Johns", 22),
        ("getMinutes", "America/St_Johns", 35),
    ],
)
def test_the_parts_of_a_timestamp(function: str, zone: str, part: int) -> None:
    assert times.part_of_timestamp(function, Timestamp(7506 * SECOND + 1_000_000), zone) == part


def test_parts_are_those_of_utc_whatever_the_text_said() -> None:
    assert times.part_of_timestamp("getHours", times.parse_timestamp("1970-01-01T02:00:00+02:00")) == 0


@each(
    ("zone", "message"),
    [
        ("Mars/Olympus", "unknown time zone Mars/Olympus"),
        ("Europe", "unknown time zone Europe"),
        ("../etc/passwd", "time: invalid location name"),
        ("/etc/passwd", "time: invalid location name"),
        (":30", 'strconv.Atoi: parsing "": invalid syntax'),
        ("a:30", 'strconv.Atoi: parsing "a": invalid syntax'),
        ("02:b", 'strconv.Atoi: parsing "b": invalid syntax'),
        ("02:00:00", 'strconv.Atoi: parsing "00:00": invalid syntax'),
        ("9223372036854775808:0", 'strconv.Atoi: parsing "9223372036854775808": value out of range'),
    ],
)
def test_what_is_no_zone(zone: str, message: str) -> None:
    assert error_of(lambda: times.part_of_timestamp("getHours", Timestamp(0), zone)) == message


@pytest.mark.parametrize(("nanoseconds", "zone", "year"), [(FIRST, "-01:00", 0), (LAST, "+01:00", 10_000)])
def test_a_zone_may_lie_in_another_age(nanoseconds: int, zone: str, year: int) -> None:
    assert times.part_of_timestamp("getFullYear", Timestamp(nanoseconds), zone) == year
    assert times.part_of_timestamp("getHours", Timestamp(nanoseconds), "Asia/Tokyo") in (8, 9)


@each(
    ("function", "duration", "whole"),
    [
        ("getHours", Duration(7506 * SECOND), 2),
        ("getMinutes", Duration(7506 * SECOND), 125),
        ("getSeconds", Duration(7506 * SECOND), 7506),
        ("getMilliseconds", Duration(7506 * SECOND), 7_506_000),
        ("getHours", Duration(-HOUR * 3 // 2), -1),
        ("getSeconds", Duration(-SECOND * 3 // 2), -1),
        ("getMilliseconds", Duration(-1_500_000), -1),
        ("getSeconds", Duration(9_000_000_000 * SECOND + SECOND - 1), 9_000_000_001),
    ],
)
def test_a_duration_in_units(function: str, duration: Duration, whole: int) -> None:
    assert times.part_of_duration(function, duration) == whole


def test_dates_of_schemas() -> None:
    assert times.parse_date("1970-01-02") == Timestamp(24 * HOUR)
    message = (
        'Invalid date formatted string 1970-1-2: parsing time "1970-1-2" as "2006-01-02": cannot parse "1-2" as "01"'
    )
    assert error_of(lambda: times.parse_date("1970-1-2")) == message


@each(
    ("text", "nanoseconds"),
    [
        ("", 0),
        ("1970-01-01T01:00:00Z", HOUR),
        ("1970-01-01T01:00:00.5+01:00", SECOND // 2),
        ("1970-01-01T01:00:00", HOUR),
        ("1970-01-01T01:00:00.5", HOUR + SECOND // 2),
        ("1970-01-01T01:00:00.+00012Z", HOUR + 12_000),
        ("1970-01-01T01:00:00.-00Z", HOUR),
        ("0000-01-01T00:00:00Z", FIRST - 366 * 24 * HOUR),
    ],
)
def test_times_of_schemas(text: str, nanoseconds: int) -> None:
    assert times.parse_date_time(text) == Timestamp(nanoseconds)


_LAYOUT = "2006-01-02T15:04:05"


@each(
    ("text", "problem"),
    [
        ("abc", f'parsing time "abc" as "{_LAYOUT}": cannot parse "abc" as "2006"'),
        ("2023", f'parsing time "2023" as "{_LAYOUT}": cannot parse "" as "-"'),
        ("2023-1", f'parsing time "2023-1" as "{_LAYOUT}": cannot parse "1" as "01"'),
        ("2023-01-01 0", f'parsing time "2023-01-01 0" as "{_LAYOUT}": cannot parse " 0" as "T"'),
        ("2023-13-01T", 'parsing time "2023-13-01T": month out of range'),
        ("2023-01-01T24:00:00Z", 'parsing time "2023-01-01T24:00:00Z": hour out of range'),
        ("2023-01-01T00:60:00Z", 'parsing time "2023-01-01T00:60:00Z": minute out of range'),
        ("2023-01-01T00:00:60Z", 'parsing time "2023-01-01T00:00:60Z": second out of range'),
        ("2023-01-01T00:00:00X", 'parsing time "2023-01-01T00:00:00X": extra text: "X"'),
        ("2023-01-01T00:00:00+25:00", 'parsing time "2023-01-01T00:00:00+25:00": extra text: "+25:00"'),
        ("2023-02-29T00:00:00", 'parsing time "2023-02-29T00:00:00": day out of range'),
        ('é"', f'parsing time "\\xc3\\xa9\\"" as "{_LAYOUT}": cannot parse "\\xc3\\xa9\\"" as "2006"'),
    ],
)
def test_what_is_no_time_of_a_schema(text: str, problem: str) -> None:
    message = f"Invalid date-time formatted string {text}: {problem}"
    assert error_of(lambda: times.parse_date_time(text)) == message


@each(
    ("text", "nanoseconds"),
    [
        ("1h30m", HOUR * 3 // 2),
        ("2 days", 48 * HOUR),
        ("1 week and 3 hours", 171 * HOUR),
        ("5 MICROS", 5_000),
        ("1 hr 1 parsec", HOUR),
        ("200000 w", (200_000 * 7 * 24 * HOUR + (1 << 63)) % (1 << 64) - (1 << 63)),
    ],
)
def test_durations_of_schemas(text: str, nanoseconds: int) -> None:
    assert times.parse_duration_format(text) == Duration(nanoseconds)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "unable to parse  as duration"),
        ("3", "unable to parse 3 as duration"),
        ("3 parsecs", "unable to parse 3 parsecs as duration"),
        ("9223372036854775808 d", 'strconv.Atoi: parsing "9223372036854775808": value out of range'),
    ],
)
def test_what_is_no_duration_of_a_schema(text: str, problem: str) -> None:
    assert error_of(lambda: times.parse_duration_format(text)) == f"Invalid duration {text}: {problem}"
