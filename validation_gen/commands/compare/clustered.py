"""Runs a comparison on an engine: the partitions, and line numbers at the end. See `commands/distributed/running`."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import ClassVar

from validation_gen.commands.compare.partitioned import SourceInspector
from validation_gen.commands.compare.portions import Portion
from validation_gen.commands.compare.results import Results
from validation_gen.commands.distributed import running
from validation_gen.commands.distributed.engines import Engine
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import redact

_LINE = re.compile(r":(\d+)")


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


def compare_on(engine: Engine, work: running.Work[Results]) -> Generator[Portion, None, None]:
    """Yields the results of the partitions as they arrive. Those of an earlier run come first.

    Raises:
        EngineError: the engine cannot go on, or too many partitions could not be compared.
    """
    with closing(work.run(engine)) as parts:
        for part in parts:
            yield Portion(part.results, part.items, work.corpus.partitions[-1])


def settle(results: Results, corpus: Corpus) -> None:
    """Converts line numbers of partitions to line numbers of their source."""
    sources = corpus.sources()

    def settled(place: str, number: int) -> str:
        if number not in sources:
            return place
        file, lines = sources[number]
        url = redact(corpus.partitions[number - 1].url)
        line = _LINE.match(place, len(url)) if place.startswith(url) else None
        return place if line is None else f"{file}:{int(line[1]) + lines}{place[line.end() :]}"

    for group in results.groups.values():
        group.example.place = settled(group.example.place, group.order[0])
    results.notes = [settled(text, order[0]) for order, text in results.ordered_notes()]
