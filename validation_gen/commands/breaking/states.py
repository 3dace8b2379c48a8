"""Reads both states with the same settings and different paths, and adds the kinds of definitions to their programs.

Each version of a definition becomes a package, named by its kind. `schemas` compares the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from validation_gen.commands.breaking.shapes import ConstraintIndex
from validation_gen.commands.revisions import OldState
from validation_gen.compiler.defined import read_definitions
from validation_gen.compiler.pipeline import lower, read
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.diagnostics.levels import fail_for_slip
from validation_gen.files.reading import is_manifest
from validation_gen.files.tree import Tree
from validation_gen.ir import Conversion, PackagePlan, Program, ResourceNotes, Root, Scale, TypePlan, Wire
from validation_gen.kubernetes.crd.definition import Definition, Subresources, Version, read_definition
from validation_gen.kubernetes.manifests import Manifest, read_manifests
from validation_gen.sources.model import Universe

#: Errors after which so much is missing that everything would look removed.
UNREADABLE = ("VG101", "VG901", "VG902", "VG904")


@dataclass(frozen=True, slots=True)
class State:
    """One state of the sources. `render_span` maps a location to the path that messages show."""

    surface: ConstraintIndex
    universe: Universe
    #: Definitions by the ids of their types.
    defined: Mapping[str, Defined] = field(default_factory=dict)
    shown: Callable[[Span], Span] = field(default=lambda span: span)

    @property
    def program(self) -> Program:
        return self.surface.program


def read_new(settings: Settings, diagnostics: Diagnostics, progress: Callable[[str], None]) -> State:
    """Reads the state on disk. Lint findings are left to other commands."""
    state, found = _read(settings, progress, lambda span: span)
    _tell(found, diagnostics, "new", state.shown)
    if not found.has_errors and not any(p.input for p in state.program.packages.values()):
        help = "name a directory with API types"
        place = Span((*settings.paths, *settings.definitions)[0])
        diagnostics.warning("VG902", "there are no API types here", place, help)
    return state


def read_old(old: OldState, settings: Settings, diagnostics: Diagnostics, progress: Callable[[str], None]) -> State:
    """Reads the state to compare with."""
    extensions = tuple(filter(None, map(old.find, settings.extensions)))
    there = replace(settings, paths=old.paths, definitions=old.manifests, modules=old.modules, extensions=extensions)
    state, found = _read(there, progress, old.render_span, old.tree)
    _tell(found, diagnostics, "old", old.render_span)
    return state


def _read(
    settings: Settings, progress: Callable[[str], None], shown: Callable[[Span], Span], tree: Tree | None = None
) -> tuple[State, Diagnostics]:
    """Reads a state with all its kinds; returns it with its diagnostics."""
    wanted, found = replace(settings, every_kind=True), Diagnostics()
    program, universe = Program(), Universe()
    if wanted.paths:
        sources = read(wanted, found, progress)
        program, universe = lower(sources, wanted, found, progress), sources.universe
    defined: Mapping[str, Defined] = {}
    if wanted.definitions:
        progress("reading definitions")
        defined = add_definitions(program, wanted.definitions, tree, found)
    found.amend(fail_for_slip)
    return State(ConstraintIndex(program), universe, defined, shown), found


def _tell(found: Diagnostics, diagnostics: Diagnostics, state: str, shown: Callable[[Span], Span]) -> None:
    """Reports the problems of a state: unreadable files of the new one, and the number of all other errors.

    Types that have rules with errors are not compared.
    """
    errors = [d for d in found.sorted() if d.severity is Severity.ERROR]
    hard = [d for d in errors if d.code in UNREADABLE and state == "new"]
    for finding in hard:
        diagnostics.add(finding)
    soft = [d for d in errors if d not in hard]
    if soft and not hard:
        count = f"{len(soft)} errors" if len(soft) > 1 else "an error"
        message = f"the {state} state has {count}, so not all of it is compared: {soft[0].message}"
        command = "crd lint" if is_manifest(soft[0].span.file) else "generate"
        help = f"`validation-gen {command}` tells all of them" if state == "new" else "name a state without errors"
        # Skipped parts of the new state may hide a breaking change; an unreadable old file hides all its contents.
        if state == "new" or any(d.code in ("VG101", "VG901", "VG902", "VG905") for d in soft):
            diagnostics.error("VG716", message, shown(soft[0].span), help)
        else:
            diagnostics.warning("VG716", message, shown(soft[0].span), help)


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
