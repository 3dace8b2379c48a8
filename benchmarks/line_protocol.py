"""Measures what an answer of `validation-gen stdio` costs beside reading its request and writing that all is well.

    python -m benchmarks.line_protocol

The other side is a loop that decodes each line as Python's library does by itself, and writes the shortest right answer
without looking at the object. Both run in this process and take turns; times are those of the processor. The objects
are those of the other benchmarks, each with its own names.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.objects import brew, deployment
from benchmarks.results import Results, short
from validation_gen.build.pipeline import build_program, load_validators
from validation_gen.build.settings import Settings
from validation_gen.uses.stdio import answer_lines

APIS = Path(__file__).parent / "apis"
LINES = 400
ROUNDS = 15


def requests(make: Callable[[], Any], kind: str, package: str, *, change: bool) -> Iterator[bytes]:
    """Requests about objects that are valid. With a change they are updates."""
    for number in range(LINES):
        obj, old = make(), make()
        obj["metadata"]["name"] = f"{obj['metadata']['name']}-{number}"
        old["metadata"] = obj["metadata"]
        request = {"id": number, "package": package, "kind": kind, "op": "create", "obj": obj}
        if change:
            request |= {"op": "update", "oldObj": old}
        yield f"{json.dumps(request, separators=(',', ':'))}\n".encode()


def decode_only(lines: list[bytes]) -> list[str]:
    """Answers as nobody can more quickly who uses `json.loads`: identifiers are known to be numbers."""
    return [f'{{"id":{json.loads(line)["id"]},"errors":[]}}' for line in lines]


def spent(work: Callable[[list[bytes]], object], lines: list[bytes]) -> float:
    begun = time.process_time()
    work(lines)
    return time.process_time() - begun


def run(rounds: int) -> Results:
    """By request: seconds for decoding and answering alone, and how many times as long `stdio` takes."""
    registry = load_validators(build_program(Settings(paths=(str(APIS),))).program)
    found = {}
    for title, make, kind, package in (
        ("small custom resource", brew, "Brew", "brews/v1"),
        ("Deployment", deployment, "Deployment", "apps/v1"),
    ):
        for change in (False, True):
            lines = list(requests(make, kind, package, change=change))
            if (answers := list(answer_lines(lines, registry))) != decode_only(lines):
                raise SystemExit(f"not all valid: {answers[0]}")
            ratios, alone = [], []
            for _ in range(rounds):
                alone.append(spent(decode_only, lines))
                ratios.append(spent(lambda each: list(answer_lines(each, registry)), lines) / alone[-1])
            name = f"{title}, {'update' if change else 'create'}"
            found[name] = {"seconds": short(min(alone) / LINES), "ratio": short(statistics.median(ratios))}
    return found


def main() -> None:
    sys.stdout.write("".join(f"{line}\n" for line in report.stdio(run(ROUNDS))))


if __name__ == "__main__":
    main()
