"""Validates objects on a cluster: lists the sources, runs partitions on an engine, and numbers lines at the end."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import IO, Any, ClassVar

from validation_gen.commands.distributed import worker
from validation_gen.commands.distributed.dask_engine import DaskEngine
from validation_gen.commands.distributed.engines import Cluster, Engine, EngineError, Interruption
from validation_gen.commands.distributed.opening import (
    Listing,
    OpeningError,
    Stored,
    is_url,
    list_sources,
    make_source,
    open_source,
)
from validation_gen.commands.distributed.partitions import Content, Part, Partition
from validation_gen.commands.distributed.reading import open_bytes
from validation_gen.commands.distributed.running import Corpus, Work, bar, reporting
from validation_gen.commands.distributed.streams import DamagedError, undone
from validation_gen.commands.distributed.worker import PartitionError
from validation_gen.commands.validate.pieces import Checked, Judge, Tell, Validation, is_ambiguous
from validation_gen.commands.validate.verdicts import Block, Results
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.files.reading import MOST_OF_DATA, is_manifest
from validation_gen.kubernetes.manifestfiles import files, names, nothing_at
from validation_gen.kubernetes.manifests import Form, Piece, pieces
from validation_gen.runtime.words import counted

#: Maximum bytes of an uncut source. It is read at once.
MOST = MOST_OF_DATA - (64 << 20)
_LONGEST = 16 << 20  # maximum bytes of the first line when detecting lines
_CHUNK = 1 << 20
#: BOMs, which mark the encoding at the beginning of a source. Elsewhere they are not JSON.
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class PartitionValidation(Validation):
    """Validates the objects of partitions, which the processes read."""

    CHUNK: ClassVar[Any] = Partition
    OUTCOME: ClassVar[Any] = Part[Results]

    def prepare(self, _: ExitStack) -> Callable[[Partition], Part[Results]]:
        """Returns a function that reads and validates a partition."""
        return partial(check_part, self.make_judge())


def check_part(judge: Judge, partition: Partition) -> Part[Results]:
    """Reads a partition and validates it.

    Raises:
        OpeningError: it cannot be opened, or not be read to its end.
        PartitionError: it cannot be read as it was planned.
    """
    judge.forget()  # the outcome must not depend on earlier partitions
    with open_bytes(partition) as stream:
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
            wrong = Block(problems=found.items).moved(file, count)
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


def inspect_source(size: int, stored: Stored) -> Content:
    """Returns how to read a source: by lines if it has them and is larger than a partition, else as a whole.

    Raises:
        OpeningError, OSError: it cannot be read.
    """
    if stored.size is None or stored.size <= size:
        return Content.STREAM
    with closing(open_source(stored.url, glance=True)) as stream:
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


_AMBIGUOUS = "definitions among the objects decide which other objects are lists, and other workers read those"


def build_corpus(paths: Sequence[str], diagnostics: Diagnostics, size: int, *, recursive: bool) -> Corpus:
    """Returns the partitions of the arguments: for paths, the files that one machine would read. Problems are reported.

    No partition is larger than the limit of one read, whatever the `size`.
    """
    corpus = Corpus()
    size = min(size, MOST)
    listings = []
    for name in (name for path in paths for name in ([path] if is_url(path) else names([path]))):
        own = Diagnostics()
        if is_url(name):
            listing = _of_url(name, own)
        else:
            listing = Listing(name, [make_source(file) for file in files(name, own, recursive=recursive)])
        if not listing.files and not own.items:
            own.add(nothing_at(name))
        for problem in own.items:
            diagnostics.add(problem)
        is_there = is_url(name) or all(each.size is not None for each in listing.files)
        corpus.is_listed &= is_there and not own.items
        listings.append(listing)
    corpus.add(listings, partial(inspect_source, size), size, diagnostics)
    return corpus


def _of_url(url: str, diagnostics: Diagnostics) -> Listing:
    try:
        found = list_sources(url)
    except OpeningError as error:
        diagnostics.error("VG901", error.message, Span(url), error.help)
        return Listing(url)
    if len(found.files) > 1 and not any(sign in url for sign in "*?["):  # folders contain other files beside manifests
        found.files = [each for each in found.files if is_manifest(each.url)]
    return found


def work_on(judge: Judge, corpus: Corpus, interruption: Interruption, most_bad: int) -> Work[Results]:
    """Returns the work on the partitions: it judges them, and more than `most_bad` failures end it."""
    return Work(PartitionValidation.from_judge(judge), corpus, interruption, most_bad)


def check_on(engine: Engine, judge: Judge, work: Work[Results], tell: Tell = lambda objects: None) -> Checked:
    """Validates all partitions on an engine, with the same report as one process."""
    results = Results()
    checked = Checked(results)
    corpus, interruption = work.corpus, work.interruption
    checked.collect(
        work.run(engine),
        interruption,
        lambda part: results.merge(part.results),
        lambda: tell(results.objects),
    )
    for number, source in corpus.sources().items():
        if number in results.blocks:
            results.blocks[number] = results.blocks[number].moved(*source)
    found = Diagnostics()
    for argument, numbers in corpus.arguments:
        blocks = [results.blocks.get(number, Block()) for number in numbers]
        for problem in (problem for block in blocks for problem in block.problems):
            found.add(problem)
        is_read = all(number in results.blocks for number in numbers)
        if is_read and numbers and not any(block.objects or block.problems for block in blocks):
            found.add(nothing_at(argument))
    corpus.report(found)
    if is_ambiguous(judge.lists, results):
        found.error("VG904", _AMBIGUOUS, Span("--cluster"), "name the definitions as PATH, too")
    checked.problems = found.items
    return checked


def check_on_cluster(
    cluster: Cluster,
    judge: Judge,
    inputs: tuple[list[str], int, int, str],
    progress: Callable[[str], None],
    interruption: Interruption,
    *,
    recursive: bool,
) -> Checked:
    """Validates on a cluster. Problems of the run are among those of the result.

    The inputs are names of files; the bytes of a partition; the number of bad partitions that ends the work; the file
    of the checkpoint, `""` for none. `progress` is called with the progress as text.
    """
    names, size, most_bad, where = inputs
    found = Diagnostics()
    corpus = build_corpus(names, found, size, recursive=recursive)
    checked = Checked(Results())
    with reporting(found, where):
        try:
            work = work_on(judge, corpus, interruption, most_bad)
            if where:
                work.resume(where)
            if corpus.partitions:
                progress("starting")
                with closing(DaskEngine(cluster)) as engine:
                    seen = f", see {engine.dashboard}" if engine.dashboard else ""

                    def tell(objects: int) -> None:
                        done = bar(corpus.finished, len(corpus.partitions))
                        progress(f"{done}, {counted(objects, 'object', grouped=True)} checked{seen}")

                    checked = check_on(engine, judge, work, tell)
            if work.kept is not None and work.kept.unsaved is not None:
                raise work.kept.unsaved
            if not checked.is_partial:
                work.remove_state()
        except KeyboardInterrupt:
            checked.interrupted = True
        except EngineError as error:
            checked.refused = error
    checked.problems = [*found.items, *checked.problems]
    return checked
