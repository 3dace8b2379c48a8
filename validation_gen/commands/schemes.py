"""Loads the kinds of CustomResourceDefinitions in files, for validating objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.compiler.defined import read_definitions
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.kubernetes.crd.definition import Definition
from validation_gen.kubernetes.crd.run import is_definition
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Kind, Scheme
from validation_gen.rules.releases import NEWEST, parse_minor


@dataclass(slots=True)
class Definitions:
    """The kinds of definitions, and their manifests."""

    scheme: Scheme = field(default_factory=Scheme)
    _manifests: dict[tuple[str, str], Manifest] = field(default_factory=dict)

    def add(
        self, manifest: Manifest, definition: Definition | None = None, *, update: bool = False
    ) -> Diagnostic | None:
        """Adds the kind of a correct definition. Returns a warning if another one, which is not updated, defines it.

        `definition` is the decoded one, if it was decoded before.
        """
        kind = self.scheme.define(definition or manifest.obj)
        before = self._manifests.get((kind.group, kind.kind))
        self._manifests[kind.group, kind.kind] = manifest
        if before is None or update or before.obj == manifest.obj:
            return None
        other = f"{before.file}:{before.line}"
        message = f"the kind {kind.kind} of {kind.group} is defined in {other} already; this definition counts"
        place = manifest.positions.span(("metadata", "name"))
        return Diagnostic("VG513", Severity.WARNING, message, place, "keep one of the two")

    @property
    def objects(self) -> list[Any]:
        """Returns the definitions in use, as they were read."""
        return [manifest.obj for manifest in self._manifests.values()]

    def find(self, kind: Kind) -> Any:
        """Returns the definition of a kind, as it was read."""
        return self._manifests[kind.group, kind.kind].obj


class Lists:
    """Recognises kinds that end in `List` but are no lists, from the definitions read before their objects.

    Attributes:
        kinds: groups and names of the defined kinds.
    """

    def __init__(self, scheme: Scheme | None = None) -> None:
        self.kinds = set(scheme.kinds) if scheme is not None else set()

    def is_object(self, obj: Any) -> bool:
        """Returns whether an object has a defined kind, and is not a list of another kind. Records definitions."""
        if is_definition(obj):
            spec = obj.get("spec")
            names = spec.get("names") if isinstance(spec, dict) else None
            if isinstance(names, dict) and isinstance(spec.get("group"), str) and isinstance(names.get("kind"), str):
                self.kinds.add((spec["group"], names["kind"]))
        version, kind = (obj.get("apiVersion"), obj.get("kind")) if isinstance(obj, dict) else (None, None)
        if not isinstance(version, str) or not isinstance(kind, str):
            return False
        group = version.rpartition("/")[0]
        return (group, kind) in self.kinds and (group, kind.removesuffix("List")) not in self.kinds


def served(scheme: Scheme) -> frozenset[tuple[str, str]]:
    """Returns the kinds of definitions, by API version and kind."""
    return frozenset(
        (version.api_version, kind.kind)
        for kind in scheme.kinds.values()
        for version in kind.versions.values()
        if version.served
    )


def load_definitions(paths: Sequence[str], diagnostics: Diagnostics, target: str = NEWEST) -> Definitions:
    """Reads the definitions in files and directories. Problems of a definition are reported."""
    known = Definitions(Scheme(server=parse_minor(target)))
    for manifest in read_definitions(paths, diagnostics, server=known.scheme.server):
        if (twice := known.add(manifest)) is not None:
            diagnostics.add(twice)
    return known


def load_scheme(paths: Sequence[str], diagnostics: Diagnostics, target: str = NEWEST) -> Scheme:
    """Returns the kinds of definitions in files and directories. Problems of a definition are reported."""
    return load_definitions(paths, diagnostics, target).scheme
