"""Adds the kinds of definitions in a state, read from disk or from a revision, to its program.

Each version becomes a package, named by its kind. `schemas` compares the values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from validation_gen.compiler.defined import read_definitions
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.files.tree import Tree
from validation_gen.ir import Conversion, PackagePlan, Program, ResourceNotes, Root, Scale, TypePlan, Wire
from validation_gen.kubernetes.crd.definition import Definition, Subresources, Version, read_definition
from validation_gen.kubernetes.manifests import Manifest, read_manifests


@dataclass(frozen=True, slots=True)
class Defined:
    """A kind in one version of its definition: the schema as JSON, and its path in the manifest."""

    schema: Mapping[str, Any]
    manifest: Manifest
    way: tuple[str | int, ...]

    def span(self, way: Sequence[str | int]) -> Span:
        """Returns the location of a part of the schema."""
        return self.manifest.positions.span([*self.way, *way])


def add_definitions(
    program: Program, paths: Sequence[str], tree: Tree | None, diagnostics: Diagnostics
) -> dict[str, Defined]:
    """Adds the kinds of all versions to a program. Returns the definitions by the ids of their types.

    Duplicates of a definition count once; definitions that differ are compared with the one in the same file. Within a
    file the last one counts, as it does when the file is applied.

    Args:
        program: takes the packages and types.
        paths: manifests, and directories with manifests.
        tree: source of the paths, if they are not read from disk.
        diagnostics: take the errors of a definition, which is then skipped.
    """
    found: dict[str, Defined] = {}
    seen: dict[tuple[str, str], list[Any]] = {}
    last: dict[tuple[str, str, str], tuple[Definition, Manifest]] = {}
    for manifest in read_definitions(paths, diagnostics, partial(read_manifests, tree=tree)):
        definition = read_definition(manifest.obj)
        last[definition.group, definition.names.kind, manifest.file] = definition, manifest
    for definition, manifest in last.values():
        known = seen.setdefault((definition.group, definition.names.kind), [])
        if manifest.obj["spec"] in known:
            continue
        for index, version in enumerate(definition.versions):
            id = _add(program, definition, version, manifest, len(known), index)
            raw = manifest.obj["spec"]["versions"][index].get("schema") or {}
            way = ("spec", "versions", index, "schema", "openAPIV3Schema")
            found[id] = Defined(raw.get("openAPIV3Schema") or {}, manifest, way)
        known.append(manifest.obj["spec"])
    return found


def _add(
    program: Program, definition: Definition, version: Version, manifest: Manifest, number: int, index: int
) -> str:
    """Adds a version of a definition. Its path contains the file, to pair it with the one in the same file."""
    group, kind, file = definition.group, definition.names.kind, manifest.file
    path = f"{group}/{version.name}/{kind}/{file}"
    id = f"{path}#{number}"
    span = manifest.positions.span(["spec", "versions", index, "name"])
    program.types[id] = TypePlan(id, path, kind, Wire("any", id, opaque=True), span)
    package = program.packages.setdefault(path, PackagePlan(path, kind, file, group, version.name, input=True))
    package.types.append(id)
    package.roots.append(Root(id, kind, f"{group}/{version.name}", resource=_notes(definition, version, span)))
    return id


def _notes(definition: Definition, version: Version, span: Span) -> ResourceNotes:
    names, below = definition.names, version.part.subresources or definition.shared.subresources or Subresources()
    conversion = definition.conversion
    scale = Scale(below.scale.spec_replicas, below.scale.status_replicas) if below.scale else None
    return ResourceNotes(
        plural=names.plural,
        singular=names.singular,
        list_kind=names.list_kind,
        short_names=names.short_names,
        categories=names.categories,
        scope=definition.scope,
        status=below.status,
        scale=scale,
        selectable=list(version.part.selectable or definition.shared.selectable),
        storage=version.storage,
        served=version.served,
        deprecated=version.deprecated,
        deprecation_warning=version.deprecation_warning,
        conversion=Conversion(conversion.review_versions) if conversion.strategy == "Webhook" else None,
        told=True,
        span=span,
    )
