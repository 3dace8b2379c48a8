"""Runs any work on an engine: sends partitions, collects outcomes, and writes checkpoints.

A command supplies the listing, the reading and the work on a partition; see `commands/validate/clustered`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic

from validation_gen.commands.distributed.checkpoint import Checkpoint, CheckpointError, build_identity
from validation_gen.commands.distributed.engines import Done, Engine, EngineError, Interruption
from validation_gen.commands.distributed.opening import Listing, OpeningError, Stored, list_sources
from validation_gen.commands.distributed.partitions import Content, Part, Partition, Results, plan
from validation_gen.commands.distributed.worker import Batch
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.runtime.words import counted

_WIDTH = 20  # width of a progress bar in characters


@dataclass(slots=True)
class Corpus:
    """The partitions of some work, and their state so far.

    Attributes:
        is_listed: True if all sources could be listed and opened.
        arguments: the arguments, each with the numbers of its partitions.
        lines: number of lines of finished partitions, by number.
        passed: number of skipped inputs, by reason.
        problems: reason why a partition could not be read, by number.
        buckets: the same for buckets of joined records, by name.
        weight: the bytes of all, and `done` those of the finished partitions, whose number is `finished`.
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

    #: Past participle used in the message about a failed partition.
    done_as: ClassVar[str] = "read"
    #: Verb used in messages about the other partitions.
    was_done: ClassVar[str] = "looked at"

    def add_named(
        self,
        arguments: Iterable[str],
        inspect: Callable[[Stored], Content],
        size: int,
        diagnostics: Diagnostics,
        column: str = "",
    ) -> None:
        """Lists the arguments, and adds their partitions as `add` does."""
        listings = []
        for argument in arguments:
            try:
                listings.append(list_sources(argument))
            except OpeningError as error:
                self.is_listed = False
                diagnostics.error("VG901", error.message, Span(argument), error.help)
        self.add(listings, inspect, size, diagnostics, column)

    def add(
        self,
        listings: Sequence[Listing],
        inspect: Callable[[Stored], Content],
        size: int,
        diagnostics: Diagnostics,
        column: str = "",
    ) -> None:
        """Adds the partitions of arguments, each of about `size` bytes where a source can be cut.

        Sources that cannot be listed or opened are reported (VG901), and skipped. `column` is that of Parquet files.
        """

        def tell(stored: Stored, error: OpeningError) -> None:
            self.is_listed = False
            diagnostics.error("VG901", error.message, Span(stored.url), error.help)

        for folder, reason in (each for listing in listings for each in listing.unread):
            self.is_listed = False
            diagnostics.error("VG901", reason, Span(folder), "check the permissions")
        first = len(self.partitions) + 1
        counts: Counter[int] = Counter()
        for listing, partition in plan(listings, inspect, first=first, size=size, column=column, tell=tell):
            counts[id(listing)] += 1
            self.partitions.append(partition)
            self.weight += partition.weight
        for listing in listings:
            self.arguments.append((listing.argument, range(first, first + counts[id(listing)])))
            first += counts[id(listing)]

    def fail(self, partition: Partition, problem: str, most_bad: int) -> None:
        """Records a partition that could not be read.

        Raises:
            EngineError: too many have failed.
        """
        self.problems[partition.number] = problem
        self._check(most_bad)

    def fail_bucket(self, name: str, problem: str, most_bad: int) -> None:
        """Records the failure of a bucket, which counts as a partition."""
        self.buckets[name] = problem
        self._check(most_bad)

    def _check(self, most_bad: int) -> None:
        if (count := len(self.problems) + len(self.buckets)) > most_bad:
            raise EngineError(
                f"{counted(count, 'partition')} could not be {self.done_as}",
                "see to the reasons above; --max-bad-partitions N goes on for longer",
            )

    def report(self, diagnostics: Diagnostics) -> None:
        """Reports the partitions that could not be read, with the reasons (VG901)."""
        for partition in self.partitions:
            if problem := self.problems.get(partition.number):
                help = f"fix the input, or name the others alone; other partitions were {self.was_done}"
                diagnostics.error("VG901", problem, Span(str(partition)), help)
        for name, problem in sorted(self.buckets.items()):
            help = (
                f"look whether all processes can read the directory of --spill; all other objects were {self.was_done}"
            )
            message = f"objects could not be {self.done_as} with others: {problem}"
            diagnostics.error("VG901", message, Span(name), help)

    def sources(self) -> dict[int, tuple[str, int]]:
        """Returns the source of each partition as messages name it, and the number of lines before the partition.

        Lines after a missing partition cannot be counted: there, each partition is a source of its own.
        """
        found: dict[int, tuple[str, int]] = {}
        before: dict[str, int | None] = {}
        for each in self.partitions:
            url, count = redact(each.url), self.lines.get(each.number)
            lines = before[each.url] if each.begin else 0
            unit = "row group" if each.content is Content.ROWS else "byte"
            found[each.number] = (url, lines) if lines is not None else (f"{url} from {unit} {each.begin} on", 0)
            before[each.url] = None if lines is None or count is None else lines + count
        return found


@dataclass(slots=True)
class Work(Generic[Results]):
    """Work on the partitions of a corpus.

    `most_bad` partitions may fail. `kept` is the checkpoint, and `before` the outcome of an earlier run; see `resume`.
    """

    batch: Batch
    corpus: Corpus
    interruption: Interruption
    most_bad: int
    kept: Checkpoint[Results] | None = None
    before: Part[Results] | None = None

    def resume(self, where: str) -> None:
        """Enables a checkpoint at a path or URL, and resumes from it.

        It is rewritten, so that an unwritable target is reported at once.

        Raises:
            EngineError: sources are missing, so no checkpoint is possible.
            CheckpointError: it is no state, or belongs to other work.
            OSError: it cannot be read or written.
        """
        if not self.corpus.is_listed:  # the next run would be different work
            what = "what could not be listed or looked at is missing, so nothing can be kept"
            raise EngineError(what, "see to the reasons above, or leave out --resume")
        self.kept = self.checkpoint(where)
        self.before = self.kept.read()
        self.kept.write()

    def checkpoint(self, where: str) -> Checkpoint[Results]:
        """Returns the checkpoint at a path or URL, which is not read yet."""
        return Checkpoint(where, build_identity(*self.batch.identity()), self.corpus.partitions, self.batch.OUTCOME)

    def remove_state(self) -> None:
        """Removes the checkpoint of complete work."""
        if self.kept is not None and self.is_complete:
            self.kept.remove()

    @property
    def is_complete(self) -> bool:
        """True if a checkpoint has all work. After an unreadable partition, users may repair the store and resume."""
        return self.kept is not None and self.kept.is_complete and not self.corpus.problems

    def run(self, engine: Engine) -> Generator[Part[Results], None, None]:
        """Yields the outcomes of the partitions as they finish. Those of an earlier run come first.

        Raises:
            EngineError: the engine cannot go on, or too many partitions could not be read.
        """
        corpus = self.corpus
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
            with closing(self.sent(engine, self.batch, left)) as found:
                for done in found:
                    self._finish([done.chunk])
                    if done.problem:
                        corpus.fail(done.chunk, done.problem, self.most_bad)
                        continue
                    self.keep(done.chunk.number, done.outcome)
                    yield self.taken(done.outcome)

    def sent(self, engine: Engine, batch: Batch, chunks: Iterable[Any]) -> Generator[Done, None, None]:
        """Sends a batch of this work to an engine and yields the outcomes, until an interruption."""
        with closing(engine.run(batch, chunks)) as found:
            for done in found:
                self.interruption.check()
                yield done

    def keep(self, number: int, part: Part[Results]) -> None:
        """Adds the outcome of a unit to the checkpoint, if there is one. Interruptions wait."""
        if self.kept is not None:
            with self.interruption.held():
                self.kept.add(number, part)

    def taken(self, part: Part[Results]) -> Part[Results]:
        """Adds the counts of a part to the corpus, and returns the part."""
        self.corpus.lines |= part.lines
        self.corpus.passed.update(part.passed)
        return part

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Writes the checkpoint at the end, also after an exception. Interruptions wait."""
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


@contextmanager
def reporting(diagnostics: Diagnostics, where: str) -> Iterator[None]:
    """Reports errors of a cluster (VG904), and of the checkpoint at a path or URL (VG903, VG904)."""
    try:
        yield
    except EngineError as error:
        diagnostics.error("VG904", str(error), Span("--cluster"), error.help)
    except CheckpointError as error:
        help = "name another file, or delete it to begin anew"
        diagnostics.error("VG904", f"{where}: {error}", Span("--resume"), help)
    except OSError as error:
        message = f"cannot write: {error.strerror or error}"
        diagnostics.error("VG903", message, Span(str(error.filename or where)), "check the permissions")


def bar(done: int, parts: int) -> str:
    """Renders the number of finished parts as a bar and in figures."""
    whole = round(_WIDTH * done / parts)
    return f"[{'#' * whole}{'.' * (_WIDTH - whole)}] {done:,} of {counted(parts, 'part', grouped=True)}"
