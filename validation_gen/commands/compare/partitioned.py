"""Compares one partition of a corpus, for engines of ours and of others.

It reads and judges as one process does, a portion at a time, so its memory depends on the rules and on the longest
object, and not on the size of the partition.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any, ClassVar, cast

from validation_gen.commands.compare.inputs.audit import Events, may_have_events
from validation_gen.commands.compare.inputs.containers import NoLinesError, has_lines, read_lines, read_pieces
from validation_gen.commands.compare.inputs.decoding import Bad, Form, Item, Piece
from validation_gen.commands.compare.judge import Judge
from validation_gen.commands.compare.portions import Cutter, Job, judge_portion
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results
from validation_gen.commands.distributed import worker
from validation_gen.commands.distributed.opening import Stored, open_source
from validation_gen.commands.distributed.partitions import Content, Part, Partition
from validation_gen.commands.distributed.reading import guard, open_bytes
from validation_gen.commands.distributed.rows import Rows, is_parquet
from validation_gen.commands.distributed.streams import Source
from validation_gen.commands.distributed.worker import PartitionError

_PAIRED = "it has events of an audit log, which are paired with others: name it beside a log that begins with an event"


@dataclass(frozen=True, slots=True)
class PartitionJudging(Job):
    """Compares partitions, which the processes read."""

    CHUNK: ClassVar[Any] = Partition
    OUTCOME: ClassVar[Any] = Part[Results]

    def prepare(self, stack: ExitStack) -> Callable[[Partition], Part[Results]]:
        """Returns a function that reads and compares a partition."""
        return partial(compare_part, self.judge_there(stack))


def compare_part(judge: Judge, partition: Partition) -> Part[Results]:
    """Reads a partition and judges it.

    Raises:
        OpeningError: it cannot be opened, or not be read to its end.
        PartitionError: it cannot be read as it was planned.
    """
    passed: Counter[str] = Counter()
    with open_bytes(partition) as stream:
        source = Source(partition.url, stream)
        part = Part(Results(), 0, passed=passed)
        try:
            compare_items(judge, _items(source, partition, passed), partition.number, part)
        except NoLinesError as error:
            raise PartitionError(
                f"{error}, so it cannot be cut at line breaks: write each object on a line, or compress the file, "
                "and it is read as a whole"
            ) from None
        if partition.is_cut:
            part.lines[partition.number] = source.line
        return part


def compare_lines(judge: Judge, lines: Iterable[bytes], *, name: str, number: int = 0) -> Results:
    """Judges lines of JSON that the caller has read. `number` is the number of the partition."""
    pieces = (Piece(Form.JSON, line, count) for count, line in enumerate(lines, 1) if line.strip())
    part = Part(Results())
    compare_items(judge, (Item(0, piece, name, 0) for piece in pieces), number, part)
    return part.results


@dataclass(slots=True)
class SourceInspector:
    """First look at sources before they are read, by several threads.

    Attributes:
        column: the column of Parquet files that holds objects, `""` for the only one that holds texts.
        events: the sources that begin with events of an audit log.
    """

    column: str = ""
    events: set[str] = field(default_factory=set)

    def inspect(self, stored: Stored) -> Content:
        """Returns how to read a source: Parquet by rows, uncompressed line formats by lines, others as a stream.

        Raises:
            OpeningError: it cannot be read.
        """
        source = open_source(stored.url, glance=True)
        with (
            guard(source, stored.size, "see whether the store answers") as whole,
            closing(io.BufferedReader(whole)) as stream,
        ):
            return self._inspect(stored, cast("IO[bytes]", stream))

    def _inspect(self, stored: Stored, stream: IO[bytes]) -> Content:
        is_rows = is_parquet(stream)
        source = Source(stored.url, cast("IO[bytes]", Rows(stream, self.column)) if is_rows else stream)
        with closing(source):
            has = not is_rows and not source.is_changed and has_lines(source)
            piece = next(read_pieces(source), None)
            if piece is not None and may_have_events(piece):
                self.events.add(stored.url)
            return Content.ROWS if is_rows else Content.LINES if has else Content.STREAM


def _items(source: Source, partition: Partition, passed: Counter[str]) -> Iterator[Item]:
    events = Events(passed)
    for piece in read_lines(source) if partition.is_cut else read_pieces(source):
        for part in events.read(piece) if may_have_events(piece) else (piece,):
            if not isinstance(part, Piece):
                raise PartitionError(_PAIRED)
            yield Item(0, part, source.name, source.consumed)


def compare_items(
    judge: Judge,
    items: Iterator[Item],
    number: int,
    part: Part[Results],
    is_wanted: Callable[[Item, Request | Bad], bool] | None = None,
) -> None:
    """Judges items portion by portion, and adds the results and the number of items to the part.

    The items are in the partition of this number unless they name another. For `is_wanted`, see `judge_portion`.

    Raises:
        PartitionError: the results are no longer needed.
    """
    cutter = Cutter(items, (number, 0))
    for portion in cutter:
        worker.check_wanted()
        results, seconds = judge_portion(judge, portion, is_wanted)
        part.results.merge(results)
        part.items += len(portion[1])
        cutter.adapt(len(portion[1]), seconds)
