"""Proposes first tags for types without any: fields and tags, for people to review."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validation_gen.files import reading
from validation_gen.sources.languages import GO

_GO_STRUCT = re.compile(r"type (\w+) struct \{")
_GO_FIELD = re.compile(r'\s+(\w+)\s+(\S+)\s+`.*?json:"([^",]+)(,[^"]*)?"')
_PYTHON_CLASS = re.compile(r"class (\w+)\b.*:")
_PYTHON_FIELD = re.compile(r"    (\w+): ([\w\[\], |.]+?)(\s*=.*)?$")


@dataclass(frozen=True, slots=True)
class Proposal:
    """Tags for one field."""

    file: str
    line: int
    field: str
    tags: tuple[str, ...]


def proposals(directory: Path, files: list[str], most: int = 3) -> list[Proposal]:
    """Returns tags for a few fields, preferably those of manifests: the fields of a `…Spec`."""
    found: list[Proposal] = []
    for file in files:
        try:
            text = reading.read(directory / file).decode(errors="replace")
        except OSError:
            continue
        found += _of_go(file, text) if GO.has(file) else _of_python(file, text)
    found.sort(key=lambda each: not each.field.partition(".")[0].endswith("Spec"))
    return found[:most]


def _of_go(file: str, text: str) -> Iterator[Proposal]:
    struct = ""
    for number, line in enumerate(text.split("\n"), 1):
        if match := _GO_STRUCT.match(line):
            struct = match[1]
        elif line.startswith("}"):
            struct = ""
        elif struct and (match := _GO_FIELD.match(line)):
            name, type, _, options = match.groups()
            optional = type.startswith("*") or "omitempty" in (options or "")
            tags = _tags(type.removeprefix("*"), optional=optional)
            if tags:
                yield Proposal(file, number, f"{struct}.{name}", tags)


def _of_python(file: str, text: str) -> Iterator[Proposal]:
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        if match := _PYTHON_CLASS.match(line):
            name = match[1]
        elif line and not line[0].isspace():
            name = ""
        elif name and (match := _PYTHON_FIELD.match(line)):
            type = {"str": "string", "int": "int64"}.get(match[2].removesuffix(" | None").strip(), match[2])
            type = "[]" if type.startswith("list[") else type
            tags = _tags(type, optional="None" in match[2] or bool(match[3]))
            if tags:
                yield Proposal(file, number, f"{name}.{match[1]}", tags)


def _tags(type: str, *, optional: bool) -> tuple[str, ...]:
    presence = "+k8s:optional" if optional else "+k8s:required"
    if type == "string":
        return presence, "+k8s:maxLength=64"
    if type in {"int", "int32", "int64"}:
        return "+k8s:optional" if optional else "", "+k8s:minimum=0"
    if type.startswith("[]") and type != "[]byte":
        return presence, "+k8s:maxItems=16"
    return ()
