"""What `--cluster` says, and what cannot be done on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from validation_gen.uses.corpora.engines import Cluster


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


def refuse_on_cluster(objects: Sequence[str]) -> None:
    """Refuses what the processes of a cluster cannot do.

    Raises:
        typer.BadParameter: one of them is asked for.
    """
    if "-" in objects:
        raise typer.BadParameter("the processes of a cluster cannot read standard input", param_hint="--objects")
