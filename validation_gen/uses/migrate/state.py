"""Builds definitions, schemas and validators of sources, with new contents for some files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.build.pipeline import Sources, lower, read
from validation_gen.build.settings import Settings
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.emit.schema.manner import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter, definitions
from validation_gen.kubernetes.crd.schema import Schema, read_schema
from validation_gen.sources.recorded import changed

#: The import path of a package, and the name of a kind in it.
Kind = tuple[str, str]


@dataclass(slots=True)
class State:
    """Definitions and findings of sources.

    Attributes:
        sources: the sources.
        findings: the findings.
        definitions: by their files.
        written: the schemas of all versions, as definitions have them.
        namespaced: whether the objects of a kind have a namespace.
    """

    sources: Sources
    findings: list[Diagnostic]
    definitions: dict[str, Any] = field(default_factory=dict)
    written: dict[Kind, Any] = field(default_factory=dict)
    namespaced: dict[Kind, bool] = field(default_factory=dict)
    _schemas: dict[Kind, Schema] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)

    @property
    def errors(self) -> list[Diagnostic]:
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]

    def text(self, name: str) -> str:
        """Returns the exact text of a definition, keys in their order."""
        if name not in self._texts:
            self._texts[name] = json.dumps(self.definitions.get(name))
        return self._texts[name]

    def schema(self, kind: Kind) -> Schema:
        """Returns the schema of a kind, read on the first call."""
        if kind not in self._schemas:
            self._schemas[kind] = read_schema(self.written[kind])
        return self._schemas[kind]


def state_of(settings: Settings, contents: Mapping[str, bytes]) -> State:
    """Reads the sources and makes their definitions."""
    diagnostics = Diagnostics()
    with changed(contents):
        sources = read(settings, diagnostics)
        program = lower(sources, replace(settings, every_kind=True, lint=False), diagnostics)
    state = State(sources, diagnostics.items)
    emitter = ResourceEmitter(program, SchemaOptions())
    for each in definitions(program):
        obj = emitter.definition(each)
        state.definitions[each.file] = obj
        schemas = {version["name"]: version["schema"]["openAPIV3Schema"] for version in obj["spec"]["versions"]}
        for package, root in each.versions:
            kind = package.path, root.kind
            state.written[kind] = schemas[package.version]
            state.namespaced[kind] = obj["spec"]["scope"] == "Namespaced"
    return state


def differences(before: State, after: State) -> list[tuple[str, ...]]:
    """Returns the paths at which definitions differ."""
    found: list[tuple[str, ...]] = []
    for name in sorted(before.definitions.keys() | after.definitions.keys()):
        if before.text(name) != after.text(name):
            _compare(before.definitions.get(name), after.definitions.get(name), (name,), found)
    return found


def _compare(one: Any, other: Any, path: tuple[str, ...], found: list[tuple[str, ...]]) -> None:
    if isinstance(one, dict) and isinstance(other, dict) and len(path) < 1000:
        before = len(found)
        for key in (*one, *(key for key in other if key not in one)):
            if json.dumps(one.get(key)) != json.dumps(other.get(key)) or (key in one) != (key in other):
                _compare(one.get(key), other.get(key), (*path, str(key)), found)
        if len(found) > before or list(one) == list(other):
            return
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other) and one != other:
        for index, (old, new) in enumerate(zip(one, other, strict=True)):
            if json.dumps(old) != json.dumps(new):
                _compare(old, new, (*path, str(index)), found)
        return
    found.append(path)
