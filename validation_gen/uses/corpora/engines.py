"""Engines that run tasks on partitions: the protocol, and an engine in this process.

An engine gets the name of a task, the data common to all partitions, and partitions as plain data. It yields the
outcome of each, in any order, and has a limited number of them in flight.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from validation_gen.diagnostics.visible import redact
from validation_gen.uses.corpora import worker
from validation_gen.uses.corpora.opening import PAUSES

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
    """Outcome of a partition as data, or the reason why there is none."""

    partition: dict[str, Any]
    data: dict[str, Any] | None = None
    problem: str = ""


class Engine(Protocol):
    """Runs tasks.

    Attributes:
        dashboard: URL of a dashboard, `""` if there is none.
    """

    dashboard: str

    def run(
        self, task: str, common: dict[str, Any], partitions: Iterable[dict[str, Any]]
    ) -> Generator[Done, None, None]:
        """Yields the outcome of each partition. Closing the iterator ends the work.

        Raises:
            EngineError: a worker refuses the work, or no worker is left.
        """

    def close(self) -> None:
        """Releases the engine's resources."""


class InProcess:
    """Runs all in this process. It is the minimal engine."""

    dashboard = ""
    _key = ""

    def run(
        self, task: str, common: dict[str, Any], partitions: Iterable[dict[str, Any]]
    ) -> Generator[Done, None, None]:
        packed = worker.packed(common)
        self._key = worker.key_of(task, packed)
        for partition in partitions:
            answer = worker.Answer({})
            for pause in (*PAUSES, None):
                answer = worker.Answer.of(worker.work(task, packed, partition))
                if not answer.again or pause is None:
                    break
                time.sleep(pause)
            yield done(partition, answer)

    def close(self) -> None:
        worker.release(self._key)


def done(partition: dict[str, Any], answer: worker.Answer) -> Done:
    """Converts an answer of a worker.

    Raises:
        EngineError: the worker refuses all work.
    """
    if answer.refused:
        raise EngineError(answer.refused, answer.help)
    return Done(partition, answer.part, answer.problem)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster: an address, or a number of processes of this machine."""

    address: str = ""
    processes: int | None = None

    @classmethod
    def of(cls, text: str) -> Cluster:
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
    """Returns the engine of a cluster, or that of this process.

    Raises:
        EngineError: the cluster cannot be used.
    """
    if cluster is None:
        return InProcess()
    from validation_gen.uses.corpora.dask_engine import DaskEngine  # noqa: PLC0415 - late, as few have a cluster

    return DaskEngine(cluster)
