"""How long the first verdict takes in a new process: to import what validates, to prepare it, and to judge an object.

The process has read JSON before, and bytecode is there. What rules the others have is read before the clock runs. Times
are those of the processor.
"""

from __future__ import annotations

import os
import pickle
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.objects import JSON, Subject
from benchmarks.results import NATIVE, PURE, Results, short
from benchmarks.rules import Struct

_PROGRAM = """
import pickle, sys, time
sys.path.insert(0, {directory!r})
with open({file!r}, "rb") as stream:
    obj, kind, schema = pickle.load(stream)
begun = time.process_time()
{code}
print(time.process_time() - begun)
"""
_OTHERS = {
    "jsonschema-rs-bool": "import jsonschema_rs\njsonschema_rs.Draft7Validator(schema).is_valid(obj)",
    "fastjsonschema": "import fastjsonschema\nfastjsonschema.compile(schema, use_default=False)(obj)",
    "msgspec": "from benchmarks.contenders import msgspec_structs\nmsgspec_structs.contenders(kind)[0].check(obj)",
    "pydantic-typeddict": (
        "from benchmarks.contenders import pydantic_models\npydantic_models.typed_dict(kind).check(obj)"
    ),
}


def ours(package: str, subject: Subject) -> str:
    """The program that imports a generated package and validates `obj`."""
    path = f"{subject.api_version!r}, {subject.kind!r}"
    return f"import {package}\n{package}.registry.validator({path})(obj, options={subject.options!r})"


def first_verdict(code: str, directory: Path, file: Path, *, pure: bool = False) -> float:
    """The seconds that a program takes in a new process. The file has pickled what it works on."""
    program = _PROGRAM.format(directory=str(directory), file=str(file), code=code)
    environ = {**os.environ, "VALIDATION_GEN_PURE": "1" if pure else ""}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=True)  # noqa: S603 - ours
    return float(done.stdout)


def run(directory: Path, subject: Subject, kind: Struct, schema: JSON, packages: list[str], rounds: int) -> Results:
    """By contender the median of seconds. The directory has the generated packages."""
    file = directory / f"{subject.key}.pickle"
    file.write_bytes(pickle.dumps((subject.build(), kind, schema)))
    keys = {PURE: "ours", NATIVE: "ours-native"}
    codes = {keys[package]: ours(package, subject) for package in packages} | _OTHERS
    times: dict[str, list[float]] = {key: [] for key in codes}
    for _ in range(rounds + 1):
        for key, code in codes.items():
            times[key].append(first_verdict(code, directory, file, pure=key == "ours"))
    return {key: short(statistics.median(taken[1:])) for key, taken in times.items()}
