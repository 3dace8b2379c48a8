"""Runs portions of the work in other processes. Results are returned in the order of the portions.

They are our own and not those of `concurrent.futures`, because user code runs in them: it can end its process, or never
return. Neither blocks this process, and no child outlives it. `run_in_turn` works on one machine: in this process, and
in others when that is faster.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from validation_gen.commands.distributed.engines import (
    SIGNALS,
    EngineError,
    Interruption,
    WorkerDiedError,
    block_sigint,
)
from validation_gen.commands.distributed.worker import Batch, RefusedError, pack, ready
from validation_gen.emit import loading
from validation_gen.emit.loading import generated

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Prepares the function that works in a process; the stack releases its resources. It is sent to the process, unless
#: that inherits it.
Prepare = Callable[[ExitStack], Callable[[Task], Result]]

_GRACE = 6.0  # seconds in which a process releases its resources, so that programs that it has started end, too


@dataclass(slots=True)
class _Worker:
    """A process, and the number of the task that it works on."""

    process: BaseProcess
    pipe: Connection
    number: int | None = None


def in_processes(
    prepare: Prepare[Task, Result],
    tasks: Iterator[Task],
    count: int,
    interruption: Interruption,
    *,
    inherited: bool = False,
) -> Generator[tuple[Task, Result], None, None]:
    """Yields each task with its result, in order. A limited number is in flight, so memory stays flat.

    With `inherited`, processes are forked and inherit `prepare` with all its data; see `can_fork`. Closing the iterator
    ends the processes. An exception in one of them is raised here.

    Raises:
        WorkerDiedError: a process has ended. The results of all tasks before it have been yielded by then.
    """
    workers: list[_Worker] = []
    sent: deque[Task] = deque()  # the tasks in flight, and behind them; the number of the first one is `first`
    results: dict[int, Result] = {}
    first, more = 0, True
    try:
        while more or sent:
            while more and len(sent) < 3 * count:
                free = next((each for each in workers if each.number is None), None)
                if free is None and len(workers) == count:
                    break
                task = next(tasks, None)
                if task is None:
                    more = False
                    break
                with interruption.held():
                    if free is None:
                        free = _fork(prepare, workers) if inherited else _start(prepare)
                        workers.append(free)
                    free.number = first + len(sent)
                    sent.append(task)
                    with contextlib.suppress(OSError):  # it has ended: `_take` reports that
                        free.pipe.send(task)
                interruption.check()
            if sent and first not in results:
                _take(workers, results, first, sent[0])
            while first in results:
                yield sent.popleft(), results.pop(first)
                first += 1
    finally:
        with interruption.held():
            _end(workers)


def _take(workers: Sequence[_Worker], results: dict[int, Any], first: int, task: Any) -> None:
    """Waits for results, and takes them.

    Raises:
        WorkerDiedError: the process with the first task has ended. For a later task, this is raised in its turn.
    """
    busy: dict[Any, _Worker] = {each.pipe: each for each in workers if each.number is not None and not each.pipe.closed}
    for pipe in connection.wait(list(busy)):
        worker = busy[pipe]
        try:
            found = worker.pipe.recv()
        except (EOFError, OSError):
            worker.pipe.close()
            continue
        if isinstance(found, BaseException):
            raise found
        assert worker.number is not None
        results[worker.number] = found
        worker.number = None
    for worker in workers:
        if worker.number == first and worker.pipe.closed:
            worker.process.join(_GRACE)
            raise WorkerDiedError(worker.process.exitcode, task)


def _start(prepare: Prepare[Any, Any]) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(prepare, theirs, generated.admitted()), daemon=True)
    with loading.apart(), block_sigint():
        process.start()
    theirs.close()
    return _Worker(process, ours)


def _fork(prepare: Prepare[Any, Any], others: Sequence[_Worker]) -> _Worker:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    inherited = [*(each.pipe for each in others if not each.pipe.closed), ours]
    process = context.Process(target=_work_as_heir, args=(prepare, theirs, inherited), daemon=True)
    # Until it has its own handlers, it has those of this process, which would act for this process.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return _Worker(process, ours)


def _end(workers: Sequence[_Worker]) -> None:
    """Ends all processes: first by closing their pipes, then by force."""
    for worker in workers:
        worker.pipe.close()
        if worker.number is not None:
            worker.process.terminate()
    deadline = time.monotonic() + _GRACE
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        if worker.process.exitcode is None:
            worker.process.kill()
            worker.process.join()
        worker.process.close()


# --- in the other process ---------------------------------------------------------------------------------------------


def _work_as_heir(prepare: Prepare[Any, Any], pipe: Connection, inherited: Sequence[Connection]) -> None:
    gc.freeze()  # the garbage collector would write to inherited memory, and so copy it
    for each in inherited:  # otherwise a reader that waits for its end would wait for this process, too
        each.close()
    for sign in SIGNALS - {signal.SIGTERM}:
        signal.signal(sign, signal.SIG_DFL)
    _work(prepare, pipe)


class _EndError(KeyboardInterrupt):
    """Raised when the parent process ends this process."""


def _work(prepare: Prepare[Any, Any], pipe: Connection, directories: Sequence[str] = ()) -> None:
    os.dup2(2, 1)  # output of user code must not be mixed into our output
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(_EndError):
        # From here on SIGTERM may raise: an earlier one waits until it is unblocked.
        signal.signal(signal.SIGTERM, lambda number, frame: _stop())
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS - {signal.SIGINT})
        threading.Thread(target=_watch, daemon=True).start()
        for directory in reversed(directories):
            generated.admit(directory)
        _answer(prepare, pipe)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)  # threads of user code are not waited for


def _answer(prepare: Prepare[Any, Any], pipe: Connection) -> None:
    """Runs tasks until the pipe ends, and sends each result, or at last an exception."""
    with ExitStack() as stack:
        try:
            work = prepare(stack)
            while True:
                try:
                    task = pipe.recv()
                except (EOFError, OSError):
                    break
                pipe.send(work(task))
        except _EndError:
            pass
        except BaseException as error:  # any exception belongs to the process that waits for a result
            with contextlib.suppress(OSError):
                pipe.send(_portable(error))


def _stop() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _EndError


def _watch() -> None:
    """Ends this process after its parent, which may have been killed."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE)
    os._exit(1)


def _portable(error: BaseException) -> BaseException:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


WORTH_PROCESSES = 0.3  #: seconds of work in this process, before others are started


def run_in_turn(
    run: Callable[[Any], Result],
    batch: Callable[[], Batch],
    chunks: Iterable[Any],
    count: int,
    interruption: Interruption,
) -> Generator[Result, None, None]:
    """Yields the outcomes of chunks, in order. This process runs them, and others as soon as that is faster.

    Args:
        run: runs a chunk in this process. Forked processes inherit it, and prepare nothing again.
        batch: makes the batch for processes that inherit nothing.
        chunks: the chunks.
        count: the maximum number of other processes.
        interruption: ends the work early.

    Raises:
        WorkerDiedError: a process has ended. Its task is the chunk.
        EngineError: a process refuses the work.
    """
    waiting = iter(chunks)
    worked = 0.0
    for chunk in waiting:
        begun = time.monotonic()
        outcome = run(chunk)
        worked += time.monotonic() - begun
        interruption.check()
        yield outcome
        if count > 1 and worked > WORTH_PROCESSES:
            break
    some = list(islice(waiting, 2))
    if len(some) < 2:  # a second process would have no work
        yield from map(run, some)
        return
    inherited = can_fork()
    prepare = partial(_as_it_is, run) if inherited else partial(_prepare_packed, pack(batch()))
    with closing(in_processes(prepare, chain(some, waiting), count, interruption, inherited=inherited)) as found:
        try:
            for _, outcome in found:
                yield outcome
        except RefusedError as error:
            raise EngineError(str(error), error.help) from None


def can_fork() -> bool:
    """Returns whether processes can be forked: not beside threads, nor on macOS, whose libraries forbid it."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def cores() -> int:
    """Returns the number of cores for this process: containers often have fewer than the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _as_it_is(run: Callable[[Any], Any], _: ExitStack) -> Callable[[Any], Any]:
    return run


def _prepare_packed(packed: bytes, stack: ExitStack) -> Callable[[Any], Any]:
    """Prepares a batch in another process, and returns the function that runs a chunk."""
    run: Callable[[Any], Any] = stack.enter_context(ready(packed))
    return run
