"""Runs everything: generates a package, asks whether all agree, measures, and gives the results as data.

The results are JSON: times in seconds, and ratios to our validators in pure Python. Nothing here decides what is good.
"""

from __future__ import annotations

import compileall
import dataclasses
import functools
import importlib
import importlib.metadata
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import changes, cold, dense, engine, line_protocol, measure, start
from benchmarks.agreement import agree
from benchmarks.contenders import attrs_classes, jsonschema_family, msgspec_structs, ours, pydantic_models
from benchmarks.contenders.base import Contender, Maker
from benchmarks.measure import Plan
from benchmarks.objects import SUBJECTS, Subject, copy_of, edited, keyed_list
from benchmarks.results import NATIVE, PURE, Results, short, today
from benchmarks.rules import Struct, read
from validation_gen.runtime import native

APIS = Path(__file__).parent / "apis"
RIVALS: Sequence[Maker] = (
    jsonschema_family.contenders,
    pydantic_models.contenders,
    msgspec_structs.contenders,
    attrs_classes.contenders,
)
#: The distributions whose versions belong to a result.
VERSIONS = (
    *("jsonschema", "jsonschema-rs", "fastjsonschema", "pydantic", "pydantic-core", "msgspec", "cattrs", "attrs"),
    "cel-expr-python",
)
LISTS = (1_000, 10_000)


@dataclasses.dataclass(frozen=True, slots=True)
class Extent:
    """How thoroughly to measure. The short form is for comparisons with results that are there already."""

    documents: int
    every: int
    plan: Plan
    lists: Plan
    starts: int


FULL = Extent(documents=5_000, every=5, plan=Plan(repeats=41, seconds=0.002), lists=Plan(25, 0, tries=3), starts=21)
SHORT = Extent(documents=1_000, every=10, plan=Plan(repeats=15, seconds=0.002), lists=Plan(15, 0, tries=3), starts=5)


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


# --- preparing -------------------------------------------------------------------------------------------------------


def prepare(directory: Path) -> list[str]:
    """Generates our validators and the document that the rivals' rules are read from. Gives the packages of ours."""
    sources = str(APIS), str(dense.TYPES)
    _generator("generate", *sources, "--output-dir", str(directory / PURE), "--quiet")
    _generator("openapi", *sources, "--output-dir", str(directory), "--quiet")
    packages = [PURE]
    if native.accept is not None:
        shutil.copytree(directory / PURE, directory / NATIVE)
        packages.append(NATIVE)
    else:
        say(f"skipped: ours, native, as validators run {native.told}")
    # Here and now, as the environment may keep Python from writing .pyc files.
    compileall.compile_dir(directory, quiet=1)
    sys.path.insert(0, str(directory))
    importlib.invalidate_caches()
    return packages


class GeneratorError(Exception):
    """The generator has failed; the text is the command with its output."""


def _generator(*arguments: str) -> str:
    command = [sys.executable, "-m", "validation_gen", *arguments]
    # A wide terminal, so that no option is cut.
    environment = os.environ | {"COLUMNS": "200", "NO_COLOR": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)  # noqa: S603 - ours
    if done.returncode:
        raise GeneratorError(f"$ validation-gen {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout


def line_up(subject: Subject, kind: Struct, packages: Sequence[str]) -> list[Contender]:
    """All contenders of a subject. The first one is what the others are compared with."""
    found = ours.contenders(PURE, subject, "ours", "**ours, pure Python**")
    if NATIVE in packages:
        found += ours.contenders(NATIVE, subject, "ours-native", "**ours, native**")
    for make in RIVALS:
        found += make(kind)
    return found


# --- measuring -------------------------------------------------------------------------------------------------------


def run(directory: Path, extent: Extent) -> Results:
    """Everything in order. The directory is for what is generated."""
    packages = prepare(directory)
    commands = {"start": start.run(extent.starts)}
    requests = line_protocol.run(extent.starts)
    prepared = []
    agreement = {}
    first_verdicts = {}
    for subject in (*SUBJECTS, dense.SUBJECT):
        kind = read(directory, subject.api_version, subject.kind)
        contenders = line_up(subject, kind, packages)
        judge = ours.for_subject(importlib.import_module(PURE), subject)
        agreed = agree(subject, kind, judge, contenders, extent.documents, extent.every)
        agreement[subject.key] = dataclasses.asdict(agreed)
        say(f"{subject.title}: {len(contenders)} contenders agree on {agreed.documents} objects")
        schema = jsonschema_family.schema(kind, shared=False)
        first_verdicts[subject.key] = cold.run(directory, subject, kind, schema, packages, extent.starts)
        prepared.append((subject, kind, contenders))
    times: dict[str, Any] = {}
    for subject, kind, contenders in prepared:
        found = measure.measure(measure.cases(subject, kind), contenders, extent.plan)
        for case, timings in found.items():
            told = {key: _rounded(dataclasses.asdict(each)) for key, each in timings.items()}
            times.setdefault(subject.key, {})[case] = told
            say(f"{subject.title}, {case}: {timings['ours'].seconds * 1e6:.1f} µs")
    return {
        "about": _about(),
        "agreement": agreement,
        "titles": {each.key: _title(each) for _, _, contenders in prepared for each in contenders},
        "times": times,
        "updates": [each.key for each in prepared[0][2] if each.update],
        "growth": {package: _growth(package, extent.lists) for package in packages},
        "import": _import(directory, extent.starts),
        "engine": engine.run(extent.lists),
        "changes": changes.run(NATIVE, extent.lists) if NATIVE in packages else {},
        "stdio": requests,
        "dense": dense.measure() if NATIVE in packages else {},
        "cold": first_verdicts,
        "commands": commands,
    }


def _title(contender: Contender) -> dict[str, Any]:
    return {"title": contender.title, "reports": contender.reports, "blind": sorted(contender.blind)}


def _rounded(numbers: dict[str, Any]) -> dict[str, Any]:
    return {key: short(number) if isinstance(number, float) else number for key, number in numbers.items()}


def _growth(package: str, plan: Plan) -> Results:
    """Lists with keys, ten times as long: a create, an update with nothing changed, one with an item changed."""
    (subject,) = (each for each in SUBJECTS if each.kind == "Deployment")
    validator = ours.prepared(importlib.import_module(package), subject.api_version, subject.kind)
    path = ("spec", "template", "spec", "containers", 0, "env", LISTS[0] // 2, "value")
    calls: dict[str, list[Sequence[Callable[[], Any]]]] = {"create": [], "unchanged": [], "changed": []}
    for size in LISTS:
        # The same items in all for either size, so that both find as little in caches, be they the processor's or ours.
        objects = [keyed_list(size, first) for first in range(0, LISTS[1], size)]
        others = [(obj, copy_of(obj), edited(obj, (path, "another"))) for obj in objects]
        calls["create"].append([functools.partial(validator, obj) for obj in objects])
        calls["unchanged"].append([functools.partial(validator, copy, obj) for obj, copy, _ in others])
        calls["changed"].append([functools.partial(validator, changed, obj) for obj, _, changed in others])
    pairs = {name: (small, large) for name, (small, large) in calls.items()}
    found = measure.growth(pairs, plan)
    names = ("small", "large", "ratio")
    return {name: _rounded(dict(zip(names, numbers, strict=True))) for name, numbers in found.items()}


_IMPORT = """
import importlib, sys, time
sys.path.insert(0, {directory!r})
importlib.import_module({first!r})
begun = time.perf_counter()
importlib.import_module({then!r})
print(time.perf_counter() - begun)
"""


def _import(directory: Path, repeats: int) -> Results:
    """The time to import the largest generated module in a fresh process that has the runtime already."""
    first, then = f"{PURE}.brews.v1", f"{PURE}.core.v1"
    script = _IMPORT.format(directory=str(directory), first=first, then=then)
    times = []
    for _ in range(repeats):
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - ours
        times.append(float(done.stdout))
    text = (directory / PURE / "core" / "v1.py").read_text(encoding="utf-8")
    return {"lines": text.count("\n"), "seconds": short(statistics.median(times))}


# --- where -----------------------------------------------------------------------------------------------------------


def _about() -> Results:
    return {
        "date": today(),
        "machine": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "versions": {name: importlib.metadata.version(name) for name in VERSIONS},
    }


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    told = re.search(r"^model name\s*: (.*)$", file.read_text(), re.M) if file.exists() else None
    return told[1] if told else platform.processor() or "unknown"
