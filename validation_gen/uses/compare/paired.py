"""Compares where objects belong together: the events of one object, and its states before and after.

The first pass reads partitions and keeps what it finds by the name of the object; the second reads a bucket in the
order of the input, and judges as one process does. Objects that are known wait in temporary tables, so that memory
does not depend on how often an object is seen.

Only the name makes a bucket: an object as it was and an event say the rest of the key in different words.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from validation_gen.uses.compare import partitioned
from validation_gen.uses.compare.inputs.audit import Routed, Router, Seen, Trail, may_have_events
from validation_gen.uses.compare.inputs.containers import NoLinesError, lines_of, pieces_of
from validation_gen.uses.compare.inputs.items import Bad, Form, Item, Piece
from validation_gen.uses.compare.inputs.parsing import parse_item
from validation_gen.uses.compare.inputs.stores import Objects, Table, identity, written
from validation_gen.uses.compare.judge import Judge
from validation_gen.uses.compare.requests import Request
from validation_gen.uses.compare.results import Order, Results
from validation_gen.uses.corpora import worker
from validation_gen.uses.corpora.pairing.spill import Spill, bucket_of, records
from validation_gen.uses.corpora.partitions import Partition
from validation_gen.uses.corpora.parts import Part
from validation_gen.uses.corpora.reading import bytes_of
from validation_gen.uses.corpora.streams import Source
from validation_gen.uses.corpora.worker import PartitionError

TASK = __name__
_AT_ONCE = 200
_BYTES_AT_ONCE = 4 << 20


def prepare(common: dict[str, Any], stack: ExitStack) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Makes the first pass, or the second one if there is a job.

    Raises:
        RefusedError: the handwritten side is not here.
    """
    buckets, directory = common["buckets"], common["spill"]
    if common["job"] is None:
        return lambda data: _keep(Partition.of_data(data["partition"]), data["old"], buckets, directory)
    judge = partitioned.judge_of(common["job"], stack)
    return lambda data: compare_bucket(judge, data["number"], buckets, data["runs"]).as_data()


def _keep(partition: Partition, old: bool, buckets: int, directory: str) -> dict[str, Any]:
    """The first pass: the part without results, and where the buckets end in the file of the partition."""
    passed: Counter[str] = Counter()
    part = Part(Results(), 0, passed=passed)
    with bytes_of(partition) as stream, Spill(buckets, directory) as spill:
        source = Source(partition.url, stream)
        cut = partition.is_cut
        route = _Routing(source, spill, buckets, part)
        try:
            for piece in lines_of(source) if cut else pieces_of(source):
                if not worker.is_wanted():
                    raise PartitionError("nobody waits for it any more")
                if old:
                    route.old(piece)
                else:
                    route.piece(piece, passed)
        except NoLinesError as error:
            raise PartitionError(f"{error}, so it cannot be cut at line breaks") from None
        if cut:
            part.lines[partition.number] = source.line
        file = run_of(directory, partition.number)
        return {"part": part.as_data(), "file": file, "ends": spill.write(file)}


def run_of(directory: str, number: int) -> str:
    """The file of what the first pass has kept of a partition."""
    return f"{directory.rstrip('/')}/{number}.jsonl"


class _Routing:
    """Sends what a partition holds to buckets, each record with its number in the partition."""

    def __init__(self, source: Source, spill: Spill, buckets: int, part: Part[Results]) -> None:
        self._source, self._spill, self._buckets, self._part = source, spill, buckets, part
        self._router = Router(part.passed if isinstance(part.passed, Counter) else Counter())
        self._number = 0

    def old(self, piece: Piece) -> None:
        """An object as it was. What is malformed goes on, so that it is told."""
        for request in parse_item(Item(0, piece, self._source.name, 0)):
            if isinstance(request, Bad):
                data = request.quote.encode("utf-8", "replace")
                self._part.items += 1
                self._put("piece", [b""], Piece(Form.UNREADABLE, data, 0, reason=request.reason), request.place)
            elif request.api_version and (key := identity(request.obj)):
                text = written(request.obj).decode("utf-8", "surrogateescape")
                self._spill.put(self._bucket(_name(request)), ["old", self._number, key.decode("latin-1"), text])
                self._number += 1

    def piece(self, piece: Piece, passed: Counter[str]) -> None:
        """An object or an event."""
        for found in self._router.follow(piece) if may_have_events(piece) else (piece,):
            if isinstance(found, Piece):
                self._part.items += 1
                parsed = parse_item(Item(0, found, self._source.name, 0))
                self._put("piece", [_name(each) for each in parsed], found, self._source.name)
            elif isinstance(found, Routed) and found.all:
                self._send("event", range(self._buckets), found.piece, self._source.name)
            elif isinstance(found, Routed):
                self._put("event", [found.name], found.piece, self._source.name)

    def _put(self, kind: str, names: Sequence[bytes], piece: Piece, file: str) -> None:
        self._send(kind, sorted({self._bucket(name) for name in names}), piece, file)

    def _send(self, kind: str, buckets: Sequence[int], piece: Piece, file: str) -> None:
        data = piece.data.decode("utf-8", "surrogateescape")
        rest = [file, piece.form.value, data, piece.line, piece.column, list(piece.own), piece.reason]
        for bucket in buckets:
            # What goes to several buckets is counted by the first of them.
            self._spill.put(bucket, [kind, self._number, bucket == buckets[0], *rest])
        self._number += 1

    def _bucket(self, name: bytes) -> int:
        return bucket_of(name, self._buckets)


def compare_bucket(judge: Judge, bucket: int, buckets: int, runs: Sequence[Sequence[Any]]) -> Part[Results]:
    """The second pass: what a judge finds in a bucket.

    Args:
        judge: judges.
        bucket: its number.
        buckets: how many there are.
        runs: the number of a partition, its file, and where the bucket begins and ends in it; in order.
    """
    passed: Counter[str] = Counter()
    part = Part(Results(), 0, passed=passed)
    with tempfile.TemporaryDirectory(prefix="validation-gen-") as directory:
        state = _Bucket(directory, passed)
        try:
            waiting: list[Request | Bad] = []
            orders: list[Order] = []
            size = 0
            for number, file, begin, end in runs:
                for record in records(file, begin, end):
                    for item in state.items(record, part):
                        size += len(item.piece.data)
                        for each in parse_item(item):
                            if item.audited or bucket_of(_name(each), buckets) == bucket:
                                waiting.append(each)
                                orders.append((number, record[1]))
                    if len(waiting) >= _AT_ONCE or size > _BYTES_AT_ONCE:
                        _judge(judge, waiting, orders, part)
                        waiting, orders, size = [], [], 0
            _judge(judge, waiting, orders, part)
        finally:
            state.close()
    return part


def _judge(judge: Judge, waiting: list[Request | Bad], orders: list[Order], part: Part[Results]) -> None:
    if not worker.is_wanted():
        raise PartitionError("nobody waits for it any more")
    if waiting:
        part.results.merge(judge.judge(waiting, orders))


class _Bucket:
    """The objects that are known while a bucket is read."""

    def __init__(self, directory: str, passed: Counter[str]) -> None:
        self._olds = str(Path(directory, "olds"))
        self._writing: Table | None = Table(self._olds)
        self._known: Table | None = None
        self._passed = passed
        make = partial(self._make, str(Path(directory, "known")))
        self._trail = Trail(make, self._old, passed)
        self._uncounted = Trail(make, self._old, Counter())

    def items(self, record: list[Any], part: Part[Results]) -> Iterator[Item]:
        """What a record asks to be judged."""
        if record[0] == "old":
            assert self._writing is not None, "objects as they were come first"
            self._writing.put(record[2].encode("latin-1"), b"", record[3].encode("utf-8", "surrogateescape"))
            return
        kind, _, counts, file, form, data, line, column, own, reason = record
        piece = Piece(Form(form), data.encode("utf-8", "surrogateescape"), line, column, (own[0], own[1]), reason)
        if kind == "piece":
            if piece.form is not Form.UNREADABLE:
                self._read()
            yield Item(0, piece, file, 0, olds="" if self._writing else self._olds)
            return
        self._read()
        for found in (self._trail if counts else self._uncounted).follow(piece, inside=True):
            if isinstance(found, Seen):
                part.items += 1
                yield Item(0, found.piece, file, 0, found.audited, found.old)

    def close(self) -> None:
        for table in (self._writing, self._known):
            if table is not None:
                table.close()
        Objects.release(self._olds)

    def _read(self) -> None:
        if self._writing is not None:
            self._writing.close()
            self._writing = None

    def _old(self, key: bytes) -> bytes | None:
        return Objects.shared(self._olds).text(key)

    def _make(self, file: str) -> Table:
        if self._known is None:
            self._known = Table(file)
        return self._known


def _name(request: Request | Bad) -> bytes:
    """What makes a bucket of a request."""
    obj = None if isinstance(request, Bad) else request.obj
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name.encode("utf-8", "surrogatepass") if isinstance(name, str) else b""
