"""The first steps of a newcomer: a new environment, the commands of a document, and nothing else.

These take what tests/docs tries in the environment of the tests, and run it where only what the document installs is
there. Asked for as the tests of the wheel are (`test_wheel.py`).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.docs.blocks import README, ROOT, Block, blocks
from tests.docs.installs import installs
from tests.docs.workspace import Workspace
from tests.packaging.builds import create_environment


def first_steps() -> list[Block]:
    """What README.md shows up to the first session in Python."""
    found = blocks(README)
    return found[: next(i for i, block in enumerate(found) if block.language == "pycon") + 1]


@pytest.mark.slow
def test_nothing_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents that install the same things share an environment; what one alone installs comes after the others.

    An editable installation would write native code into the tree that other tests use; `test_wheel.py` compiles it.
    """
    monkeypatch.setenv("VALIDATION_GEN_BUILD", "pure")
    if os.environ.get("VALIDATION_GEN_WHEEL_TEST") != "required":
        pytest.skip("VALIDATION_GEN_WHEEL_TEST=required asks for what installs packages")
    scripts = create_environment(tmp_path / "venv")
    installed: set[str] = set()
    for name in ("README.md", "docs/tutorial-go.md", "docs/tutorial-python.md"):
        found = first_steps() if name == "README.md" else blocks(ROOT / name)
        (tmp_path / Path(name).stem).mkdir()
        workspace = Workspace.at(tmp_path / Path(name).stem, found, scripts, installed)
        before = set(installed)
        for block in found:
            workspace.do(block)
        assert before <= _installs(found), f"{name} has more than it installs"


def _installs(found: list[Block]) -> set[str]:
    lines = [line for block in found if block.language == "sh" for line in block.text.splitlines()]
    return {command for line in lines for command in line.split(" && ") if installs(command)}


def test_the_first_steps_take_two_minutes() -> None:
    """A reader takes in 200 words a minute."""
    steps = first_steps()
    lines = README.read_text(encoding="utf-8").splitlines()[: steps[-1].line + steps[-1].text.count("\n")]
    assert len(" ".join(lines).split()) < 400
    assert any("invalid" in block.text.lower() for block in steps)
