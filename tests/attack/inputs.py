"""Mutated inputs: sources, definitions, manifests and configurations, each given to commands that read them."""

from __future__ import annotations

import functools
import random
from pathlib import Path

from tests.attack.mutations import GO, PLAIN, PYTHON, mutated
from tests.attack.yard import Yard
from tests.case_folders import ROOT

#: Commands over sources. What they write goes to `../out`.
SOURCE_COMMANDS = (
    ("generate", ".", "--output-dir", "../out/generated", "--no-cache", "--emit", "crd=../out/crds"),
    ("generate", ".", "--output-dir", "../out/both", "--no-cache", "--emit", "openapi=../out", "--emit", "harness"),
    ("lint", ".", "--strict-lint", "--markers", "--no-cache", "--format", "sarif"),
    ("crd", ".", "--schema", "exact", "--output-dir", "../out/exact"),
    ("jsonschema", ".", "--output-dir", "../out/schemas"),
    ("lint", ".", "--fix", "--diff", "--no-cache"),
    ("check", ".", "--output-dir", "../out/generated", "--no-cache", "--format", "junit"),
    ("explain", ".", "--format", "json"),
    ("convert", ".", "--to", "python", "--output-dir", "../out/converted"),
    ("generate", ".", "--output-dir", "../out/generated", "--no-cache", "--require-directive", "--strict-lint"),
)
MANIFEST_COMMANDS = (
    ("validate", "apis", "-f", "objects.yaml"),
    ("validate", "apis", "-f", "objects.yaml", "--old", "objects.yaml", "--format", "sarif"),
    ("validate", "apis", "-f", "-", "--format", "github"),
)
DEFINITION_COMMANDS = (
    ("crd", "lint", "definition.yaml"),
    ("crd", "lint", "-", "--format", "json"),
)


def mutated_sources(yard: Yard, seed: int, tries: int) -> list[str]:
    """Sources in Go and Python with random damage, read by every command that reads sources."""
    faults = []
    for number in range(tries):
        draw = random.Random(f"sources {seed} {number}")
        name, text = draw.choice(_sources())
        is_go = name.endswith(".go")
        yard.clear()
        if is_go:
            yard.write("go.mod", "module example.com/m\n")
        content = mutated(draw, text, GO if is_go else PYTHON)
        place = f"apis/v1/{Path(name).name}"
        yard.write(place, content)
        command = list(draw.choice(SOURCE_COMMANDS))
        if command[0] == "convert" and not is_go:
            command[3] = "go"
        faults += _told(yard, command, b"", f"seed {seed}, try {number}, {name}", {place: content})
    return faults


def mutated_definitions(yard: Yard, seed: int, tries: int) -> list[str]:
    """CustomResourceDefinitions with random damage."""
    faults = []
    for number in range(tries):
        draw = random.Random(f"definitions {seed} {number}")
        name, text = draw.choice(_definitions())
        content = mutated(draw, text, PLAIN)
        yard.clear()
        yard.write("definition.yaml", content)
        command = list(draw.choice(DEFINITION_COMMANDS))
        faults += _told(yard, command, content, f"seed {seed}, try {number}, {name}", {"definition.yaml": content})
    return faults


def mutated_manifests(yard: Yard, seed: int, tries: int) -> list[str]:
    """Manifests with random damage, validated by the types of the sample API."""
    faults = []
    for number in range(tries):
        draw = random.Random(f"manifests {seed} {number}")
        name, text = draw.choice(_manifests())
        content = mutated(draw, text, PLAIN)
        yard.clear()
        for source, whole in small_api():
            yard.write(f"apis/{source}", whole)
        yard.write("objects.yaml", content)
        command = list(draw.choice(MANIFEST_COMMANDS))
        faults += _told(yard, command, content, f"seed {seed}, try {number}, {name}", {"objects.yaml": content})
    return faults


def mutated_configurations(yard: Yard, seed: int, tries: int) -> list[str]:
    """Configurations with random damage, beside a small API."""
    faults = []
    for number in range(tries):
        draw = random.Random(f"configurations {seed} {number}")
        content = mutated(draw, CONFIGURATION, PLAIN)
        yard.clear()
        for source, whole in small_api():
            yard.write(f"apis/{source}", whole)
        yard.write("pyproject.toml", content)
        yard.write("trap.py", "def all(*given): return []\n")
        command = draw.choice([["lint", "apis"], ["config", "show"], ["validate", "apis", "-f", "-"], ["crd", "apis"]])
        if command[0] == "crd":
            command += ["--output-dir", "../out/crds"]
        faults += _told(yard, command, b"{}", f"seed {seed}, try {number}", {"pyproject.toml": content})
    return faults


CONFIGURATION = b"""\
[project]
name = "x"

[tool.validation-gen]
paths = ["apis"]
target = "1.36"
custom-validations = ["trap.py"]

[tool.validation-gen.lint]
select = ["VG4"]
ignore = ["VG403"]
max-warnings = 3

[tool.validation-gen.generate]
output-dir = "../out/generated"
emit = ["crd=../out/crds"]

[tool.validation-gen.crd]
schema = "exact"
max-description = 10

[tool.validation-gen.handwritten]
"things/v1" = "python:trap:all"
"""


def _told(yard: Yard, command: list[str], stdin: bytes, which: str, files: dict[str, bytes]) -> list[str]:
    _, faults = yard.attack(*command, stdin=stdin)
    given = "".join(f"\n--- {name}\n{content[:4000]!r}" for name, content in files.items()) if faults else ""
    return [f"{' '.join(command)} ({which}): {fault}{given}" for fault in faults]


@functools.cache
def _sources() -> list[tuple[str, bytes]]:
    """Files of the case folders and of the sample APIs."""
    found = [*(ROOT / "testdata").rglob("*.go"), *(ROOT / "testdata").rglob("*.py")]
    wanted = [path for path in sorted(found) if "want" not in path.parts and path.stat().st_size < 20_000]
    return [(str(path.relative_to(ROOT)), path.read_bytes()) for path in wanted]


@functools.cache
def _definitions() -> list[tuple[str, bytes]]:
    found = sorted((ROOT / "testdata").rglob("*.yaml"))
    texts = ((str(path.relative_to(ROOT)), path.read_bytes()) for path in found)
    return [(name, text) for name, text in texts if b"kind: CustomResourceDefinition" in text and len(text) < 60_000]


@functools.cache
def _manifests() -> list[tuple[str, bytes]]:
    found = sorted((ROOT / "testdata" / "manifests").rglob("*.yaml"))
    return [(str(path.relative_to(ROOT)), path.read_bytes()) for path in found]


@functools.cache
def small_api() -> list[tuple[str, bytes]]:
    """The sample API that the manifests are of, as one directory."""
    root = ROOT / "testdata" / "apis"
    found = sorted(path for path in root.rglob("*") if path.is_file() and path.suffix in {".go", ".mod"})
    return [(str(path.relative_to(root)), path.read_bytes()) for path in found]
