"""Reads results of tests, lines of JSON with a kind and its errors, and finds the declared errors.

An engine reads partitions of them. Results of parts merge in any order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

from validation_gen.commands.coverage import Declared, Index, Observed
from validation_gen.commands.distributed import worker
from validation_gen.commands.distributed.engines import Engine, Interruption
from validation_gen.commands.distributed.opening import Stored, open_source
from validation_gen.commands.distributed.partitions import USUAL, Content, Part, Partition
from validation_gen.commands.distributed.reading import open_bytes
from validation_gen.commands.distributed.running import Corpus, Work
from validation_gen.commands.distributed.streams import Source
from validation_gen.commands.distributed.worker import Batch
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.files import reading

_EXAMPLE = '{"package": "robots/v1", "kind": "Robot", "errors": [{"type": "FieldValueRequired", "field": "spec.arm"}]}'
#: Lines that are no test results are reported up to this number; the rest of them are counted.
MOST_TOLD = 1000
_MOST_KNOWN = 10_000  # size of the cache of observed errors

#: A partition, and a line in it.
LinePosition = tuple[int, int]


def general_rule(rule: Declared) -> Declared:
    """Returns a declared error without its tag: several tags may declare the same error."""
    return replace(rule, tag="", span=Span(""), place="")


class UnusableError(Exception):
    """A record is malformed. The text is the problem, `help` the correct form."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help


def find_observed(line: bytes) -> list[Observed]:
    """Returns the errors in a request with its answer, a JSON object.

    It has `kind`, `package` or `apiVersion` unless the kind is in one package only, and `errors` with `type`, `field`
    and `origin` (tag reference 5.7). Other names are ignored.

    Raises:
        UnusableError: it is no such record.
    """
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as problem:
        raise UnusableError(f"not JSON: {problem}", f"write {_EXAMPLE}") from None
    if not isinstance(record, dict):
        raise UnusableError("not a JSON object", f"write {_EXAMPLE}")
    kind = _text(record, "kind")
    if not kind:
        raise UnusableError("kind is missing", "an answer of `validation-gen webhook stdio` is joined with its request")
    errors = record.get("errors")
    if not isinstance(errors, list):
        refusal = f": {record['error']}" if isinstance(record.get("error"), str) else ""
        raise UnusableError(f"it has no list of errors{refusal}", "an empty list means a valid object")
    found = []
    for error in errors:
        if not isinstance(error, dict) or not _text(error, "type") or not _text(error, "field"):
            raise UnusableError("an error has no type or no field", f"write {_EXAMPLE}")
        place = (kind, _text(error, "field"), _text(error, "type"), _text(error, "origin"))
        found.append(Observed(*place, package=_text(record, "package"), api_version=_text(record, "apiVersion")))
    return found


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise UnusableError(f"{name} is not a string")
    return value or ""


@dataclass(slots=True)
class Observations:
    """Declared errors that tests have triggered.

    Attributes:
        triggered: the numbers of the triggered errors.
        unusable: the first lines that are no test results, with the reason and the correct form.
        untold: the number of further unusable lines.
    """

    triggered: set[int] = field(default_factory=set)
    unusable: dict[LinePosition, tuple[str, str]] = field(default_factory=dict)
    untold: int = 0

    def merge(self, other: Observations) -> None:
        """Adds the results of another part."""
        self.triggered |= other.triggered
        self.unusable |= other.unusable
        self.untold += other.untold
        if len(self.unusable) > MOST_TOLD:
            self.untold += len(self.unusable) - MOST_TOLD
            self.unusable = dict(sorted(self.unusable.items())[:MOST_TOLD])


class Observer:
    """Finds declared errors in results of tests. Their numbers are indexes into `rules`."""

    def __init__(self, rules: Sequence[Declared]) -> None:
        self._index = Index(rules)
        self._numbers = {rule: number for number, rule in enumerate(rules)}
        self._known: dict[Observed, frozenset[int]] = {}

    def see(self, lines: Iterable[bytes], number: int) -> Observations:
        """Reads the lines of the partition with this number, one at a time."""
        seen = Observations()
        for count, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                for error in find_observed(line):
                    seen.triggered |= self._find(error)
            except UnusableError as problem:
                if len(seen.unusable) < MOST_TOLD:
                    seen.unusable[number, count] = str(problem), problem.help
                else:
                    seen.untold += 1
        return seen

    def _find(self, error: Observed) -> frozenset[int]:
        found = self._known.get(error)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = frozenset(self._numbers[rule] for rule in self._index.find(error))
            self._known[error] = found
        return found


@dataclass(frozen=True, slots=True)
class Reading(Batch):
    """Reads test results in partitions. `errors` are the declared ones."""

    errors: tuple[Declared, ...]

    RULES: ClassVar[frozenset[str]] = frozenset({"errors"})
    CHUNK: ClassVar[Any] = Partition
    OUTCOME: ClassVar[Any] = Part[Observations]

    def prepare(self, _: ExitStack) -> Callable[[Partition], Part[Observations]]:
        """Returns a function that finds the declared errors in a partition."""
        return partial(read_part, Observer(self.errors))


def read_part(observer: Observer, partition: Partition) -> Part[Observations]:
    """Reads the test results in a partition.

    Raises:
        OpeningError: it cannot be opened, or not be read to its end.
        PartitionError: it is damaged, or its results are no longer needed.
    """
    with open_bytes(partition) as stream:
        source = Source(partition.url, stream)
        part = Part(observer.see(_filter_lines(source), partition.number), source.line)
        if source.problem:
            raise worker.PartitionError(source.problem)
        if partition.is_cut:
            part.lines[partition.number] = source.line
        return part


def inspect_source(stored: Stored) -> Content:
    """Returns how to read a source: by lines, as a stream if it is compressed.

    Raises:
        OpeningError, OSError: it cannot be read.
    """
    with closing(open_source(stored.url, glance=True)) as stream, closing(Source(stored.url, stream)) as source:
        return Content.STREAM if source.is_changed else Content.LINES


def _filter_lines(source: Source) -> Iterator[bytes]:
    for line in source.lines():
        worker.check_wanted()
        yield line


_INPUT = "<stdin>"


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """Settings for reading test results. `most_bad` parts may be unreadable. `resume` is the checkpoint, if any."""

    engine: Engine
    partition_bytes: int = USUAL
    most_bad: int = 10
    resume: str = ""


#: Callback with the numbers of finished and of all partitions.
Tell = Callable[[int, int], None]


def find_triggered(
    rules: Sequence[Declared],
    tests: Iterable[str],
    way: ReadSettings,
    diagnostics: Diagnostics,
    interruption: Interruption,
    tell: Tell = lambda done, parts: None,
) -> set[Declared]:
    """Returns the rules that tests have triggered.

    Unreadable inputs are reported (VG901), and so are lines that are no test results.

    Raises:
        EngineError: the cluster cannot go on, too many partitions could not be read, or sources are missing so that
            no checkpoint is possible.
        CheckpointError: the checkpoint belongs to other work.
        OSError: the checkpoint cannot be written.
        KeyboardInterrupt: a signal was received. Unreadable inputs are reported in any case.
    """
    errors = tuple(sorted({general_rule(rule) for rule in rules}))
    files = [each for each in tests if each != "-"]
    corpus = Corpus()
    corpus.add_named(files, inspect_source, way.partition_bytes, diagnostics)
    work: Work[Observations] = Work(Reading(errors), corpus, interruption, way.most_bad)
    if way.resume:
        work.resume(way.resume)
    seen = Observations()
    tell(0, len(corpus.partitions))
    try:
        with closing(work.run(way.engine)) as parts:
            for part in parts:
                with interruption.held():
                    seen.merge(part.results)
                interruption.check()
                tell(corpus.finished, len(corpus.partitions))
        work.remove_state()
        if len(files) < len(list(tests)):
            seen.merge(_of_input(Observer(errors), diagnostics))
    finally:
        with interruption.held():
            if work.kept is not None and work.kept.unsaved is not None:
                message = f"cannot write: {work.kept.unsaved.strerror or work.kept.unsaved}"
                help = "name another file with --resume"
                diagnostics.error("VG903", message, Span(way.resume), help)
            _report(seen, corpus, diagnostics)
            corpus.report(diagnostics)
    found = {errors[number] for number in seen.triggered}
    return {rule for rule in rules if general_rule(rule) in found}


def _of_input(observer: Observer, diagnostics: Diagnostics) -> Observations:
    """Reads standard input, which is no partition: its number is 0."""
    try:
        lines = reading.read_input().split(b"\n")
    except (OSError, ValueError) as error:
        diagnostics.error("VG901", f"cannot read: {getattr(error, 'strerror', None) or error}", Span(_INPUT))
        return Observations()
    return observer.see(lines, 0)


def _report(seen: Observations, corpus: Corpus, diagnostics: Diagnostics) -> None:
    """Reports the lines that are no test results."""
    sources = {0: (_INPUT, 0), **corpus.sources()}
    for (number, line), (reason, help) in sorted(seen.unusable.items()):
        file, before = sources[number]
        place = Span(file, line + before, 1, 2)
        diagnostics.error("VG901", f"this line is no test result: {reason}", place, help)
    if seen.untold:
        message = f"{seen.untold} more lines are no test results"
        diagnostics.error("VG901", message, Span("--tests"), "see to those above first")
