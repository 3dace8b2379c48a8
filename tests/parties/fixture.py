"""The fixture that gives tests the parties to ask, where the environment names the program.

`tests/conftest.py` hands it to all tests. One that has `parties` as a parameter is skipped where
`VALIDATION_GEN_PARTIES` does not name a program that speaks the protocol.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apiserver import Program
from tests.parties import Parties

VARIABLE = "VALIDATION_GEN_PARTIES"


@pytest.fixture(scope="session")
def parties() -> Iterator[Parties]:
    program = os.environ.get(VARIABLE)
    if not program:
        pytest.skip(f"{VARIABLE} must name a program that answers as tests/parties/README.md says")
    assert Path(program).is_file(), f"{VARIABLE}={program} is not a file"
    with Program(str(Path(program).resolve())) as running:
        yield Parties(running)
