"""Runs a comparison on an engine: sources, checkpoints, and line numbers at the end. See `corpora/running`.

Checkpoint of the first of two passes, so that a restarted run resumes from there. The data is validated.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Any, ClassVar

from validation_gen.commands.compare.partitioned import PartitionJudging, SourceInspector
from validation_gen.commands.compare.portions import Job, Portion
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.run import StateError
from validation_gen.commands.distributed import running
from validation_gen.commands.distributed.checkpoint import Checkpoint, CheckpointError, build_identity, compute_digest
from validation_gen.commands.distributed.engines import Engine, Interruption
from validation_gen.commands.distributed.partitions import Content, Part, Partition
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import redact

_NAME = re.compile(r"validation-gen-[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class First:
    """Output of the first pass for a partition.

    Attributes:
        ends: end of each bucket in the file of the partition.
        lines: number of lines of each partition that is only a part of its source.
        passed: events that are not compared, by reason.
    """

    ends: list[int]
    lines: dict[int, int]
    passed: dict[str, int]


@dataclass(slots=True)
class Passes:
    """Checkpoint of two passes beside the results.

    Attributes:
        name: the directory with the intermediate files.
        first: output of the first pass, by partition.
        lost: the partitions that could not be read when the second pass began.
    """

    name: str = field(default_factory=lambda: f"validation-gen-{uuid.uuid4().hex}")
    first: dict[int, First] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)

    @classmethod
    def restore(cls, beside: dict[str, Any], partitions: Iterable[Partition], buckets: int) -> Passes:
        """Restores the passes from `beside`, and keeps it up to date.

        Raises:
            CheckpointError: it is damaged.
        """
        known = {each.number for each in partitions}
        try:
            if not beside:
                beside |= {"name": cls().name, "first": {}, "lost": []}
            passes = cls(str(beside["name"]), {}, [int(each) for each in beside["lost"]])
            for number, (ends, lines, passed) in beside["first"].items():
                first = First([int(end) for end in ends], {int(n): int(c) for n, c in lines}, dict(passed))
                is_right = len(ends) == buckets and all(one <= other for one, other in pairwise([0, *first.ends]))
                if not is_right or int(number) not in known or not all(type(each) is int for each in passed.values()):
                    raise ValueError
                passes.first[int(number)] = first
            if not _NAME.fullmatch(passes.name):  # the directory is removed at the end
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError):
            raise CheckpointError("it is damaged: its first pass cannot be read") from None
        return passes

    def keep(self, beside: dict[str, Any], number: int, first: First) -> None:
        """Records the output of the first pass for a partition."""
        self.first[number] = first
        beside["first"][str(number)] = [first.ends, [list(pair) for pair in first.lines.items()], first.passed]


_LINE = re.compile(r"\d+")


@dataclass(slots=True)
class Corpus(running.Corpus):
    """The partitions of a comparison.

    Attributes:
        olds: number of leading partitions with old objects.
        has_events: True if a source begins with events of an audit log.
    """

    olds: int = 0
    has_events: bool = False

    done_as: ClassVar[str] = "compared"
    was_done: ClassVar[str] = "compared"

    @classmethod
    def from_arguments(
        cls,
        where: Iterable[str],
        diagnostics: Diagnostics,
        size: int,
        old: Iterable[str] = (),
        column: str = "",
    ) -> Corpus:
        """Returns the partitions of the arguments, after those of old objects.

        Sources that cannot be listed or read are reported (VG901), and skipped.
        """
        looks = SourceInspector(column)
        corpus = cls()
        corpus.add_named(old, looks.inspect, size, diagnostics, column)
        corpus.olds = len(corpus.partitions)
        corpus.add_named(where, looks.inspect, size, diagnostics, column)
        corpus.has_events = bool(looks.events)
        return corpus

    @property
    def is_paired(self) -> bool:
        """True if objects are joined with others: with old objects, or with the events of an audit log."""
        return self.olds > 0 or self.has_events

    @property
    def has_gaps(self) -> bool:
        """True if events may be missing, because a partition (other than of old objects) could not be read."""
        return not self.is_listed or any(number > self.olds for number in self.problems)

    @property
    def behind(self) -> int:
        """Number after the last partition."""
        return len(self.partitions) + 1


@dataclass(slots=True)
class Progress:
    """Checkpoint of a comparison, and the work done `before` the restart.

    `passes` is set for a comparison in two passes.
    """

    corpus: Corpus
    kept: Checkpoint[Results]
    before: Part[Results] | None = None
    passes: Passes | None = None

    @classmethod
    def resume(cls, where: str, job: Job, corpus: Corpus, buckets: int = 0) -> Progress:
        """Reads and rewrites the checkpoint at a path or URL, so that an unwritable target is reported at once.

        `buckets` is the number of buckets, 0 for a single pass.

        Raises:
            OSError: it cannot be read or written.
            StateError: it is no state, or belongs to another comparison.
        """
        units = range(buckets) if buckets else None
        kept = Checkpoint(where, _identity(job, corpus.olds, buckets), corpus.partitions, Results.of_data, units)
        try:
            before = kept.read()
            passes = Passes.restore(kept.beside, corpus.partitions, buckets) if buckets else None
        except CheckpointError as error:
            raise StateError(str(error)) from None
        kept.write()
        return cls(corpus, kept, before, passes)

    @property
    def is_complete(self) -> bool:
        """True if all work is done: after an unreadable partition, users may repair the store and resume."""
        return self.kept.is_complete and not self.corpus.problems


def compare_on(
    engine: Engine,
    job: Job,
    corpus: Corpus,
    interruption: Interruption,
    most_bad: int,
    progress: Progress | None = None,
) -> Generator[Portion, None, None]:
    """Yields the results of the partitions as they arrive.

    With `progress`, the results of the earlier run come first, at once, and new results are checkpointed.

    Raises:
        EngineError: the engine cannot go on, or more than `most_bad` partitions could not be compared.
    """
    work = running.Work(PartitionJudging.from_job(job, date.today()), Results.of_data, corpus, interruption, most_bad)
    if progress is not None:
        work.kept, work.before = progress.kept, progress.before
    with closing(work.run(engine)) as parts:
        for part in parts:
            yield Portion(part.results, part.items, corpus.partitions[-1])


def _identity(job: Job, olds: int, buckets: int) -> dict[str, str]:
    """Returns all inputs that results depend on, by name."""
    batch = PartitionJudging.from_job(job, date.today())
    return {**build_identity(*batch.identity()), "inputs": compute_digest([olds, buckets])}


def settle(results: Results, corpus: Corpus) -> None:
    """Converts line numbers of partitions to line numbers of their source."""
    by_number = {partition.number: (partition, base) for partition, base in corpus.bases()}

    def settled(place: str, number: int) -> str:
        return _moved(place, *by_number[number]) if number in by_number else place

    for group in results.groups.values():
        group.example.place = settled(group.example.place, group.order[0])
    results.notes = [settled(text, order[0]) for order, text in results.ordered_notes()]


def _moved(place: str, partition: Partition, base: int | None) -> str:
    url = redact(partition.url)
    prefix = f"{url}:"
    line = _LINE.match(place, len(prefix)) if base != 0 and place.startswith(prefix) else None
    if line is None:
        return place
    if base is None:  # an earlier partition is missing
        unit = "row group" if partition.content is Content.ROWS else "byte"
        return f"{url} from {unit} {partition.begin} on:{place[len(prefix) :]}"
    return f"{prefix}{int(line[0]) + base}{place[line.end() :]}"
