"""`validate --cluster`: the answer of one machine, what cannot be done there, and what is kept."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.commands.validate.inputs import plain, write

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra [distributed] is not installed")
_CALL = ("validate", "apis", "--option", "Glitter", "-f", "in", "-f", "in/b.jsonl", "--format", "concise")


def test_the_answer_is_that_of_one_machine(project: Program) -> None:
    write(plain(), project.directory)
    alone = project(*_CALL)
    shared = project(*_CALL, "--cluster", "local:1", "--resume", "state.json")
    assert (alone.code, shared.code) == (2, 2)
    assert len(alone.out.splitlines()) > 30
    assert shared.out == alone.out
    assert shared.err == alone.err
    assert not Path(project.directory, "state.json").exists()


def test_a_place_that_takes_no_state_is_told_before_anything_is_read(project: Program) -> None:
    write(plain(), project.directory)
    done = project(*_CALL, "--cluster", "local:1", "--resume", "go.mod/state.json")
    assert (done.code, done.out) == (2, "")
    assert "VG903" in done.err
    project.write({"other.json": "{}"})
    done = project(*_CALL, "--cluster", "local:1", "--resume", "other.json")
    assert (done.code, done.out) == (2, "")
    assert "other.json: it does not hold the state of work on a cluster" in done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-f", "-", "--cluster", "local:1"), "the processes of a cluster cannot read standard input"),
        (("-f", "in", "--cluster", "there"), "'there' is no cluster: write local, local:N, tcp://HOST:PORT"),
        (("-f", "in", "--cluster", "local:1", "--old", "in"), "objects as they were have to meet those of today"),
        (("-f", "in", "--resume", "state.json"), "work on one machine is not kept; name a --cluster"),
    ],
)
def test_what_cannot_be_done_is_told(project: Program, arguments: tuple[str, ...], told: str) -> None:
    done = project("validate", "apis", *arguments)
    assert done.code == 2
    assert told in " ".join(done.err.replace("│", " ").split())
