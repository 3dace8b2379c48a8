from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.stores import Etcd


@pytest.fixture(scope="session")
def etcd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Etcd]:
    """Runs etcd for all tests; each store has a prefix of its own in there."""
    with Etcd(tmp_path_factory.mktemp("etcd"), "--unsafe-no-fsync") as running:
        yield running
