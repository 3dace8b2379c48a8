"""The cases of upstream's `quantity_test.go`, and where its two forms of amounts show."""

from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel.functions import accepts, compare
from validation_gen.kubernetes.cel.functions.quantities import (
    FUNCTIONS,
    add,
    as_approximate_float,
    as_integer,
    quantity,
    sub,
)
from validation_gen.kubernetes.cel.values import EvaluationError

is_quantity = accepts(quantity)
is_exact = FUNCTIONS["is_exact_quantity_string"]
is_integer = FUNCTIONS["quantity_is_integer"]


@each(
    ("text", "message"),
    [
        ("10Mo", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
        ("", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
        ("10Mm", "unable to parse quantity's suffix"),
        ("1e99999999999999999999", "unable to parse quantity's suffix"),
        ("1e", "unable to parse quantity's suffix"),
        (".e-10", "unable to parse numeric part of quantity"),
    ],
)
def test_no_quantities(text: str, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        quantity(text)
    assert caught.value.message == message
    assert not is_quantity(text)


@each("text", ["20", "20M", "20Mi", "0", "-1.5", "1e3", "1E3", "100n"])
def test_quantities(text: str) -> None:
    assert is_quantity(text)


@pytest.mark.parametrize("text", ["20Mo", "10Mm"])
def test_are_none(text: str) -> None:
    assert not is_quantity(text)


@each(
    ("left", "right"),
    [("200M", "200M"), ("200M", "0.2G"), ("2M", "0.002G"), ("2000k", "2M"), ("0.002G", "2000k"), ("12Mi", "12288Ki")],
)
def test_equal(left: str, right: str) -> None:
    assert quantity(left) == quantity(right)
    assert hash(quantity(left)) == hash(quantity(right))
    assert compare(quantity(left), quantity(right)) == 0


@pytest.mark.parametrize(
    ("left", "right"), [("50M", "50Mi"), ("50M", "100M"), ("100Mi", "150Mi"), ("200M", "0.3G"), ("1", "1e2147483647")]
)
def test_less(left: str, right: str) -> None:
    low, high = quantity(left), quantity(right)
    assert low != high
    assert (compare(low, high), compare(high, low)) == (-1, 1)
    assert (low < high, high < low) == (True, False)
    assert (low > high, high > low) == (False, True)


def test_sums() -> None:
    assert add(quantity("50k"), quantity("20")) == quantity("50.02k")
    assert not add(quantity("50k"), 20) < quantity("50020")
    assert sub(quantity("50k"), quantity("20")) == quantity("49.98k")
    assert sub(quantity("50k"), 20) == quantity("49980")
    once = sub(add(quantity("50k"), 20), quantity("100k"))
    assert as_integer(once) == -49980
    assert as_integer(sub(once, -50000)) == 20


def test_the_operands_stay() -> None:
    value = quantity("9999999999999999999999999999999999999")
    assert compare(add(value, quantity("1")), add(value, quantity("2"))) == -1


@each(
    ("text", "number"), [("50k", 50000), ("50", 50), ("1Ki", 1024), ("9223372036854775807", None), ("-3", -3), ("0", 0)]
)
def test_integers(text: str, number: int | None) -> None:
    value = quantity(text)
    assert is_integer(value) is (number is not None)
    if number is not None:
        assert as_integer(value) == number


@each("text", ["9999999999999999999999999999999999999G", "1.0", "0.5", "0m", "1000m", "1e30"])
def test_no_integers(text: str) -> None:
    assert not is_integer(quantity(text))
    with pytest.raises(EvaluationError, match=r"^cannot convert value to integer$"):
        as_integer(quantity(text))


def test_a_sum_that_is_too_large_is_no_integer() -> None:
    largest = quantity("900000000000000000")
    value = largest
    for _ in range(9):
        value = add(value, largest)
    assert as_integer(value) == 9 * 10**18
    assert not is_integer(add(value, largest))


@pytest.mark.parametrize(
    ("text", "number"), [("50.703k", 50703.0), ("100m", 0.1), ("1e400", float("inf")), ("0", 0.0), ("12Mi", 12582912.0)]
)
def test_floats(text: str, number: float) -> None:
    assert as_approximate_float(quantity(text)) == number


@pytest.mark.parametrize(("text", "answer"), [("-1", -1), ("0", 0), ("0m", 0), ("1n", 1)])
def test_signs(text: str, answer: int) -> None:
    assert FUNCTIONS["quantity_sign"](quantity(text)) == answer


def test_written() -> None:
    assert str(quantity("12Mi")) == "12Mi"
    assert str(quantity("1024Ki")) == "1Mi"
    assert str(add(quantity("0"), 1000)) == "1e3"
    assert str(add(quantity("1k"), 1000)) == "2k"
    assert str(sub(quantity("1Mi"), quantity("1Ki"))) == "1023Ki"


def test_what_no_machine_can_add() -> None:
    with pytest.raises(EvaluationError, match="too far apart"):
        add(quantity("1e2147483647"), 1)


@each(
    ("text", "before", "since"),
    [
        ("1000E", "1", "1e21"),
        ("1200E", "1200E", "1200E"),
        ("1e21", "1e21", "1e21"),
        ("-5000E", "-5", "-5e21"),
        ("+1234567890123456789", "1234567890123456789", "+1234567890123456789"),
    ],
)
def test_texts_since_1_38(text: str, before: str, since: str) -> None:
    assert (str(quantity(text)), str(quantity(text, exact=True))) == (before, since)


def test_sums_beyond_the_binary_suffixes_since_1_38() -> None:
    half = quantity(str(2**62), exact=True)
    total = quantity("4Ei", exact=True)
    for _ in range(255):
        total = add(total, half)
    assert str(total) == str(2**70)
    assert str(sub(total, quantity("1Ki", exact=True))) == f"{2**60 - 1}Ki"


def test_limits_since_1_38() -> None:
    most = str(2**63 - 1)
    assert (is_integer(quantity(most)), is_integer(quantity(most, exact=True))) == (False, True)
    assert as_integer(quantity(f"-{most}", exact=True)) == -(2**63) + 1
    assert not is_integer(quantity(str(2**63), exact=True))
    for text in ("1e2147483648", "1e-2147483648", "0e2147483648", "1e6442450944"):
        assert (is_quantity(text), is_exact(text)) == (True, False), text
        with pytest.raises(EvaluationError, match="unable to parse quantity's suffix"):
            quantity(text, exact=True)
    assert is_exact("1e4294967296")
    zero = quantity("0e400", exact=True)
    assert (as_approximate_float(zero), as_integer(zero)) == (0.0, 0)
