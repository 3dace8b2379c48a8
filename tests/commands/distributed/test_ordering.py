"""The order of what has happened to objects depends on that of the input only where nothing else tells."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.thorough import drawn
from validation_gen.commands.distributed.pairing import Mark, Moment, Ordering, encode_time, encode_version

EMPTY = (b"", b"", b"")


def moment(version: str = "", second: int | None = None, uid: str = "a", rank: int = 1, received: int = 0) -> Moment:
    times = [b"" if each is None else encode_time(f"2026-11-26T10:00:{each:02}Z") for each in (second, received)]
    return Moment(uid.encode(), encode_version(version), rank, *times)


def ordered(*told: tuple[str, Moment], sort: bool = False) -> list[str]:
    """The names of things that have happened to one object. Late ones end in `!`."""
    with closing(Ordering(":memory:")) as ordering:
        for number, (name, when) in enumerate(told):
            ordering.put(b"o", b"", when, (1, number), (name.encode(), b"", b""))
        return [each.body[0].decode() + "!" * each.is_late for each in ordering]


def test_numbers_and_times_sort_as_they_are() -> None:
    versions = ["1", "9", "10", "99", "100", "18446744073709551616"]
    assert sorted(versions, key=encode_version) == versions
    assert [encode_version(each) for each in ("", "0", "01", "-1", "+1", "1.5", "a1", "9" * 40, "١", None, 7)] == [
        b""
    ] * 11
    times = [
        "2026-11-26T09:59:59.999999Z",
        "2026-11-26T11:00:00+01:00",
        "2026-11-26t10:00:00.5z",
        "2026-11-26T10:00:00.500001Z",
        "2026-11-26T10:00:00.5000011Z",
    ]
    assert sorted(times, key=encode_time) == times
    assert [encode_time(each) for each in ("", "10:00", "2026-11-26 10:00:00Z", "0001-01-01T00:00:00+23:00", 5)] == [
        b""
    ] * 5


def test_versions_come_before_times_and_times_before_places() -> None:
    told = [
        ("made", moment("5", 1, rank=0)),
        ("same", moment("5", 2)),
        ("read", moment("5", 1, rank=2)),
        ("refused", moment("", 3)),
        ("six", moment("6", 9)),  # its answer was slow
        ("nine", moment("9", 4)),
        ("begun first", moment("", 10, received=1)),
        ("begun last", moment("", 10, received=2)),
        ("deleted", moment("", 11)),
    ]
    wanted = [name for name, _ in told]
    for seed in range(drawn(60)):
        random.Random(seed).shuffle(told)
        assert [name.rstrip("!") for name in ordered(*told)] == wanted
    assert ordered(("b", moment("", 1)), ("a", moment("", 1))) == ["b", "a"]


def test_lives_follow_each_other_whatever_their_versions_are() -> None:
    told = [
        ("first", moment("900", 1, "x")),
        ("gone", moment("", 3, "x")),
        ("refused", moment("", 4, "")),  # nobody says of which life
        ("again", moment("7", 5, "y")),  # the store was made anew
        ("changed", moment("8", 6, "y")),
        ("late answer", moment("901", 7, "x")),
    ]
    wanted = ["first", "gone", "refused", "late answer", "again", "changed"]
    for some in itertools.islice(itertools.permutations(told), 0, None, 37):
        found = [name.rstrip("!") for name in ordered(*some)]
        assert [name for name in found if name != "late answer"] == [name for name in wanted if name != "late answer"]
        assert found.index("late answer") < found.index("again")


def test_what_tells_no_time_is_where_it_stands() -> None:
    told = [("a", moment("", 5)), ("b", moment("")), ("c", moment("", 4)), ("d", moment("", 6))]
    assert ordered(*told) == ["c", "a!", "b", "d"]
    assert ordered(("a", moment("")), ("b", moment("")), ("c", moment(""))) == ["a", "b", "c"]
    assert ordered(("a", moment("3")), ("b", moment("2")), ("c", moment("1"))) == ["c", "b!", "a!"]


def test_sweeps_are_between_two_things_or_before_one() -> None:
    with closing(Ordering(":memory:")) as ordering:
        assert not ordering.is_covered_by_bulk_delete(b"s", None, Mark(b"9", b"", 1, 9))
        ordering.apply_bulk_event(b"s", Moment(time=b"5"), (1, 5))
        ordering.apply_bulk_event(b"t", Moment(), (1, 5))

        def between(scope: bytes, since: int | None, until: int, place: int = 0) -> bool:
            marks = [None if each is None else Mark(b"%d" % each, b"", 1, place or each) for each in (since, until)]
            assert marks[1] is not None
            return ordering.is_covered_by_bulk_delete(scope, marks[0], marks[1])

        for scope in (b"s", b"t"):
            assert [between(scope, *each) for each in ((None, 4), (None, 6), (3, 4), (4, 6), (6, 7))] == [
                False,
                True,
                False,
                True,
                False,
            ]
        assert between(b"s", 4, 6, place=9)
        assert not between(b"t", 4, 6, place=9)
        assert not between(b"u", None, 9)


@pytest.mark.process
@pytest.mark.slow  # 320 MB
@pytest.mark.skipif(sys.platform == "win32", reason="the memory of a process is not told here")
def test_many_events_of_one_object_need_no_memory(tmp_path: Path) -> None:
    program = """
import resource, sys
from validation_gen.commands.distributed.pairing import Moment, Ordering, encode_version
ordering = Ordering(sys.argv[1])
text = b"x" * 4000
count = int(sys.argv[2])
for number in range(count):
    version = encode_version(str(1 + number * 7919 % count))
    ordering.put(b"hot", b"", Moment(b"uid", version, 1, b"", b""), (1, number), (b"", text, text))
seen = [told.mark.number * 7919 % count for told in ordering]
assert seen == list(range(count)), seen[:9]
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    sizes = []
    for count in (2_000, 40_000):  # 16 and 320 MB
        call = [sys.executable, "-c", program, str(tmp_path / str(count)), str(count)]
        done = subprocess.run(
            call, capture_output=True, text=True, check=True, timeout=300, cwd=Path(__file__).parents[3]
        )
        sizes.append(int(done.stdout) / 1024)
    assert sizes[1] < sizes[0] + 130, sizes
