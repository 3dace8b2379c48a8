"""Engines that run batches on chunks: the protocol, and an engine in this process.

An engine gets a batch and chunks. It yields the outcome of each, in any order, and has a limited number of them in
flight.

Handles Ctrl-C: ends a comparison without a loss, so that the results so far are printed and saved.

A signal raises `KeyboardInterrupt` at any point of Python code, so also between two updates that belong together. It is
held back there, and raised again if other code has swallowed it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any, Protocol

from validation_gen.commands.distributed import worker
from validation_gen.commands.distributed.codec import decode, encode
from validation_gen.commands.distributed.worker import Batch
from validation_gen.diagnostics.visible import redact

_LOCAL = re.compile(r"local(?::(\d{1,3}))?")


class EngineError(Exception):
    """An engine cannot be used. The text is the reason, `help` the next step."""

    def __init__(self, reason: str, help: str = "") -> None:
        super().__init__(redact(reason))
        self.help = help


class WorkerDiedError(Exception):
    """A process has ended in the middle of its work. The text is the reason, `task` is the task of the process."""

    def __init__(self, code: int | None, task: Any) -> None:
        names = {-each.value: each.name for each in signal.Signals}
        super().__init__(f"signal {names[code]}" if code in names else f"exit code {code}")
        self.task = task


@dataclass(frozen=True, slots=True)
class Done:
    """A chunk with its outcome, or with the reason why there is none."""

    chunk: Any
    outcome: Any = None
    problem: str = ""

    @classmethod
    def from_answer(cls, batch: Batch, chunk: Any, packed: bytes) -> Done:
        """Reads the answer of a worker.

        Raises:
            EngineError: the worker refuses all work.
        """
        answer = decode(worker.Answer, json.loads(packed))
        if answer.refused:
            raise EngineError(answer.refused, answer.help)
        return cls(chunk, None if answer.problem else decode(batch.OUTCOME, answer.outcome), answer.problem)


class Engine(Protocol):
    """Runs batches.

    Attributes:
        dashboard: URL of a dashboard, `""` if there is none.
    """

    dashboard: str

    def run(self, batch: Batch, chunks: Iterable[Any]) -> Generator[Done, None, None]:
        """Yields the outcome of each chunk. Closing the iterator ends the work.

        Raises:
            EngineError: a worker refuses the work, or no worker is left.
        """

    def close(self) -> None:
        """Releases the engine's resources."""


class InProcess:
    """Runs all in this process. It is the minimal engine."""

    dashboard = ""
    _key = ""

    def run(self, batch: Batch, chunks: Iterable[Any]) -> Generator[Done, None, None]:
        packed = worker.pack(batch)
        self._key = worker.make_key(packed)
        for chunk in chunks:
            yield Done.from_answer(batch, chunk, worker.work(packed, encode(chunk, batch.CHUNK)))

    def close(self) -> None:
        worker.release(self._key)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster: an address, or a number of processes of this machine."""

    address: str = ""
    processes: int | None = None

    @classmethod
    def parse(cls, text: str) -> Cluster:
        """Parses `local`, `local:N`, `tcp://…` or `tls://…`.

        Raises:
            ValueError: the text is none of these.
        """
        if text.startswith(("tcp://", "tls://")) and text.partition("://")[2]:
            return cls(text)
        found = _LOCAL.fullmatch(text)
        if found is None or found[1] == "0":
            raise ValueError(f"{text!r:.100} is no cluster: write local, local:N, tcp://HOST:PORT or tls://HOST:PORT")
        return cls(processes=int(found[1]) if found[1] else None)


def engine_at(cluster: Cluster | None) -> Engine:
    """Returns the engine of a cluster, or without one the engine of this process.

    Raises:
        EngineError: the cluster cannot be used.
    """
    if cluster is None:
        return InProcess()
    from validation_gen.commands.distributed.dask_engine import DaskEngine  # noqa: PLC0415 - late, as few have a cluster

    return DaskEngine(cluster)


_CODE = 130
#: Ctrl-C, a request to end, and a terminal that has gone away.
SIGNALS = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}
#: This many signals end the program on the spot, without waiting for held-back sections.
_ENOUGH = 3
#: Seconds after a signal until the program ends, even if other code swallows the exception.
_PATIENCE = 15.0


class Interruption:
    """Handles SIGINT, SIGTERM and SIGHUP while it is entered. Signals that the process ignores stay ignored.

    Attributes:
        asked: number of received signals.
        rescue: saves results before the program ends on the spot.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.rescue: Callable[[], None] = lambda: None
        self._holds = 0
        self._before: dict[int, Any] = {}
        self._last_resort = threading.Timer(_PATIENCE, self._leave)
        self._last_resort.daemon = True

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():
            for sign in SIGNALS:
                if signal.getsignal(sign) in (signal.SIG_DFL, signal.default_int_handler):
                    self._before[sign] = signal.signal(sign, self._take)
        return self

    def __exit__(self, *error: object) -> None:
        self.noticed()
        while self._before:
            signal.signal(*self._before.popitem())

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.asked += 1
        if self.asked >= _ENOUGH:
            self._leave()
        if self.asked == 1:
            self._last_resort.start()
        if not self._holds:
            raise KeyboardInterrupt

    def _leave(self) -> None:
        with suppress(Exception):
            if not self._holds:  # otherwise numbers may not belong together
                self.rescue()
        os._exit(_CODE)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Holds back interruptions inside the block. `check` raises them afterwards."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1

    def hold(self) -> None:
        """Holds back interruptions from now on: the remaining work is short."""
        self._holds += 1

    def noticed(self) -> None:
        """Cancels the forced end, as the regular end has begun."""
        self._last_resort.cancel()

    def check(self) -> None:
        """Raises an interruption that was delayed, or that user code has caught.

        Raises:
            KeyboardInterrupt: a signal was received.
        """
        if self.asked:
            raise KeyboardInterrupt


@contextlib.contextmanager
def block_sigint() -> Iterator[None]:
    """Blocks SIGINT in child processes started inside the block. Terminals send it to them, too."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # The first process starts the resource tracker, which would unblock SIGINT again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
