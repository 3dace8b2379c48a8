from __future__ import annotations

import pytest
from hypothesis import settings

from tests.apiserver.fixture import apiserver

__all__ = ["apiserver"]

# How long an example takes depends on the machine; benchmarks look at time, tests do not.
settings.register_profile("timeless", deadline=None)
settings.load_profile("timeless")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update",
        action="store_true",
        help="rewrite what the case folders want (errors of objects, stderr.txt, want/) instead of comparing with it",
    )


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether wanted files are to be rewritten."""
    return bool(request.config.getoption("--update"))
