from __future__ import annotations

import pytest

from tests.apiserver.fixture import apiserver

__all__ = ["apiserver"]


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
