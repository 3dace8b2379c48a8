"""Stores that break off: what is missing is told, and is no end of a file."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import IO, cast

import pytest

from tests.tables import each
from validation_gen.commands.coverage.read_results import Reading
from validation_gen.commands.distributed import reading, worker
from validation_gen.commands.distributed.codec import encode
from validation_gen.commands.distributed.opening import OpeningError
from validation_gen.commands.distributed.partitions import Content, Partition
from validation_gen.commands.distributed.reading import TruncationGuard

_LINES = b"".join(b'{"number": %d}\n' % number for number in range(100))


class Breaking(io.BytesIO):
    """A stream of a store that raises at a byte, or ends there."""

    def __init__(self, data: bytes, at: int, error: Exception | None) -> None:
        super().__init__(data[:at])
        self._end, self._error = at, error

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(min(size or 1, 7) if size is not None and size > 0 else 7)
        if not data and self._error:
            raise self._error
        return data


def read(partition: Partition) -> bytes:
    with reading.open_bytes(partition) as stream:
        return b"".join(iter(lambda: stream.read(100), b""))


@each("error", [None, OSError("reset"), ValueError("closed"), RuntimeError("503")])
@each("at", [0, 1, 500, len(_LINES) - 1])
@each(("begin", "end"), [(0, None), (0, 700), (600, None), (600, 1200)])
def test_what_a_store_has_not_sent_is_no_end(
    error: Exception | None, at: int, begin: int, end: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "open_source", lambda url: Breaking(_LINES, at, error))
    partition = Partition(1, "s3://logs/a.jsonl", begin, end, Content.LINES, len(_LINES))
    if end is not None and end < at:  # what is missing belongs to others
        assert read(partition).endswith(b"}\n")
        return
    told = "it ends at byte" if error is None else "cannot read on behind byte"
    with pytest.raises(OpeningError, match=told):
        read(partition)


def test_a_whole_source_is_read_and_one_of_unknown_size_ends_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "open_source", lambda url: io.BytesIO(_LINES))
    assert read(Partition(1, "a.jsonl", size=len(_LINES))) == _LINES
    cut = [Partition(n, "a.jsonl", n * 300, (n + 1) * 300, Content.LINES, len(_LINES)) for n in range(6)]
    assert b"".join(map(read, cut)) == _LINES
    monkeypatch.setattr(reading, "open_source", lambda url: Breaking(_LINES, 500, None))
    assert read(Partition(1, "a.jsonl", size=None)) == _LINES[:500]


def test_an_error_behind_a_broken_source_is_that_of_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "open_source", lambda url: Breaking(_LINES, 50, None))

    def wrong() -> None:
        with reading.open_bytes(Partition(1, "a.jsonl", size=len(_LINES))) as stream:
            while stream.read(10):
                pass
            raise KeyError("of somebody who has read too little")

    with pytest.raises(OpeningError, match="it ends at byte 50"):
        wrong()


def test_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(_LINES))
    source = path.open("rb")
    whole = TruncationGuard(source, path.stat().st_size)
    with gzip.open(cast("IO[bytes]", whole)) as stream:
        assert stream.read() == _LINES
    assert (whole.tell(), whole.problem) == (path.stat().st_size, "")
    whole.close()
    assert source.closed


def test_a_partition_that_breaks_off_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the answer of a worker: too little is no result."""
    opens: list[str] = []

    def opened(url: str) -> Breaking:
        opens.append(url)
        return Breaking(_LINES, 50, None)

    monkeypatch.setattr(worker, "PAUSES", (0.0, 0.0))
    monkeypatch.setattr(reading, "open_source", opened)
    packed = worker.pack(Reading(()))
    answer = json.loads(worker.work(packed, encode(Partition(1, "a.jsonl", size=len(_LINES)))))
    assert answer["problem"].startswith("it ends at byte 50, and had")
    assert len(opens) == 3
