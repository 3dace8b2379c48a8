"""Definitions that an API server begins with: of files, and of Go and Python types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from validation_gen.commands.definitions import split
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.kubernetes.crd.run import is_definition
from validation_gen.kubernetes.manifests import Manifest, read_manifests

if TYPE_CHECKING:
    from validation_gen.compiler.pipeline import Settings


def find_definitions(paths: Sequence[str], settings: Settings, diagnostics: Diagnostics) -> list[dict[str, Any]]:
    """Returns the CustomResourceDefinitions of files and of types.

    Args:
        paths: files and directories of definitions, or sources of types.
        settings: how to read sources.
        diagnostics: take the problems. A kind with errors is left out.
    """
    files, sources = split(paths)
    found = [manifest.obj for manifest in read_manifests(files, diagnostics) if is_definition(manifest.obj)]
    if files and not found and not diagnostics.has_errors:
        help = "name CustomResourceDefinitions, or sources in Go or Python; `-f` names objects"
        diagnostics.error("VG902", "there are no definitions here", Span(files[0]), help)
    if sources:
        found += _of_types(replace(settings, paths=tuple(sources), every_kind=True), diagnostics)
    return found


def check_objects(manifests: Iterable[Manifest], diagnostics: Diagnostics) -> None:
    """Reports the manifests for which no server can find a kind or a namespace."""
    for manifest in manifests:
        obj = manifest.obj if isinstance(manifest.obj, dict) else {}
        place = Span(manifest.file, manifest.line, 1)
        if not all(isinstance(obj.get(name), str) and obj[name] for name in ("apiVersion", "kind")):
            diagnostics.error("VG905", "an object needs apiVersion and kind", place, "add both to the object")
        elif not isinstance(obj.get("metadata") or {}, dict):
            diagnostics.error("VG905", "`metadata` must be an object", place, "write `metadata: {name: NAME}`")


def _of_types(settings: Settings, diagnostics: Diagnostics) -> list[dict[str, Any]]:
    # Late, as a server of definitions should take little memory.
    from validation_gen.compiler.definitions import refusals  # noqa: PLC0415
    from validation_gen.compiler.pipeline import lower, read  # noqa: PLC0415
    from validation_gen.emit.schema import SchemaOptions  # noqa: PLC0415
    from validation_gen.emit.schema.findings import findings  # noqa: PLC0415
    from validation_gen.emit.schema.resources import ResourceEmitter, definitions  # noqa: PLC0415

    program = lower(read(settings, diagnostics), settings, diagnostics)
    emitter, made = ResourceEmitter(program, SchemaOptions()), []
    for found in definitions(program):
        if not all(program.is_sound(root.type) for _, root in found.versions):
            continue
        obj = emitter.definition(found)
        problems = [*findings(program, [found]), *refusals(program, found, obj, whole=False)]
        refused = [problem for problem in problems if problem.severity is Severity.ERROR]
        diagnostics.extend(refused)
        if not refused:
            made.append(obj)
    return made
