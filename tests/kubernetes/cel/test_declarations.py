"""The table of functions is read completely, and knows since when there is what."""

from __future__ import annotations

import pytest

from validation_gen.kubernetes.cel.declarations import NEWEST, functions
from validation_gen.kubernetes.cel.signatures import tables


def test_every_line_is_an_overload() -> None:
    lines = [line for text in tables() for line in text.splitlines() if line.strip()]
    ended = [line for line in lines if "@.." in line]
    assert sum(len(function.overloads) for function in functions(1000).values()) == len(lines) - len(ended)
    assert len(ended) == 1


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


def test_durations_were_made_of_integers_before() -> None:
    before = {overload.name for overload in functions(36)["duration"].overloads}
    now = {overload.name for overload in functions(37)["duration"].overloads}
    assert before - now == {"int64_to_duration"}


def test_a_stored_expression_may_use_what_its_server_knows() -> None:
    assert "includes" in functions(36, stored=True)
    assert "int64_to_duration" in {overload.name for overload in functions(35, stored=True)["duration"].overloads}
