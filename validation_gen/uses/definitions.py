"""CustomResourceDefinitions as sources of types: which arguments name them, and the kinds that they define."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.kubernetes.crd.run import diagnostics as findings_of
from validation_gen.kubernetes.crd.run import is_definition
from validation_gen.kubernetes.manifests import Manifest, is_manifest, read_manifests
from validation_gen.kubernetes.objects import Kind, Scheme
from validation_gen.sources.languages import language_of

#: How many directories are looked into before an argument is taken for sources.
_MOST_DIRECTORIES = 10_000


def split(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """The arguments that name definitions, and those that name sources of types.

    A file is told by its name. A directory has definitions if there are manifests in it and no Go or Python below.
    """
    definitions: list[str] = []
    sources: list[str] = []
    for path in paths:
        (definitions if path == "-" or is_manifest(path) or _has_manifests_alone(path) else sources).append(path)
    return definitions, sources


def _has_manifests_alone(path: str) -> bool:
    found = False
    if not os.path.isdir(path):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        return False
    for count, (_, _, files) in enumerate(os.walk(path)):
        if count > _MOST_DIRECTORIES or any(language_of(name) is not None for name in files):
            return False
        found = found or any(map(is_manifest, files))
    return found


@dataclass(slots=True)
class Definitions:
    """The kinds that definitions define, and where they do it."""

    scheme: Scheme = field(default_factory=Scheme)
    _manifests: dict[tuple[str, str], Manifest] = field(default_factory=dict)

    def add(self, manifest: Manifest, *, update: bool = False) -> Diagnostic | None:
        """Add the kind of a correct definition. Returns a warning if another one, which is not updated, defines it."""
        kind = self.scheme.define(manifest.obj)
        before = self._manifests.get((kind.group, kind.kind))
        self._manifests[kind.group, kind.kind] = manifest
        if before is None or update or before.obj == manifest.obj:
            return None
        other = f"{before.file}:{before.line}"
        message = f"the kind {kind.kind} of {kind.group} is defined in {other} already; this definition counts"
        place = manifest.positions.span(("metadata", "name"))
        return Diagnostic("VG513", Severity.WARNING, message, place, "keep one of the two")

    def resource(self, kind: Kind) -> str:
        """The resource of a kind, as `robots.example.com`."""
        return f"{self._manifests[kind.group, kind.kind].obj['spec']['names']['plural']}.{kind.group}"


class Lists:
    """Knows the kinds that end in `List` and are none, by the definitions that were read before their objects."""

    def __init__(self, scheme: Scheme | None = None) -> None:
        self._kinds = set(scheme.kinds) if scheme is not None else set()

    def is_object(self, obj: Any) -> bool:
        """Whether an object is of a defined kind, and no list of another one. A definition is remembered."""
        if is_definition(obj):
            spec = obj.get("spec")
            names = spec.get("names") if isinstance(spec, dict) else None
            if isinstance(names, dict) and isinstance(spec.get("group"), str) and isinstance(names.get("kind"), str):
                self._kinds.add((spec["group"], names["kind"]))
        version, kind = (obj.get("apiVersion"), obj.get("kind")) if isinstance(obj, dict) else (None, None)
        if not isinstance(version, str) or not isinstance(kind, str):
            return False
        group = version.rpartition("/")[0]
        return (group, kind) in self._kinds and (group, kind.removesuffix("List")) not in self._kinds


def served(scheme: Scheme) -> frozenset[tuple[str, str]]:
    """The kinds that definitions define, by API version and kind."""
    return frozenset(
        (version.api_version, kind.kind)
        for kind in scheme.kinds.values()
        for version in kind.versions.values()
        if version.served
    )


def scheme_of(paths: Sequence[str], diagnostics: Diagnostics) -> Scheme:
    """The kinds that definitions in files and directories define. What is wrong with a definition is reported."""
    known = Definitions()
    for manifest in read_manifests(paths, diagnostics):
        if not is_definition(manifest.obj):
            continue
        found = findings_of(manifest.obj, manifest.positions)
        for finding in found:
            diagnostics.add(finding)
        if any(finding.severity is Severity.ERROR for finding in found):
            continue
        if (twice := known.add(manifest)) is not None:
            diagnostics.add(twice)
    if paths and not known.scheme.kinds and not diagnostics.has_errors:
        help = "name CustomResourceDefinitions, or sources in Go or Python"
        diagnostics.error("VG902", "there are no definitions here", Span(paths[0]), help)
    return known.scheme
