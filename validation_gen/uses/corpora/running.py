"""Work on an engine, whatever is done: sends partitions out, takes what comes back, and keeps what is done.

A command says how its sources are listed and read, and what becomes of a partition; see `uses/validate/clustered`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.runtime.words import counted
from validation_gen.uses.corpora.engines import Done, Engine, EngineError
from validation_gen.uses.corpora.interruption import Interruption
from validation_gen.uses.corpora.keeping import Kept
from validation_gen.uses.corpora.opening import Listing, OpeningError, Stored, listed
from validation_gen.uses.corpora.partitions import Content, Partition
from validation_gen.uses.corpora.parts import Part, Results, first_lines
from validation_gen.uses.corpora.planning import plan


@dataclass(slots=True)
class Corpus:
    """The partitions of some work, and what is known of them so far.

    Attributes:
        partitions: all of them, in order.
        is_listed: whether all that is named could be listed and looked at.
        arguments: what people have named, each with the numbers of its partitions.
        lines: how many lines those have that are done, by number.
        passed: what was passed over, by reason.
        problems: why partitions could not be read, by number.
        buckets: the same of what has met of several partitions, by what it is called.
        weight: the bytes of all, and `done` those of the partitions that are done.
        finished: how many partitions are done.
    """

    partitions: list[Partition] = field(default_factory=list)
    is_listed: bool = True
    arguments: list[tuple[str, range]] = field(default_factory=list)
    lines: dict[int, int] = field(default_factory=dict)
    passed: Counter[str] = field(default_factory=Counter)
    problems: dict[int, str] = field(default_factory=dict)
    buckets: dict[str, str] = field(default_factory=dict)
    weight: int = 0
    done: int = 0
    finished: int = 0

    #: What becomes of a partition, in what is told of one of which it does not.
    done_as: ClassVar[str] = "read"
    #: What has become of the others.
    was_done: ClassVar[str] = "looked at"

    def add_named(
        self,
        arguments: Iterable[str],
        content_of: Callable[[Stored], Content],
        size: int,
        diagnostics: Diagnostics,
        column: str = "",
    ) -> None:
        """Lists what people name, and adds its partitions as `add` does."""
        listings = []
        for argument in arguments:
            try:
                listings.append(listed(argument))
            except OpeningError as error:
                self.is_listed = False
                diagnostics.error("VG901", error.message, Span(argument), error.help)
        self.add(listings, content_of, size, diagnostics, column)

    def add(
        self,
        listings: Sequence[Listing],
        content_of: Callable[[Stored], Content],
        size: int,
        diagnostics: Diagnostics,
        column: str = "",
    ) -> None:
        """Adds the partitions of arguments, each of about `size` bytes where a source can be cut.

        What cannot be listed or looked at is told (VG901), and left out. `column` is that of Parquet files.
        """

        def tell(stored: Stored, error: OpeningError) -> None:
            self.is_listed = False
            diagnostics.error("VG901", error.message, Span(stored.url), error.help)

        for folder, reason in (each for listing in listings for each in listing.unread):
            self.is_listed = False
            diagnostics.error("VG901", reason, Span(folder), "check the permissions")
        first = len(self.partitions) + 1
        counts: Counter[int] = Counter()
        for listing, partition in plan(listings, content_of, first=first, size=size, column=column, tell=tell):
            counts[id(listing)] += 1
            self.partitions.append(partition)
            self.weight += partition.weight
        for listing in listings:
            self.arguments.append((listing.argument, range(first, first + counts[id(listing)])))
            first += counts[id(listing)]

    def fail(self, partition: Partition, problem: str, most_bad: int) -> None:
        """Notes that a partition could not be read.

        Raises:
            EngineError: that are too many.
        """
        self.problems[partition.number] = problem
        self._check(most_bad)

    def fail_bucket(self, name: str, problem: str, most_bad: int) -> None:
        """The same of what has met in a bucket, which counts as a partition."""
        self.buckets[name] = problem
        self._check(most_bad)

    def _check(self, most_bad: int) -> None:
        if (count := len(self.problems) + len(self.buckets)) > most_bad:
            raise EngineError(
                f"{counted(count, 'partition')} could not be {self.done_as}",
                "see to the reasons above; --max-bad-partitions N goes on for longer",
            )

    def report(self, diagnostics: Diagnostics) -> None:
        """Tells which partitions could not be read, and why (VG901)."""
        for partition in self.partitions:
            if problem := self.problems.get(partition.number):
                help = f"mend the input, or name the others alone; what stands in other partitions was {self.was_done}"
                diagnostics.error("VG901", problem, Span(str(partition)), help)
        for name, problem in sorted(self.buckets.items()):
            help = (
                f"look whether all processes can read the directory of --spill; all other objects were {self.was_done}"
            )
            message = f"objects could not be {self.done_as} with others: {problem}"
            diagnostics.error("VG901", message, Span(name), help)

    def bases(self) -> Iterator[tuple[Partition, int | None]]:
        """Each partition with the lines of its source that stand before it, `None` where nobody knows."""
        found = first_lines(self.partitions, self.lines)
        return ((partition, found[partition.number]) for partition in self.partitions)


def check_listed(is_listed: bool) -> None:
    """Refuses to keep what is done of some sources alone: the next time, it would be other work.

    Raises:
        EngineError: not all that is named could be listed and looked at.
    """
    if not is_listed:
        what = "what could not be listed or looked at is missing, so nothing can be kept"
        raise EngineError(what, "see to the reasons above, or leave out --resume")


@dataclass(slots=True)
class Work(Generic[Results]):
    """What is done with the partitions of a corpus.

    Attributes:
        task: what does it, a module of ours, with what is `common` to all partitions.
        results: reads results as data.
        corpus: the partitions.
        interruption: what ends the work early.
        most_bad: how many partitions may fail.
        kept: keeps what is done, `None` if nothing is to be kept.
        before: what was kept by an earlier run; see `resume`.
    """

    task: str
    common: dict[str, Any]
    results: Callable[[dict[str, Any]], Results]
    corpus: Corpus
    interruption: Interruption
    most_bad: int
    kept: Kept[Results] | None = None
    before: Part[Results] | None = None

    def resume(self, where: str, identity: dict[str, str]) -> None:
        """Keeps what is done at a path or URL, and goes on from what is there.

        It is written, so that a place that takes nothing is told at once. `identity` is what the outcome depends on.

        Raises:
            EngineError: something is missing, so nothing can be kept.
            KeptError: it is no state, or belongs to other work.
            OSError: it cannot be read or written.
        """
        check_listed(self.corpus.is_listed)
        self.kept = Kept(where, identity, self.corpus.partitions, self.results)
        self.before = self.kept.read()
        self.kept.write()

    def run(self, engine: Engine) -> Generator[Part[Results], None, None]:
        """What comes of the partitions, in the order in which they are done. Those of an earlier run come first.

        Raises:
            EngineError: the engine cannot go on, or too many partitions could not be read.
        """
        corpus = self.corpus
        by_number = {each.number: each for each in corpus.partitions}
        left = corpus.partitions
        with self.saving():
            if self.kept is not None:
                numbers = frozenset(self.kept.numbers)
                left = [each for each in left if each.number not in numbers]
                if self.before is not None:
                    self._finish(each for each in corpus.partitions if each.number in numbers)
                    yield self.taken(self.before)
            if not left:
                return
            with closing(self.sent(engine, self.common, (each.as_data() for each in left))) as found:
                for done in found:
                    partition = by_number[done.partition["number"]]
                    self._finish([partition])
                    if done.data is None:
                        corpus.fail(partition, done.problem, self.most_bad)
                        continue
                    self.keep(partition.number, done.data)
                    yield self.taken(Part.of_data(done.data, self.results))

    def sent(
        self, engine: Engine, common: dict[str, Any], units: Iterable[dict[str, Any]]
    ) -> Generator[Done, None, None]:
        """What an engine says of units of this work, until somebody wants an end."""
        with closing(engine.run(self.task, common, units)) as found:
            for done in found:
                self.interruption.check()
                yield done

    def keep(self, number: int, data: dict[str, Any]) -> None:
        """Keeps the outcome of a unit, if anything is kept. No interruption falls into it."""
        if self.kept is not None:
            with self.interruption.held():
                self.kept.add(number, data)

    def taken(self, part: Part[Results]) -> Part[Results]:
        """A part of which the corpus has taken what stands beside the results."""
        self.corpus.lines |= part.lines
        self.corpus.passed.update(part.passed)
        return part

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Whatever happens, keeps in the end what is done. No interruption falls into it."""
        try:
            yield
        finally:
            if self.kept is not None:
                with self.interruption.held():
                    self.kept.save()

    def _finish(self, partitions: Iterable[Partition]) -> None:
        for each in partitions:
            self.corpus.done += each.weight
            self.corpus.finished += 1
