"""Runs a comparison over any number of requests: in this process, or in several.

Work goes out in portions and comes back in the same order, so that what is done is always a beginning of the input; an
interrupted run goes on from there. Only so many portions are on their way at once, so memory stays flat.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice

from validation_gen.compare.declarations import Declarations
from validation_gen.compare.inputs import Bad, Item, parse_item
from validation_gen.compare.judge import Judge, Manner
from validation_gen.compare.requests import Request
from validation_gen.compare.results import Results
from validation_gen.compare.sides import SideSpec
from validation_gen.memory import load_registry
from validation_gen.mismatch.expected import Expectation, Expectations
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.shape import Shape

_PORTION = 500
_WORTH_A_PROCESS = 4 * _PORTION  # starting a process takes as long as comparing some thousand objects


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


def compare(job: Job, items: Iterable[Item | Request], jobs: int, judge: Callable[[], Judge]) -> Iterator[Portion]:
    """The results of all items, portion by portion in their order.

    `judge` gives the one of this process; it is used when a single process is asked for or there is little to do.
    Closing the iterator ends the other processes.
    """
    stream = iter(items)
    first = list(islice(stream, _WORTH_A_PROCESS))
    if jobs <= 1 or len(first) < _WORTH_A_PROCESS:
        own = judge()
        for portion in _portions(chain(first, stream)):
            yield Portion(_judge(own, portion), len(portion), portion[-1])
        return
    context = multiprocessing.get_context("spawn")
    waiting: deque[tuple[list[Item | Request], Future[Results]]] = deque()
    with ProcessPoolExecutor(jobs, context, _begin, (job,)) as pool:
        try:
            for portion in _portions(chain(first, stream)):
                waiting.append((portion, pool.submit(_work, portion)))
                if len(waiting) > 3 * jobs:
                    yield _done(*waiting.popleft())
            while waiting:
                yield _done(*waiting.popleft())
        except BaseException:
            # Nobody wants the rest. Without an exception the pool ends in order: Python stumbles over one that was told
            # to end and is not waited for, if the program ends right then.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _done(portion: list[Item | Request], future: Future[Results]) -> Portion:
    return Portion(future.result(), len(portion), portion[-1])


def _portions(items: Iterable[Item | Request]) -> Iterator[list[Item | Request]]:
    stream = iter(items)
    while portion := list(islice(stream, _PORTION)):
        yield portion


def _judge(judge: Judge, portion: Iterable[Item | Request]) -> Results:
    bad: list[Bad] = []
    requests: list[Request] = []
    for item in portion:
        for found in (item,) if isinstance(item, Request) else parse_item(item):
            if isinstance(found, Request):
                requests.append(found)
            else:
                bad.append(found)
    results = judge.judge(requests)
    for each in bad:
        results.note(str(each))
    return results


# --- in another process -----------------------------------------------------------------------------------------------

_stack = ExitStack()
_own: list[Judge] = []


def _begin(job: Job) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that has started this one decides what happens
    _own.append(job.judge(_stack))


def _work(portion: list[Item | Request]) -> Results:
    return _judge(_own[0], portion)
