"""Edits of the sample API as people make them, and how many lines of each output they change."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.case_folders import inside
from validation_gen.commands.generate.run import GenerateOptions, generate
from validation_gen.compiler.config.keys import Config
from validation_gen.compiler.emitters import EMITTERS
from validation_gen.compiler.pipeline import Settings
from validation_gen.emit.schema import SchemaOptions

SAMPLE = Path(__file__).parents[2] / "testdata" / "apis"
ROBOTS = "robots/v1/robot_types.go"
SCALE = "robots/v1/scale_types.go"
#: The outputs in which lines are counted.
COLUMNS = ("python", "crd", "openapi", "jsonschema", "harness")
_CONFIG = Config(handwritten={"robots/v1.Robot": "handwritten.robots:validate"})

Outputs = Mapping[str, Mapping[str, str]]
Edit = Callable[[Path], None]


def _replace(directory: Path, file: str, old: str, new: str) -> None:
    path = directory / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {file}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def add_comment(directory: Path) -> None:
    """Write a blank line and a comment near the top."""
    _replace(
        directory,
        ROBOTS,
        "// +genclient\n// +genclient:",
        "\n// A remark about robots.\n\n// +genclient\n// +genclient:",
    )


def add_field(directory: Path) -> None:
    """Write a field with two tags near the top."""
    field = "\t// nickname is what people call it.\n\t// +optional\n\t// +k8s:optional\n\t// +k8s:maxLength=20\n"
    field += '\tNickname string `json:"nickname,omitempty"`\n\n'
    model = '\tModel string `json:"model"`\n\n'
    _replace(directory, ROBOTS, f"{model}\t// serial", f"{model}{field}\t// serial")


def change_rule(directory: Path) -> None:
    """Write another length."""
    _replace(directory, ROBOTS, "// +k8s:maxLength=64\n\tModel", "// +k8s:maxLength=63\n\tModel")


def rename_type(directory: Path) -> None:
    """Give a type another name wherever it is used."""
    for path in sorted((directory / "robots/v1").glob("*.go")):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("FrameSerialNumber", "FrameNumber"), encoding="utf-8")


def move_type(directory: Path) -> None:
    """Move a type to another file of its package."""
    path = directory / ROBOTS
    text = path.read_text(encoding="utf-8")
    start = text.index("// Swarm ")
    end = text.index("\n}\n", start) + 3
    path.write_text(text[:start] + text[end:], encoding="utf-8")
    with (directory / SCALE).open("a", encoding="utf-8") as other:
        other.write(f"\n{text[start:end]}")


def reorder_tags(directory: Path) -> None:
    """Write the tags of a field in another order."""
    old = "// +k8s:optional\n\t// +k8s:format=k8s-uuid\n"
    new = "// +k8s:format=k8s-uuid\n\t// +k8s:optional\n"
    _replace(directory, ROBOTS, old, new)


EDITS: dict[str, Edit] = {
    "a blank line and a comment": add_comment,
    "a field with two tags": add_field,
    "a rule changed": change_rule,
    "a type renamed": rename_type,
    "a type moved to another file": move_type,
    "tags reordered": reorder_tags,
}


def outputs_of(directory: Path) -> Outputs:
    """Return what the emitters write, by their names and the path. The harness is a part of the Python package."""
    emitters = tuple(EMITTERS[name] for name in COLUMNS)
    with inside(directory.parent):
        made = generate(Settings((directory.name,)), GenerateOptions(emitters, SchemaOptions(), config=_CONFIG))
    assert not [d for d in made.findings if d.severity.value == "error"], made.findings
    python = made.outputs["python"]
    harness = {path: text for path, text in python.items() if path.startswith("harness/")}
    validators = {path: text for path, text in python.items() if path not in harness}
    return {**made.outputs, "python": validators, "harness": harness}


def copied(directory: Path) -> Path:
    """Return a copy of the sample API."""
    return Path(shutil.copytree(SAMPLE, directory / "apis"))


def changed_lines(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the lines that a diff removes and adds, each with its sign."""
    lines: list[str] = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path, "").splitlines(), after.get(path, "").splitlines()
        diff = list(difflib.unified_diff(old, new, lineterm="", n=0))[2:]  # the names of the files come first
        lines += [line for line in diff if not line.startswith("@@")]
    return lines
