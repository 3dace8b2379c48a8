"""Definitions as types in Python or Go, and the definitions that these make: what the tests of both ways share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from validation_gen.commands.convert import convert_defined
from validation_gen.compiler.defined import read_definitions
from validation_gen.compiler.pipeline import build_program
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter, definitions
from validation_gen.sources.languages import PYTHON, Language
from validation_gen.sources.reader import read_universe

_SWITCHES = ("exclusiveMaximum", "exclusiveMinimum", "nullable", "x-kubernetes-preserve-unknown-fields")
_OF_OBJECTS = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}


def defined(schema: Any, kind: str = "Widget", plural: str = "widgets", **version: Any) -> dict[str, Any]:
    """A definition of one version whose objects have this schema."""
    one = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": kind, "plural": plural}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [one | version]},
    }


def converted(objects: list[Any], folder: Path, language: Language = PYTHON) -> tuple[dict[str, str], list[str]]:
    """The sources for some definitions, and what was lost. Those that a server refuses are a mistake of the test."""
    file = folder / "definitions.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    findings, diagnostics = Diagnostics(), Diagnostics()
    manifests = read_definitions([str(file)], findings)
    assert len(manifests) == len(objects), [each.message for each in findings.items]
    files = convert_defined(manifests, read_universe([], diagnostics), language, diagnostics)
    assert {each.code for each in diagnostics.items} <= {"VG107", "VG549"}
    return files, [each.message for each in diagnostics.items]


def emitted(files: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """The definitions that are made of some sources, by their names. Nothing may be wrong with the sources."""
    for name, text in files.items():
        place = folder / "out" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    result = build_program(Settings((os.fspath(folder / "out"),), every_kind=True))
    wrong = [str(each.message) for each in result.diagnostics.items if each.severity is Severity.ERROR]
    assert wrong == []
    emitter = ResourceEmitter(result.program, SchemaOptions())
    return {found.name: emitter.definition(found) for found in definitions(result.program)}


def normal(value: Any, *, root: bool = False) -> Any:
    """A schema without what says nothing, such as `nullable: false` or how a description is wrapped."""
    said = {key: part for key, part in value.items() if part is not None and not (part is False and key in _SWITCHES)}
    found = {key: _NORMAL[key](part) if key in _NORMAL else part for key, part in said.items()}
    if root:
        found["required"] = sorted({*found.get("required", ())} - {"apiVersion", "kind"})
    found = {key: part for key, part in found.items() if part or key not in _NORMAL}
    if root:
        mine = {name: {**plain, **found.get("properties", {}).get(name, {})} for name, plain in _OF_OBJECTS.items()}
        for each in mine.values():
            each.pop("description", None)
        found["properties"] = found.get("properties", {}) | mine
    return found


#: What keywords say, for those that can say the same in several ways. They say nothing if that is empty.
_NORMAL: dict[str, Callable[[Any], Any]] = {
    "properties": lambda parts: {name: normal(part or {}) for name, part in parts.items()},
    "items": normal,
    "additionalProperties": lambda part: normal(part) if isinstance(part, dict) else part,
    "description": lambda text: " ".join(text.split()),
    "required": lambda names: sorted(set(names)),
    "x-kubernetes-validations": lambda rules: [{key: part for key, part in rule.items() if part} for rule in rules],
}


def differences(wanted: Any, found: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """The schemas, by the way to them, and the keywords in which two schemas differ."""
    for key in sorted(wanted.keys() | found.keys()):
        mine, other = wanted.get(key), found.get(key)
        if key == "properties":
            for name in sorted((mine or {}).keys() | (other or {}).keys()):
                if mine is None or other is None or name not in mine or name not in other:
                    yield f"{place}.{name}", key
                else:
                    yield from differences(mine[name], other[name], f"{place}.{name}")
        elif key in ("items", "additionalProperties") and isinstance(mine, dict) and isinstance(other, dict):
            yield from differences(mine, other, f"{place}[*]")
        elif key == "required":
            for name in sorted(set(mine or ()) ^ set(other or ())):
                yield f"{place}.{name}", key
        elif mine != other:
            yield place, key


def version_schema(definition: Any, name: str) -> Any:
    """The schema of one version of a definition."""
    (version,) = (each for each in definition["spec"]["versions"] if each["name"] == name)
    return normal(version["schema"]["openAPIV3Schema"], root=True)


def outline(definition: Any) -> dict[str, Any]:
    """A definition without its schemas, and without what says nothing."""
    metadata, spec = definition["metadata"], definition["spec"]
    kind = spec["names"]["kind"]
    names = {"listKind": f"{kind}List", "singular": kind.lower()} | _filled(spec["names"])
    conversion = spec.get("conversion") or {}
    if conversion.get("strategy") != "Webhook":
        conversion = {}
    return {
        "metadata": {key: metadata[key] for key in ("labels", "annotations") if metadata.get(key)},
        "names": names,
        "scope": spec["scope"],
        "conversion": conversion,
        "versions": {version["name"]: _version(version) for version in spec["versions"]},
    }


def _version(version: Any) -> dict[str, Any]:
    columns = [_filled(column) for column in version.get("additionalPrinterColumns") or ()]
    rest = {key: part for key, part in version.items() if key not in ("schema", "additionalPrinterColumns")}
    return {**_filled(rest), "columns": columns}


def _filled(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in parts.items() if part or part == {"status": {}}}
