"""Validates one partition of a corpus: the task of an engine whose processes read the input."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from typing import IO, Any

from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import redact
from validation_gen.files.reading import MOST_OF_DATA
from validation_gen.kubernetes.manifests import Form, Piece, pieces
from validation_gen.uses.corpora import worker
from validation_gen.uses.corpora.opening import Stored, opened
from validation_gen.uses.corpora.partitions import Content, Part, Partition, run_by_partition
from validation_gen.uses.corpora.reading import bytes_of
from validation_gen.uses.corpora.unpacking import DamagedError, undone
from validation_gen.uses.corpora.worker import PartitionError
from validation_gen.uses.validate.pieces import Judge, deserialize_judge
from validation_gen.uses.validate.results import Block, Results

TASK = __name__
#: Maximum bytes of an uncut source. It is read at once.
MOST = MOST_OF_DATA - (64 << 20)
_LONGEST = 16 << 20  # maximum bytes of the first line when detecting lines
_CHUNK = 1 << 20
#: BOMs, which mark the encoding at the beginning of a source. Elsewhere they are no JSON.
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def prepare(common: dict[str, Any], _: ExitStack) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Builds a judge, and returns a function that validates a partition with it.

    Raises:
        RefusedError: this worker lacks a handwritten function.
    """
    return run_by_partition(partial(check_part, deserialize_judge(common)))


def check_part(judge: Judge, partition: Partition) -> Part[Results]:
    """Reads a partition and validates it.

    Raises:
        OpeningError: it cannot be opened, or not be read to its end.
        PartitionError: it cannot be read as it was planned.
    """
    judge.forget()  # the outcome must not depend on earlier partitions
    with bytes_of(partition) as stream:
        if partition.is_cut:
            return _judge_lines(judge, partition, stream)
        return _judge_whole(judge, partition, stream)


def _judge_whole(judge: Judge, partition: Partition, stream: IO[bytes]) -> Part[Results]:
    """Validates a source that is read at once."""
    results = Results({partition.number: Block()})
    found = Diagnostics()
    file = redact(partition.url)
    try:
        content = undone(_content(stream), MOST_OF_DATA)
    except DamagedError as error:
        raise PartitionError(f"cannot read: {error}") from None
    for piece in pieces(file, content, found):
        judge.add(partition.number, file, piece, results)
    results.blocks[partition.number].problems[:0] = found.items
    return Part(results, results.objects)


def _judge_lines(judge: Judge, partition: Partition, stream: IO[bytes]) -> Part[Results]:
    """Validates lines of JSON, some at a time."""
    results = Results({partition.number: Block()})
    file = redact(partition.url)
    count = 0
    wrong = Block()
    for content in _some_lines(stream):
        worker.check_wanted()
        found = Diagnostics()
        for piece in () if wrong.problems else pieces(file, content, found):
            judge.add(partition.number, file, Piece(piece.text, count, Form.LINES), results)
        results.cut |= bool(partition.begin or count) and content.startswith(_MARKS)
        if results.cut:
            advice = "write each object on a line"
            if partition.size is not None and partition.size <= MOST:
                advice += ", or give a greater --partition-size, and it is read as a whole"
            raise PartitionError(
                f"it holds something else than a JSON value on each line, so it cannot be cut at line breaks: {advice}"
            )
        if found.items:
            wrong = Block(problems=found.items).moved(count)
        count += content.count(b"\n")
    if wrong.problems:  # one machine does not read undecodable text in part either
        results = Results({partition.number: wrong})
    return Part(results, results.objects, {partition.number: count})


def _some_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yields groups of whole lines.

    Raises:
        PartitionError: one of them is too long.
    """
    waiting = bytearray()
    while chunk := stream.read(_CHUNK):
        end = chunk.rfind(b"\n") + 1
        if end:
            yield bytes(waiting) + chunk[:end]
            waiting.clear()
        waiting += chunk[end:]
        _check(len(waiting))
    if waiting:
        yield bytes(waiting)


def content_of(size: int, stored: Stored) -> Content:
    """Returns how to read a source: by lines if it has them and is larger than a partition, else as a whole.

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
    """Returns the beginning of a source to the end of its first line that is not blank."""
    found = b""
    while len(found) < _LONGEST and (chunk := stream.read(_CHUNK)):
        found += chunk
        begin = len(found) - len(found.lstrip())
        end = found.find(b"\n", begin)
        if end >= 0:
            return found[: end + 1]
    return b""


def _content(stream: IO[bytes]) -> bytes:
    """Reads the rest of a stream."""
    found = bytearray()
    while chunk := stream.read(_CHUNK):
        found += chunk
        _check(len(found))
    return bytes(found)


def _check(size: int) -> None:
    if size > MOST_OF_DATA:
        raise PartitionError(f"it holds more than {MOST_OF_DATA >> 20} MiB, the most that is read at once")
