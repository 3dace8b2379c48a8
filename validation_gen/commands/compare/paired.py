"""Compares objects that belong together: the events of one object, and its states before and after.

The first pass reads partitions and sorts records into buckets by the name of the object. The second reads a bucket,
orders the events of each object, and judges as one process does. Waiting records are in temporary files, so that memory
does not depend on the number of events of an object.

Only the name decides the bucket, as an old object and an event spell the rest of the key differently.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from validation_gen.commands.compare import partitioned
from validation_gen.commands.compare.groups import Order
from validation_gen.commands.compare.inputs.audit import Events, may_be_lost, may_have_events
from validation_gen.commands.compare.inputs.containers import NoLinesError, read_lines, read_pieces
from validation_gen.commands.compare.inputs.decoding import Bad, Form, Item, Piece
from validation_gen.commands.compare.inputs.parsing import parse_item
from validation_gen.commands.compare.inputs.stores import Objects, Table, identity, serialize
from validation_gen.commands.compare.inputs.trail import ALONE, Effect, Step, Trail
from validation_gen.commands.compare.judge import Judge
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results
from validation_gen.commands.distributed import worker
from validation_gen.commands.distributed.pairing import Spill, find_bucket, records
from validation_gen.commands.distributed.partitions import Part, Partition
from validation_gen.commands.distributed.reading import open_bytes
from validation_gen.commands.distributed.streams import Source
from validation_gen.commands.distributed.worker import Batch, PartitionError

#: Prefix of temporary spill directories (not of `--spill`).
_PREFIX = "vgen-bucket-"
#: Type of a record: an old object, another object, or an event.
_OLD, _PIECE, _STEP = "old", "piece", "step"
#: Record of an event that could not be read, which goes to all buckets.
_GAP = "gap"


@dataclass(frozen=True, slots=True)
class Unsorted:
    """A partition of the first pass. `old`: it has old objects."""

    partition: Partition
    old: bool

    @property
    def number(self) -> int:
        return self.partition.number


@dataclass(frozen=True, slots=True)
class Sorted:
    """Output of the first pass for a partition.

    Attributes:
        ends: end of each bucket in the file of the partition.
        lines: number of lines of each partition that is only a part of its source.
        passed: events that are not compared, by reason.
    """

    ends: list[int]
    lines: dict[int, int]
    passed: dict[str, int]


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket of the second pass.

    `runs` has the number of each partition, its file, and the range of the bucket in it. With `has_gaps`, missing
    partitions may have events.
    """

    number: int
    runs: list[tuple[int, str, int, int]]
    has_gaps: bool


@dataclass(frozen=True, slots=True)
class Sorting(Batch):
    """First pass: sorts the records of a partition into `buckets`, in a file in the directory `spill`."""

    buckets: int
    spill: str

    CHUNK: ClassVar[Any] = Unsorted
    OUTCOME: ClassVar[Any] = Sorted

    def prepare(self, _: ExitStack) -> Callable[[Unsorted], Sorted]:
        """Returns a function that sorts a partition."""
        return lambda chunk: _sort(chunk, self.buckets, self.spill)


@dataclass(frozen=True, slots=True)
class BucketJudging(Job):
    """Second pass: compares the records of a bucket. `waiting` is the directory for temporary files."""

    buckets: int = 0
    waiting: str | None = None

    CHUNK: ClassVar[Any] = Bucket
    OUTCOME: ClassVar[Any] = Part[Results]

    def prepare(self, stack: ExitStack) -> Callable[[Bucket], Part[Results]]:
        """Returns a function that compares a bucket."""
        return partial(compare_bucket, self.judge_there(stack), self.buckets, self.waiting)


def _sort(chunk: Unsorted, buckets: int, directory: str) -> Sorted:
    """Runs the first pass on a partition."""
    partition = chunk.partition
    passed: Counter[str] = Counter()
    with open_bytes(partition) as stream, Spill(buckets, directory) as spill:
        source = Source(partition.url, stream)
        cut = partition.is_cut
        route = _Routing(source, spill, buckets, passed)
        try:
            for piece in read_lines(source) if cut else read_pieces(source):
                worker.check_wanted()
                if chunk.old:
                    route.old(piece)
                else:
                    route.piece(piece)
        except NoLinesError as error:
            raise PartitionError(f"{error}, so it cannot be cut at line breaks") from None
        ends = spill.write(spill_path(directory, partition.number))
        return Sorted(ends, {partition.number: source.line} if cut else {}, dict(passed))


def spill_path(directory: str, number: int) -> str:
    """Returns the file in which the first pass stores a partition."""
    return f"{directory.rstrip('/')}/{number}.jsonl"


class _Routing:
    """Sends the records of a partition to buckets, each with its number in the partition."""

    def __init__(self, source: Source, spill: Spill, buckets: int, passed: Counter[str]) -> None:
        self._source, self._spill, self._buckets = source, spill, buckets
        self._events = Events(passed)
        self._number = 0
        self._has_gaps = False

    def old(self, piece: Piece) -> None:
        """Sends an old object. A malformed one is sent on, so that the second pass reports it."""
        for request in parse_item(Item(0, piece, self._source.name, 0)):
            if isinstance(request, Bad):
                data = request.quote.encode("utf-8", "replace")
                bad = Piece(Form.UNREADABLE, data, 0, reason=request.reason)
                self._put(_PIECE, {self._bucket(b"")}, _to_data(bad, request.place))
            elif request.api_version and (key := identity(request.obj)):
                text = serialize(request.obj).decode("utf-8", "surrogateescape")
                self._put(_OLD, {self._bucket(_name(request))}, [key.decode("latin-1"), text])

    def piece(self, piece: Piece) -> None:
        """Sends an object or an event."""
        for found in self._events.read(piece) if may_have_events(piece) else (piece,):
            if isinstance(found, Piece):
                if not self._has_gaps and may_be_lost(found):
                    self._has_gaps = True  # one report is enough
                    self._put(_GAP, range(self._buckets), [])
                parsed = parse_item(Item(0, found, self._source.name, 0))
                buckets = {self._bucket(_name(each)) for each in parsed}
                self._put(_PIECE, buckets or {self._bucket(b"")}, _to_data(found, self._source.name))
                continue
            everywhere = found.effect is Effect.SWEEP
            self._put(
                _STEP,
                range(self._buckets) if everywhere else {self._bucket(found.name)},
                [self._source.name, *found.as_data()],
            )

    def _put(self, kind: str, buckets: Iterable[int], data: list[Any]) -> None:
        first = min(buckets)  # which counts a record that goes to several buckets
        for bucket in buckets:
            self._spill.put(bucket, [kind, self._number, bucket == first, *data])
        self._number += 1

    def _bucket(self, name: bytes) -> int:
        return find_bucket(name, self._buckets)


def _to_data(piece: Piece, file: str) -> list[Any]:
    data = piece.data.decode("utf-8", "surrogateescape")
    return [file, piece.form.value, data, piece.line, piece.column, list(piece.own), piece.reason]


def compare_bucket(judge: Judge, buckets: int, waiting: str | None, bucket: Bucket) -> Part[Results]:
    """Runs the second pass: judges the records of one of the buckets.

    `waiting` is the directory for temporary files, by default that of this machine.
    """
    passed: Counter[str] = Counter()
    part = Part(Results(), 0, passed=passed)

    def is_here(item: Item, each: Request | Bad) -> bool:
        """Returns whether an item belongs to this bucket: a list can contain objects of several buckets."""
        return item.audited is not None or find_bucket(_name(each), buckets) == bucket.number

    with (
        tempfile.TemporaryDirectory(prefix=_PREFIX, dir=waiting) as directory,
        _Bucket(directory, passed, has_gaps=bucket.has_gaps) as state,
    ):
        partitioned.compare_items(judge, state.items(bucket.runs), 0, part, is_here)
        part.items -= state.elsewhere
        passed[ALONE] += state.alone()
    return part


class _Bucket:
    """The second pass through one bucket: first old objects, then other objects, then the logged events by object.

    Attributes:
        elsewhere: the number of items in this bucket that other buckets count.
    """

    def __init__(self, directory: str, passed: Counter[str], *, has_gaps: bool) -> None:
        self._olds = str(Path(directory, "olds"))
        self._events = str(Path(directory, "events"))
        self._writing: Table | None = Table(self._olds)
        self._trail: Trail | None = None
        self._passed = passed
        self._has_gaps = has_gaps
        self.elsewhere = 0

    def __enter__(self) -> _Bucket:
        return self

    def __exit__(self, *_: object) -> None:
        self._written()
        if self._trail is not None:
            self._trail.close()
        Objects.release(self._olds)

    def items(self, runs: Iterable[tuple[int, str, int, int]]) -> Iterator[Item]:
        """Yields the items to judge."""
        for number, file, begin, end in runs:
            for kind, place, counts, *data in records(file, begin, end):
                if kind == _OLD:
                    assert self._writing is not None, "objects as they were come first"
                    self._writing.put(data[0].encode("latin-1"), data[1].encode("utf-8", "surrogateescape"))
                elif kind == _GAP:
                    self._has_gaps = True
                elif kind == _PIECE:
                    self.elsewhere += not counts
                    yield self._item(data, (number, place))
                else:
                    self._followed().add(Step.of_data(data[1:]), data[0], (number, place))
        if self._trail is not None:
            yield from filter(None, self._trail.follow(has_gaps=self._has_gaps))

    def alone(self) -> int:
        """Returns the number of old objects without a new one."""
        self._written()
        return Objects.alone(self._olds)

    def _item(self, data: list[Any], order: Order) -> Item:
        file, form, text, line, column, own, reason = data
        piece = Piece(Form(form), text.encode("utf-8", "surrogateescape"), line, column, (own[0], own[1]), reason)
        if piece.form is not Form.UNREADABLE:
            self._written()
        return Item(0, piece, file, 0, olds="" if self._writing else self._olds, order=order)

    def _written(self) -> None:
        """Closes the table of old objects, after the last of them."""
        if self._writing is not None:
            self._writing.close()
            self._writing = None

    def _followed(self) -> Trail:
        if self._trail is None:
            self._written()
            self._trail = Trail(self._events, Objects.shared(self._olds).text, self._passed)
        return self._trail


def _name(request: Request | Bad) -> bytes:
    """Returns the name of a request's object, which decides its bucket."""
    obj = None if isinstance(request, Bad) else request.obj
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name.encode("utf-8", "surrogatepass") if isinstance(name, str) else b""
