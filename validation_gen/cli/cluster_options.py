"""Options for parallel and cluster runs, shared by several commands, with their progress and error messages."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import typer

from validation_gen.cli import checks
from validation_gen.cli.config_context import get_configuration
from validation_gen.cli.options import Options, option
from validation_gen.cli.terminal import Progress
from validation_gen.cli.trust_policy import distrust
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.commands.distributed.engines import Cluster, WorkerDiedError


_OFTEN = 0.2  # seconds between two updates of the progress


@dataclass(frozen=True)
class Parallel(Options):
    """Options of a run in several processes."""

    panel: ClassVar[str | None] = "The run"
    jobs: int = option(0, "Processes; 0 for all cores.", "N", names=("--jobs", "-j"), min=0)


@dataclass(frozen=True)
class Clustered(Options):
    """Options of a run on a cluster."""

    panel: ClassVar[str | None] = "The run"
    unlisted: ClassVar[tuple[str, ...]] = ("partition_size", "max_bad_partitions")
    cluster: str = option(
        "",
        "Looks at objects on Dask: local[:N] for processes here, tcp://HOST:PORT or tls://HOST:PORT for a "
        "scheduler. Objects may then be URLs.",
        "WHERE",
    )
    partition_size: int = option(
        64, "With --cluster, the size of the part of a file that one process reads.", "MIB", min=1, max=4096
    )
    max_bad_partitions: int = option(
        10, "With --cluster, the number of unreadable parts of the input that ends the work.", "N", min=0
    )
    resume: str = option("", "With --cluster, keep the progress in FILE, and continue from there.", "FILE|URL")

    def refuse_resume(self) -> None:
        """Refuses `--resume` without a cluster. A configured value is ignored: it is for runs on a cluster."""
        if self.resume and not self.cluster and not get_configuration().is_configured("resume"):
            raise typer.BadParameter("work on one machine is not kept; name a --cluster", param_hint="--resume")


@dataclass(frozen=True)
class OnDask(Clustered, Parallel):
    """Options of a run here or on a cluster."""


def telling(progress: Progress) -> Callable[[int], None]:
    """Returns a callback that shows the number of checked objects, and stops the progress thread before forks."""
    from validation_gen.commands.distributed.processes import WORTH_PROCESSES  # noqa: PLC0415 - late, so that --help stays fast

    begun = told = time.monotonic()

    def tell(objects: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - begun > WORTH_PROCESSES:  # more processes may start from now on
            progress.settle()
        if now - told > _OFTEN:
            told = now
            progress(f"checking {counted(objects, 'object', grouped=True)}")

    return tell


def report_dead_worker(failure: WorkerDiedError, where: str) -> Diagnostic:
    """Returns the diagnostic about a worker process that ended before its work was done."""
    message = f"a process that checks objects has ended ({failure}); it was at {where}"
    help = "see whether memory is short, and mend what ends it; what follows was not checked"
    return Diagnostic("VG904", Severity.ERROR, message, Span("--jobs"), help)


def cluster_of(text: str) -> Cluster | None:
    """Parses the name of a cluster, `None` if it is empty. Limits untrusted configurations to the number of cores."""
    if not text:
        return None
    from validation_gen.commands.distributed.engines import Cluster  # noqa: PLC0415 - late, for a fast --help

    with checks.blame("--cluster", ValueError):
        found = Cluster.parse(text)
    if found.processes and found.processes != (fewer := _limit_jobs(found.processes, "cluster")):
        return Cluster(processes=fewer)
    return found


def processes_of(jobs: int) -> int:
    """Returns the number of processes for `--jobs`. Limits untrusted configurations to the number of cores."""
    from validation_gen.commands.distributed.processes import cores  # noqa: PLC0415 - late, for a fast --help

    return _limit_jobs(jobs, "jobs") or cores()


def _limit_jobs(processes: int, parameter: str) -> int:
    """Returns the number of processes, limited to the number of cores if an untrusted configuration sets it."""
    from validation_gen.commands.distributed.processes import cores  # noqa: PLC0415 - late, for a fast --help

    if processes > cores() and get_configuration().is_configured(parameter) and distrust():
        return cores()
    return processes
