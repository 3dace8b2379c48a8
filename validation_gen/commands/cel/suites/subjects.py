"""Subjects of tests: the version of a definition, or rules that a test file has itself.

Rules of a file become a definition whose objects have the tested value as `self`, so that the engine validates both.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.commands.cel.suites.files import ForbiddenPathError, resolve_path
from validation_gen.commands.cel.suites.reading import Suite
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.files import reading
from validation_gen.kubernetes.crd.run import VERSION, check, diagnostics, is_definition
from validation_gen.kubernetes.manifests import Manifest, parse
from validation_gen.kubernetes.objects import Kind, Scheme
from validation_gen.kubernetes.objects.rule_stats import Keys, RuleStats, watch_rules

_KEYWORD = "x-kubernetes-validations"
#: Field of generated objects that has the tested value.
FIELD = "self"


@dataclass(slots=True)
class Subject:
    """A version of a kind whose rules are tested.

    Attributes:
        scheme: has the kind alone.
        kind: the kind of the definition.
        version: the name of the version.
        schema: its schema, as the definition has it.
        manifest: its source.
        start: the path from there to the schema.
        own: number of rules in the schema itself, if the test file has it; None for definitions.
        seen: the observed results of the rules.
    """

    scheme: Scheme
    kind: Kind
    version: str
    schema: Mapping[str, Any]
    manifest: Manifest
    start: Keys
    own: int | None = None
    seen: list[RuleStats] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seen = watch_rules(self.kind.versions[self.version])

    def span(self, keys: Keys) -> Span:
        """Returns the location of a part of the schema."""
        if self.own is not None:
            return self.manifest.positions.span(_in_suite(keys, self.own))
        return self.manifest.positions.span((*self.start, *keys))


def _in_suite(keys: Keys, own: int) -> Keys:
    """Converts a path in a generated schema to the path in the test file."""
    keys = keys[2:]  # the property
    if len(keys) > 1 and keys[0] == _KEYWORD and isinstance(keys[1], int) and keys[1] >= own:
        return ("rules", keys[1] - own, *keys[2:])
    return ("schema", *keys)


@dataclass(slots=True)
class Subjects:
    """All subjects of a run.

    A subject of several files is read once, and the results of its rules are counted together.
    """

    diagnostics: Diagnostics
    known: list[Subject] = field(default_factory=list)
    _files: dict[str, list[Manifest]] = field(default_factory=dict)
    _definitions: dict[tuple[str, str, str], Subject | None] = field(default_factory=dict)

    def find(self, suite: Suite) -> Subject | None:
        """Returns the subject of a test file; None if it only tries rules and expressions, or after an error."""
        try:
            return self._find(suite)
        except RecursionError:  # a checked schema may still be too deep to be run
            key = "schema" if "schema" in suite.given else "crd"
            self.diagnostics.error("VG912", "the schema is nested too deeply", suite.span(key), "flatten it")
            return None

    def _find(self, suite: Suite) -> Subject | None:
        if "schema" in suite.given:
            return self._add(_own(suite, self.diagnostics))
        if "crd" not in suite.given:
            return None
        manifest = self._definition(suite)
        if manifest is None:
            return None
        version = self._version(suite, manifest)
        if version is None:
            return None
        where = os.path.realpath(manifest.file), manifest.name, version
        if where not in self._definitions:
            self._definitions[where] = self._add(_declared(manifest, version, self.diagnostics))
        elif self._definitions[where] is None:
            help = "correct it: each mistake is reported at its line"
            self.diagnostics.error("VG912", f"the definition in {suite.given['crd']} is wrong", suite.span("crd"), help)
        return self._definitions[where]

    def _add(self, subject: Subject | None) -> Subject | None:
        if subject is not None:
            self.known.append(subject)
        return subject

    def objects(self, suite: Suite, name: str, span: Span) -> list[Manifest]:
        """Returns the objects in a file that a test file names; problems are reported at the name."""
        try:
            path = resolve_path(suite.file, name)
            if path not in self._files:
                self._files[path] = self._read(path, name, span)
        except ForbiddenPathError as error:
            self.diagnostics.error("VG912", f"{name} cannot be read: {error}", span, "keep the file in the project")
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = getattr(error, "strerror", None) or error
            self.diagnostics.error("VG912", f"{name} cannot be read: {reason}", span, "check the path")
        else:
            return self._files[path]
        return []

    def _read(self, path: str, name: str, span: Span) -> list[Manifest]:
        own = Diagnostics()
        found = parse(path, reading.read(path), own)
        self.diagnostics.extend(own.items)
        if not found and not own.items:
            self.diagnostics.error("VG912", f"{name} has no objects", span, "name a file that holds some")
        return found

    def _definition(self, suite: Suite) -> Manifest | None:
        name, kind, span = suite.given["crd"], suite.given.get("kind"), suite.span("crd")
        before = len(self.diagnostics.items)
        found = [each for each in self.objects(suite, name, span) if is_definition(each.obj)]
        chosen = [each for each in found if kind is None or _read_kind(each.obj) == kind]
        if len(chosen) == 1:
            return chosen[0]
        kinds = ", ".join(dict.fromkeys(_read_kind(each.obj) or each.name for each in found))
        if len(self.diagnostics.items) > before:
            pass  # already reported
        elif kind is not None:
            help = f"it has {kinds}" if kinds else "name a file with CustomResourceDefinitions"
            self.diagnostics.error("VG912", f"{name} has no definition of {kind}", suite.span("kind"), help)
        else:
            help = f"add `kind:` with one of {kinds}" if kinds else "name a file with a CustomResourceDefinition"
            self.diagnostics.error("VG912", f"{name} has {len(found)} definitions, not one", span, help)
        return None

    def _version(self, suite: Suite, manifest: Manifest) -> str | None:
        """Returns the tested version. The definition is not validated yet."""
        spec = manifest.obj.get("spec")
        versions = spec.get("versions") if isinstance(spec, dict) else None
        known = [each for each in (versions if isinstance(versions, list) else []) if isinstance(each, dict)]
        name = suite.given.get("version")
        found = [each for each in known if (each.get("name") == name if name is not None else each.get("storage"))]
        if name is None and not found:
            return ""  # which is a mistake in the definition, and reported as one
        if not found or not found[0].get("served"):
            served = ", ".join(str(each.get("name")) for each in known if each.get("served"))
            help = f"it serves {served or 'none'}"
            span = suite.span("version") if name is not None else suite.span("crd")
            shown = name if name is not None else f"version {found[0].get('name')}"
            self.diagnostics.error("VG912", f"the definition does not serve {shown}", span, help)
            return None
        return str(found[0].get("name"))


def _read_kind(definition: Mapping[str, Any]) -> str:
    spec = definition.get("spec")
    names = spec.get("names") if isinstance(spec, dict) else None
    return str(names.get("kind") or "") if isinstance(names, dict) else ""


def _declared(manifest: Manifest, version: str, into: Diagnostics) -> Subject | None:
    errors = [each for each in diagnostics(manifest.obj, manifest.positions) if each.severity is Severity.ERROR]
    into.extend(errors)
    if errors:
        return None
    scheme = Scheme()
    kind = scheme.define(manifest.obj)
    versions = manifest.obj["spec"]["versions"]
    index = next(number for number, each in enumerate(versions) if each["name"] == version)
    schema = (versions[index].get("schema") or {}).get("openAPIV3Schema") or {}
    return Subject(scheme, kind, version, schema, manifest, ("spec", "versions", index, "schema", "openAPIV3Schema"))


# --- rules of a test file ---------------------------------------------------------------------------------------------


def _own(suite: Suite, into: Diagnostics) -> Subject | None:
    """Returns the schema and the rules of a test file, as a definition."""
    schema, rules = dict(suite.given["schema"]), suite.given.get("rules") or []
    own = schema.get(_KEYWORD) or []
    own = own if isinstance(own, list) else []
    if rules:
        schema[_KEYWORD] = [*own, *rules]
    definition = _make_definition(schema)
    root: Keys = ("spec", "versions", 0, "schema", "openAPIV3Schema")
    wrong = False
    for finding in check(definition):
        if finding.severity is not Severity.ERROR:
            continue
        wrong = True
        keys = _in_suite(finding.keys[len(root) :], len(own)) if finding.keys[: len(root)] == root else ("schema",)
        first = finding.message.partition("\n")[0]
        message = first.replace("spec.versions[0].schema.openAPIV3Schema.properties[self]", "schema")
        message = message.replace("spec.validation.openAPIV3Schema.properties[self]", "schema")
        into.add(Diagnostic(finding.code, finding.severity, message, suite.span(*keys), finding.help))
    if wrong:
        return None
    scheme = Scheme()
    kind = scheme.define(definition)
    return Subject(scheme, kind, "v1", schema, suite.manifest, root, len(own))


def _make_definition(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a definition whose objects have a schema for one field."""
    root = {"type": "object", "properties": {FIELD: schema}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}
    names = {"kind": "Tested", "plural": "testeds", "singular": "tested", "listKind": "TestedList"}
    spec = {"group": "celtest.example.com", "scope": "Cluster", "names": names, "versions": [version]}
    metadata = {"name": "testeds.celtest.example.com"}
    return {"apiVersion": VERSION, "kind": "CustomResourceDefinition", "metadata": metadata, "spec": spec}
