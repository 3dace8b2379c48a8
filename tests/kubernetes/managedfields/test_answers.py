"""Sequences of writes give the objects, owners and errors that upstream's library has given."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

from tests.kubernetes.managedfields.sequences import Runner

RECORDED = Path(__file__).parents[3] / "testdata" / "managed-fields" / "sequences.jsonl.gz"


def plain(answer: dict[str, Any]) -> dict[str, Any]:
    """Returns an answer without times, and with entries in one order."""
    found = copy.deepcopy(answer)
    entries = found.get("object", {}).get("metadata", {}).get("managedFields")
    if entries:
        for entry in entries:
            entry.pop("time", None)
        entries.sort(key=lambda entry: json.dumps(entry, sort_keys=True))
    return found


def test_answers_are_those_of_upstream() -> None:
    failures = []
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        for line, scenario in enumerate(map(json.loads, lines)):
            runner = Runner(scenario)
            for number, (step, wanted) in enumerate(zip(scenario["steps"], scenario["answers"], strict=True)):
                found = plain(runner.run(step))
                if found != wanted:
                    failures.append(f"line {line + 1}, step {number}: {found} instead of {wanted}")
                    break
    assert not failures, "\n".join(failures)
