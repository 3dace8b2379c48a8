"""`compare --cluster`: the report of one machine, what cannot be done there, and an end before the end."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import pytest

from tests.cli.comparing import Comparison, box, results, timeless
from tests.cli.test_compare_stops import MARKING, Running, marks, started, until

__all__ = ["started"]
pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra [distributed] is not installed")
ARGUMENTS = ("--format", "json", "--option", "Deep=false")


def test_the_report_is_that_of_one_machine(comparison: Comparison) -> None:
    lines = [box(n, size=n % 13, name="abcdefg"[: n % 7]) for n in range(1200)]
    for line in lines:
        line["metadata"]["annotations"] = {"a": "x" * 2000}  # makes three partitions
    file = comparison.objects([*lines, "{broken", box(1, size=99)])
    alone = comparison("stricter", "-f", file, *ARGUMENTS)
    shared = comparison("stricter", "-f", file, *ARGUMENTS, "--cluster", "local:2", "--partition-size", "1")
    assert (alone.code, alone.err) == (shared.code, shared.err) == (1, "")
    assert timeless(results(alone)) == timeless(results(shared))
    assert any(note.startswith("objects.jsonl:1201:") for note in results(shared)["notes"])


def test_objects_as_they_were_meet_those_of_today(comparison: Comparison) -> None:
    old = comparison.objects([box(n, size=n % 5, name=f"b{n % 50}") for n in range(60)], "old.jsonl")
    file = comparison.objects([box(n, size=n % 13, name=f"b{n}") for n in range(100)])
    alone = comparison("stricter", "-f", file, "--old", old, *ARGUMENTS)
    shared = comparison("stricter", "-f", file, "--old", old, *ARGUMENTS, "--cluster", "local:1")
    assert (alone.code, alone.err) == (shared.code, shared.err) == (1, "")
    assert timeless(results(alone)) == timeless(results(shared))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-f", "-"), "the processes of a cluster cannot read standard input"),
        (("-f", "o.jsonl", "--old", "-"), "the processes of a cluster cannot read standard input"),
        (
            ("-f", "o.jsonl", "--cluster", "there"),
            "'there' is no cluster: write local, local:N, tcp://HOST:PORT",
        ),
    ],
)
def test_what_cannot_be_done_on_a_cluster_is_told(
    comparison: Comparison, arguments: tuple[str, ...], told: str
) -> None:
    comparison.objects([box(1)], "o.jsonl")
    done = comparison("agrees", *arguments, *(() if "--cluster" in arguments else ("--cluster", "local:1")))
    assert done.code == 2
    assert told in " ".join(done.err.replace("│", " ").split())


@pytest.mark.process
def test_an_interruption_tells_what_is_done_and_leaves_nobody(
    comparison: Comparison, started: Callable[..., Running]
) -> None:
    comparison.objects([box(n, size=9) for n in range(5)], "objects-a.jsonl")
    comparison.objects([box(n, size=9) for n in range(3000)], "objects-b.jsonl")
    comparison.hand(MARKING)
    running = started("marking", "-f", "objects-*.jsonl", *ARGUMENTS, "--cluster", "local:1")
    until(lambda: marks(comparison) > 200)
    running.interrupt()
    done = running.done()
    assert done.code == 130
    assert results(done)["interrupted"]
    assert results(done)["totals"]["compared"] in (0, 5)  # a slow machine may not have taken the first part yet
    until(lambda: not running.children)
