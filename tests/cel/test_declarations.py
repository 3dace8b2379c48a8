"""The table of functions is read completely, and knows since when there is what."""

from __future__ import annotations

import pytest

from validation_gen.cel.declarations import NEWEST, functions
from validation_gen.cel.signatures import tables


def test_every_line_is_an_overload() -> None:
    lines = [line for text in tables() for line in text.splitlines() if line.strip()]
    assert sum(len(function.overloads) for function in functions(1000).values()) == len(lines)


def test_no_overload_is_there_twice() -> None:
    names = [(name, overload.name) for name, function in functions(1000).items() for overload in function.overloads]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("name", "since"), [("includes", 37), ("sort", 34), ("semver", 33), ("ip", 30), ("quantity", 28)]
)
def test_a_function_is_there_from_a_release_on(name: str, since: int) -> None:
    assert name in functions(since)
    assert name not in functions(since - 1)
    assert (name in functions()) is (since <= NEWEST)
