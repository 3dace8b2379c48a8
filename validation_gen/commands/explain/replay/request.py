"""Chooses the object of a trace and the type that validates it, and describes the outcome as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.commands.explain.fields.address import closest, either
from validation_gen.commands.explain.replay.record import Replay, Status, is_below, matching, narrowed
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.kubernetes.manifests import Manifest, read_manifests
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.words import nearest


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """Arguments of a replay: the files, the object in them, and the request."""

    file: str
    old: str
    name: str
    path: str
    options: Mapping[str, bool]
    subresource: str
    type: str
    level: Level
    all: bool


def choose_object(manifests: list[Manifest], wanted: ReplayOptions, diagnostics: Diagnostics) -> Manifest | None:
    """Returns the chosen object: the one with the name, or the first."""
    if not wanted.name:
        return manifests[0] if manifests else None
    found = [manifest for manifest in manifests if manifest.name == wanted.name]
    if not found and manifests:
        names = sorted({manifest.name for manifest in manifests if manifest.name})
        near = closest(wanted.name, names) or names[:5]
        help = f"there is {either(near)}" if near else "the objects there have no names"
        diagnostics.error("VG904", f"{wanted.file} has no object with the name {wanted.name}", Span("--name"), help)
    return found[0] if found else None


def choose_old(manifest: Manifest, wanted: ReplayOptions, diagnostics: Diagnostics) -> Manifest | None:
    """Returns the old object: the one with the same identity, or else the only one in the file."""
    found = read_manifests([wanted.old], diagnostics)
    same = [other for other in found if other.identity == manifest.identity]
    if same or len(found) == 1:
        return (same or found)[0]
    if found:
        message = f"none of the {len(found)} objects in {wanted.old} is {manifest.identity[1]} {manifest.name}"
        diagnostics.error("VG904", message, Span("--old"), "name a file with the object as it was")
    return None


def find_kind(manifest: Manifest, type: str, registry: Registry, diagnostics: Diagnostics) -> Kind | None:
    """Returns the type of an object: the named one, or that of its kind. Reports an unknown one."""
    if not type:
        found = registry.of_object(manifest.obj)
        if found is None and not diagnostics.has_errors:
            version, kind, _, _ = manifest.identity
            what = f"no type here has the apiVersion {version or '(none)'} and the kind {kind or '(none)'}"
            known = sorted({f"{k.api_version} {k.name}" for k in registry.kinds if k.api_version})
            near = nearest(f"{version} {kind}", known, most=3) or known[:5]
            help = f"there is {either(near)}; or name the type by --type" if near else "name the type by --type"
            diagnostics.error("VG904", what, Span(manifest.file, manifest.line), help)
        return found
    package, _, name = type.rpartition(".")
    kinds = registry.of_type(name, package)
    if len(kinds) != 1 and not diagnostics.has_errors:
        near = closest(name, {k.name for k in registry.kinds})
        message = f"there is no type {type}"
        help = f"did you mean {either(near)}?" if near else "write the name of a Go type"
        if kinds:
            message = f"--type {type} could be any of {', '.join(f'{k.package}.{k.name}' for k in kinds)}"
            help = "name the package too"
        diagnostics.error("VG904", message, Span("--type"), help)
    return kinds[0] if len(kinds) == 1 else None


def narrow(found: Replay, path: str, diagnostics: Diagnostics) -> Replay:
    """Keeps the records that matter for a path. Reports a path without checks."""
    path = path.strip(".")
    if not path:
        return found
    places = matching(found.records, path)
    if not any(is_below(record.path, place) for record in found.records for place in places):
        paths = {record.path for record in found.records if record.path}
        near = closest(path, paths)
        help = f"did you mean {either(near)}?" if near else "write it as errors do, such as spec.tools[0].name"
        diagnostics.warning("VG902", f"no check here is about {path}", Span("--path"), help)
    return Replay(narrowed(found.records, path), found.errors, found.surprises)


def to_dict(
    found: Replay, manifest: Manifest, before: Manifest | None, kind: Kind, wanted: ReplayOptions
) -> dict[str, Any]:
    """Returns the trace as data."""
    return {
        "file": manifest.file,
        "line": manifest.line,
        "old": f"{before.file}:{before.line}" if before else "",
        "package": kind.package,
        "kind": kind.name,
        "name": manifest.name,
        "subresource": wanted.subresource,
        "options": dict(wanted.options),
        "checks": [record.as_dict() for record in found.records],
        "summary": {status.value: found.count(status) for status in Status},
    }
