from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.server.stores import Etcd


@pytest.fixture(scope="session")
def etcd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Etcd]:
    """Runs etcd for all tests; each store has a prefix of its own in there."""
    from tests.server.stores import Etcd  # noqa: PLC0415 - most tests need neither etcd nor its client

    with Etcd(tmp_path_factory.mktemp("etcd"), "--unsafe-no-fsync") as running:
        yield running
