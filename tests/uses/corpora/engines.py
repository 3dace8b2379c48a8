"""A corpus, and what one process finds in it: what every engine has to find, too."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.uses.compare.parts import API_VERSION, TYPES
from validation_gen.diagnostics import Diagnostics
from validation_gen.uses.compare.adapters import Comparison
from validation_gen.uses.compare.inputs import Inputs
from validation_gen.uses.compare.results import Results
from validation_gen.uses.compare.run import Run
from validation_gen.uses.corpora import worker

HAND = """
def check(obj):
    return [{"type": "FieldValueInvalid", "field": f"levels[{i}].height", "origin": "maximum"}
            for i, level in enumerate(obj["levels"]) if level["height"] > 7]
"""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A corpus on disk.

    Attributes:
        files: its files, in order, of different lengths.
        comparison: what is compared.
    """

    files: list[Path]
    comparison: Comparison

    @property
    def wanted(self) -> str:
        """What one process finds, which reads files."""
        with Run(self.comparison._job) as run, Inputs([str(each) for each in self.files], Diagnostics()) as inputs:
            run.add(inputs.read_items())
            return told(run.finish())

    def found(self, parts: list[Results]) -> str:
        """What parts come to, in this order."""
        total = Results()
        for part in parts:
            total.merge(part)
        return told(self.comparison.finished(total))


def draw(folder: Path) -> Drawn:
    """A corpus with what is right, wrong, broken, and no object at all."""
    (folder / "v1").mkdir()
    (folder / "v1" / "types.go").write_text(TYPES)
    (folder / "hand.py").write_text(HAND)
    chance = random.Random(11)
    files = []
    for number, length in enumerate((300, 40, 170)):
        lines = []
        for index in range(length):
            levels = [{"height": chance.randrange(10)} for _ in range(chance.randrange(4))]
            obj: dict[str, Any] = {"apiVersion": API_VERSION, "kind": "Shelf", "levels": levels, "n": "ü" * (index % 9)}
            lines.append(json.dumps(obj, ensure_ascii=index % 2 == 0) if index % 11 != 7 else "{broken")
        files.append(folder / f"{number}.jsonl")
        files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    comparison = Comparison.of([str(folder / "v1")], f"python:{folder / 'hand.py'}:check")
    return Drawn(files, comparison)


def told(results: Results) -> str:
    results.seconds = results.handwritten_seconds = results.declarative_seconds = 0
    return json.dumps(results.as_json())


def release() -> None:
    """Ends what was made ready in this process."""
    worker.release(worker._Ready.key)
