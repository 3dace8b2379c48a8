"""Reads test results on an engine, and finds the triggered errors.

Reads test results in one partition: the task of an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from validation_gen.commands.corpora import worker
from validation_gen.commands.corpora.engines import Engine, Interruption
from validation_gen.commands.corpora.keeping import identity_of
from validation_gen.commands.corpora.opening import Stored, opened
from validation_gen.commands.corpora.partitions import USUAL, Content, Part, Partition, run_by_partition
from validation_gen.commands.corpora.reading import bytes_of
from validation_gen.commands.corpora.running import Corpus, Work
from validation_gen.commands.corpora.streams import Source
from validation_gen.commands.coverage import Declared
from validation_gen.commands.coverage.observing import Key, Observer, Seen
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.files import reading

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


_INPUT = "<stdin>"


@dataclass(frozen=True, slots=True)
class Way:
    """Settings for reading test results.

    Attributes:
        engine: the engine.
        partition_bytes: the size of a part that it reads at once.
        most_bad: number of unreadable parts before the work ends.
        resume: the checkpoint, `""` for none.
    """

    engine: Engine
    partition_bytes: int = USUAL
    most_bad: int = 10
    resume: str = ""


#: Callback with the numbers of finished and of all partitions.
Tell = Callable[[int, int], None]


def seen_of(
    rules: Sequence[Declared],
    tests: Iterable[str],
    way: Way,
    diagnostics: Diagnostics,
    interruption: Interruption,
    tell: Tell = lambda done, parts: None,
) -> set[Declared]:
    """Returns the rules that tests have triggered.

    Unreadable inputs are reported (VG901), and so are lines that are no test results.

    Raises:
        EngineError: the cluster cannot go on, too many partitions could not be read, or sources are missing so that
            no checkpoint is possible.
        KeptError: the checkpoint belongs to other work.
        OSError: the checkpoint cannot be written.
        KeyboardInterrupt: a signal was received. Unreadable inputs are reported in any case.
    """
    keys = sorted({Key.of(rule) for rule in rules})
    files = [each for each in tests if each != "-"]
    corpus = Corpus()
    corpus.add_named(files, content_of, way.partition_bytes, diagnostics)
    work = Work(TASK, common_of(keys), Seen.of_data, corpus, interruption, way.most_bad)
    if way.resume:
        work.resume(way.resume, identity_of([list(key) for key in keys], None))
    seen = Seen()
    tell(0, len(corpus.partitions))
    try:
        with closing(work.run(way.engine)) as parts:
            for part in parts:
                with interruption.held():
                    seen.merge(part.results)
                interruption.check()
                tell(corpus.finished, len(corpus.partitions))
        if work.kept is not None and work.kept.is_complete:
            work.kept.remove()
        if len(files) < len(list(tests)):
            seen.merge(_of_input(Observer(keys), diagnostics))
    finally:
        with interruption.held():
            if work.kept is not None and work.kept.unsaved is not None:
                message = f"cannot write: {work.kept.unsaved.strerror or work.kept.unsaved}"
                help = "name another file with --resume"
                diagnostics.error("VG903", message, Span(way.resume), help)
            _report(seen, corpus, diagnostics)
            corpus.report(diagnostics)
    found = {keys[number] for number in seen.triggered}
    return {rule for rule in rules if Key.of(rule) in found}


def _of_input(observer: Observer, diagnostics: Diagnostics) -> Seen:
    """Reads standard input, which is no partition: its number is 0."""
    try:
        lines = reading.read_input().split(b"\n")
    except (OSError, ValueError) as error:
        diagnostics.error("VG901", f"cannot read: {getattr(error, 'strerror', None) or error}", Span(_INPUT))
        return Seen()
    return observer.see(lines, 0)


def _report(seen: Seen, corpus: Corpus, diagnostics: Diagnostics) -> None:
    """Reports the lines that are no test results."""
    known = {partition.number: (partition, base) for partition, base in corpus.bases()}
    for (number, line), (reason, help) in sorted(seen.unusable.items()):
        place = Span(_INPUT, line, 1, 2)
        if number:
            partition, base = known[number]
            file = redact(partition.url)
            file = file if base is not None else f"{file} from byte {partition.begin} on"
            place = Span(file, line + (base or 0), 1, 2)
        diagnostics.error("VG901", f"this line is no test result: {reason}", place, help)
    if seen.untold:
        message = f"{seen.untold} more lines are no test results"
        diagnostics.error("VG901", message, Span("--tests"), "see to those above first")
