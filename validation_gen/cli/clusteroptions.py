"""Options of commands that work on a cluster, what `--cluster` says, and what cannot be done there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from validation_gen.uses.corpora.engines import Cluster

#: The heading of such options in the help of a command.
RUN = "The run"

Where = Annotated[
    str,
    typer.Option(
        "--cluster",
        rich_help_panel=RUN,
        metavar="WHERE",
        help="Work on Dask: local[:N] for processes here, tcp://HOST:PORT or tls://HOST:PORT for a scheduler.",
        show_default=False,
    ),
]
PartitionSize = Annotated[
    int,
    typer.Option(
        "--partition-size",
        rich_help_panel=RUN,
        min=1,
        max=4096,
        metavar="MIB",
        help="With --cluster, how much of a file one process reads at once.",
    ),
]
MostBad = Annotated[
    int,
    typer.Option(
        "--max-bad-partitions",
        rich_help_panel=RUN,
        min=0,
        metavar="N",
        help="With --cluster, how many parts of the input may be unreadable before the work ends.",
    ),
]
Resume = Annotated[
    str,
    typer.Option(
        "--resume",
        rich_help_panel=RUN,
        metavar="FILE",
        help="Keep in FILE how far the work has come, and go on from there.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class OnCluster:
    """Where the work is done, and in which parts."""

    cluster: Where = ""
    partition_size: PartitionSize = 64
    max_bad_partitions: MostBad = 10

    @property
    def partition_bytes(self) -> int:
        """How much of a file one process reads at once."""
        return self.partition_size << 20


def cluster_of(text: str) -> Cluster | None:
    """The cluster that is named, `None` if none is.

    Raises:
        typer.BadParameter: the text names none.
    """
    if not text:
        return None
    from validation_gen.uses.corpora.engines import Cluster  # noqa: PLC0415 - late, for a fast --help

    try:
        return Cluster.of(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--cluster") from None


def refuse_on_cluster(objects: Sequence[str], option: str = "--objects") -> None:
    """Refuses what the processes of a cluster cannot do.

    Raises:
        typer.BadParameter: one of them is asked for.
    """
    if "-" in objects:
        raise typer.BadParameter("the processes of a cluster cannot read standard input", param_hint=option)
