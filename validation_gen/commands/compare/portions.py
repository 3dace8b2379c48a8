"""Runs a comparison over any number of requests: in this process at first, later in several if that is faster.

Work is sent in portions and returned in the same order, so that the finished part is always a prefix of the input; an
interrupted run resumes from there. The results do not depend on the division of the work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, fields
from datetime import date
from functools import partial
from typing import Any, ClassVar, TypeVar

from validation_gen.commands.compare.grouping import Declarations
from validation_gen.commands.compare.groups import Order
from validation_gen.commands.compare.inputs import Bad, Item, parse_item
from validation_gen.commands.compare.inputs.decoding import render_position
from validation_gen.commands.compare.judge import ComparisonConfig, Judge
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.sides import RoutedSpec, SideOptions, SideSpec, SpecError, parse_spec, render_spec
from validation_gen.commands.compare.sides.process import end_all
from validation_gen.commands.distributed.codec import CODEC, Codec, decode, encode
from validation_gen.commands.distributed.engines import Interruption, WorkerDiedError
from validation_gen.commands.distributed.partitions import Partition
from validation_gen.commands.distributed.processes import in_processes
from validation_gen.commands.distributed.worker import Batch, RefusedError
from validation_gen.emit.loading import generated
from validation_gen.emit.loading.generated import load_registry
from validation_gen.mismatch.expected import Expectation, Expectations
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.shape import Shape

Own = TypeVar("Own", bound="Job")

_MOST_ITEMS = 500
_MOST_BYTES = 4 << 20
_SECONDS = 0.25  # duration of a portion: progress, checkpoints and interruptions happen between two of them
_WORTH_PROCESSES = 0.5  # seconds of work in this process; starting others takes longer


def _serialize_side(spec: SideSpec) -> dict[str, Any]:
    if isinstance(spec, RoutedSpec):
        return {"routes": [[*route, _serialize_side(each)] for route, each in spec.routes]}
    text, options = render_spec(spec)
    return {"text": text, "options": encode(options)}


def _deserialize_side(data: dict[str, Any]) -> SideSpec:
    if "routes" in data:
        return RoutedSpec(tuple(((package, name), _deserialize_side(each)) for package, name, each in data["routes"]))
    return parse_spec(data["text"], decode(SideOptions, data["options"]), check=False)


@dataclass(frozen=True, slots=True)
class Job(Batch):
    """Comparison of requests, by processes that may share no memory, files or user code with this one.

    Attributes:
        files: the generated package as text.
        declarations: declarations of its types.
        handwritten: source of the other answers.
        manner: how errors are compared.
        expected: expected differences.
        today: the date for their expiry, `None` for that of this machine.
        directories: those from which functions are imported.
    """

    files: Mapping[str, str]
    declarations: Declarations
    handwritten: SideSpec = field(metadata={CODEC: Codec(_serialize_side, _deserialize_side)})
    manner: ComparisonConfig
    expected: tuple[Expectation, ...] = ()
    today: date | None = None
    directories: tuple[str, ...] = ()

    RULES: ClassVar[frozenset[str]] = frozenset({"files", "declarations"})

    @classmethod
    def from_job(cls: type[Own], job: Job, today: date) -> Own:
        """Returns this work with the inputs of a job, for other processes."""
        given = {each.name: getattr(job, each.name) for each in fields(job)}
        return cls(**{**given, "today": today, "directories": generated.admitted()})

    def judge(self, stack: ExitStack) -> Judge:
        """Builds a judge in this process; the handwritten side is closed with the stack.

        Raises:
            SpecError: the handwritten side cannot be started.
        """
        registry = load_registry(dict(self.files))
        side = stack.enter_context(self.handwritten.side(lambda request: _shape(registry, request)))
        today = self.today
        expected = Expectations(self.expected, date.today if today is None else lambda: today)
        return Judge(registry, self.declarations, side, self.manner, expected)

    def judge_there(self, stack: ExitStack) -> Judge:
        """Builds a judge in another process.

        Raises:
            RefusedError: it lacks the handwritten side.
        """
        for directory in reversed(self.directories):
            generated.admit(directory)
        stack.callback(end_all)
        try:
            return self.judge(stack)
        except SpecError as error:
            raise RefusedError(f"a worker has no such handwritten side: {error.reason}", error.suggestion) from None

    def identity(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Extends `Batch.identity`. Instead of the date, it contains which expectations have expired."""
        rules, data = Batch.identity(self)
        today = self.today or date.today()
        data["today"] = [each.expires is not None and each.expires < today for each in self.expected]
        return rules, data


def _shape(registry: Registry, request: Request) -> Shape | None:
    """Returns the shape of a request's object. The judge has set its package."""
    found = registry.of_type(request.kind, request.package)
    return registry.shape(found[0]) if len(found) == 1 else None


#: The last compared input.
Last = Item | Request | Partition
#: Items that are judged at once, and the position of the first of them.
Numbered = tuple[Order, Sequence[Item | Request]]


@dataclass(frozen=True, slots=True)
class Portion:
    """The results of some items, and the last of them."""

    results: Results
    items: int
    last: Last


def compare(
    job: Job,
    items: Iterable[Item | Request],
    jobs: int,
    judge: Judge,
    interruption: Interruption,
    begin: Order = (0, 0),
) -> Generator[Portion, None, None]:
    """Yields the results of all items, portion by portion in their order.

    Args:
        job: configuration of the comparison.
        items: inputs of the comparison.
        jobs: the number of processes.
        judge: the judge of this process.
        interruption: ends it early.
        begin: the position of the first item.

    Closing the iterator ends the other processes.

    Raises:
        WorkerDiedError: one of the other processes has ended. Its task is the item at which it did, where that is
            always the same.
    """
    cutter = Cutter(iter(items), begin)
    worked = 0.0
    for numbered in cutter:
        results, seconds = judge_portion(judge, numbered)
        portion = numbered[1]
        interruption.check()
        yield Portion(results, len(portion), portion[-1])
        cutter.adapt(len(portion), seconds)
        worked += seconds
        if jobs > 1 and worked > _WORTH_PROCESSES:
            break
    prepare = partial(_prepare, job)
    with closing(in_processes(prepare, iter(cutter), jobs, interruption)) as done:
        try:
            for (_, portion), (results, seconds) in done:
                yield Portion(results, len(portion), portion[-1])
                cutter.adapt(len(portion), seconds)
            return
        except WorkerDiedError as died:
            failure = died
    (partition, first), failed = failure.task
    failure.task = failed
    singles = (((partition, number), [item]) for number, item in enumerate(failed, first))
    with closing(in_processes(prepare, singles, 1, interruption)) as again:
        try:
            for (_, portion), (results, _) in again:  # to find out which one it is
                yield Portion(results, 1, portion[-1])
        except WorkerDiedError as died:
            _, died.task = died.task
            raise
    raise failure


def describe_location(portion: Sequence[Item | Request]) -> str:
    """Describes the location of a portion for messages."""
    first, last = (
        each.place if isinstance(each, Request) else render_position(each.file, each.piece.line)
        for each in (portion[0], portion[-1])
    )
    return f"it was at {first}" if first == last else f"it was between {first} and {last}"


@dataclass(slots=True)
class Cutter:
    """Cuts the work into portions of about the same duration, for slow judges and for slow reading."""

    items: Iterator[Item | Request]
    begin: Order = (0, 0)
    most: int = 10

    def __iter__(self) -> Iterator[Numbered]:
        return self

    def __next__(self) -> Numbered:
        portion = self._portion()
        begin = partition, number = self.begin
        self.begin = partition, number + len(portion)
        return begin, portion

    def _portion(self) -> list[Item | Request]:
        portion: list[Item | Request] = []
        size, begun = 0, time.monotonic()
        for item in self.items:
            portion.append(item)
            if isinstance(item, Item):
                size += len(item.piece.data)
            if len(portion) >= self.most or size > _MOST_BYTES or time.monotonic() - begun > _SECONDS:
                return portion
        if not portion:
            raise StopIteration
        return portion

    def adapt(self, items: int, seconds: float) -> None:
        fitting = int(items * _SECONDS / seconds) if seconds > 0 else _MOST_ITEMS
        self.most = max(1, min(fitting, 4 * self.most, _MOST_ITEMS))


def _prepare(job: Job, stack: ExitStack) -> Callable[[Numbered], tuple[Results, float]]:
    """Builds the judge of another process, and returns a function that judges a portion."""
    stack.callback(end_all)
    return partial(judge_portion, job.judge(stack))


def judge_portion(
    judge: Judge, portion: Numbered, is_wanted: Callable[[Item, Request | Bad], bool] | None = None
) -> tuple[Results, float]:
    """Judges a portion; returns the results and the duration in seconds. All comparisons use this function.

    `is_wanted` returns whether a part of an item is compared here.
    """
    (partition, first), items = portion
    begun = time.monotonic()
    found: list[Request | Bad] = []
    orders: list[Order] = []
    for number, item in enumerate(items, first):
        if isinstance(item, Request):
            found.append(item)
            orders.append((partition, number))
            continue
        parsed = parse_item(item)
        if is_wanted is not None:
            parsed = [each for each in parsed if is_wanted(item, each)]
        found += parsed
        orders += [item.order or (partition, number)] * len(parsed)
    return judge.judge(found, orders), time.monotonic() - begun
