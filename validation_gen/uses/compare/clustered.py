"""A comparison on an engine: what is read, what is kept, and the lines when all is there. See `corpora/running`."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import redact
from validation_gen.uses.compare.jobdata import data_of
from validation_gen.uses.compare.partitioned import TASK, Looks
from validation_gen.uses.compare.passes import Passes
from validation_gen.uses.compare.portions import Job, Portion
from validation_gen.uses.compare.results import Results
from validation_gen.uses.compare.state import StateError
from validation_gen.uses.corpora import running
from validation_gen.uses.corpora.engines import Engine
from validation_gen.uses.corpora.interruption import Interruption
from validation_gen.uses.corpora.keeping import Kept, KeptError, digest_of, identity_of
from validation_gen.uses.corpora.partitions import Content, Partition
from validation_gen.uses.corpora.parts import Part

_LINE = re.compile(r"\d+")


@dataclass(slots=True)
class Corpus(running.Corpus):
    """The partitions of a comparison.

    Attributes:
        olds: how many of the first of them hold objects as they were.
        has_events: whether a source begins with events of an audit log.
    """

    olds: int = 0
    has_events: bool = False

    done_as: ClassVar[str] = "compared"
    was_done: ClassVar[str] = "compared"

    @classmethod
    def of(
        cls,
        where: Iterable[str],
        diagnostics: Diagnostics,
        size: int,
        old: Iterable[str] = (),
        column: str = "",
    ) -> Corpus:
        """The partitions of what people name, behind those of objects as they were.

        What cannot be listed or looked at is told (VG901), and left out.
        """
        looks = Looks(column)
        corpus = cls()
        corpus.add_named(old, looks.content_of, size, diagnostics, column)
        corpus.olds = len(corpus.partitions)
        corpus.add_named(where, looks.content_of, size, diagnostics, column)
        corpus.has_events = bool(looks.events)
        return corpus

    @property
    def is_paired(self) -> bool:
        """Whether objects have to meet others: objects as they were, or the events of an audit log."""
        return self.olds > 0 or self.has_events

    @property
    def has_gaps(self) -> bool:
        """Whether events may be missing: a partition of others than the objects as they were could not be read."""
        return not self.is_listed or any(number > self.olds for number in self.problems)

    @property
    def behind(self) -> int:
        """The number of a partition behind all of them."""
        return len(self.partitions) + 1


@dataclass(slots=True)
class Progress:
    """What is kept of a comparison, and what was done `before` it was started again.

    `passes` is set if there are two of them.
    """

    corpus: Corpus
    kept: Kept[Results]
    before: Part[Results] | None = None
    passes: Passes | None = None

    @classmethod
    def of(cls, where: str, job: Job, corpus: Corpus, buckets: int = 0) -> Progress:
        """What is kept at a path or URL. It is written, so that a place that takes nothing is told at once.

        `buckets` is how many of them there are, 0 if there is one pass.

        Raises:
            OSError: it cannot be read or written.
            StateError: it is no state, or belongs to another comparison.
        """
        units = range(buckets) if buckets else None
        kept = Kept(where, _identity(job, corpus.olds, buckets), corpus.partitions, Results.of_data, units)
        try:
            before = kept.read()
            passes = Passes.of(kept.beside, corpus.partitions, buckets) if buckets else None
        except KeptError as error:
            raise StateError(str(error)) from None
        kept.write()
        return cls(corpus, kept, before, passes)

    @property
    def is_complete(self) -> bool:
        """Whether all is done: with something missing, one may mend the store and start again."""
        return self.kept.is_complete and not self.corpus.problems


def compare_on(
    engine: Engine,
    job: Job,
    corpus: Corpus,
    interruption: Interruption,
    most_bad: int,
    progress: Progress | None = None,
) -> Generator[Portion, None, None]:
    """The results of the partitions, in the order in which they come.

    With `progress`, those that are done come first, at once, and what is done is kept.

    Raises:
        EngineError: the engine cannot go on, or more than `most_bad` partitions could not be compared.
    """
    work = running.Work(TASK, data_of(job, date.today()), Results.of_data, corpus, interruption, most_bad)
    if progress is not None:
        work.kept, work.before = progress.kept, progress.before
    with closing(work.run(engine)) as parts:
        for part in parts:
            yield Portion(part.results, part.items, corpus.partitions[-1])


def _identity(job: Job, olds: int, buckets: int) -> dict[str, str]:
    """What results depend on, by what people call it. Of the day, only what has expired counts."""
    today = date.today()
    data = data_of(job, today)
    rules = {name: data.pop(name) for name in ("files", "declarations")}
    del data["directories"]  # where code may be found: what is asked is named in the side
    data["today"] = [each.expires is not None and each.expires < today for each in job.expected]
    return {**identity_of(rules, data), "inputs": digest_of([olds, buckets])}


def settle(results: Results, corpus: Corpus) -> None:
    """Numbers lines as those of their source. Until then, they count from the beginning of their partition."""
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
    if base is None:  # a partition before it is missing
        unit = "row group" if partition.content is Content.ROWS else "byte"
        return f"{url} from {unit} {partition.begin} on:{place[len(prefix) :]}"
    return f"{prefix}{int(line[0]) + base}{place[line.end() :]}"
