"""The bytes of a partition: all of them, or an error."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import IO, cast

from validation_gen.uses.corpora.opening import OpeningError, opened
from validation_gen.uses.corpora.partitions import Partition
from validation_gen.uses.corpora.ranges import Ranged
from validation_gen.uses.corpora.whole import Whole


@contextmanager
def bytes_of(partition: Partition) -> Iterator[IO[bytes]]:
    """The bytes of a partition.

    Raises:
        OpeningError: it cannot be opened. Or, in the end: not all of it could be read, and what was found is too
            little.
    """
    whole = Whole(opened(partition.url), partition.size)
    stream: io.RawIOBase = whole
    try:
        with closing(whole):
            if partition.is_cut:
                stream = Ranged(cast("IO[bytes]", whole), partition.begin, partition.end)
            yield cast("IO[bytes]", stream)
    except Exception:
        if not whole.problem:
            raise
    if whole.problem:  # what is missing may be there the next time
        raise OpeningError(whole.problem, "see whether the source changes, and whether the store answers")
