"""Clusters for tests of all commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest


@pytest.fixture(
    scope="module",
    params=[
        2,
        pytest.param(1, marks=pytest.mark.slow),
        pytest.param(5, marks=pytest.mark.thorough),  # two show that the order does not matter
    ],
)
def dask(request: pytest.FixtureRequest) -> Iterator[Any]:
    """An engine with processes of this machine."""
    pytest.importorskip("distributed", reason="the extra [distributed] is not installed")
    from validation_gen.commands.distributed.dask_engine import DaskEngine  # noqa: PLC0415
    from validation_gen.commands.distributed.engines import Cluster  # noqa: PLC0415

    with closing(DaskEngine(Cluster(processes=request.param))) as engine:
        yield engine
