"""Converts some definitions to a package for each group and version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from validation_gen.commands.convert.defined.kinds import definition_markers, kind_markers
from validation_gen.commands.convert.defined.structs import Losses, StructWriter
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.sources.model import Package
from validation_gen.tags.comments import CommentLine

_VERSION = re.compile(r"v[0-9]+((?:alpha|beta)[0-9]+)?")


def defined_packages(
    manifests: Iterable[Manifest], diagnostics: Diagnostics, *, docstrings: bool = True
) -> dict[str, Package]:
    """Returns the kinds of definitions as structs, by the import paths of their packages. Losses are reported.

    Descriptions of types become their `docstrings`, or else comments.
    """
    packages: dict[str, Package] = {}
    taken: dict[str, dict[str, int]] = {}
    found = []
    for manifest in sorted(manifests, key=lambda each: each.name):
        spec, whole = manifest.obj["spec"], True
        for number, version in enumerate(spec["versions"]):
            path, kind = f"{spec['group']}/{version['name']}", spec["names"]["kind"]
            span = manifest.positions.span(["spec", "names", "kind"])
            names = taken.setdefault(path, {})
            if kind in names:
                message = f"{kind} in {path} is defined twice, and a class can be of one definition"
                diagnostics.error("VG549", message, span, "leave one of them out")
                continue
            names[kind] = 1
            package = packages.setdefault(path, _package(spec["group"], version["name"], manifest.file))
            schema, way = _schema(version), ("spec", "versions", number, "schema", "openAPIV3Schema")
            losses = Losses(span, schema, way, manifest.positions.span, diagnostics)
            found.append((StructWriter(package, kind, names, losses, docstrings), manifest, version, whole))
            whole = False
    # All kinds get their names before the types in them.
    for writer, manifest, version, whole in found:
        lines = kind_markers(manifest.obj, version)
        if whole:
            lines += definition_markers(manifest.obj, partial(writer.losses.lose, writer.kind))
        writer.root(_schema(version), lines)
    return packages


def _schema(version: Mapping[str, Any]) -> Any:
    return (version.get("schema") or {}).get("openAPIV3Schema") or {}


def _package(group: str, version: str, file: str) -> Package:
    lines = [f" The kinds of {group} in version {version}.", "", f"+groupName={group}"]
    if not _VERSION.fullmatch(version):
        lines.append(f"+versionName={version}")
    comments = [CommentLine(text, Span(file, number)) for number, text in enumerate(lines, 1) if text]
    return Package(f"{group}/{version}", version, file, "", tuple(comments))
