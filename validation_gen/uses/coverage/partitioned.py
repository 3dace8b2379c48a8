"""Reads test results in one partition: the task of an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from typing import Any

from validation_gen.uses.corpora import worker
from validation_gen.uses.corpora.opening import Stored, opened
from validation_gen.uses.corpora.partitions import Content, Part, Partition, run_by_partition
from validation_gen.uses.corpora.reading import bytes_of
from validation_gen.uses.corpora.streams import Source
from validation_gen.uses.coverage.observing import Key, Observer, Seen

TASK = __name__


def common_of(keys: list[Key]) -> dict[str, Any]:
    """Returns the common data of all partitions: the declared errors."""
    return {"errors": [list(each) for each in keys]}


def prepare(common: dict[str, Any], _: ExitStack) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Takes the declared errors, and returns a function that finds them in a partition."""
    return run_by_partition(partial(part_of, Observer([Key(*each) for each in common["errors"]])))


def part_of(observer: Observer, partition: Partition) -> Part[Seen]:
    """Reads the test results in a partition.

    Raises:
        OpeningError: it cannot be opened, or not be read to its end.
        PartitionError: it is damaged, or its results are no longer needed.
    """
    with bytes_of(partition) as stream:
        source = Source(partition.url, stream)
        part = Part(observer.see(_wanted(source), partition.number, lambda: source.line), source.line)
        if source.problem:
            raise worker.PartitionError(source.problem)
        if partition.is_cut:
            part.lines[partition.number] = source.line
        return part


def content_of(stored: Stored) -> Content:
    """Returns how to read a source: by lines, as a stream if it is compressed.

    Raises:
        OpeningError, OSError: it cannot be read.
    """
    with closing(opened(stored.url, glance=True)) as stream, closing(Source(stored.url, stream)) as source:
        return Content.STREAM if source.is_changed else Content.LINES


def _wanted(source: Source) -> Iterator[bytes]:
    for line in source.lines():
        worker.check_wanted()
        yield line
