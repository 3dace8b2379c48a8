"""Other processes that do portions of the work. Results come back in the order in which the work went out.

`Processes` is an engine; `in_processes` is what it stands on, for work that is no task of ours. The processes are ours
and not those of `concurrent.futures`, because other people's code runs in them: it can end its process, or never
return. Neither keeps this one from going on, and none of them outlives it.
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
from itertools import chain
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from validation_gen.emit.loading import handwritten, interpreter
from validation_gen.uses.corpora.deafness import deaf
from validation_gen.uses.corpora.engines import Done, EngineError
from validation_gen.uses.corpora.interruption import Interruption
from validation_gen.uses.corpora.worker import RefusedError, packed
from validation_gen.uses.corpora.worker import ready as made_ready

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Makes ready what does the work in a process; what that holds is given back with the stack. It is sent to the process,
#: unless that inherits it.
Prepare = Callable[[ExitStack], Callable[[Task], Result]]

#: What this process may hear, and its handlers are for it alone.
_HEARD = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}
_WORTH_PROCESSES = 0.3  # seconds of work in this process, before others are started
_GRACE = 6.0  # seconds in which a process closes what it holds, so that programs that it has started end, too


class WorkerDiedError(Exception):
    """A process has ended in the middle of its work. The text says how, `task` is what it was working on."""

    def __init__(self, code: int | None, task: Any) -> None:
        names = {-each.value: each.name for each in signal.Signals}
        super().__init__(f"signal {names[code]}" if code in names else f"exit code {code}")
        self.task = task


class Processes:
    """An engine on one machine: this process, and others as soon as that is worth it. Outcomes come in order.

    Args:
        count: how many processes there may be.
        interruption: what ends the work early.
        ready: what the task makes ready of what is common, made ready in this process already. Where processes can be
            forked they inherit it, and nothing is made ready twice.
    """

    dashboard = ""

    def __init__(
        self, count: int, interruption: Interruption, ready: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None:
        self._count = count
        self._interruption = interruption
        self._ready = ready

    def run(
        self,
        task: str,
        common: dict[str, Any] | Callable[[], dict[str, Any]],
        partitions: Iterable[dict[str, Any]],
    ) -> Generator[Done, None, None]:
        """As the protocol has it, but what is raised in a process is raised here. `common` is called if it is needed.

        Raises:
            WorkerDiedError: a process has ended. Its task is the partition.
            EngineError: a process refuses the work.
        """
        waiting = iter(partitions)
        worked = 0.0
        for partition in waiting:
            begun = time.monotonic()
            data = self._ready(partition)
            worked += time.monotonic() - begun
            self._interruption.check()
            yield Done(partition, data)
            if self._count > 1 and worked > _WORTH_PROCESSES:
                break
        first = next(waiting, None)
        second = None if first is None else next(waiting, None)
        if first is None:
            return
        if second is None:  # nobody would work beside
            yield Done(first, self._ready(first))
            return
        inherited = can_fork()
        prepare: Prepare[dict[str, Any], dict[str, Any]]
        if inherited:
            prepare = partial(_as_it_is, self._ready)
        else:
            prepare = partial(_made_ready, task, packed(common() if callable(common) else common))
        tasks = chain((first, second), waiting)
        with closing(in_processes(prepare, tasks, self._count, self._interruption, inherited=inherited)) as found:
            try:
                for partition, data in found:
                    yield Done(partition, data)
            except RefusedError as error:
                raise EngineError(str(error), error.help) from None

    def close(self) -> None:
        """Gives back nothing: what is ready belongs to whoever has made it."""


def can_fork() -> bool:
    """Whether processes can inherit what this one has: not beside threads, nor where libraries of the system bar it."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def cores() -> int:
    """The number of cores that this process may use: in a container there are often fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _as_it_is(ready: Callable[[Task], Result], _: ExitStack) -> Callable[[Task], Result]:
    return ready


def _made_ready(task: str, common: bytes, stack: ExitStack) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """What a task makes ready in another process, to be called for each partition."""
    run: Callable[[dict[str, Any]], dict[str, Any]] = stack.enter_context(made_ready(task, common))
    return run


@dataclass(slots=True)
class _Given(Generic[Task, Result]):
    """A task that is on its way, and in the end its result."""

    task: Task
    result: list[Result]


@dataclass(slots=True)
class _Worker(Generic[Task, Result]):
    process: BaseProcess
    pipe: Connection
    given: _Given[Task, Result] | None = None


def in_processes(
    prepare: Prepare[Task, Result],
    tasks: Iterator[Task],
    count: int,
    interruption: Interruption,
    *,
    inherited: bool = False,
) -> Generator[tuple[Task, Result], None, None]:
    """Each task with its result, in order. Only so many are on their way at once, so memory stays flat.

    With `inherited`, processes are forked, so that `prepare` and all that it knows is theirs; see `can_fork`. Closing
    the iterator ends the processes. What is raised in one of them is raised here.

    Raises:
        WorkerDiedError: a process has ended. The results of all tasks before have come by then.
    """
    workers: list[_Worker[Task, Result]] = []
    waiting: deque[_Given[Task, Result]] = deque()
    more = True
    try:
        while more or waiting:
            while more and len(waiting) < 3 * count:
                free = next((each for each in workers if each.given is None), None)
                if free is None and len(workers) == count:
                    break
                task = next(tasks, None)
                if task is None:
                    more = False
                    break
                with interruption.held():
                    if free is None:
                        free = _forked(prepare, workers) if inherited else _started(prepare)
                        workers.append(free)
                    free.given = _Given(task, [])
                    waiting.append(free.given)
                    with contextlib.suppress(OSError):  # it has ended: `_take` tells
                        free.pipe.send(task)
                interruption.check()
            if waiting and not waiting[0].result:
                _take(workers, waiting[0])
            while waiting and waiting[0].result:
                given = waiting.popleft()
                yield given.task, given.result[0]
    finally:
        with interruption.held():
            _end(workers)


def _take(workers: Sequence[_Worker[Task, Result]], first: _Given[Task, Result]) -> None:
    """Waits until there are results, and takes them.

    Raises:
        WorkerDiedError: the process that has the first task has ended. That of a later one is told in its turn.
    """
    busy: dict[Any, _Worker[Task, Result]] = {
        each.pipe: each for each in workers if each.given and not each.pipe.closed
    }
    for pipe in connection.wait(list(busy)):
        worker = busy[pipe]
        try:
            found = worker.pipe.recv()
        except (EOFError, OSError):
            worker.pipe.close()
            continue
        if isinstance(found, BaseException):
            raise found
        assert worker.given
        worker.given.result.append(found)
        worker.given = None
    for worker in workers:
        if worker.given is first and worker.pipe.closed:
            worker.process.join(_GRACE)
            raise WorkerDiedError(worker.process.exitcode, first.task)


def _started(prepare: Prepare[Task, Result]) -> _Worker[Task, Result]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(prepare, theirs, handwritten.admitted()), daemon=True)
    with interpreter.apart(), deaf():
        process.start()
    theirs.close()
    return _Worker(process, ours)


def _forked(prepare: Prepare[Task, Result], others: Sequence[_Worker[Task, Result]]) -> _Worker[Task, Result]:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    inherited = [*(each.pipe for each in others if not each.pipe.closed), ours]
    process = context.Process(target=_work_as_heir, args=(prepare, theirs, inherited), daemon=True)
    # Until it has handlers of its own, it has those of this process, which do what this process would do.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HEARD)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return _Worker(process, ours)


def _end(workers: Sequence[_Worker[Task, Result]]) -> None:
    """Ends all processes, kindly at first."""
    for worker in workers:
        worker.pipe.close()
        if worker.given:
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
    gc.freeze()  # to look for garbage in what is inherited would copy all of it
    for each in inherited:  # or who waits for an end of one would wait for this process, too
        each.close()
    for sign in _HEARD - {signal.SIGTERM}:
        signal.signal(sign, signal.SIG_DFL)
    _work(prepare, pipe)


class _EndError(KeyboardInterrupt):
    """The process that has started this one wants it to end."""


def _work(prepare: Prepare[Any, Any], pipe: Connection, directories: Sequence[str] = ()) -> None:
    os.dup2(2, 1)  # what other people's code prints, in whatever way, is no part of our output
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: _stop())
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HEARD - {signal.SIGINT})
    threading.Thread(target=_watch, daemon=True).start()
    for directory in reversed(directories):
        handwritten.admit(directory)
    with contextlib.suppress(_EndError), ExitStack() as stack:
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
        except BaseException as error:  # whatever it is, it belongs to the process that waits for a result
            with contextlib.suppress(OSError):
                pipe.send(_portable(error))
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)  # threads of other people's code are not waited for


def _stop() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _EndError


def _watch() -> None:
    """Ends this process after the one that has started it, which may have been killed."""
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
