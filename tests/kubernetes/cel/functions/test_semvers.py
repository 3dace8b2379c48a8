"""The cases of upstream's `semver_test.go`, and the words of `github.com/blang/semver`."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel.functions import compare
from validation_gen.kubernetes.cel.functions.semvers import FUNCTIONS, Semver, semver
from validation_gen.kubernetes.cel.values import EvaluationError


def test_parts() -> None:
    version = semver("1.2.3")
    assert version == Semver(1, 2, 3)
    assert [FUNCTIONS[f"semver_{part}"](version) for part in ("major", "minor", "patch")] == [1, 2, 3]
    assert FUNCTIONS["semver_major"](semver("18446744073709551615.0.0")) == -1
    assert str(semver("1.2.3-beta.1+build.1")) == "1.2.3-beta.1+build.1"


@each(
    ("text", "message"),
    [
        ("v1.0", "No Major.Minor.Patch elements found"),
        ("", "Version string empty"),
        ("v1.0.0", 'Invalid character(s) found in major number "v1"'),
        ("1. 0.0", 'Invalid character(s) found in minor number " 0"'),
        ("1.0.0 ", 'Invalid character(s) found in patch number "0 "'),
        ("01.01.01", 'Major number must not contain leading zeroes "01"'),
        ("1.0.0-", "Prerelease is empty"),
        ("1.0.0-01", 'Numeric PreRelease version must not contain leading zeroes "01"'),
        ("1.0.0-a_b", 'Invalid character(s) found in prerelease "a_b"'),
        ("1.0.0+", "Build meta data is empty"),
        ("1.0.0+a_b", 'Invalid character(s) found in build meta data "a_b"'),
        ("99999999999999999999.0.0", 'strconv.ParseUint: parsing "99999999999999999999": value out of range'),
        ("..", 'strconv.ParseUint: parsing "": invalid syntax'),
    ],
)
def test_no_versions(text: str, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        semver(text)
    assert caught.value.message == message


@each(
    ("text", "strict", "lax"),
    [
        ("1.2.3-beta.1+build.1", True, True),
        ("", False, False),
        ("v1.0.0", False, True),
        (" 1.0.0", False, False),
        ("1. 0.0", False, False),
        ("1.0.0 ", False, False),
        ("01.01.01", False, True),
        ("1", False, True),
        ("1.1", False, True),
        ("1.1-beta", False, False),
        ("1.00.000-x", False, True),
    ],
)
def test_is_semver(text: str, strict: bool, lax: bool) -> None:
    is_semver = FUNCTIONS["is_semver_string"]
    assert (is_semver(text), is_semver(text, True)) == (strict, lax)


def test_short_versions_have_nothing_behind() -> None:
    with pytest.raises(EvaluationError, match=r"^short version cannot contain PreRelease/Build meta data$"):
        semver("1.1-beta", True)


def test_equality() -> None:
    assert semver("v01.01", True) == semver("1.1.0")
    assert semver("1.2.3") != semver("1.0.0")
    assert semver("1.2.3+a") == semver("1.2.3+b")
    assert hash(semver("1.2.3+a")) == hash(semver("1.2.3+b"))


def test_order() -> None:
    texts = "1.0.0-1 1.0.0-2 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0 1.0.1 1.2.3 10.0.0".split()
    versions = [semver(text) for text in texts]
    for low, high in pairwise(versions):
        assert (compare(low, high), compare(high, low), compare(low, low)) == (-1, 1, 0)
        assert (low < high, low < low) == (True, False)  # noqa: PLR0124
        assert (high > low, low > low) == (True, False)  # noqa: PLR0124
