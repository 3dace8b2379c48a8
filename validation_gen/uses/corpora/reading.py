"""Reads the bytes of a partition: all of them, or an error."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import IO, cast

from validation_gen.uses.corpora.opening import OpeningError, is_url, opened, state_of
from validation_gen.uses.corpora.partitions import Content, Partition
from validation_gen.uses.corpora.ranges import Ranged
from validation_gen.uses.corpora.rows import Rows
from validation_gen.uses.corpora.whole import Whole
from validation_gen.uses.corpora.worker import PartitionError


@contextmanager
def bytes_of(partition: Partition) -> Iterator[IO[bytes]]:
    """Opens the bytes of a partition.

    Raises:
        OpeningError: it cannot be opened. Or, at the end: it was not read completely, so the results are
            incomplete.
        PartitionError: it has changed since it was listed.
    """
    source = opened(partition.url)
    try:
        _check(partition, source)
    except BaseException:
        source.close()
        raise
    whole = Whole(source, partition.size)
    stream: io.RawIOBase = whole
    try:
        with closing(whole):
            if partition.content is Content.ROWS:
                stream = Rows(cast("IO[bytes]", whole), partition.column, partition.begin, partition.end)
            elif partition.is_cut:
                stream = Ranged(cast("IO[bytes]", whole), partition.begin, partition.end)
            yield cast("IO[bytes]", stream)
            if not is_url(partition.url) and not whole.problem:
                _check(partition, source)  # a store sends one version of it
    except Exception:
        if not whole.problem:
            raise
    if whole.problem:  # missing bytes may be available the next time
        raise OpeningError(whole.problem, "see whether the source changes, and whether the store answers")


def _check(partition: Partition, stream: IO[bytes]) -> None:
    """Checks that a source has not changed since it was listed.

    Raises:
        PartitionError: it has, and a retry is useless.
    """
    if not partition.version:
        return
    size, version = state_of(partition.url, stream)
    if version and version != partition.version:
        what = f"it has changed since it was listed: its version was {partition.version}, and is {version}"
        if size != partition.size:
            what = f"it has changed since it was listed: it had {partition.size} bytes, and has {size}"
        raise PartitionError(f"{what}; compare a copy to which nobody writes")
