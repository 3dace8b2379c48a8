"""Has an engine work on a corpus, and takes what comes back, in whatever order. It knows no use.

What people name becomes partitions. Each of them ends with a part of the results, or with the reason why there is none;
so many may end without, and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.uses.corpora.engines import Cluster, Engine, EngineError, InProcess
from validation_gen.uses.corpora.interruption import Interruption
from validation_gen.uses.corpora.keeping import Kept
from validation_gen.uses.corpora.opening import Listing, OpeningError, Stored, listed
from validation_gen.uses.corpora.partitions import Content, Partition
from validation_gen.uses.corpora.parts import Mergeable, Part
from validation_gen.uses.corpora.planning import plan

Results = TypeVar("Results", bound=Mergeable)


def engine_at(cluster: Cluster | None) -> Engine:
    """The engine of a cluster, or that of this process.

    Raises:
        EngineError: the cluster cannot be used.
    """
    if cluster is None:
        return InProcess()
    from validation_gen.uses.corpora.dask_engine import DaskEngine  # noqa: PLC0415 - late, as few have a cluster

    return DaskEngine(cluster)


@dataclass(slots=True)
class Corpus:
    """Partitions, and what is known of them so far.

    Attributes:
        partitions: all of them, in order.
        lines: how many lines those have that are done, by number.
        problems: why there is no part of a partition, by number.
        weight: the bytes of all, and `done` those of the partitions that are done.
        finished: how many partitions are done.
    """

    partitions: list[Partition]
    lines: dict[int, int] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)
    weight: int = field(init=False)
    done: int = 0
    finished: int = 0

    def __post_init__(self) -> None:
        self.weight = sum(each.weight for each in self.partitions)

    @classmethod
    def of(
        cls, where: Iterable[str], content_of: Callable[[Stored], Content], diagnostics: Diagnostics, size: int
    ) -> Corpus:
        """The partitions of what people name. What cannot be listed is told (VG901)."""
        return cls(list(plan(_listings(where, diagnostics), content_of, size=size)))

    def fail(self, partition: Partition, problem: str, most_bad: int) -> None:
        """Notes that there is no part of a partition.

        Raises:
            EngineError: that are too many.
        """
        self.problems[partition.number] = problem
        if len(self.problems) > most_bad:
            raise EngineError(
                f"{len(self.problems)} partitions could not be read",
                "see to the reasons above; --max-bad-partitions N goes on for longer",
            )

    def report(self, diagnostics: Diagnostics) -> None:
        """Tells of which partitions there is no part, and why (VG901)."""
        for partition in self.partitions:
            if problem := self.problems.get(partition.number):
                help = "mend the input, or name the others alone; what stands in other partitions counts"
                diagnostics.error("VG901", problem, Span(str(partition)), help)


def _listings(where: Iterable[str], diagnostics: Diagnostics) -> list[Listing]:
    found: list[Listing] = []
    for argument in where:
        try:
            found.append(listed(argument))
        except OpeningError as error:
            diagnostics.error("VG901", str(error), Span(argument), error.help)
    return found


@dataclass(slots=True)
class Progress(Generic[Results]):
    """What is kept of the work, and what was done `before` it was started again."""

    kept: Kept[Results]
    interruption: Interruption
    before: Part[Results] | None = None

    @classmethod
    def of(
        cls,
        where: str,
        identity: Mapping[str, str],
        corpus: Corpus,
        interruption: Interruption,
        results: Callable[[dict[str, Any]], Results],
    ) -> Progress[Results]:
        """What is kept at a path or URL. It is written, so that a place that takes nothing is told at once.

        Raises:
            OSError: it cannot be read or written.
            KeptError: it is no state, or belongs to other work.
        """
        kept = Kept(where, identity, corpus.partitions, results)
        before = kept.read()
        kept.write()
        return cls(kept, interruption, before)

    def save(self) -> None:
        """Keeps what is done so far. No interruption falls into it."""
        with self.interruption.held():
            self.kept.save()


def gather(
    engine: Engine,
    task: str,
    common: dict[str, Any],
    corpus: Corpus,
    results: Callable[[dict[str, Any]], Results],
    interruption: Interruption,
    most_bad: int,
    progress: Progress[Results] | None = None,
) -> Generator[Part[Results], None, None]:
    """The parts of the partitions, in the order in which they come.

    With `progress`, those that are done come first, at once, and what is done is kept.

    Raises:
        EngineError: the engine cannot go on, or there is no part of more than `most_bad` partitions.
    """
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
                corpus.lines |= progress.before.lines
                yield progress.before
        if not left:
            return
        for done in stack.enter_context(closing(engine.run(task, common, (each.as_data() for each in left)))):
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
            part = Part.of_data(done.data, results)
            corpus.lines |= part.lines
            yield part
