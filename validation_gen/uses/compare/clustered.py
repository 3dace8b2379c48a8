"""A comparison on an engine: sends partitions out, takes what comes back, and numbers the lines when all is there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import date

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.uses.compare.jobdata import data_of
from validation_gen.uses.compare.partitioned import TASK, Looks
from validation_gen.uses.compare.passes import Passes
from validation_gen.uses.compare.portions import Job, Portion
from validation_gen.uses.compare.results import Results
from validation_gen.uses.compare.state import StateError
from validation_gen.uses.corpora.engines import Engine, EngineError
from validation_gen.uses.corpora.interruption import Interruption
from validation_gen.uses.corpora.keeping import Kept, KeptError, digest_of, identity_of
from validation_gen.uses.corpora.opening import Listing, OpeningError, Stored, listed
from validation_gen.uses.corpora.partitions import Content, Partition
from validation_gen.uses.corpora.parts import Part, first_lines
from validation_gen.uses.corpora.planning import plan
from validation_gen.uses.corpora.urls import shown

_LINE = re.compile(r"\d+")


@dataclass(slots=True)
class Corpus:
    """The partitions of a comparison, and what is known of them so far.

    Attributes:
        partitions: all of them, in order.
        olds: how many of the first of them hold objects as they were.
        has_events: whether a source begins with events of an audit log.
        is_listed: whether all that is named could be listed and looked at.
        lines: how many lines those have that are done, by number.
        passed: events that are not compared, by reason.
        problems: why partitions could not be compared, by number.
        buckets: the same of what has met in the second pass, by what it is called.
        weight: the bytes of all, and `done` those of the partitions that are done.
        finished: how many partitions are done.
    """

    partitions: list[Partition]
    olds: int = 0
    has_events: bool = False
    is_listed: bool = True
    lines: dict[int, int] = field(default_factory=dict)
    passed: Counter[str] = field(default_factory=Counter)
    problems: dict[int, str] = field(default_factory=dict)
    buckets: dict[str, str] = field(default_factory=dict)
    weight: int = field(init=False)
    done: int = 0
    finished: int = 0

    def __post_init__(self) -> None:
        self.weight = sum(each.weight for each in self.partitions)

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
        told_before = len(diagnostics.items)

        def tell(stored: Stored, error: OpeningError) -> None:
            diagnostics.error("VG901", error.message, Span(shown(stored.url)), error.help)

        def planned(listings: list[Listing], first: int) -> list[Partition]:
            return list(plan(listings, looks.content_of, first=first, size=size, column=column, tell=tell))

        olds = planned(_listings(old, diagnostics), 1)
        partitions = [*olds, *planned(_listings(where, diagnostics), len(olds) + 1)]
        return cls(partitions, len(olds), bool(looks.events), len(diagnostics.items) == told_before)

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
        return max((each.number for each in self.partitions), default=0) + 1

    def fail(self, partition: Partition, problem: str, most_bad: int) -> None:
        """Notes that a partition could not be compared.

        Raises:
            EngineError: that are too many.
        """
        self.problems[partition.number] = problem
        self._check(most_bad)

    def fail_bucket(self, name: str, problem: str, most_bad: int) -> None:
        """The same of objects that have met in a bucket, which counts as a partition."""
        self.buckets[name] = problem
        self._check(most_bad)

    def _check(self, most_bad: int) -> None:
        if (count := len(self.problems) + len(self.buckets)) > most_bad:
            raise EngineError(
                f"{count} partitions could not be compared",
                "see to the reasons above; --max-bad-partitions N goes on for longer",
            )

    def taken(self, part: Part[Results], last: Partition) -> Portion:
        """The results of a part, of which `last` is a partition; what is beside them is taken over."""
        self.lines |= part.lines
        self.passed.update(part.passed)
        return Portion(part.results, part.items, last)

    def report(self, diagnostics: Diagnostics) -> None:
        """Tells which partitions could not be compared, and why (VG901)."""
        for partition in self.partitions:
            if problem := self.problems.get(partition.number):
                help = "mend the input, or name the others alone; what stands in other partitions was compared"
                diagnostics.error("VG901", problem, Span(str(partition)), help)
        for name, problem in sorted(self.buckets.items()):
            help = "look whether all processes can read the directory of --spill; all other objects were compared"
            diagnostics.error("VG901", f"objects could not be compared with others: {problem}", Span(name), help)


def _listings(where: Iterable[str], diagnostics: Diagnostics) -> list[Listing]:
    found: list[Listing] = []
    for argument in where:
        try:
            found.append(listed(argument))
            for folder, reason in found[-1].unread:
                diagnostics.error("VG901", reason, Span(folder), "check the permissions")
        except OpeningError as error:
            diagnostics.error("VG901", error.message, Span(shown(argument)), error.help)
    return found


@dataclass(slots=True)
class Progress:
    """What is kept of a comparison, and what was done `before` it was started again.

    `passes` is set if there are two of them.
    """

    corpus: Corpus
    kept: Kept[Results]
    interruption: Interruption
    before: Part[Results] | None = None
    passes: Passes | None = None

    @classmethod
    def of(cls, where: str, job: Job, corpus: Corpus, interruption: Interruption, buckets: int = 0) -> Progress:
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
        return cls(corpus, kept, interruption, before, passes)

    @property
    def is_complete(self) -> bool:
        """Whether all is done: with something missing, one may mend the store and start again."""
        return self.kept.is_complete and not self.corpus.problems

    def save(self) -> None:
        """Keeps what is done so far. No interruption falls into it."""
        with self.interruption.held():
            self.kept.save()


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
    common = data_of(job, date.today())
    by_number = {each.number: each for each in corpus.partitions}
    left = corpus.partitions
    with ExitStack() as stack:
        if progress is not None:
            stack.callback(progress.save)
            left = [each for each in left if each.number not in progress.kept.numbers]
            if progress.before is not None:
                before = [each for each in corpus.partitions if each.number in progress.kept.numbers]
                corpus.done += sum(each.weight for each in before)
                corpus.finished += len(before)
                yield corpus.taken(progress.before, before[-1])
        if not left:
            return
        found = stack.enter_context(closing(engine.run(TASK, common, (each.as_data() for each in left))))
        for done in found:
            interruption.check()
            partition = by_number[done.partition["number"]]
            corpus.done += partition.weight
            corpus.finished += 1
            if done.data is None:
                corpus.fail(partition, done.problem, most_bad)
                continue
            if progress is not None:
                with interruption.held():
                    progress.kept.add(partition.number, done.data)
            yield corpus.taken(Part.of_data(done.data, Results.of_data), partition)


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
    by_number = {each.number: each for each in corpus.partitions}
    bases = first_lines(corpus.partitions, corpus.lines)

    def settled(place: str, number: int) -> str:
        partition = by_number.get(number)
        return place if partition is None else _moved(place, partition, bases[number])

    for group in results.groups.values():
        group.example.place = settled(group.example.place, group.order[0])
    results.notes = [settled(text, order[0]) for order, text in results.ordered_notes()]


def _moved(place: str, partition: Partition, base: int | None) -> str:
    url = shown(partition.url)
    prefix = f"{url}:"
    line = _LINE.match(place, len(prefix)) if base != 0 and place.startswith(prefix) else None
    if line is None:
        return place
    if base is None:  # a partition before it is missing
        unit = "row group" if partition.content is Content.ROWS else "byte"
        return f"{url} from {unit} {partition.begin} on:{place[len(prefix) :]}"
    return f"{prefix}{int(line[0]) + base}{place[line.end() :]}"
