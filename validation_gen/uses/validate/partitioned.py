"""Checks one partition of a corpus: the task of an engine whose processes read for themselves."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import IO, Any

from validation_gen.diagnostics import Diagnostics
from validation_gen.files.reading import MOST_OF_DATA
from validation_gen.kubernetes.manifests import Form, pieces
from validation_gen.uses.corpora.opening import Stored, opened
from validation_gen.uses.corpora.partitions import Content, Partition
from validation_gen.uses.corpora.parts import Part
from validation_gen.uses.corpora.reading import bytes_of
from validation_gen.uses.corpora.urls import shown
from validation_gen.uses.corpora.worker import PartitionError
from validation_gen.uses.validate.jobdata import judge_of
from validation_gen.uses.validate.pieces import Judge
from validation_gen.uses.validate.results import Block, Results

TASK = __name__
#: The bytes of a partition at most: it goes on to the end of its last line, and is read at once.
MOST = MOST_OF_DATA - (64 << 20)
_LONGEST = 16 << 20  # bytes of a line by which a source is known to have lines
_CHUNK = 1 << 20


def prepare(common: dict[str, Any], _: ExitStack) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Makes a judge, and returns what has it check a partition.

    Raises:
        RefusedError: a handwritten function is not here.
    """
    return partial(_run, judge_of(common))


def _run(judge: Judge, data: dict[str, Any]) -> dict[str, Any]:
    return check_part(judge, Partition.of_data(data)).as_data()


def check_part(judge: Judge, partition: Partition) -> Part[Results]:
    """What a judge finds in a partition that it reads.

    Raises:
        OpeningError: it cannot be opened, or not be read to its end.
        PartitionError: it cannot be read as it was planned.
    """
    judge.forget()  # the outcome is to depend on nothing else
    content = _content(partition)
    found = Diagnostics()
    results = Results({partition.number: Block()})
    file = shown(partition.url)
    for piece in pieces(file, content, found):
        form = Form.LINES if partition.is_cut else piece.form
        judge.add(partition.number, file, replace(piece, form=form), results)
    results.blocks[partition.number].problems[:0] = found.items
    if results.cut:
        advice = "write each object on a line"
        if partition.size is not None and partition.size <= MOST:
            advice += ", or give a greater --partition-size, and it is read as a whole"
        raise PartitionError(
            f"it holds something else than a JSON value on each line, so it cannot be cut at line breaks: {advice}"
        )
    lines = {partition.number: content.count(b"\n")} if partition.is_cut else {}
    return Part(results, results.objects, lines)


def content_of(size: int, stored: Stored) -> Content:
    """How a source is read: by lines if it has them and is larger than a partition, else as a whole.

    Raises:
        OpeningError, OSError: it cannot be read.
    """
    if stored.size is None or stored.size <= size:
        return Content.STREAM
    with closing(opened(stored.url, glance=True)) as stream:
        begin = _first_line(stream)
    first = next(pieces(stored.url, begin, Diagnostics(), 1), None)
    return Content.LINES if first is not None and first.form is Form.LINES else Content.STREAM


def _first_line(stream: IO[bytes]) -> bytes:
    """The beginning of a source to the end of its first line that is not blank."""
    found = b""
    while len(found) < _LONGEST and (chunk := stream.read(_CHUNK)):
        found += chunk
        begin = len(found) - len(found.lstrip())
        end = found.find(b"\n", begin)
        if end >= 0:
            return found[: end + 1]
    return b""


def _content(partition: Partition) -> bytes:
    """The bytes of a partition."""
    found = bytearray()
    with bytes_of(partition) as stream:
        while chunk := stream.read(_CHUNK):
            found += chunk
            if len(found) > MOST_OF_DATA:
                raise PartitionError(f"it holds more than {MOST_OF_DATA >> 20} MiB, the most that is read at once")
    return bytes(found)
