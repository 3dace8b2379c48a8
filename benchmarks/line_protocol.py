"""Measures an answer of `validation-gen webhook stdio` beside a bare loop that reads, validates and writes.

    python -m benchmarks.line_protocol

The loop is what a program does by itself that imports our validators: `json.loads` of a line, the validator, and
`json.dumps` of the answer. Both run in this process and take turns; times are those of the processor. The objects are
those of the other benchmarks, each with its own name.
"""

from __future__ import annotations

import io
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import dense, report
from benchmarks.objects import SUBJECTS, Subject, edited
from benchmarks.results import Results, short
from validation_gen.commands.stdio import answer_lines, arriving
from validation_gen.compiler.pipeline import build_program, load_validators
from validation_gen.compiler.settings import Settings
from validation_gen.runtime.registry import Registry

APIS = Path(__file__).parent / "apis"
LINES = 400
ROUNDS = 15
CASES = ("create", "create, 1 error", "create, 10 errors", "unchanged update", "update, 1 error")

#: Returns the answers to lines as one text.
Loop = Callable[[bytes], str]


def requests(registry: Registry, subject: Subject, case: str, number: int) -> bytes:
    """Lines with requests about objects that differ in their names."""
    (kind,) = registry.of_type(subject.kind)
    edits = {"1 error": [subject.one], "10 errors": subject.ten}.get(case.rpartition(", ")[2], ())
    lines = []
    for index in range(number):
        old = subject.build()
        old["metadata"]["name"] += f"-{index}"
        request = {"id": index, "package": kind.package, "kind": kind.name, "op": "create", "obj": edited(old, *edits)}
        if subject.options:
            request["options"] = subject.options
        if "update" in case:
            request |= {"op": "update", "oldObj": old}
        lines.append(json.dumps(request, separators=(",", ":")) + "\n")
    return "".join(lines).encode()


def bare(registry: Registry, subject: Subject) -> Loop:
    """The loop of a program with one validator. As `webhook stdio` does, it returns errors of all levels."""
    validator = registry.validator(subject.api_version, subject.kind)

    def loop(data: bytes) -> str:
        answers = io.StringIO()
        for line in io.BytesIO(data):
            request = json.loads(line)
            errors = validator(request["obj"], request.get("oldObj"), options=request.get("options"), level="alpha")
            answer = {"id": request["id"], "errors": [error.as_dict() for error in errors]}
            answers.write(json.dumps(answer, separators=(",", ":")) + "\n")
        return answers.getvalue()

    return loop


def ours(registry: Registry) -> Loop:
    """Answers requests as `webhook stdio` does, with a stream in memory instead of a pipe."""

    def loop(data: bytes) -> str:
        answers = io.StringIO()
        for answer in answer_lines(arriving(io.BytesIO(data), lambda: None), registry):
            answers.write(f"{answer}\n")
        return answers.getvalue()

    return loop


def spent(loop: Loop, data: bytes) -> float:
    begun = time.process_time()
    loop(data)
    return time.process_time() - begun


def run(rounds: int, number: int = LINES) -> Results:
    """By request: seconds for an answer of the bare loop, and how many times as long `webhook stdio` takes."""
    registry = load_validators(build_program(Settings(paths=(str(APIS), str(dense.TYPES)))).program)
    found = {}
    for subject in (*SUBJECTS, dense.SUBJECT):
        loops = bare(registry, subject), ours(registry)
        for case in CASES:
            data = requests(registry, subject, case, number)
            want, got = (loop(data) for loop in loops)
            if got != want or want.count('"errors":[]}') != (0 if "error" in case else number):
                raise SystemExit(f"{subject.title}, {case}: other answers, such as {got[:1000]}")
            alone, ratios = [], []
            for _ in range(rounds):
                alone.append(spent(loops[0], data))
                ratios.append(spent(loops[1], data) / alone[-1])
            name = f"{subject.title}, {case}"
            found[name] = {"seconds": short(min(alone) / number), "ratio": short(statistics.median(ratios))}
    return found


def main() -> None:
    sys.stdout.write("".join(f"{line}\n" for line in report.stdio(run(ROUNDS))))


if __name__ == "__main__":
    main()
