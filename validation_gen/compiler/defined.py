"""Converts the kinds of CustomResourceDefinitions to a program: validators without sources of types.

Each served version becomes a package, named by its group and version. Its kinds have their schemas, and values of any
shape, which the schemas describe.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.files.reading import is_manifest
from validation_gen.ir import KindSchema, PackagePlan, Program, ResourceNotes, Root, Scale, TypePlan, Wire
from validation_gen.kubernetes.crd.definition import Definition, Version, read_definition
from validation_gen.kubernetes.crd.run import diagnostics as findings_of
from validation_gen.kubernetes.crd.run import is_definition
from validation_gen.kubernetes.crd.verdict import SERVER
from validation_gen.kubernetes.manifests import Manifest, read_manifests
from validation_gen.sources import recording_fs

#: Maximum nesting of brackets in Python, less those around a schema.
_DEEPEST = 190


def read_definitions(
    paths: Sequence[str],
    diagnostics: Diagnostics,
    read: Callable[[Sequence[str], Diagnostics], list[Manifest]] = read_manifests,
    refused: dict[str, Diagnostic] | None = None,
    server: int = SERVER,
) -> list[Manifest]:
    """Returns the definitions in files and directories that a server would accept. Reports the errors of the others.

    `read` reads the objects, by default from disk. `refused` collects the kinds of refused definitions. `server` is the
    minor release of the server; releases before `SERVER` are treated like it.
    """
    if recording_fs.is_recording():
        _note(paths)
    found = []
    for manifest in read(paths, diagnostics):
        if not is_definition(manifest.obj):
            continue
        findings = findings_of(manifest.obj, manifest.positions, minor=max(server, SERVER) - 1)
        diagnostics.extend(findings)
        error = next((finding for finding in findings if finding.severity is Severity.ERROR), None)
        if error is None:
            found.append(manifest)
        elif refused is not None:
            refused |= dict.fromkeys(_kinds(manifest.obj), error)
    if paths and not found and not diagnostics.has_errors:
        help = "name CustomResourceDefinitions, or sources in Go or Python"
        diagnostics.error("VG902", "there are no definitions here", Span(paths[0]), help)
    return found


def _kinds(definition: Mapping[str, Any]) -> list[str]:
    """Returns the kinds of a definition with errors, as far as they can be read."""
    with contextlib.suppress(AttributeError, KeyError, TypeError):
        spec = definition["spec"]
        kind = spec["names"]["kind"]
        return [f"{spec['group']}/{version['name']} {kind}" for version in spec["versions"]]
    return ["a definition without names of its kinds"]


def _note(paths: Sequence[str]) -> None:
    """Records the files and directories that count, for the cache."""
    for path in paths:
        if not os.path.isdir(path):  # noqa: PTH112 - unlike Path.is_dir, it never raises
            recording_fs.note(("file", path))
        for directory, _, names in os.walk(path):
            recording_fs.note(("manifests", directory))
            for name in filter(is_manifest, names):
                recording_fs.note(("file", os.path.join(directory, name)))  # noqa: PTH118 - as it is read


def add_defined(program: Program, paths: Sequence[str], diagnostics: Diagnostics) -> None:
    """Adds the kinds of definitions to a program. Duplicates are reported."""
    known = {
        (package.api_version, root.kind): program.types[root.type].span
        for package in program.packages.values()
        for root in package.roots
        if root.type in program.types
    }
    for manifest in read_definitions(paths, diagnostics, refused=program.refused, server=program.server or SERVER):
        definition = read_definition(manifest.obj)
        for version in definition.versions:
            if not version.served:
                continue
            api_version, kind = f"{definition.group}/{version.name}", definition.names.kind
            span = manifest.positions.span(["spec", "names", "kind"])
            before = known.setdefault((api_version, kind), span)
            if before is not span:
                message = f"{kind} in {api_version} is defined twice, and validators can be of one definition"
                diagnostics.error("VG549", message, span, f"leave one of them out; the other one is in {before}")
                continue
            if _nesting(_raw(definition, version)) > _DEEPEST:
                message = f"the schema of {kind} in {api_version} is deeper than Python can read"
                diagnostics.error(
                    "VG305", message, span, "make it flatter, or ask `apply` and `validate` about objects"
                )
                continue
            _add(program, definition, version, span)


def _raw(definition: Definition, version: Version) -> Mapping[str, Any]:
    validation = version.part.validation or definition.shared.validation
    return validation.raw if validation is not None else {}


def _nesting(value: Any) -> int:
    """Returns the maximum nesting of lists and objects in a schema."""
    if not isinstance(value, dict | list):
        return 0
    return 1 + max(map(_nesting, value.values() if isinstance(value, dict) else value), default=0)


def _add(program: Program, definition: Definition, version: Version, span: Span) -> None:
    path, kind = f"{definition.group}/{version.name}", definition.names.kind
    package = program.packages.get(path)
    if package is None:
        package = PackagePlan(path, version.name, span.file, definition.group, version.name, input=True)
        program.packages[path] = package
    id = f"{path}.{kind}"
    program.types[id] = TypePlan(id, path, kind, Wire("any", id, opaque=True), span)
    package.types.append(id)
    subresources = version.part.subresources or definition.shared.subresources
    status = subresources is not None and subresources.status
    paths = subresources.scale if subresources is not None else None
    scale = None if paths is None else Scale(paths.spec_replicas, paths.status_replicas, paths.label_selector or "")
    notes = ResourceNotes(plural=definition.names.plural, scope=definition.scope, status=status, scale=scale)
    package.roots.append(Root(id, kind, path, resource=notes))
    program.schemas[id] = KindSchema(_raw(definition, version), status)
