"""Runs tasks on Dask: a scheduler at an address, or processes of this machine. No other module imports Dask.

Functions of `worker` are sent by name, with bytes as arguments; they return bytes. A limited number of partitions is in
flight, and the scheduler drops the result of one when it has been fetched.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import queue
import time
from collections.abc import Generator, Iterable
from itertools import islice
from typing import Any

from validation_gen.commands.distributed import worker
from validation_gen.commands.distributed.codec import encode
from validation_gen.commands.distributed.engines import Cluster, Done, EngineError, block_sigint
from validation_gen.commands.distributed.opening import PAUSES
from validation_gen.commands.distributed.worker import Batch

#: Partitions in flight for each thread of the workers: one that runs, and one that waits.
_AHEAD = 2
#: Dask's profiler samples a worker each 10 ms and stores that for an hour, which would be most of a worker's memory. To
#: fetch a dependency, Dask tries for half a minute to reach a worker that has ended. On one machine, a living worker
#: answers at once.
_WORKERS = {"distributed.worker.profile.enabled": False, "distributed.comm.timeouts.connect": "5s"}
#: Dask gives up a process of this machine after this time without it, even if it is restarting or has ended a second
#: time. It would be missing until the end.
_LOST = {"distributed.deploy.lost-worker-timeout": "30 days"}
_PATIENCE = 15  # seconds for a scheduler to answer, and for the first worker
#: Maximum seconds without a worker. A cluster that grows and shrinks may take a while.
WITHOUT_WORKERS = 300.0
_LOOKED_AFTER = 2.0  # seconds
_ANSWERED = 30.0  # seconds for a busy scheduler to answer
_FETCHED = 60.0  # seconds to fetch a finished result ...
_ASKED = 3.0  # ... and before the request is repeated, as the worker that had it may have ended
_DEADLY = "the workers that tried it have ended, one after the other"


class DaskEngine:
    """A client of a cluster.

    Raises:
        EngineError: Dask is not installed, or the cluster does not answer.
    """

    def __init__(self, cluster: Cluster) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")  # an extra
        except ImportError:
            raise EngineError(
                "clusters need Dask, which is not installed", "pip install 'validation-gen[distributed]'"
            ) from None
        self._distributed = distributed
        self._cluster: Any = None
        self._settings = contextlib.ExitStack()
        try:
            if cluster.address:
                self._client: Any = distributed.Client(cluster.address, timeout=_PATIENCE, set_as_default=False)
            else:
                config: Any = importlib.import_module("dask.config")
                self._settings.enter_context(config.set(_LOST))
                with block_sigint():  # the thread that starts processes is created here, and inherits the signal mask
                    self._cluster = distributed.LocalCluster(
                        n_workers=cluster.processes,
                        threads_per_worker=1,
                        # Any port, as another comparison may use the default one.
                        dashboard_address=None,
                        scheduler_kwargs={"dashboard_address": "127.0.0.1:0", "dashboard": False},
                        silence_logs=logging.CRITICAL,
                        config=_WORKERS,
                    )
                self._client = distributed.Client(self._cluster, timeout=_PATIENCE, set_as_default=False)
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            self.close()
            where = cluster.address or "this machine"
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise EngineError(
                f"the cluster at {where} does not answer: {reason}",
                "start a scheduler and workers, and name its address",
            ) from None
        self.dashboard: str = self._client.dashboard_link if cluster.address else ""
        self.address: str = self._client.scheduler.address

    def run(self, batch: Batch, chunks: Iterable[Any]) -> Generator[Done, None, None]:
        """Runs the batch; see the protocol."""
        client = self._client
        # A task of its own, so that the scheduler can recompute it if the workers that have it die.
        packed = worker.pack(batch)
        shared = client.submit(worker.pass_through, packed, pure=False)
        waiting = iter(chunks)
        #: Chunks whose workers have ended. Other chunks ran beside them, so each is run alone to find the cause.
        suspects: list[Any] = []
        #: Chunks in flight, with the number of lost answers.
        way: dict[Any, tuple[Any, int]] = {}
        ready: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def send(chunk: Any, lost: int = 0) -> Any:
            # First in, first out: users see the beginning of their input done first.
            data = encode(chunk, batch.CHUNK)
            future = client.submit(worker.work, shared, data, pure=False, fifo_timeout="0 ms")
            way[future] = chunk, lost
            future.add_done_callback(ready.put)
            return future

        alone = None
        try:
            while True:
                for chunk in islice(waiting, max(0, self._most() - len(way))):
                    send(chunk)
                if not way:
                    if not suspects:
                        return
                    alone = send(suspects.pop(0), len(PAUSES))
                future = self._next(ready)
                found = self._fetch(future)
                if future.status == "pending":  # its result was lost, and is recomputed
                    future.add_done_callback(ready.put)
                    continue
                chunk, lost = way.pop(future)
                future.release()
                if isinstance(found, bytes):
                    yield Done.from_answer(batch, chunk, found)
                elif not found and future is not alone:
                    suspects.append(chunk)
                elif found and lost < len(PAUSES):
                    time.sleep(PAUSES[lost])  # for a connection to recover
                    send(chunk, lost + 1)
                else:
                    yield Done(chunk, problem=found or _DEADLY)
        finally:
            with contextlib.suppress(Exception):
                if client.status == "running":
                    client.cancel(list(way))
                    client.sync(client._run, worker.release, worker.make_key(packed), callback_timeout=_ANSWERED)

    def close(self) -> None:
        """Disconnects from the cluster, and stops a cluster on this machine."""
        for each in (getattr(self, "_client", None), self._cluster):
            if each is not None:
                with contextlib.suppress(Exception):
                    each.close()
        self._settings.close()

    def _most(self) -> int:
        """Returns the current limit of partitions in flight, as the number of workers changes."""
        return max(_AHEAD, _AHEAD * self._threads())

    def _threads(self) -> int:
        """Returns the number of threads of the workers, 0 if the scheduler does not answer."""
        client = self._client
        with contextlib.suppress(Exception):  # any error of the connection
            if client.status == "running":
                found = client.sync(client.scheduler.ncores, callback_timeout=_ANSWERED)
                return sum(int(each) for each in found.values())
        return 0

    def _next(self, ready: queue.SimpleQueue[Any]) -> Any:
        """Returns the next finished future.

        Raises:
            EngineError: the cluster makes no progress any more.
        """
        deadline = None
        while True:
            with contextlib.suppress(queue.Empty):
                return ready.get(timeout=_LOOKED_AFTER)
            if self._threads():
                deadline = None
            elif deadline is None:
                deadline = time.monotonic() + WITHOUT_WORKERS
            elif time.monotonic() > deadline:
                raise EngineError(
                    f"the cluster has had no workers for {WITHOUT_WORKERS:.0f} seconds",
                    "find out why they end; --resume keeps finished work",
                )

    def _fetch(self, future: Any) -> bytes | str:
        """Returns a worker's answer, or the reason why there is none; `""` if the workers have ended."""
        deadline = time.monotonic() + _FETCHED
        while future.status == "finished":
            try:
                answer: bytes = future.result(timeout=_ASKED)
            except (TimeoutError, self._distributed.TimeoutError, OSError):
                if time.monotonic() > deadline:
                    return "the cluster has lost what came of it"
            else:
                return answer
        error = future.exception() if future.status == "error" else None
        if isinstance(error, self._distributed.KilledWorker):
            return ""
        if isinstance(error, ImportError):
            raise EngineError(
                f"a worker cannot import validation-gen: {error}",
                f"install validation-gen {worker.own_version()} on all workers",
            )
        return f"the cluster has lost it: {error or future.status}"
