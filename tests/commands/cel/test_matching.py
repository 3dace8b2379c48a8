"""Errors find those that are expected: as many as can, whatever the order."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from validation_gen.commands.cel.suites.reading import ExpectedError
from validation_gen.commands.cel.suites.running import Found, find_unmatched, fits

LETTERS = st.text("abc", min_size=1, max_size=2)
WANTED = st.lists(st.builds(ExpectedError, contains=LETTERS) | st.builds(ExpectedError, path=LETTERS), max_size=5)
FOUND = st.lists(st.builds(Found, st.text("abc", max_size=3), LETTERS), max_size=5)


def best(wanted: list[ExpectedError], found: list[Found]) -> int:
    """How many can find each other, by trying all ways."""
    short, long = sorted((range(len(wanted)), range(len(found))), key=len)
    swap = len(wanted) > len(found)
    return max(
        sum(fits(wanted[b if swap else a], found[a if swap else b]) for a, b in zip(short, way, strict=True))
        for way in itertools.permutations(long, len(short))
    )


@given(WANTED, FOUND)
def test_as_many_as_possible_find_each_other(wanted: list[ExpectedError], found: list[Found]) -> None:
    missing, others = find_unmatched(wanted, found)
    assert len(wanted) - len(missing) == len(found) - len(others) == best(wanted, found)


def test_many_are_no_matter() -> None:
    missing, others = find_unmatched([ExpectedError(contains="a")] * 300, [Found("a")] * 299)
    assert (len(missing), others) == (1, [])


def test_what_is_expected_in_words() -> None:
    assert str(ExpectedError("", None, "x", "Invalid")) == "<nil>: Invalid: … x …"
    assert str(ExpectedError()) == "any"
