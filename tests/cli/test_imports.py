"""Nothing slow is imported before it is needed. Which modules that are is asked of fresh processes, never the time."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tests.cli.conftest import Program
from tests.tables import each
from validation_gen.cli.app import COMMANDS, app

#: What commands do their work with.
SLOW = {"black", "hypothesis", "jinja2", "lark", "rich", "tree_sitter", "tree_sitter_go", "yaml"}
#: Those of our own that bring many others along.
STAGES = {
    f"validation_gen.{name}"
    for room in (
        "compiler.lint compiler.lower compiler.pipeline",
        "emit.python mismatch rules.markers commands.compare commands.explain",
    )
    for name in room.split()
}

_CODE = """
import json, sys
from validation_gen.cli.main import run
sys.argv[0] = "validation-gen"
try:
    run()
finally:
    with open("imported.json", "w") as file:
        json.dump(sorted(sys.modules), file)
"""


def imported(project: Program, *args: str) -> set[str]:
    """The modules that a run has imported."""
    done = subprocess.run(
        [sys.executable, "-c", _CODE, *args],
        cwd=project.directory,
        env=project.environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    file = project.directory / "imported.json"
    names = set(json.loads(file.read_text()))
    file.unlink()
    return names


@pytest.mark.process
def test_the_version(project: Program) -> None:
    names = imported(project, "--version")
    assert not names & (SLOW | STAGES)
    assert not names & {"typer", "importlib.metadata", "pathlib"}
    assert {name for name in names if name.startswith("validation_gen.")} == {
        "validation_gen.cli",
        "validation_gen.cli.main",
        "validation_gen.emit",
        "validation_gen.emit.loading",
    }


@pytest.mark.process
def test_the_help(project: Program) -> None:
    names = imported(project, "--help")
    assert not names & (SLOW | STAGES)
    assert {name for name in names if name.startswith("validation_gen.")} == {
        "validation_gen.cli",
        "validation_gen.cli.main",
        "validation_gen.cli.app",
        "validation_gen.cli.helping",
        "validation_gen.emit",
        "validation_gen.emit.loading",
    }


@pytest.mark.process
@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "crd"] + ["crd generate", "crd lint"])
def test_the_help_of_a_command(project: Program, command: str) -> None:
    names = imported(project, *command.split(), "--help")
    assert not names & (SLOW - {"rich"} | STAGES - {"validation_gen.mismatch"})


@pytest.mark.process
def test_a_run(project: Program) -> None:
    """What is generated is as black would leave it, so nobody asks black; schemas and Python sources are others'."""
    names = imported(project, "apis", "--cache-dir", "kept")
    assert {"lark", "tree_sitter"} <= names  # otherwise this test looks at nothing
    assert not names & {
        "black",
        "hypothesis",
        "rich",
        "yaml",
        "validation_gen.rules.markers",
        "validation_gen.mismatch",
    }
    assert not names & {
        "validation_gen.commands.compare",
        "validation_gen.commands.convert",
        "validation_gen.commands.explain",
    }
    assert "validation_gen.sources.python.reader" not in names


@pytest.mark.process
@pytest.mark.parametrize("more", [(), ("--check",)], ids=str)
def test_a_run_that_has_been_there_before(project: Program, more: tuple[str, ...]) -> None:
    imported(project, "apis", "--cache-dir", "kept")
    names = imported(project, "apis", "--cache-dir", "kept", *more)
    assert not names & (SLOW | STAGES | {"validation_gen.ir"})
    assert "validation_gen.emit.output" in names


# --- what the late commands say of themselves ------------------------------------------------------------------------


@each("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    group: Any = typer.main.get_command(app)
    late = group.commands[name]
    real = late.loaded()
    assert late.help == COMMANDS[name] == " ".join(inspect.cleandoc(real.help).split("\n\n")[0].split())
    assert late.name == real.name == name
    assert not real.hidden
    assert not real.deprecated


def test_every_command_is_in_the_list() -> None:
    """A command has a module of its own in `cli`; other modules there are imported by those."""
    folder = Path(inspect.getfile(sys.modules["validation_gen.cli"])).parent
    openings = [file.read_text(encoding="utf-8").partition("\n")[0] for file in folder.glob("*.py")]
    commands = [re.match(r'"""`validation-gen ([a-z]+)', opening) for opening in openings]
    assert {command[1] for command in commands if command} <= COMMANDS.keys()
