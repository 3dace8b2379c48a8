"""The fixture that gives tests an API server to ask, where the environment names one.

`tests/conftest.py` hands it to all tests. One that has `apiserver` as a parameter is skipped where
`VALIDATION_GEN_APISERVER` does not name a program that speaks the protocol.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apiserver import ApiServer

VARIABLE = "VALIDATION_GEN_APISERVER"


@pytest.fixture(scope="session")
def apiserver() -> Iterator[ApiServer]:
    program = os.environ.get(VARIABLE)
    if not program:
        pytest.skip(f"{VARIABLE} must name a program that answers as tests/apiserver/README.md says")
    assert Path(program).is_file(), f"{VARIABLE}={program} is not a file"
    with ApiServer(str(Path(program).resolve())) as server:
        yield server
