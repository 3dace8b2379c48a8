"""A comparison on an engine: sends partitions out, takes what comes back, and numbers the lines when all is there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.uses.compare.interruption import Interruption
from validation_gen.uses.compare.jobdata import data_of
from validation_gen.uses.compare.partitioned import TASK, content_of, has_events
from validation_gen.uses.compare.portions import Job, Portion
from validation_gen.uses.compare.results import Results
from validation_gen.uses.corpora.engines import Engine, EngineError
from validation_gen.uses.corpora.opening import Listing, OpeningError, listed
from validation_gen.uses.corpora.partitions import Partition
from validation_gen.uses.corpora.parts import Part, first_lines
from validation_gen.uses.corpora.planning import plan

_LINE = re.compile(r"\d+")


@dataclass(slots=True)
class Corpus:
    """The partitions of a comparison, and what is known of them so far.

    Attributes:
        partitions: all of them, in order.
        olds: how many of the first of them hold objects as they were.
        lines: how many lines those have that are done, by number.
        passed: events that are not compared, by reason.
        problems: why partitions could not be compared, by number.
        weight: the bytes of all, and `done` those of the partitions that are done.
        finished: how many partitions are done.
    """

    partitions: list[Partition]
    olds: int = 0
    lines: dict[int, int] = field(default_factory=dict)
    passed: Counter[str] = field(default_factory=Counter)
    problems: dict[int, str] = field(default_factory=dict)
    weight: int = field(init=False)
    done: int = 0
    finished: int = 0

    def __post_init__(self) -> None:
        self.weight = sum(each.weight for each in self.partitions)

    @classmethod
    def of(cls, where: Iterable[str], diagnostics: Diagnostics, size: int, old: Iterable[str] = ()) -> Corpus:
        """The partitions of what people name, behind those of objects as they were.

        What cannot be listed is told (VG901).
        """
        olds = list(plan(_listings(old, diagnostics), content_of, size=size))
        first = len(olds) + 1
        return cls([*olds, *plan(_listings(where, diagnostics), content_of, first=first, size=size)], len(olds))

    @property
    def is_paired(self) -> bool:
        """Whether objects have to meet others: objects as they were, or the events of an audit log."""
        return self.olds > 0 or any(has_events(url) for url in dict.fromkeys(each.url for each in self.partitions))

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
        if len(self.problems) > most_bad:
            raise EngineError(
                f"{len(self.problems)} partitions could not be compared",
                "see to the reasons above; --max-bad-partitions N goes on for longer",
            )

    def report(self, diagnostics: Diagnostics) -> None:
        """Tells which partitions could not be compared, and why (VG901)."""
        for partition in self.partitions:
            if problem := self.problems.get(partition.number):
                help = "mend the input, or name the others alone; what stands in other partitions was compared"
                diagnostics.error("VG901", problem, Span(str(partition)), help)


def _listings(where: Iterable[str], diagnostics: Diagnostics) -> list[Listing]:
    found: list[Listing] = []
    for argument in where:
        try:
            found.append(listed(argument))
        except OpeningError as error:
            diagnostics.error("VG901", str(error), Span(argument), error.help)
    return found


def compare_on(
    engine: Engine, job: Job, corpus: Corpus, interruption: Interruption, most_bad: int
) -> Generator[Portion, None, None]:
    """The results of the partitions, in the order in which they come.

    Raises:
        EngineError: the engine cannot go on, or more than `most_bad` partitions could not be compared.
    """
    common = data_of(job, date.today())
    by_number = {each.number: each for each in corpus.partitions}
    with closing(engine.run(TASK, common, (each.as_data() for each in corpus.partitions))) as found:
        for done in found:
            interruption.check()
            partition = by_number[done.partition["number"]]
            corpus.done += partition.weight
            corpus.finished += 1
            if done.data is None:
                corpus.fail(partition, done.problem, most_bad)
                continue
            part = Part.of_data(done.data, Results.of_data)
            corpus.lines |= part.lines
            corpus.passed.update(part.passed)
            yield Portion(part.results, part.items, partition)


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
    prefix = f"{partition.url}:"
    line = _LINE.match(place, len(prefix)) if base != 0 and place.startswith(prefix) else None
    if line is None:
        return place
    if base is None:  # a partition before it is missing
        return f"{partition.url} from byte {partition.begin} on:{place[len(prefix) :]}"
    return f"{prefix}{int(line[0]) + base}{place[line.end() :]}"
