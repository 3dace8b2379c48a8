"""What documents show of Python has sound types, as strict as mypy can be."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import README, ROOT, Block, blocks
from tests.docs.workspace import Workspace
from tests.thorough import THOROUGH

#: kopf declares that nobody but itself calls a handler, which sessions do to show what it says.
_CALLS_HANDLERS = '# mypy: disable-error-code="call-arg,arg-type"\n'
_GENERATES = re.compile(r"validation-gen [\w./-]+(?: (?:--output-dir|-o) [\w./-]+)?(?: --quiet)?")


def _source(block: Block) -> str:
    """The program of a block: of a session, what is typed."""
    if block.language == "python":
        return block.text
    typed = [line[4:] for line in block.text.splitlines() if line.startswith((">>>", "..."))]
    return (_CALLS_HANDLERS if ">>> import kopf" in block.text else "") + "\n".join(typed) + "\n"


def _generated(block: Block) -> list[str]:
    """The commands of a block that write the packages which others import."""
    if "run" in block.marks:
        return [block.marks["run"]]
    if block.language not in ("console", "sh"):
        return []
    commands = [part for line in block.text.splitlines() for part in line.removeprefix("$ ").split(" && ")]
    return [command for command in commands if _GENERATES.fullmatch(command)]


def _is_dear(block: Block) -> bool:
    """Returns whether mypy takes ten seconds for a block: it reads all of kopf, and what kopf imports."""
    return not THOROUGH and "import kopf" in block.text


@pytest.mark.parametrize("document", [README, ROOT / "docs" / "tutorial-python.md"], ids=lambda path: path.name)
def test_snippets_have_sound_types(document: Path, tmp_path: Path) -> None:
    found = blocks(document)
    workspace = Workspace.at(tmp_path, found)
    snippets = []
    for block in found:
        if _is_dear(block):
            continue
        for command in _generated(block):
            workspace.run(command)
        if "file" in block.marks:
            path = workspace.directory / block.marks["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language in ("python", "pycon") and "not-run" not in block.marks:
            snippets.append(f"snippet_{block.line}.py")
            (workspace.directory / snippets[-1]).write_text(_source(block), encoding="utf-8")
        if block.language == "python" and "/" not in block.marks.get("file", "/"):
            snippets.append(block.marks["file"])
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *snippets],
        cwd=workspace.directory,
        env=os.environ | {"MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert snippets
    assert done.returncode == 0, done.stdout + done.stderr
