"""Runs a comparison over any number of requests: in this process at first, in several once that is worth it.

Work goes out in portions and comes back in the same order, so that what is done is always a beginning of the input; an
interrupted run goes on from there. The results do not depend on how the work was divided.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial

from validation_gen.emit.loading.generated import load_registry
from validation_gen.mismatch.expected import Expectation, Expectations
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.shape import Shape
from validation_gen.uses.compare.declarations import Declarations
from validation_gen.uses.compare.inputs import Bad, Item, parse_item
from validation_gen.uses.compare.inputs.items import place
from validation_gen.uses.compare.interruption import Interruption
from validation_gen.uses.compare.judge import Judge, Manner
from validation_gen.uses.compare.requests import Request
from validation_gen.uses.compare.results import Results
from validation_gen.uses.compare.sides import SideSpec
from validation_gen.uses.compare.sides.process import end_all
from validation_gen.uses.compare.workers import WorkerDiedError, in_processes

_MOST_ITEMS = 500
_MOST_BYTES = 4 << 20
_SECONDS = 0.25  # that a portion should take: progress is told, saved and interrupted between two of them
_WORTH_PROCESSES = 0.5  # seconds of work in this process; starting others takes longer


@dataclass(frozen=True, slots=True)
class Job:
    """All that a process needs to judge requests.

    Attributes:
        files: the generated package as text.
        declarations: what its types declare.
        handwritten: where the other answers come from.
        manner: how errors are compared.
        expected: differences that are expected.
    """

    files: Mapping[str, str]
    declarations: Declarations
    handwritten: SideSpec
    manner: Manner
    expected: tuple[Expectation, ...] = ()

    def judge(self, stack: ExitStack) -> Judge:
        """A judge in this process; the handwritten side is closed with the stack.

        Raises:
            SpecError: the handwritten side cannot be made ready.
        """
        registry = load_registry(dict(self.files))
        side = stack.enter_context(self.handwritten.side(lambda request: _shape(registry, request)))
        return Judge(registry, self.declarations, side, self.manner, Expectations(self.expected))


def _shape(registry: Registry, request: Request) -> Shape | None:
    """The shape of a request's object. The judge has named its package."""
    found = registry.of_type(request.kind, request.package)
    return registry.shape(found[0]) if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Portion:
    """The results of some items, and the last of them."""

    results: Results
    items: int
    last: Item | Request


def compare(
    job: Job, items: Iterable[Item | Request], jobs: int, judge: Judge, interruption: Interruption
) -> Generator[Portion, None, None]:
    """The results of all items, portion by portion in their order. `judge` is the one of this process.

    Closing the iterator ends the other processes.

    Raises:
        WorkerDiedError: one of the other processes has ended. Its task is the item at which it did, where that is
            always the same.
    """
    cutter = _Cutter(iter(items))
    worked = 0.0
    for portion in cutter:
        results, seconds = _judged(judge, portion)
        interruption.check()
        yield Portion(results, len(portion), portion[-1])
        cutter.adapt(len(portion), seconds)
        worked += seconds
        if jobs > 1 and worked > _WORTH_PROCESSES:
            break
    prepare = partial(_prepare, job)
    with closing(in_processes(prepare, iter(cutter), jobs, interruption)) as done:
        try:
            for portion, (results, seconds) in done:
                yield Portion(results, len(portion), portion[-1])
                cutter.adapt(len(portion), seconds)
            return
        except WorkerDiedError as died:
            failure = died
    singles = ([item] for item in failure.task)
    with closing(in_processes(prepare, singles, 1, interruption)) as again:
        for portion, (results, _) in again:  # which one of them it is, people want to know
            yield Portion(results, 1, portion[-1])
    raise failure


def shown(portion: Sequence[Item | Request]) -> str:
    """Tells people where the items of a portion stand."""
    first, last = (
        each.place if isinstance(each, Request) else place(each.file, each.piece.line)
        for each in (portion[0], portion[-1])
    )
    return f"it was at {first}" if first == last else f"it was between {first} and {last}"


@dataclass(slots=True)
class _Cutter:
    """Cuts the work into portions that take about the same time, whether it is slow to judge or slow to read."""

    items: Iterator[Item | Request]
    most: int = 10

    def __iter__(self) -> Iterator[list[Item | Request]]:
        return self

    def __next__(self) -> list[Item | Request]:
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


def _prepare(job: Job, stack: ExitStack) -> Callable[[list[Item | Request]], tuple[Results, float]]:
    """Makes the judge of another process, and returns what has it judge a portion."""
    stack.callback(end_all)
    return partial(_judged, job.judge(stack))


def _judged(judge: Judge, portion: Iterable[Item | Request]) -> tuple[Results, float]:
    """The results of a portion, and the seconds that it took."""
    begun = time.monotonic()
    found: list[Request | Bad] = []
    for item in portion:
        if isinstance(item, Request):
            found.append(item)
        else:
            found += parse_item(item)
    return judge.judge(found), time.monotonic() - begun
