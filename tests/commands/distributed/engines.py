"""A corpus, what the command finds in it, and the programs of docs/howto-other-engines.md, which find the same."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tests.docs.blocks import ROOT, blocks
from validation_gen.cli.app import app, arguments

PAGE = ROOT / "docs" / "howto-other-engines.md"
BEFORE = "testdata/migration/before"


def draw(folder: Path) -> list[str]:
    """Files with what is right, wrong, broken, and no object at all, in their order."""
    chance = random.Random(11)
    files = []
    for number, length in enumerate((300, 40, 170)):
        lines = []
        for index in range(length):
            table = chance.choice(["window-1", "Window 2", "x" * 70, "bar-1"])
            spec: dict[str, Any] = {"table": table, "guests": chance.randrange(-1, 30), "notes": "ü" * (index % 9)}
            if chance.random() < 0.3:
                spec["seating"] = chance.choice(["Inside", "Terrace", "Roof"])
            obj = {"apiVersion": "tables.example.com/v1", "kind": "Reservation", "metadata": {"name": f"r{index}"}}
            text = json.dumps({**obj, "spec": spec}, ensure_ascii=index % 2 == 0)
            lines.append(text if index % 11 != 7 else chance.choice(["{broken", ""]))
        files.append(str(folder / f"{number}.jsonl"))
        Path(files[-1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return files


def of_command(files: list[str]) -> str:
    """What one process finds, in words."""
    side = f"python:{ROOT}/{BEFORE}/handwritten/validation.py:validate"
    objects = [word for file in files for word in ("-f", file)]
    more = ["--option", "Terrace=false", "--format", "concise", "--jobs", "1"]
    done = CliRunner().invoke(
        app, arguments(["compare", str(ROOT / BEFORE / "apis"), "--handwritten", side, *objects, *more])
    )
    assert done.exit_code == 1, done.output
    return _without_places(done.stdout)


def of_program(name: str, files: list[str]) -> str:
    """What a program of the page finds, in words."""
    (block,) = [each for each in blocks(PAGE) if each.marks.get("file") == name]
    program = Path(files[0]).with_name(name)
    program.write_text(block.text)
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environ = {**os.environ, "PYTHONPATH": paths, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, str(program), *files], cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return _without_places(done.stdout)


def _without_places(text: str) -> str:
    """Types stand at another path where they were named by another."""
    return re.sub(rf"{re.escape(str(ROOT))}/|\d+\.\d+ s\b", "", text)
