"""The fixture that gives tests an API server to ask: its recorded answers, or the program that gives them.

`tests/conftest.py` hands it to all tests. Where `VALIDATION_GEN_APISERVER` names a program that speaks the protocol,
its answers have to be the recorded ones; with `--update` they become those.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apiserver import ApiServer, Program
from tests.apiserver.recording import Recorder, Recording, recording_path

VARIABLE = "VALIDATION_GEN_APISERVER"


@pytest.fixture(scope="session")
def apiserver_program() -> Iterator[Program | None]:
    """The program, where the environment names one."""
    name = os.environ.get(VARIABLE)
    if not name:
        yield None
        return
    assert Path(name).is_file(), f"{VARIABLE}={name} is not a file"
    with Program(str(Path(name).resolve())) as program:
        yield program


@pytest.fixture(scope="module")
def apiserver(request: pytest.FixtureRequest, apiserver_program: Program | None) -> Iterator[ApiServer]:
    """Answers the questions of a file of tests."""
    path = recording_path(request.path)
    if apiserver_program is None:
        yield ApiServer(Recording(path))
        return
    update = bool(request.config.getoption("--update"))
    assert not update or not hasattr(request.config, "workerinput"), "answers are recorded by one process: add -n0"
    recorder = Recorder(apiserver_program, path, update=update)
    yield ApiServer(recorder)
    recorder.close()
