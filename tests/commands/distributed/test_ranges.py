"""Ranges of bytes at line borders: however a source is cut, each line is read once."""

from __future__ import annotations

import io
import itertools
import random
from typing import cast

from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.distributed.reading import Ranged

TEXTS = [
    b"",
    b"\n",
    b"a",
    b"a\n",
    b"\n\n\na",
    b"a\r\nbb\r\n",
    b"one\ntwo\nthree",
    b"one\n\ntwo\n" * 5,
    b"x" * 40 + b"\ny",
]


def lines(text: bytes, begin: int, end: int | None) -> list[bytes]:
    return list(io.BufferedReader(Ranged(cast("io.RawIOBase", io.BytesIO(text)), begin, end)))


@each("text", TEXTS)
def test_each_line_is_in_the_range_in_which_it_begins(text: bytes) -> None:
    for size in range(1, len(text) + 2):
        cuts = [*range(0, len(text), size), len(text)]
        found = [lines(text, begin, end) for begin, end in itertools.pairwise(cuts)]
        assert list(itertools.chain(*found)) == text.splitlines(keepends=True)
        for begin, end, part in zip(cuts, cuts[1:], found, strict=False):
            if part:
                at = text.index(b"".join(part), begin)
                assert begin <= at < end


def test_lines_longer_than_what_is_read_at_once() -> None:
    text = b"\n".join(b"x" * size for size in (1, 70_000, 0, 200_000, 65_535, 65_536, 3))
    for _ in range(drawn(200)):
        middle = random.randrange(len(text) + 1)
        assert lines(text, 0, middle) + lines(text, middle, None) == text.splitlines(keepends=True)


def test_the_last_range_may_have_no_end() -> None:
    assert lines(b"a\nb\nc", 2, None) == [b"b\n", b"c"]
    assert lines(b"a\nb\nc", 3, None) == [b"c"]
    assert lines(b"a\nb\nc", 99, None) == []
