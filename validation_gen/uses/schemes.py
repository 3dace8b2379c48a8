"""The kinds that CustomResourceDefinitions in files define, ready to judge objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from validation_gen.build.defined import read_definitions
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Scheme


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
    for manifest in read_definitions(paths, diagnostics):
        if (twice := known.add(manifest)) is not None:
            diagnostics.add(twice)
    return known.scheme
